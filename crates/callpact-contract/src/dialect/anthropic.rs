//! Anthropic messages, plain and strict.

use super::{
    keyword::{
        CLOSED, CONDITION, DEFAULT, NUMERIC_ENUM, OTHER_KEYS, PREFIX_ITEMS, RANGES, VALIDATION,
    },
    profile::{
        CallForm, PatternSupport, Profile, ReplyForm, SpecForm, Strict, StrictBudget,
        WrittenFormats,
    },
};

const MESSAGES: Profile = Profile {
    spec: SpecForm::Messages,
    call: CallForm::Messages,
    reply: ReplyForm::Messages,
    ..Profile::PLAIN
};

pub(super) const ANTHROPIC: Profile = Profile {
    name: "anthropic",
    keywords: VALIDATION | DEFAULT | PREFIX_ITEMS,
    references: true,
    ..MESSAGES
};

pub(super) const ANTHROPIC_STRICT: Profile = Profile {
    name: "anthropic-strict",
    fallback: Some(&ANTHROPIC),
    spec: MESSAGES.spec,
    call: MESSAGES.call,
    reply: MESSAGES.reply,
    keywords: CLOSED | NUMERIC_ENUM | DEFAULT,
    patterns: PatternSupport::WithoutAssertions,
    written_formats: WrittenFormats::Taken,
    format_patterns: true,
    strict: Some(Strict {
        flag: ",\"strict\":true",
        budget: StrictBudget {
            tools: 20,
            optional: 24,
            unions: 16,
            ..StrictBudget::NONE
        },
    }),
    refused: &[
        RANGES,
        CONDITION,
        OTHER_KEYS,
        "minLength maxLength maxItems uniqueItems minProperties maxProperties oneOf not",
    ],
    most_min_items: 1,
    formats: Some(&[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ]),
    ..Profile::STRICT
};
