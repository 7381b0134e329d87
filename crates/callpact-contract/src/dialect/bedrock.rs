//! Bedrock Converse, plain and strict.

use super::{
    keyword::{CLOSED, DEFAULT, LENGTH, NUMERIC_ENUM, RANGES, VALIDATION},
    profile::{CallForm, PatternSupport, Profile, ReplyForm, SpecForm, Strict, StrictBudget},
};

const CONVERSE: Profile = Profile {
    spec: SpecForm::Converse,
    call: CallForm::Converse,
    reply: ReplyForm::Converse,
    ..Profile::PLAIN
};

pub(super) const BEDROCK: Profile = Profile {
    name: "bedrock",
    keywords: VALIDATION | DEFAULT,
    ..CONVERSE
};

pub(super) const BEDROCK_STRICT: Profile = Profile {
    name: "bedrock-strict",
    fallback: Some(&BEDROCK),
    spec: CONVERSE.spec,
    call: CONVERSE.call,
    reply: CONVERSE.reply,
    keywords: LENGTH | CLOSED | NUMERIC_ENUM,
    patterns: PatternSupport::WithoutAssertions,
    format_patterns: true,
    strict: Some(Strict {
        flag: ",\"strict\":true",
        budget: StrictBudget {
            tools: 20,
            ..StrictBudget::NONE
        },
    }),
    refused: &[RANGES, "maxItems"],
    most_min_items: 1,
    ..Profile::STRICT
};
