//! Dates and times: one clock gives one answer, and every answer or error is one short line.

use std::{
    sync::OnceLock,
    time::{Duration, UNIX_EPOCH},
};

use callpact_tools::engine::datetime::{Calendar, MAX_LENGTH};

use super::text_of;

fn calendar() -> &'static Calendar {
    static CALENDAR: OnceLock<Calendar> = OnceLock::new();
    CALENDAR.get_or_init(|| {
        // 2026-11-21T11:34:26 UTC
        Calendar::with_clock(|| UNIX_EPOCH + Duration::from_secs(1_795_260_866))
    })
}

/// Answers a command. An answer that is a point in time starts a new command.
pub fn check(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match calendar().answer(text) {
        Ok(answer) => {
            assert!(text.len() <= MAX_LENGTH);
            assert!(answer.len() < 500, "{answer}");
            assert!(!answer.contains(char::is_control), "{answer:?}");
            assert_eq!(calendar().answer(text).as_deref(), Ok(answer.as_str()));
            // A date, or a time with an offset. Zones and notes follow in words.
            if !answer.contains(' ') {
                let again = format!("{answer} + 0 days");
                assert_eq!(
                    calendar().answer(&again).as_deref(),
                    Ok(answer.as_str()),
                    "{text}"
                );
            }
        }
        Err(error) => {
            let shown = error.to_string();
            assert!(shown.len() < 1_000, "{shown}");
            assert!(!shown.contains(char::is_control), "{shown:?}");
        }
    }
}
