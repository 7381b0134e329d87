//! A point in time, and how it was written.

use std::fmt;

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Span, Zoned};

use super::zone::{offset, show};
use super::{DateTimeError, RESULT, SHOWN, civil};
use crate::engine::echo::echo;

/// A point in time that is shown as it was given.
pub(super) struct ZonedMoment {
    at: Zoned,
    style: MomentStyle,
    /// How a time that the clocks skip or repeat was understood.
    note: Option<String>,
}

#[derive(Clone, Copy)]
enum MomentStyle {
    /// `…Z` or `…+02:00`
    Offset,
    /// `… America/New_York`
    Named,
}

/// Reads a time with an offset, or in UTC.
pub(super) fn read(text: &str) -> Result<ZonedMoment, DateTimeError> {
    let (time, zone) = split(text)?;
    let at = time
        .to_zoned(zone.unwrap_or(TimeZone::UTC))
        .map_err(|_| RESULT)?;
    Ok(ZonedMoment {
        at,
        style: MomentStyle::Offset,
        note: None,
    })
}

/// Reads a time on the clocks of `zone`. If it has an offset, that must be the zone's.
pub(super) fn read_in(text: &str, zone: &TimeZone) -> Result<ZonedMoment, DateTimeError> {
    let (time, own) = split(text)?;
    let Some(own) = own else {
        return settle(time, zone);
    };
    let given = time.to_zoned(own).map_err(|_| RESULT)?;
    let there = given.with_time_zone(zone.clone());
    if there.offset() != given.offset() {
        return Err(DateTimeError::OffsetConflict {
            text: echo(text, SHOWN),
            zone: name(zone),
            offset: show(there.offset()),
        });
    }
    Ok(ZonedMoment::named(there))
}

/// Finds the point in time that the clocks of `zone` mean, with a note if they jump.
fn settle(time: DateTime, zone: &TimeZone) -> Result<ZonedMoment, DateTimeError> {
    let choice = zone.to_ambiguous_zoned(time);
    let jump = choice.offset();
    let at = choice.compatible().map_err(|_| RESULT)?;
    let zone = name(zone);
    let note = match jump {
        AmbiguousOffset::Unambiguous { .. } => None,
        AmbiguousOffset::Gap { .. } => Some(format!(
            "{} does not exist in {zone}, where clocks were set forward; taken as {} ({})",
            local(time),
            local(at.datetime()),
            show(at.offset()),
        )),
        AmbiguousOffset::Fold { before, after } => Some(format!(
            "{} happens twice in {zone}, where clocks were set back; taken as the first ({}), not the second ({})",
            local(time),
            show(before),
            show(after),
        )),
    };
    Ok(ZonedMoment {
        at,
        style: MomentStyle::Named,
        note,
    })
}

/// A time and the zone of its offset, if it has one.
fn split(text: &str) -> Result<(DateTime, Option<TimeZone>), DateTimeError> {
    let invalid = || DateTimeError::InvalidDateTime {
        text: echo(text, SHOWN),
    };
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return Ok((civil(time).ok_or_else(invalid)?, Some(TimeZone::UTC)));
    }
    // The date has signs too, so the search for an offset starts after the first colon.
    let sign = text
        .find(':')
        .and_then(|colon| Some(colon + text.get(colon..)?.find(['+', '-'])?));
    match sign.and_then(|at| text.split_at_checked(at)) {
        Some((time, rest)) => {
            let zone = offset(rest).map(TimeZone::fixed);
            Ok((
                civil(time.trim_end()).ok_or_else(invalid)?,
                Some(zone.ok_or_else(invalid)?),
            ))
        }
        None => Ok((civil(text).ok_or_else(invalid)?, None)),
    }
}

impl ZonedMoment {
    pub(super) fn named(at: Zoned) -> Self {
        Self {
            at,
            style: MomentStyle::Named,
            note: None,
        }
    }

    /// The answer to adding `span`. Days and longer units keep the time on the clock; hours and
    /// shorter units count through a jump.
    pub(super) fn shifted(self, span: Span) -> Result<String, DateTimeError> {
        let days = span.get_years() != 0
            || span.get_months() != 0
            || span.get_weeks() != 0
            || span.get_days() != 0;
        let zone = self.at.time_zone().clone();
        let mut result = if days {
            settle(
                self.at.datetime().checked_add(span).map_err(|_| RESULT)?,
                &zone,
            )?
        } else {
            Self::named(self.at.checked_add(span).map_err(|_| RESULT)?)
        };
        result.style = self.style;
        result.note = join(self.note, result.note);
        Ok(result.to_string())
    }

    /// The answer to showing this time in another zone.
    pub(super) fn moved(self, zone: TimeZone) -> String {
        Self {
            at: self.at.with_time_zone(zone),
            style: MomentStyle::Named,
            note: self.note,
        }
        .to_string()
    }

    /// Says which of two equal times on the clock this is.
    fn which(&self) -> Option<String> {
        let AmbiguousOffset::Fold { before, .. } = self
            .at
            .time_zone()
            .to_ambiguous_zoned(self.at.datetime())
            .offset()
        else {
            return None;
        };
        let which = if self.at.offset() == before {
            "first"
        } else {
            "second"
        };
        let (time, offset) = (local(self.at.datetime()), show(self.at.offset()));
        Some(format!(
            "{time} happens twice in {}; this is the {which} ({offset})",
            name(self.at.time_zone())
        ))
    }
}

impl fmt::Display for ZonedMoment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&local(self.at.datetime()))?;
        match self.style {
            MomentStyle::Offset if self.at.offset().is_zero() => f.write_str("Z")?,
            MomentStyle::Offset => f.write_str(&show(self.at.offset()))?,
            MomentStyle::Named => write!(f, " {}", name(self.at.time_zone()))?,
        }
        let said = self
            .note
            .as_ref()
            .is_some_and(|n| n.contains("happens twice"));
        let which = if said { None } else { self.which() };
        match join(self.note.clone(), which) {
            Some(note) => write!(f, " (note: {note})"),
            None => Ok(()),
        }
    }
}

fn join(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("{one}; {other}")),
        (one, other) => one.or(other),
    }
}

/// Always with seconds, and with the fraction if there is one.
fn local(time: DateTime) -> String {
    time.to_string()
}

fn name(zone: &TimeZone) -> String {
    match zone.iana_name() {
        Some(name) => name.to_owned(),
        None => zone
            .to_fixed_offset()
            .map_or_else(|_| "local".into(), |offset| format!("UTC{}", show(offset))),
    }
}
