//! JSON queries: limits hold, and a result is JSON or the text of a string.

use std::time::{Duration, Instant};

use callpact_tools::engine::json_query::{QueryLimits, query};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::two_texts;

/// Limits that an input of a few kilobytes can reach.
const LIMITS: QueryLimits = QueryLimits {
    max_json: 8 << 10,
    max_path: 256,
    max_depth: 32,
    max_results: 50,
    max_output: 1_000,
    max_time: Duration::from_millis(200),
};

/// The first line is the path, the rest is the JSON.
pub fn check(data: &[u8]) {
    let Some((path, json)) = two_texts(data) else {
        return;
    };
    let start = Instant::now();
    let answer = query(path, json, &LIMITS);
    // Ten times the limit, because fuzzer builds and busy machines are slow.
    assert!(
        start.elapsed() < LIMITS.max_time * 10,
        "{:?}",
        start.elapsed()
    );
    match answer {
        Ok(answer) => {
            assert!(answer.len() <= LIMITS.max_output, "{} bytes", answer.len());
            assert!(json.len() <= LIMITS.max_json && path.trim().len() <= LIMITS.max_path);
            assert!(
                serde_json::from_str::<IgnoredAny>(json).is_ok(),
                "an answer out of no JSON"
            );
            if is_list(path, &answer)
                && let Ok(Value::Array(items)) = serde_json::from_str(&answer)
            {
                assert!(items.len() <= LIMITS.max_json / 2);
            }
        }
        Err(error) => {
            let shown = error.to_string();
            assert!(shown.len() < 1_000, "{shown}");
            assert!(!shown.contains(char::is_control), "{shown:?}");
        }
    }
}

fn is_list(path: &str, answer: &str) -> bool {
    path.trim_start().starts_with('$') && answer.starts_with('[')
}
