//! The subset that every provider takes.

use super::{
    keyword::{CONDITION, KEY_NAMES, OTHER_KEYS, VALIDATION},
    profile::{Profile, SpecForm},
};

pub(super) const PORTABLE: Profile = Profile {
    name: "portable",
    keywords: VALIDATION & !KEY_NAMES,
    spec: SpecForm::Bare,
    refused: &[
        CONDITION,
        OTHER_KEYS,
        "$schema $ref $defs definitions oneOf allOf not const default examples title format prefixItems",
    ],
    single_types: true,
    ..Profile::PLAIN
};
