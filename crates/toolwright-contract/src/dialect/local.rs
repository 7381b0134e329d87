//! Servers for local models.

use super::{
    keyword::{BOUNDS, CLOSED, DEFAULT, EXCLUSIVE, ITEMS, LENGTH, NUMERIC_ENUM},
    profile::{Maps, Patterns, Profile, ReplyForm},
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
