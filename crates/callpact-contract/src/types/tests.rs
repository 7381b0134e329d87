//! Helpers for the tests of text forms.
#![allow(dead_code)] // each feature uses its part

use std::fmt::Debug;

use crate::{IssueKind, Policy, ToolInput, read_str};

/// The value of a text under the exact policy.
pub(super) fn read<T: ToolInput>(text: &str) -> T {
    let json = serde_json::to_string(text).unwrap();
    let read = read_str(&json, &Policy::exact()).unwrap();
    assert!(read.fixes.is_empty());
    read.value
}

/// The reader reads the text of a value as the same value.
pub(super) fn round_trips<T: ToolInput + PartialEq + Debug>(
    value: &T,
    text: impl FnOnce(&T) -> String,
) {
    assert_eq!(&read::<T>(&text(value)), value);
}

/// Each of these texts gives one issue of the kind `Pattern`, under the exact and the lax policy.
pub(super) fn refuses<T: ToolInput>(texts: &[&str]) {
    for text in texts {
        let json = serde_json::to_string(text).unwrap();
        for policy in [Policy::exact(), Policy::lax()] {
            let report = read_str::<T>(&json, &policy).map(drop).unwrap_err();
            let kinds: Vec<IssueKind> = report.issues.iter().map(|issue| issue.kind).collect();
            assert_eq!(kinds, [IssueKind::Pattern], "{text:?}: {report}");
        }
    }
}
