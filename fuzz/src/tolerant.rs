//! The tolerant reader writes JSON and keeps clean text unchanged.

use callpact::{Policy, input::repair::clean_text, read_str};
use serde_json::{Map, Value};

/// Reads a text with every reader and compares the results.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let policy = Policy::repair();
    // Every reader reads clean text alike.
    if let Ok(exact) = read_str::<Map<String, Value>>(text, &Policy::exact()) {
        match read_str::<Map<String, Value>>(text, &policy) {
            Ok(read) => assert_eq!(read.value, exact.value),
            Err(report) => panic!("exact accepts it: {report}"),
        }
    }
    if let Some(clean) = clean_text(text, &policy) {
        assert!(
            serde_json::from_str::<Value>(&clean).is_ok(),
            "not JSON: {clean:?}"
        );
        assert_eq!(clean_text(&clean, &policy), None);
        assert!(clean.len() <= text.len() * 3 + 16);
    }
    let read = read_str::<Value>(text, &policy);
    if let Err(report) = read {
        assert!(report.count() > 0);
        assert!(report.to_string().chars().count() < 6_000);
    }
}
