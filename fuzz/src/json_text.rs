//! Open JSON: the scanner and `serde_json` agree on every text and every value.

use callpact::{IssueKind, Policy, ToolInput, read_str};
use serde::Deserialize;
use serde_json::Value;

use super::text_of;

/// A type that reads nothing of what it is given but its keys; so does what serde derives, while
/// `IgnoredAny` takes keys, too, for texts that nobody reads.
#[derive(Deserialize, ToolInput)]
#[tool_input(unknown = "ignore")]
struct Nothing {}

/// The whole input is the text.
pub fn check(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    let theirs = serde_json::from_str::<Value>(text);
    match (read_str::<Value>(text, &Policy::exact()), theirs) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours.value, theirs, "{text:?}"),
        (Err(_), Err(_)) => {}
        (Ok(ours), Err(why)) => panic!("{} out of {text:?}: {why}", ours.value),
        // `serde_json` accepts a repeated key.
        (Err(report), Ok(theirs)) => {
            let twice = |issue: &callpact::Issue| issue.kind == IssueKind::DuplicateKey;
            assert!(
                report.issues.iter().any(twice),
                "{theirs} of {text:?}: {report}"
            );
        }
    }
    // Skipped values must agree too.
    let object = format!("{{\"a\":{text}}}");
    let theirs = serde_json::from_str::<Nothing>(&object);
    let ours = read_str::<Nothing>(&object, &Policy::exact());
    assert_eq!(ours.is_ok(), theirs.is_ok(), "passing {text:?}");
}
