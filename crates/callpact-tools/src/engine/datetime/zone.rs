//! Zones by name or offset.

use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};

use super::{DateTimeError, SHOWN};
use crate::engine::echo::echo;

/// The most names that an error suggests.
const NEAR: usize = 3;

#[derive(Clone)]
pub(super) struct ZoneNames(TimeZoneDatabase);

impl ZoneNames {
    pub(super) fn bundled() -> Self {
        Self(TimeZoneDatabase::bundled())
    }

    /// A zone of the database, `Z`, or an offset as in `+02:00`, `UTC+2` and `GMT-05:30`.
    pub(super) fn find(&self, name: &str) -> Result<TimeZone, DateTimeError> {
        if ["z", "utc", "gmt", "ut"]
            .iter()
            .any(|n| n.eq_ignore_ascii_case(name))
        {
            return Ok(TimeZone::UTC);
        }
        let prefix = ["UTC", "GMT", "UT"].iter().find_map(|p| {
            let (start, rest) = name.split_at_checked(p.len())?;
            start.eq_ignore_ascii_case(p).then_some(rest)
        });
        if let Some(offset) = offset(prefix.unwrap_or(name)) {
            return Ok(TimeZone::fixed(offset));
        }
        self.0.get(name).map_err(|_| DateTimeError::UnknownZone {
            name: echo(name, SHOWN),
            near: self.near(name),
        })
    }

    fn near(&self, name: &str) -> Vec<String> {
        let wanted = plain(name);
        let mut scored: Vec<(f64, String)> = self
            .0
            .available()
            .map(|known| {
                let whole = plain(known.as_str());
                let city = whole.rsplit('/').next().unwrap_or(&whole);
                // `tokyo` and `Japan/Tokyo` both mean `Asia/Tokyo`.
                let place = wanted.rsplit('/').next().unwrap_or(&wanted);
                let score = strsim::jaro_winkler(&wanted, &whole)
                    .max(strsim::jaro_winkler(place, city) - 0.001);
                (score, known.as_str().to_owned())
            })
            .filter(|(score, _)| *score >= 0.87)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        scored
            .into_iter()
            .take(NEAR)
            .map(|(_, name)| name)
            .collect()
    }
}

fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// Reads `+2`, `-05:30` and `+0530`, within a day.
pub(super) fn offset(text: &str) -> Option<Offset> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'+' => (1, text.get(1..)?),
        b'-' => (-1, text.get(1..)?),
        _ => return None,
    };
    let (hours, minutes, seconds) = match rest.split(':').collect::<Vec<_>>().as_slice() {
        [four] if four.len() == 4 => (four.get(..2)?, four.get(2..)?, "00"),
        [hours] => (*hours, "00", "00"),
        [hours, minutes] => (*hours, *minutes, "00"),
        [hours, minutes, seconds] => (*hours, *minutes, *seconds),
        _ => return None,
    };
    let number = |text: &str, most: i32| -> Option<i32> {
        let digits =
            !text.is_empty() && text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit());
        if digits {
            text.parse().ok().filter(|n| *n <= most)
        } else {
            None
        }
    };
    let total = number(hours, 23)? * 3600 + number(minutes, 59)? * 60 + number(seconds, 59)?;
    Offset::from_seconds(sign * total).ok()
}

/// `+02:00`, always with a sign.
pub(super) fn show(offset: Offset) -> String {
    let total = offset.seconds();
    let sign = if total < 0 { '-' } else { '+' };
    let (hours, minutes, seconds) = (total.abs() / 3600, total.abs() / 60 % 60, total.abs() % 60);
    match seconds {
        0 => format!("{sign}{hours:02}:{minutes:02}"),
        _ => format!("{sign}{hours:02}:{minutes:02}:{seconds:02}"),
    }
}
