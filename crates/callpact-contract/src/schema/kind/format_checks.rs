//! Whether a text has a form that has a name.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::text::{is_expression, words};

fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    let all = number.bytes().all(|byte| byte.is_ascii_digit());
    Some((number.parse().ok().filter(|_| all)?, rest))
}

/// Year, month and day, and the rest.
fn written_day(text: &str) -> Option<([u32; 3], &str)> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
    Some(([year, month, day], rest))
}

/// The number of days of a month that exists.
fn days_of(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(28 + u32::from(leap)),
        _ => None,
    }
}

/// The rest after a real day.
fn day(text: &str) -> Option<&str> {
    let ([year, month, day], rest) = written_day(text)?;
    (1..=days_of(year, month)?).contains(&day).then_some(rest)
}

/// A hint that the day at the start of a text does not exist.
pub(crate) fn missing_day(text: &str) -> Option<String> {
    const MONTHS: &str =
        "January February March April May June July August September October November December";
    let ([year, month, day], _) = written_day(text)?;
    let Some(days) = days_of(year, month) else {
        return Some(format!("there is no month {month}"));
    };
    if (1..=days).contains(&day) {
        return None;
    }
    let name = words(MONTHS).nth(month as usize - 1)?;
    let is_leap_day = (month, day) == (2, 29);
    let of_year = is_leap_day.then(|| format!(" in {year}"));
    Some(format!(
        "there is no {day} {name}{}",
        of_year.unwrap_or_default()
    ))
}

pub(super) fn is_date(text: &str) -> bool {
    day(text) == Some("")
}

/// Hour, minute and second, and the rest. The second may be left out if a zone is not needed.
fn clock(text: &str, zoned: bool) -> Option<([u32; 3], &str)> {
    let (hour, rest) = digits(text, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (mut second, mut rest) = (0, rest);
    if zoned || !rest.is_empty() {
        (second, rest) = digits(rest.strip_prefix(':')?, 2)?;
        if let Some(fraction) = rest.strip_prefix('.') {
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if rest.len() == fraction.len() {
                return None;
            }
        }
    }
    (hour < 24 && minute < 60).then_some(([hour, minute, second], rest))
}

pub(super) fn is_time(text: &str) -> bool {
    let Some(([hour, minute, second], zone)) = clock(text, true) else {
        return false;
    };
    let offset = if zone.eq_ignore_ascii_case("z") {
        Some(0)
    } else {
        let parts = zone
            .strip_prefix(['+', '-'])
            .and_then(|rest| digits(rest, 2));
        let minutes = parts.and_then(|(hours, rest)| {
            let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
            (hours < 24 && minutes < 60 && rest.is_empty()).then_some(60 * hours + minutes)
        });
        minutes.map(|minutes| {
            if zone.starts_with('-') {
                minutes
            } else {
                1440 - minutes
            }
        })
    };
    // A leap second is the last one of a day of UTC.
    let is_last = |offset: u32| (60 * hour + minute + offset) % 1440 == 1439;
    offset.is_some_and(|offset| second < 60 || second == 60 && is_last(offset))
}

pub(super) fn is_date_time(text: &str) -> bool {
    let time = day(text).and_then(|rest| rest.strip_prefix(['T', 't']));
    time.is_some_and(is_time)
}

pub(super) fn is_local_time(text: &str) -> bool {
    clock(text, false).is_some_and(|([.., second], rest)| second < 60 && rest.is_empty())
}

pub(super) fn is_local_date_time(text: &str) -> bool {
    let time = day(text).and_then(|rest| rest.strip_prefix('T'));
    time.is_some_and(is_local_time)
}

pub(super) fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else {
        return false;
    };
    let (date, time) = match rest.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (rest, None),
    };
    let weeks = time.is_none() && has_units(date, "W");
    weeks
        || (has_units(date, "YMD") || date.is_empty() && time.is_some())
            && time.is_none_or(|time| has_units(time, "HMS"))
}

/// Whether a text is numbers with these units in their order, at least one.
fn has_units(mut text: &str, units: &str) -> bool {
    let mut left = units.chars();
    let whole = text;
    while !text.is_empty() {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut signs = rest.chars();
        let unit = signs.next();
        if rest.len() == text.len() || !left.any(|one| Some(one) == unit) {
            return false;
        }
        text = signs.as_str();
    }
    !whole.is_empty()
}

pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let atom = |part: &str| {
        let is_sign =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
        !part.is_empty() && part.bytes().all(is_sign)
    };
    let quoted = local.len() > 2
        && local.starts_with('"')
        && local.ends_with('"')
        && !local[1..local.len() - 1].contains('"')
        && local.bytes().all(|byte| (b' '..0x7f).contains(&byte));
    let literal = domain
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let is_domain = match literal {
        Some(address) => match address.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => address.parse::<Ipv4Addr>().is_ok(),
        },
        None => is_hostname(domain),
    };
    (quoted || local.split('.').all(atom)) && is_domain
}

