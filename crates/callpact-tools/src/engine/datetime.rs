//! Dates and times from one line of text.
//!
//! | command | answer |
//! | --- | --- |
//! | `now`, `now in ZONE` | `2026-11-21T11:34:26 UTC` |
//! | `today`, `today in ZONE` | `2026-11-21` |
//! | `DATE + 3 days`, `today - 1 month` | a date; days, weeks, months, years |
//! | `DATETIME + 90 minutes`, `now in ZONE + 2 hours` | a date and time, also hours, minutes, seconds |
//! | `convert DATETIME from ZONE to ZONE` | `2024-01-01T17:00:00 UTC` |
//!
//! A `DATETIME` is `2024-01-01T12:00:00` with an optional fraction and then `Z`, an offset, a zone name
//! or nothing, which means UTC. The answer keeps the offset or zone. The zone database is compiled in,
//! so the answers are the same everywhere. If clocks jump at a time, the answer says how that time was
//! understood.

mod moment;
mod zone;

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use crate::engine::echo::echo;
use moment::ZonedMoment;
use zone::ZoneNames;

/// The longest command in bytes.
pub const MAX_LENGTH: usize = 256;
/// The most characters of a command that a message repeats.
const SHOWN: usize = 64;

/// Why a command has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateTimeError {
    /// There is no command.
    Blank,
    /// The command is longer than [`MAX_LENGTH`].
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// The command has none of the known forms.
    Unrecognized,
    /// There is no such zone.
    UnknownZone {
        /// The requested name.
        name: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// The text is not a date.
    InvalidDate {
        /// The text in its place.
        text: String,
    },
    /// The text is not a date and time.
    InvalidDateTime {
        /// The text in its place.
        text: String,
    },
    /// A unit that dates do not have.
    DateUnit {
        /// The unit.
        unit: String,
    },
    /// A unit that times do not have.
    DateTimeUnit {
        /// The unit.
        unit: String,
    },
    /// The time has a different offset than its zone.
    OffsetConflict {
        /// The time.
        text: String,
        /// The zone.
        zone: String,
        /// The zone's offset at that time.
        offset: String,
    },
    /// An amount or a result that is out of range.
    Range {
        /// The value that is out of range.
        what: &'static str,
    },
}

impl fmt::Display for DateTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => f.write_str("Command must not be blank"),
            Self::TooLong { length } => {
                write!(f, "Command is too long ({length} bytes, at most {MAX_LENGTH})")
            }
            Self::Unrecognized => f.write_str(
                "Unrecognized command. Supported: 'now', 'now in <timezone>', 'today', 'today in <timezone>', \
                 '<date> +/- <N> <unit>', 'convert <datetime> from <tz> to <tz>'; \
                 <date> may be 'today', 'now' or a datetime, e.g. 'today + 3 days'",
            ),
            Self::UnknownZone { name, near } => {
                write!(f, "Unknown timezone: '{name}'")?;
                match near.as_slice() {
                    [] => Ok(()),
                    near => write!(f, ". Did you mean '{}'?", near.join("', '")),
                }
            }
            Self::InvalidDate { text } => write!(f, "Invalid date format: '{text}'. Expected yyyy-MM-dd"),
            Self::InvalidDateTime { text } => {
                write!(f, "Invalid datetime format: '{text}'. Expected yyyy-MM-ddTHH:mm:ss[Z]")
            }
            Self::DateUnit { unit } => {
                write!(f, "Unsupported date unit: '{unit}'. Use days, weeks, months, or years")
            }
            Self::DateTimeUnit { unit } => write!(
                f,
                "Unsupported datetime unit: '{unit}'. Use seconds, minutes, hours, days, weeks, months, or years"
            ),
            Self::OffsetConflict { text, zone, offset } => write!(
                f,
                "Date/time error: '{text}' contradicts 'from {zone}', whose offset was {offset} then; leave the offset out or name the zone that it belongs to"
            ),
            Self::Range { what } => write!(f, "Date/time error: {what} is out of range (years -9999 to 9999)"),
        }
    }
}

impl std::error::Error for DateTimeError {}

