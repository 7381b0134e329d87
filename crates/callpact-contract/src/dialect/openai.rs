//! OpenAI: chat completions and responses, each plain and strict.

use super::{
    keyword::{DEFAULT, LENGTH, UNIQUE, VALIDATION},
    profile::{
        CallForm, FLOAT_EXACT, PatternSupport, Profile, ReplyForm, SchemaLimits, SpecForm, Strict,
        StrictBudget, WrittenFormats,
    },
};

/// The keywords that strict mode refuses, and some more.
const REFUSED: &str = "oneOf allOf not if then else default uniqueItems contains minContains maxContains \
    patternProperties propertyNames minProperties maxProperties unevaluatedItems unevaluatedProperties \
    dependentRequired dependentSchemas dependencies";

pub(super) const OPENAI: Profile = Profile {
    name: "openai",
    custom_tools: true,
    keywords: VALIDATION | DEFAULT,
    references: true,
    ..Profile::PLAIN
};

pub(super) const OPENAI_STRICT: Profile = Profile {
    name: "openai-strict",
    custom_tools: true,
    fallback: Some(&OPENAI),
    keywords: VALIDATION & !UNIQUE,
    references: true,
    // Its grammars have no word boundaries either.
    patterns: PatternSupport::WithoutAssertions,
    written_formats: WrittenFormats::Taken,
    format_patterns: true,
    farthest: FLOAT_EXACT,
    all_required: true,
    strict: Some(Strict {
        flag: ",\"strict\":true",
        budget: StrictBudget {
            properties: 5_000,
            depth: 10,
            ..StrictBudget::NONE
        },
    }),
    refused: &[REFUSED],
    formats: Some(&[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ]),
    lone_references: true,
    // The smaller limits of Azure: every deployment takes schemas below them.
    advised: SchemaLimits {
        properties: 100,
        depth: 5,
        enum_values: 500,
        names: 7_500,
        ..SchemaLimits::NONE
    },
    limits: SchemaLimits {
        properties: 5_000,
        depth: 10,
        enum_values: 1_000,
        names: 120_000,
        long_enum: 15_000,
    },
    ..Profile::STRICT
};

pub(super) const RESPONSES: Profile = Profile {
    name: "openai-responses",
    custom_tools: true,
    spec: SpecForm::Responses,
    call: CallForm::Responses,
    reply: ReplyForm::Responses,
    ..OPENAI
};

pub(super) const RESPONSES_STRICT: Profile = Profile {
    name: "openai-responses-strict",
    custom_tools: true,
    fallback: Some(&RESPONSES),
    spec: SpecForm::Responses,
    call: CallForm::Responses,
    reply: ReplyForm::Responses,
    ..OPENAI_STRICT
};

/// Fine-tuned models take no lengths.
pub(super) const FINE_TUNED_STRICT: Profile = Profile {
    name: "openai-fine-tuned-strict",
    keywords: OPENAI_STRICT.keywords & !LENGTH,
    refused: &[REFUSED, "minLength maxLength"],
    ..OPENAI_STRICT
};

pub(super) const RESPONSES_FINE_TUNED_STRICT: Profile = Profile {
    name: "openai-responses-fine-tuned-strict",
    keywords: FINE_TUNED_STRICT.keywords,
    refused: FINE_TUNED_STRICT.refused,
    ..RESPONSES_STRICT
};