pub(super) fn is_hostname(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            // Two hyphens there mark a name in another encoding.
            && (label.get(2..4) != Some("--") || label[..2].eq_ignore_ascii_case("xn"))
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

pub(super) fn is_uri(text: &str, absolute: bool) -> bool {
    let scheme = text.split_once(':').filter(|(scheme, _)| {
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(is_sign)
    });
    let rest = match scheme {
        Some((_, rest)) => rest,
        None if absolute => return false,
        // A colon in the first part of a path would end a scheme.
        None if text
            .split(['/', '?', '#'])
            .next()
            .is_some_and(|part| part.contains(':')) =>
        {
            return false;
        }
        None => text,
    };
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len())),
        None => ("", rest),
    };
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) if address.parse::<Ipv6Addr>().is_ok() => ("", port),
            _ => return false,
        },
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    let path_signs = b"-._~!$&'()*+,;=:@/?";
    is_port
        && has_signs(user, b"-._~!$&'()*+,;=:")
        && has_signs(host, b"-._~!$&'()*+,;=")
        && has_signs(path, path_signs)
        && has_signs(fragment, path_signs)
}

/// Whether a text has only letters, digits, these signs and `%` with two digits.
fn has_signs(text: &str, signs: &[u8]) -> bool {
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let taken = if byte == b'%' {
            [rest.next(), rest.next()]
                .iter()
                .all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit()))
        } else {
            byte.is_ascii_alphanumeric() || signs.contains(&byte)
        };
        if !taken {
            return false;
        }
    }
    true
}

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

pub(super) fn is_json_pointer(text: &str) -> bool {
    let mut rest = text.bytes();
    let mut is_escaped = true;
    while let Some(byte) = rest.next() {
        if byte == b'~' {
            is_escaped &= matches!(rest.next(), Some(b'0' | b'1'));
        }
    }
    is_escaped && (text.is_empty() || text.starts_with('/'))
}

/// A text with a plain sign in place of each character that the form for all alphabets takes and the form of ASCII does
/// not.
pub(super) fn with_plain_letters(text: &str, plain: char) -> String {
    let is_letter = |sign: char| {
        matches!(sign,
            '\u{a0}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{ffef}' | '\u{10000}'..='\u{effff}')
            && sign as u32 & 0xfffe != 0xfffe
    };
    let replaced = |sign: char| if is_letter(sign) { plain } else { sign };
    text.chars().map(replaced).collect()
}

pub(super) fn is_uri_template(text: &str) -> bool {
    let is_literal =
        |part: &str| has_signs(&with_plain_letters(part, '~'), b"-._~:/?#[]@!$&'()*+,;=");
    let mut parts = text.split('{');
    parts.next().is_none_or(is_literal)
        && parts.all(|part| {
            let inside = part.split_once('}');
            inside.is_some_and(|(names, rest)| are_variables(names) && is_literal(rest))
        })
}

/// The names between the braces of a template, each with what it takes of its value.
fn are_variables(text: &str) -> bool {
    let names = text
        .strip_prefix(['+', '#', '.', '/', ';', '?', '&'])
        .unwrap_or(text);
    names.split(',').all(|variable| {
        let (name, is_counted) = match variable.split_once(':') {
            Some((name, count)) => {
                let is_count = count.len() <= 4
                    && !count.starts_with('0')
                    && count.parse::<u16>().is_ok()
                    && !count.starts_with('+');
                (name, is_count)
            }
            None => (variable.strip_suffix('*').unwrap_or(variable), true),
        };
        let mut words = name.split('.');
        is_counted && words.all(|word| !word.is_empty() && has_signs(word, b"_"))
    })
}

pub(super) fn is_relative_pointer(text: &str) -> bool {
    let rest = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let levels = &text[..text.len() - rest.len()];
    let is_plain = levels == "0" || !levels.is_empty() && !levels.starts_with('0');
    is_plain && (rest == "#" || is_json_pointer(rest))
}

/// Whether a text is an expression of ECMA-262, which has no other escapes of letters than these.
pub(super) fn is_expression_of_json(text: &str) -> bool {
    let mut signs = text.chars();
    let mut is_known = true;
    while let Some(sign) = signs.next() {
        if sign == '\\'
            && let Some(letter) = signs.next()
        {
            is_known &= !letter.is_ascii_alphabetic() || "bBcdDfknpPrsStuvwWx".contains(letter);
        }
    }
    is_known && is_expression(text)
}