type ClockFunction = dyn Fn() -> SystemTime + Send + Sync;

/// Answers commands about dates and times.
///
/// ```
/// # use callpact_tools::engine::datetime::Calendar;
/// let calendar = Calendar::new();
/// assert_eq!(calendar.answer("2024-01-31 + 1 month").as_deref(), Ok("2024-02-29"));
/// assert_eq!(
///     calendar.answer("2024-01-01T00:00:00+02:00 + 1 hour").as_deref(),
///     Ok("2024-01-01T01:00:00+02:00"),
/// );
/// ```
#[derive(Clone)]
pub struct Calendar {
    clock: Arc<ClockFunction>,
    zones: ZoneNames,
}

impl Default for Calendar {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calendar").finish_non_exhaustive()
    }
}

impl Calendar {
    /// Uses the clock of the system.
    pub fn new() -> Self {
        Self::with_clock(SystemTime::now)
    }

    /// Uses your own clock.
    pub fn with_clock(clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self {
            clock: Arc::new(clock),
            zones: ZoneNames::bundled(),
        }
    }

    /// Answers one command.
    ///
    /// # Errors
    /// See [`DateTimeError`].
    pub fn answer(&self, command: &str) -> Result<String, DateTimeError> {
        if command.len() > MAX_LENGTH {
            return Err(DateTimeError::TooLong {
                length: command.len(),
            });
        }
        let command = command.trim();
        if command.is_empty() {
            return Err(DateTimeError::Blank);
        }
        if let Some(rest) = keyword(command, "convert") {
            return self.convert(rest);
        }
        if let Some((start, sign, amount, unit)) = arithmetic(command) {
            return self.shift(start, sign, amount, unit);
        }
        match self.relative(command)? {
            Some(PeriodStart::Day(day)) => Ok(day.to_string()),
            Some(PeriodStart::Time(moment)) => Ok(moment.to_string()),
            None => Err(DateTimeError::Unrecognized),
        }
    }

    /// `now` and `today`, with or without a zone.
    fn relative(&self, text: &str) -> Result<Option<PeriodStart>, DateTimeError> {
        for (word, is_day) in [("now", false), ("today", true)] {
            let Some(rest) = keyword(text, word) else {
                continue;
            };
            let zone = match keyword(rest, "in") {
                _ if rest.is_empty() => TimeZone::UTC,
                Some(name) if !name.is_empty() => self.zones.find(name)?,
                _ => return Ok(None),
            };
            let now = Timestamp::try_from((self.clock)())
                .map_err(|_| RESULT)?
                .to_zoned(zone);
            return Ok(Some(if is_day {
                PeriodStart::Day(now.date())
            } else {
                // Nanoseconds are useless to a model.
                let whole =
                    Timestamp::from_second(now.timestamp().as_second()).map_err(|_| RESULT)?;
                PeriodStart::Time(ZonedMoment::named(whole.to_zoned(now.time_zone().clone())))
            }));
        }
        Ok(None)
    }

    fn shift(
        &self,
        start: &str,
        sign: i64,
        amount: &str,
        unit: &str,
    ) -> Result<String, DateTimeError> {
        let start = match self.relative(start)? {
            Some(start) => start,
            None if is_time(start) => PeriodStart::Time(self.moment(start)?),
            None => PeriodStart::Day(self::date(start)?),
        };
        let unit = unit.to_ascii_lowercase();
        let span = amount
            .parse()
            .ok()
            .and_then(|n: i64| span(&unit, n.checked_mul(sign)?));
        match (start, span) {
            (PeriodStart::Day(_), _) if !is_day_unit(&unit) => Err(DateTimeError::DateUnit {
                unit: echo(&unit, SHOWN),
            }),
            (PeriodStart::Time(_), _) if !is_day_unit(&unit) && !is_time_unit(&unit) => {
                Err(DateTimeError::DateTimeUnit {
                    unit: echo(&unit, SHOWN),
                })
            }
            (_, None) => Err(DateTimeError::Range { what: "the amount" }),
            (PeriodStart::Day(day), Some(span)) => {
                Ok(day.checked_add(span).map_err(|_| RESULT)?.to_string())
            }
            (PeriodStart::Time(moment), Some(span)) => moment.shifted(span),
        }
    }

