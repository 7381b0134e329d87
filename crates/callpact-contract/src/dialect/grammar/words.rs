//! Strings: their characters, lengths and patterns, as they are written in JSON.

use std::{iter::Peekable, str::Chars};

use super::rule::{GrammarPart, any_number, choice, digit, one_word, row, text};
use crate::schema::{Format, Text};

/// llama.cpp takes fewer repetitions than this.
const MOST: u64 = 1_999;
/// How deep groups of a pattern may be nested.
const DEEPEST: usize = 32;
/// Real days, with leap years.
const DATE: &str = "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";
const LAST: char = '\u{10ffff}';
/// Spaces of ECMA-262.
const SPACES: [(char, char); 10] = [
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
const LINES: [(char, char); 3] = [('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];

/// The characters that JSON writes as they are.
const BARE: [(char, char); 5] = [
    (' ', '!'),
    ('#', '['),
    (']', '~'),
    ('\u{80}', '\u{d7ff}'),
    ('\u{e000}', LAST),
];

/// The letters of short escapes, and the characters that they mean.
const SHORT_ESCAPES: [(char, char); 8] = [
    ('"', '"'),
    ('/', '/'),
    ('\\', '\\'),
    ('b', '\u{8}'),
    ('f', '\u{c}'),
    ('n', '\n'),
    ('r', '\r'),
    ('t', '\t'),
];

type CharRanges = Vec<(char, char)>;

/// A JSON string that follows the rules. A pattern with constructs of no grammar, and a length beside a pattern, are
/// left out.
pub(super) fn string(rules: &Text) -> GrammarPart {
    if !rules.choices.is_empty() {
        return choice(
            rules
                .choices
                .iter()
                .map(|one| literal(&one.name))
                .collect::<Vec<_>>(),
        );
    }
    let by_format = rules
        .format
        .map(expression)
        .filter(|pattern| !pattern.is_empty());
    let by_pattern = rules
        .pattern
        .as_ref()
        .map(|pattern| pattern.text.part().to_owned());
    let pattern = by_pattern
        .or(by_format)
        .and_then(|pattern| PatternReader::read(&pattern));
    let inside = pattern.unwrap_or_else(|| {
        let min = rules.min_length.unwrap_or(0).min(MOST);
        let max = rules.max_length.filter(|max| *max <= MOST);
        let count = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        GrammarPart::Repeat(Box::new(character()), count(min), max.map(count))
    });
    quoted(inside)
}

/// The pattern of a format, exact for days.
fn expression(format: Format) -> String {
    match format {
        Format::Date => format!("^{DATE}$"),
        Format::DateTime | Format::LocalDateTime => {
            let pattern = format.pattern();
            pattern.find('T').map_or_else(String::new, |time| {
                format!("^(?:{DATE}{}", &pattern[time..])
            })
        }
        other => other.pattern().to_owned(),
    }
}

/// A JSON string with this text.
pub(super) fn literal(value: &str) -> GrammarPart {
    text(&serde_json::to_string(value).unwrap_or_default())
}

/// Any JSON string.
pub(super) fn any_string() -> GrammarPart {
    quoted(any_number(character()))
}

pub(super) fn quoted(inside: GrammarPart) -> GrammarPart {
    one_word(row([text("\""), inside, text("\"")]))
}

/// Any character, with the escapes that stand for one.
pub(super) fn character() -> GrammarPart {
    let two = row([
        GrammarPart::Set(vec![
            ('0', '9'),
            ('A', 'C'),
            ('E', 'F'),
            ('a', 'c'),
            ('e', 'f'),
        ]),
        hex(),
    ]);
    let four = choice([row([two, hex(), hex()]), below_surrogates()]);
    escaped_or(BARE.to_vec(), &SHORT_ESCAPES, four)
}

/// Any other character than these. A character of ASCII that needs no escape has none.
pub(super) fn character_except(signs: &[char]) -> GrammarPart {
    if signs.is_empty() {
        return character();
    }
    let ranges: CharRanges = signs.iter().map(|sign| (*sign, *sign)).collect();
    let short = SHORT_ESCAPES.into_iter();
    let short: Vec<_> = short.filter(|(_, sign)| !signs.contains(sign)).collect();
    let zero = || text("0");
    let four = choice([
        row([zero(), zero(), digit('0', '1'), hex()]),
        row([
            zero(),
            zero(),
            GrammarPart::Set(vec![('8', '9'), ('A', 'F'), ('a', 'f')]),
            hex(),
        ]),
        row([zero(), hex_but(&['0']), hex(), hex()]),
        row([hex_but(&['0', 'D', 'd']), hex(), hex(), hex()]),
        below_surrogates(),
    ]);
    escaped_or(bare(&inverted(&ranges)), &short, four)
}

/// A bare character, or an escape: a short one, or one of four digits.
fn escaped_or(bare: CharRanges, short: &[(char, char)], four: GrammarPart) -> GrammarPart {
    let short = short.iter().map(|(letter, _)| (*letter, *letter));
    let escape = choice([GrammarPart::Set(short.collect()), row([text("u"), four])]);
    choice([GrammarPart::Set(bare), row([text("\\"), escape])])
}

/// The four digits of `d000` to `d7ff`: half of a surrogate pair is no text.
fn below_surrogates() -> GrammarPart {
    let first = GrammarPart::Set(vec![('D', 'D'), ('d', 'd')]);
    row([first, digit('0', '7'), hex(), hex()])
}

fn hex() -> GrammarPart {
    hex_but(&[])
}

/// A digit of base 16, other than these.
fn hex_but(signs: &[char]) -> GrammarPart {
    let all = [('0', '9'), ('A', 'F'), ('a', 'f')];
    if signs.is_empty() {
        return GrammarPart::Set(all.to_vec());
    }
    let digits = all.into_iter().flat_map(|(low, high)| low..=high);
    let others = digits.filter(|digit| !signs.contains(digit));
    GrammarPart::Set(others.map(|digit| (digit, digit)).collect())
}

/// One character of these ranges, as JSON writes it.
fn one_of(ranges: &CharRanges) -> Option<GrammarPart> {
    let mut ways = Vec::new();
    let raw = bare(ranges);
    if !raw.is_empty() {
        ways.push(GrammarPart::Set(raw));
    }
    let holds = |sign: char| {
        ranges
            .iter()
            .any(|(low, high)| (*low..=*high).contains(&sign))
    };
    for sign in ('\0'..=' ').chain(['"', '\\', '\u{7f}']) {
        if sign != ' ' && holds(sign) {
            ways.push(text(&escape(sign)));
        }
    }
    (!ways.is_empty()).then(|| choice(ways))
}

/// The parts of these ranges that JSON writes as they are.
fn bare(ranges: &CharRanges) -> CharRanges {
    let mut raw = CharRanges::new();
    for (low, high) in ranges {
        let cut = BARE
            .iter()
            .map(|(from, to)| ((*low).max(*from), (*high).min(*to)));
        raw.extend(cut.filter(|(low, high)| low <= high));
    }
    raw
}

/// A character that JSON writes as an escape; one that may be, and that llama.cpp takes in no other way.
pub(super) fn escape(sign: char) -> String {
    match sign {
        '\u{7f}' => "\\u007f".to_owned(),
        sign => {
            let quoted = serde_json::to_string(&sign).unwrap_or_default();
            let inside = quoted
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            inside.unwrap_or_default().to_owned()
        }
    }
}

fn inverted(ranges: &CharRanges) -> CharRanges {
    let mut sorted = ranges.clone();
    sorted.sort_unstable();
    let mut out = CharRanges::new();
    let mut from = 0_u32;
    let mut put = |low: u32, high: u32| {
        // No character lies between these.
        for (low, high) in [(low, high.min(0xd7ff)), (low.max(0xe000), high)] {
            if low <= high
                && let (Some(low), Some(high)) = (char::from_u32(low), char::from_u32(high))
            {
                out.push((low, high));
            }
        }
    };
    for (low, high) in sorted {
        if (low as u32) > from {
            put(from, low as u32 - 1);
        }
        from = from.max(high as u32 + 1);
    }
    put(from, LAST as u32);
    out
}

/// Reads an expression of JSON Schema, which may match anywhere in a text.
struct PatternReader<'a> {
    chars: Peekable<Chars<'a>>,
    depth: usize,
}

impl<'a> PatternReader<'a> {
    /// The inside of a string that matches; `None` for constructs that no grammar has.
    fn read(pattern: &'a str) -> Option<GrammarPart> {
        let mut reader = Self {
            chars: pattern.chars().peekable(),
            depth: 0,
        };
        let mut ways = Vec::new();
        loop {
            let begins = reader.chars.next_if_eq(&'^').is_some();
            let part = reader.sequence()?;
            let ends = reader.chars.next_if_eq(&'$').is_some();
            let around = |is_bound: bool| (!is_bound).then(|| any_number(character()));
            let parts = [around(begins), Some(part), around(ends)];
            ways.push(GrammarPart::Sequence(parts.into_iter().flatten().collect()));
            match reader.chars.next() {
                None => return Some(choice(ways)),
                Some('|') => {}
                Some(_) => return None,
            }
        }
    }

    fn sequence(&mut self) -> Option<GrammarPart> {
        let mut parts = Vec::new();
        while let Some(&sign) = self.chars.peek() {
            if matches!(sign, '|' | ')' | '$') {
                break;
            }
            let atom = self.atom()?;
            parts.push(self.counted(atom)?);
        }
        Some(GrammarPart::Sequence(parts))
    }

    fn atom(&mut self) -> Option<GrammarPart> {
        match self.chars.next()? {
            '(' => self.group(),
            '[' => {
                let ranges = self.class()?;
                one_of(&ranges)
            }
            '.' => one_of(&inverted(&LINES.to_vec())),
            '\\' => {
                let ranges = self.escape()?;
                one_of(&ranges)
            }
            '^' | '*' | '+' | '?' | '{' | '}' | ']' => None,
            sign => one_of(&vec![(sign, sign)]),
        }
    }

    fn group(&mut self) -> Option<GrammarPart> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        if self.chars.next_if_eq(&'?').is_some() {
            match self.chars.next()? {
                ':' => {}
                'P' | '<' => loop {
                    match self.chars.next()? {
                        '=' | '!' => return None,
                        '>' => break,
                        _ => {}
                    }
                },
                _ => return None,
            }
        }
        let mut ways = vec![self.sequence()?];
        while self.chars.next_if_eq(&'|').is_some() {
            ways.push(self.sequence()?);
        }
        self.chars.next_if_eq(&')')?;
        self.depth -= 1;
        Some(choice(ways))
    }

    fn counted(&mut self, atom: GrammarPart) -> Option<GrammarPart> {
        let (min, max) = match self.chars.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.chars.next();
                let min = self.number()?;
                let max = match self.chars.next_if_eq(&',') {
                    None => Some(min),
                    Some(_) => self.number(),
                };
                if self.chars.peek() != Some(&'}')
                    || max.is_some_and(|max| max < min || u64::from(max) > MOST)
                {
                    return None;
                }
                (min, max)
            }
            _ => return Some(atom),
        };
        self.chars.next();
        self.chars.next_if_eq(&'?');
        Some(GrammarPart::Repeat(Box::new(atom), min, max))
    }

    fn number(&mut self) -> Option<u32> {
        let mut value = None;
        while let Some(digit) = self.chars.peek().and_then(|sign| sign.to_digit(10)) {
            self.chars.next();
            value = Some(value.unwrap_or(0_u32).checked_mul(10)?.checked_add(digit)?);
        }
        value
    }

    fn escape(&mut self) -> Option<CharRanges> {
        let word = || vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
        Some(match self.chars.next()? {
            'd' => vec![('0', '9')],
            'D' => inverted(&vec![('0', '9')]),
            'w' => word(),
            'W' => inverted(&word()),
            's' => SPACES.to_vec(),
            'S' => inverted(&SPACES.to_vec()),
            'n' => vec![('\n', '\n')],
            'r' => vec![('\r', '\r')],
            't' => vec![('\t', '\t')],
            sign if !sign.is_alphanumeric() => vec![(sign, sign)],
            _ => return None,
        })
    }

    fn class(&mut self) -> Option<CharRanges> {
        let is_inverted = self.chars.next_if_eq(&'^').is_some();
        let mut ranges = CharRanges::new();
        loop {
            let low = match self.chars.next()? {
                ']' if is_inverted => return Some(inverted(&ranges)),
                ']' => return Some(ranges),
                '\\' => {
                    let set = self.escape()?;
                    if let [(low, high)] = set[..]
                        && low == high
                    {
                        low
                    } else {
                        ranges.extend(set);
                        continue;
                    }
                }
                sign => sign,
            };
            let mut ahead = self.chars.clone();
            if ahead.next() == Some('-') && ahead.next() != Some(']') {
                self.chars.next();
                let high = match self.chars.next()? {
                    '\\' => match self.escape()?[..] {
                        [(low, high)] if low == high => high,
                        _ => return None,
                    },
                    sign => sign,
                };
                ranges.push((low, high));
            } else {
                ranges.push((low, low));
            }
        }
    }
}
