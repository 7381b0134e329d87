//! Servers for local models.

use super::{
    keyword::{BOUNDS, CLOSED, DEFAULT, EXCLUSIVE, ITEMS, LENGTH, NUMERIC_ENUM, VALIDATION},
    profile::{EmptyObjects, Maps, Patterns, Profile, ReplyForm},
};

pub(super) const OLLAMA: Profile = Profile {
    name: "ollama",
    keywords: NUMERIC_ENUM,
    patterns: Patterns::None,
    maps: Maps::Words,
    reply: ReplyForm::Ollama,
    dropped: &[
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "pattern",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
        "format",
        "default",
        "const",
        "additionalProperties",
        "$ref",
        "title",
        "prefixItems",
        "oneOf",
        "allOf",
    ],
    ..Profile::PLAIN
};

pub(super) const VLLM: Profile = Profile {
    name: "vllm",
    keywords: BOUNDS | EXCLUSIVE | LENGTH | ITEMS | CLOSED | NUMERIC_ENUM | DEFAULT,
    patterns: Patterns::WithoutLength,
    refused: &[
        "multipleOf",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "patternProperties",
        "propertyNames",
    ],
    ..Profile::PLAIN
};

/// The server of llama.cpp, which makes one grammar of all tools: what its converter cannot say, or says
/// too large, makes the whole request fail.
pub(super) const LLAMA_CPP: Profile = Profile {
    name: "llama-cpp",
    keywords: VALIDATION | DEFAULT,
    // Inside of objects even an anchored one fails.
    patterns: Patterns::None,
    // The grammar takes fewer than 2,000 repetitions, and for items fewer.
    longest_text: 1_999,
    most_items: 500,
    empty: EmptyObjects::Bare,
    refused: &["pattern"],
    ..Profile::PLAIN
};