    fn convert(&self, rest: &str) -> Result<String, DateTimeError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (time @ [_, ..], [from, source, to, target]) =
            words.split_at(words.len().saturating_sub(4))
        else {
            return Err(DateTimeError::Unrecognized);
        };
        if !from.eq_ignore_ascii_case("from") || !to.eq_ignore_ascii_case("to") {
            return Err(DateTimeError::Unrecognized);
        }
        let source = self.zones.find(source)?;
        let target = self.zones.find(target)?;
        let moment = moment::read_in(&time.join(" "), &source)?;
        Ok(moment.moved(target))
    }

    /// Reads a date and time that may end in an offset or the name of a zone.
    fn moment(&self, text: &str) -> Result<ZonedMoment, DateTimeError> {
        let (time, zone) = match text.rsplit_once(char::is_whitespace) {
            Some((time, name)) if name.starts_with(|c: char| c.is_alphabetic()) => {
                (time.trim_end(), Some(name))
            }
            _ => (text, None),
        };
        match zone {
            Some(name) => moment::read_in(time, &self.zones.find(name)?),
            None => moment::read(time),
        }
    }
}

const RESULT: DateTimeError = DateTimeError::Range { what: "the result" };

enum PeriodStart {
    Day(Date),
    Time(ZonedMoment),
}

/// The rest of `text` after `word`, if `text` begins with it as a whole word.
fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    let whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (start.eq_ignore_ascii_case(word) && whole).then(|| rest.trim())
}

/// Splits `START + 3 UNIT` at its end, since a start may have its own signs.
fn arithmetic(text: &str) -> Option<(&str, i64, &str, &str)> {
    let (rest, unit) = text.rsplit_once(char::is_whitespace)?;
    let rest = rest.trim_end();
    let start = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let amount = rest.get(start.len()..).filter(|a| !a.is_empty())?;
    let start = start.trim_end();
    let sign = if start.ends_with('+') { 1 } else { -1 };
    let start = start.strip_suffix(['+', '-'])?.trim_end();
    let is_word = unit.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_word && !start.is_empty()).then_some((start, sign, amount, unit))
}

fn is_day_unit(unit: &str) -> bool {
    matches!(
        unit,
        "day" | "days" | "week" | "weeks" | "month" | "months" | "year" | "years"
    )
}

fn is_time_unit(unit: &str) -> bool {
    matches!(
        unit,
        "hour" | "hours" | "minute" | "minutes" | "second" | "seconds"
    )
}

/// `None` for an unknown unit or an amount that no calendar can hold.
fn span(unit: &str, amount: i64) -> Option<Span> {
    let span = Span::new();
    match unit {
        "day" | "days" => span.try_days(amount),
        "week" | "weeks" => span.try_weeks(amount),
        "month" | "months" => span.try_months(amount),
        "year" | "years" => span.try_years(amount),
        "hour" | "hours" => span.try_hours(amount),
        "minute" | "minutes" => span.try_minutes(amount),
        "second" | "seconds" => span.try_seconds(amount),
        _ => return None,
    }
    .ok()
}

fn is_time(text: &str) -> bool {
    text.contains(['T', 't', 'Z', 'z', ':'])
}

/// Reads `2024-01-31` and nothing longer.
fn date(text: &str) -> Result<Date, DateTimeError> {
    let invalid = || DateTimeError::InvalidDate {
        text: echo(text, SHOWN),
    };
    let is_plain = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '+'));
    if !is_plain || text.matches('-').count() < 2 {
        return Err(invalid());
    }
    text.parse().map_err(|_| invalid())
}

/// Reads `2024-01-31T12:00`, with optional seconds and fraction, and nothing after them.
fn civil(text: &str) -> Option<DateTime> {
    let (day, time) = text.split_once(['T', 't', ' '])?;
    let is_plain = time
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, ':' | '.'));
    if !is_plain || !time.contains(':') {
        return None;
    }
    Some(DateTime::from_parts(
        self::date(day).ok()?,
        time.trim().parse().ok()?,
    ))
}
