//! Gemini: `parametersJsonSchema`, and `parameters` in its subset of `OpenAPI`.

use super::{
    keyword::{BOUNDS, CLOSED, CONDITION, ITEMS, LENGTH, NUMERIC_ENUM, OTHER_KEYS, PREFIX_ITEMS},
    profile::{
        CallForm, EmptyObjects, MapForm, NameRule, NullForm, PatternSupport, Profile, ReplyForm,
        SpecForm,
    },
};

const TOOL_NAME: NameRule = NameRule {
    begins_as_word: true,
    fault: "the name is not 1 to 64 letters, digits, `_` and `-`, beginning with a letter or `_`",
    ..NameRule::TOOL
};

/// Gemini's documents do not allow `-`; no request is known to have failed because of one.
const PARAMETER_NAME: NameRule = NameRule {
    also: b"_-",
    begins_as_word: true,
    fault: "the name is not 1 to 64 letters, digits, `_` and `-`, beginning with a letter or `_`",
    ..NameRule::PARAMETER
};

pub(super) const GEMINI: Profile = Profile {
    name: "gemini",
    keywords: BOUNDS | ITEMS | PREFIX_ITEMS | CLOSED | NUMERIC_ENUM,
    patterns: PatternSupport::None,
    spec: SpecForm::Declarations {
        schema: "parametersJsonSchema",
        leaves_out_empty: false,
    },
    call: CallForm::Gemini,
    reply: ReplyForm::Gemini { pictures: true },
    refused: &["$schema"],
    dropped: &[
        "minLength maxLength pattern exclusiveMinimum exclusiveMaximum multipleOf uniqueItems",
        "allOf not const default examples",
    ],
    lone_references: true,
    tool_name: TOOL_NAME,
    parameter_name: PARAMETER_NAME,
    ..Profile::PLAIN
};

pub(super) const GEMINI_OPENAPI: Profile = Profile {
    name: "gemini-openapi",
    fallback: Some(&GEMINI),
    keywords: BOUNDS | ITEMS | LENGTH,
    null: NullForm::Keyword,
    maps: MapForm::Pairs,
    capitals: true,
    spec: SpecForm::Declarations {
        schema: "parameters",
        leaves_out_empty: true,
    },
    call: CallForm::Gemini,
    reply: ReplyForm::Gemini { pictures: false },
    refused: &[
        CONDITION,
        OTHER_KEYS,
        "$schema $ref $defs definitions oneOf allOf not const examples title",
        "exclusiveMinimum exclusiveMaximum multipleOf uniqueItems prefixItems additionalProperties",
    ],
    refuses_any: Some("which `parameters` cannot say"),
    empty: EmptyObjects::Refused,
    string_enums: true,
    single_types: true,
    tool_name: TOOL_NAME,
    parameter_name: PARAMETER_NAME,
    ..Profile::PLAIN
};
