//! Row 1.10 of the dates; where the original was wrong, the right answer.

use std::time::{Duration, SystemTime};

use callpact_tools::DateTime;
use serde_json::json;

use crate::bench::{said, set};

/// 2026-11-21T11:34:26Z
fn noon() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_260_866)
}

async fn all(rows: &[(&str, &str)]) {
    let tools = set(DateTime::with_clock(noon));
    for (command, expected) in rows {
        let found = said(&tools, "datetime", json!({ "input": command })).await;
        assert_eq!(&found, expected, "{command}");
    }
}

#[tokio::test]
async fn datetime_now_and_today() {
    all(&[
        ("now", "2026-11-21T11:34:26 UTC"),
        ("today", "2026-11-21"),
        ("today in Asia/Tokyo", "2026-11-21"),
    ])
    .await;
}

#[tokio::test]
async fn datetime_date_arithmetic_clamps() {
    all(&[
        ("2024-01-31 + 1 month", "2024-02-29"),
        ("2024-02-29 + 1 year", "2025-02-28"),
        ("2024-03-01 - 1 days", "2024-02-29"),
        ("2024-01-01 + 2 weeks", "2024-01-15"),
    ])
    .await;
}

#[tokio::test]
async fn datetime_hours_on_a_date() {
    let text = "Error: Unsupported date unit: 'hours'. Use days, weeks, months, or years";
    all(&[("2024-01-01 + 3 hours", text)]).await;
}

#[tokio::test]
async fn datetime_offsets_are_kept() {
    all(&[
        (
            "2024-01-01T00:00:00+02:00 + 1 hours",
            "2024-01-01T01:00:00+02:00",
        ),
        ("2024-01-01T00:00:00 + 1 hours", "2024-01-01T01:00:00Z"),
    ])
    .await;
}

#[tokio::test]
async fn datetime_today_plus() {
    all(&[
        ("today + 3 days", "2026-11-24"),
        ("today - 1 month", "2026-10-21"),
    ])
    .await;
}

#[tokio::test]
async fn datetime_convert() {
    all(&[(
        "convert 2024-01-01T12:00:00 from America/New_York to UTC",
        "2024-01-01T17:00:00 UTC",
    )])
    .await;
    // A `Z` contradicts the zone; the original took the zone without a word.
    let tools = set(DateTime::with_clock(noon));
    let command = "convert 2024-01-01T12:00:00Z from America/New_York to UTC";
    let found = said(&tools, "datetime", json!({ "input": command })).await;
    assert!(found.starts_with("Error: Date/time error:"), "{found}");
}

#[tokio::test]
async fn datetime_gaps_and_overlaps_are_said() {
    let tools = set(DateTime::with_clock(noon));
    for command in [
        "convert 2024-03-10T02:30:00 from America/New_York to UTC",
        "convert 2024-11-03T01:30:00 from America/New_York to UTC",
    ] {
        let found = said(&tools, "datetime", json!({ "input": command })).await;
        assert!(found.contains('('), "{command}: {found}");
    }
}

#[tokio::test]
async fn datetime_unknown_zone() {
    let tools = set(DateTime::with_clock(noon));
    let found = said(&tools, "datetime", json!({ "input": "now in Mars/Base" })).await;
    assert!(
        found.starts_with("Error: Unknown timezone: 'Mars/Base'"),
        "{found}"
    );
}

#[tokio::test]
async fn datetime_amounts_out_of_range() {
    let tools = set(DateTime::with_clock(noon));
    for command in ["2024-01-01 + 99999999999 days", "2024-01-01 + 99999 years"] {
        let found = said(&tools, "datetime", json!({ "input": command })).await;
        assert!(
            found.starts_with("Error: Date/time error: "),
            "{command}: {found}"
        );
    }
}

#[tokio::test]
async fn datetime_unrecognized_lists_the_forms() {
    let tools = set(DateTime::with_clock(noon));
    let found = said(&tools, "datetime", json!({ "input": "what time is it" })).await;
    assert!(
        found.starts_with("Error: Unrecognized command. Supported: 'now', "),
        "{found}"
    );
}
