//! The subset that every provider takes.

use super::{
    keyword::{KEY_NAMES, VALIDATION},
    profile::{Profile, SpecForm},
};

pub(super) const PORTABLE: Profile = Profile {
    name: "portable",
    keywords: VALIDATION & !KEY_NAMES,
    spec: SpecForm::Bare,
    refused: &[
        "$schema",
        "$ref",
        "$defs",
        "definitions",
        "title",
        "format",
        "oneOf",
        "allOf",
        "const",
        "not",
        "patternProperties",
        "propertyNames",
        "if",
        "then",
        "else",
        "prefixItems",
        "default",
        "examples",
    ],
    single_types: true,
    ..Profile::PLAIN
};
