//! Fingerprints change exactly when a contract changes.

use std::collections::{BTreeMap, HashSet};

use callpact::ToolInput;
use callpact_tests::shapes::all;

/// A declaration, and others that each differ from it in one point.
mod changed {
    use callpact::ToolInput;
    macro_rules! variants {
        ($($name:ident { $($(#[$attr:meta])* $field:ident: $type:ty),* } $(#[$container:meta])*;)*) => {$(
            #[derive(ToolInput)]
            #[allow(dead_code)] // declarations
            $(#[$container])*
            pub(crate) struct $name { $($(#[$attr])* $field: $type),* }
        )*};
    }
    variants! {
        Base { a: u8, b: Option<String> };
        Same { a: u8, b: Option<String> };
        // Details that neither the model nor the reader sees.
        Boxed { a: Box<u8>, b: Option<std::sync::Arc<str>> };
        Renamed { c: u8, b: Option<String> };
        Order { b: Option<String>, a: u8 };
        Type { a: u16, b: Option<String> };
        Required { a: u8, b: String };
        Nullable { a: u8, #[tool_param(required)] b: Option<String> };
        More { a: u8, b: Option<String>, c: Option<u8> };
        Less { a: u8 };
        Min { #[tool_param(min = 1)] a: u8, b: Option<String> };
        Max { #[tool_param(max = 254)] a: u8, b: Option<String> };
        Multiple { #[tool_param(multiple_of = 2)] a: u8, b: Option<String> };
        Choice { #[tool_param(one_of = [1, 2])] a: u8, b: Option<String> };
        Length { a: u8, #[tool_param(min_length = 1)] b: Option<String> };
        MaxLength { a: u8, #[tool_param(max_length = 1)] b: Option<String> };
        Pattern { a: u8, #[tool_param(pattern = "a")] b: Option<String> };
        TextChoice { a: u8, #[tool_param(one_of = ["a"])] b: Option<String> };
        Described { #[tool_param(description = "x")] a: u8, b: Option<String> };
        Documented { a: u8, b: Option<String> } #[doc = "What it does"];
        Closed { a: u8, b: Option<String> } #[tool_input(unknown = "deny")];
        Default { #[tool_param(default = 1)] a: u8, b: Option<String> };
        OtherDefault { #[tool_param(default = 2)] a: u8, b: Option<String> };
        Example { #[tool_param(example = 1)] a: u8, b: Option<String> };
        List { a: Vec<u8>, b: Option<String> };
        MinItems { #[tool_param(min_items = 1)] a: Vec<u8>, b: Option<String> };
        MaxItems { #[tool_param(max_items = 1)] a: Vec<u8>, b: Option<String> };
        Unique { #[tool_param(unique_items)] a: Vec<u8>, b: Option<String> };
        Map { a: std::collections::BTreeMap<String, u8>, b: Option<String> };
        Wait { a: std::time::Duration, b: Option<String> };
        Float { a: f64, b: Option<String> };
        Exclusive { #[tool_param(exclusive_min = 0)] a: f64, b: Option<String> };
        Inclusive { #[tool_param(min = 0)] a: f64, b: Option<String> };
    }
}

#[test]
fn fingerprints() {
    use changed::*;
    macro_rules! all {
        ($($type:ident)*) => { [$((stringify!($type), <$type as ToolInput>::FINGERPRINT)),*] };
    }
    let base = Base::FINGERPRINT;
    assert_eq!((base, base), (Same::FINGERPRINT, Boxed::FINGERPRINT));
    let changed = all! {
        Base Renamed Order Type Required Nullable More Less Min Max Multiple Choice Length MaxLength Pattern
        TextChoice Described Documented Closed Default OtherDefault Example List MinItems MaxItems
        Unique Map Wait Float Exclusive Inclusive
    };
    let mut seen = BTreeMap::new();
    for (name, fingerprint) in changed {
        if let Some(earlier) = seen.insert(fingerprint, name) {
            panic!("{name} and {earlier} have the same fingerprint");
        }
    }
    // Different contracts have different fingerprints, over all shapes.
    let shapes = all();
    let texts: HashSet<_> = shapes.iter().map(|shape| shape.whole).collect();
    let fingerprints: HashSet<_> = shapes.iter().map(|shape| shape.fingerprint).collect();
    assert_eq!(texts.len(), fingerprints.len());
    assert_eq!(base.to_string().len(), 16);
}
