//! Strings that match a pattern, or have the text form of a type.

use std::{iter::Peekable, str::Chars};

use crate::{Rng, values::character};
use callpact::schema::{Format, Pattern};

/// How often a sample is tried, since lengths and word boundaries are left to chance.
const TRIES: usize = 400;

/// A string that matches a pattern and has a length in the bounds; `None` if none was found.
pub(crate) fn pattern(pattern: &Pattern, min: u64, max: u64, rng: &mut Rng) -> Option<String> {
    let fits = |text: &str| {
        let length = text.chars().count() as u64;
        (min..=max).contains(&length) && pattern.is_match(text)
    };
    expression(&pattern.text, fits, rng)
}

/// A string of a format, if it has a pattern.
pub(crate) fn format(format: Format, rng: &mut Rng) -> Option<String> {
    expression(
        format.pattern(),
        |text| !text.is_empty() && format.is_match(text),
        rng,
    )
}

fn expression(pattern: &str, fits: impl Fn(&str) -> bool, rng: &mut Rng) -> Option<String> {
    let mut chars = pattern.chars().peekable();
    let tree = alternatives(&mut chars).filter(|_| chars.peek().is_none())?;
    (0..TRIES).find_map(|_| {
        let mut out = String::new();
        write(&tree, rng, &mut out);
        fits(&out).then_some(out)
    })
}

/// A string in a type's own form, which the words of the form name: `such as 250ms, 90s or 1h30m`.
pub(crate) fn form(words: &str, rng: &mut Rng) -> Option<String> {
    if words == "an IPv4 or IPv6 address" {
        return Some((*rng.pick(&["127.0.0.1", "::1", "2001:db8::1"])).to_owned());
    }
    let (_, samples) = words.split_once("such as ")?;
    let samples: Vec<&str> = samples
        .split(", ")
        .flat_map(|part| part.split(" or "))
        .map(str::trim)
        .filter(|sample| !sample.is_empty())
        .collect();
    (!samples.is_empty()).then(|| (*rng.pick(&samples)).to_owned())
}

/// Alternatives, each a sequence of repeated pieces.
type SampleTree = Vec<Vec<SamplePiece>>;

struct SamplePiece {
    what: PieceKind,
    min: usize,
    max: usize,
}

enum PieceKind {
    Nothing,
    Char(char),
    Any,
    Class {
        ranges: Vec<(char, char)>,
        not: bool,
    },
    Group(SampleTree),
}

fn alternatives(chars: &mut Peekable<Chars<'_>>) -> Option<SampleTree> {
    let mut out = vec![Vec::new()];
    while let Some(&c) = chars.peek() {
        if c == ')' {
            break;
        }
        chars.next();
        let what = match c {
            '|' => {
                out.push(Vec::new());
                continue;
            }
            '^' | '$' => PieceKind::Nothing,
            '.' => PieceKind::Any,
            '(' => {
                if chars.peek() == Some(&'?') {
                    chars.next();
                    // Only non-capturing groups; flags and look-around are not supported.
                    if chars.next() != Some(':') {
                        return None;
                    }
                }
                let inside = alternatives(chars)?;
                (chars.next() == Some(')')).then_some(PieceKind::Group(inside))?
            }
            '[' => class(chars)?,
            '\\' => escape(chars.next()?)?,
            '*' | '+' | '?' | '{' => return None,
            other => PieceKind::Char(other),
        };
        let (min, max) = repeat(chars)?;
        out.last_mut()?.push(SamplePiece { what, min, max });
    }
    Some(out)
}

fn repeat(chars: &mut Peekable<Chars<'_>>) -> Option<(usize, usize)> {
    let found = match chars.peek() {
        Some('*') => (0, 5),
        Some('+') => (1, 6),
        Some('?') => (0, 1),
        Some('{') => {
            chars.next();
            let mut text = String::new();
            loop {
                match chars.next()? {
                    '}' => break,
                    other => text.push(other),
                }
            }
            let (min, max) = match text.split_once(',') {
                None => (text.parse().ok()?, text.parse().ok()?),
                Some((min, "")) => {
                    let min: usize = min.parse().ok()?;
                    (min, min.checked_add(5)?)
                }
                Some((min, max)) => (min.parse().ok()?, max.parse().ok()?),
            };
            if chars.peek() == Some(&'?') {
                chars.next();
            }
            return (min <= max && max <= 10_000).then_some((min, max));
        }
        _ => return Some((1, 1)),
    };
    chars.next();
    if chars.peek() == Some(&'?') {
        chars.next();
    }
    Some(found)
}

const DIGITS: &[(char, char)] = &[('0', '9')];
const WORDS: &[(char, char)] = &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
const SPACES: &[(char, char)] = &[(' ', ' '), ('\t', '\t'), ('\u{a0}', '\u{a0}')];

fn escape(c: char) -> Option<PieceKind> {
    let class = |ranges: &[(char, char)], not| PieceKind::Class {
        ranges: ranges.to_vec(),
        not,
    };
    Some(match c {
        'd' => class(DIGITS, false),
        'D' => class(DIGITS, true),
        'w' => class(WORDS, false),
        'W' => class(WORDS, true),
        's' => class(SPACES, false),
        'S' => class(SPACES, true),
        'b' | 'B' | 'A' | 'z' => PieceKind::Nothing,
        'n' => PieceKind::Char('\n'),
        't' => PieceKind::Char('\t'),
        'r' => PieceKind::Char('\r'),
        c if c.is_ascii_alphanumeric() => return None,
        c => PieceKind::Char(c),
    })
}

fn class(chars: &mut Peekable<Chars<'_>>) -> Option<PieceKind> {
    let not = chars.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    let mut first = true;
    loop {
        let low = match chars.next()? {
            ']' if !first => break,
            '[' => return None,
            '\\' => match escape(chars.next()?)? {
                PieceKind::Char(c) => c,
                PieceKind::Class {
                    ranges: more,
                    not: false,
                } => {
                    ranges.extend(more);
                    first = false;
                    continue;
                }
                _ => return None,
            },
            c => c,
        };
        first = false;
        let mut ahead = chars.clone();
        if ahead.next() == Some('-') && ahead.peek().is_some_and(|c| *c != ']') {
            chars.next();
            let high = match chars.next()? {
                '\\' => match escape(chars.next()?)? {
                    PieceKind::Char(c) => c,
                    _ => return None,
                },
                c => c,
            };
            (low <= high).then(|| ranges.push((low, high)))?;
        } else {
            ranges.push((low, low));
        }
    }
    Some(PieceKind::Class { ranges, not })
}

fn write(tree: &SampleTree, rng: &mut Rng, out: &mut String) {
    for piece in rng.pick(tree) {
        for _ in 0..piece.min + rng.below(piece.max - piece.min + 1) {
            match &piece.what {
                PieceKind::Nothing => {}
                PieceKind::Char(c) => out.push(*c),
                PieceKind::Any => out.push(character(rng)),
                PieceKind::Class { ranges, not: false } => {
                    let (low, high) = *rng.pick(ranges);
                    let span = (high as usize) - (low as usize) + 1;
                    let at = u32::try_from(low as usize + rng.below(span)).ok();
                    out.push(at.and_then(char::from_u32).unwrap_or(low));
                }
                PieceKind::Class { ranges, not: true } => {
                    let outside = (0..50)
                        .map(|_| character(rng))
                        .find(|c| !ranges.iter().any(|(low, high)| (low..=high).contains(&c)));
                    out.extend(outside);
                }
                PieceKind::Group(inside) => write(inside, rng, out),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{form, pattern};
    use callpact::schema::{CompiledPattern, Held, Matcher, Pattern};

    use crate::Rng;

    #[test]
    fn patterns() {
        let mut rng = Rng::new(1);
        macro_rules! sampled {
            ($($text:literal)*) => {$({
                let own = Pattern {
                    text: Held::Static($text),
                    matcher: Matcher::Compiled(CompiledPattern::new($text).unwrap()),
                };
                for _ in 0..20 {
                    assert!(pattern(&own, 0, u64::MAX, &mut rng).is_some(), "{}", $text);
                }
            })*};
        }
        sampled!("^[a-z]+$" r"^\d{3}-\d{4}$" "foo|bar" r"^\S+@\S+$" "^.{2}$" r"^\w+\s\w*$"
            r#"^["\\/]$"# "^(ab|cd){2,3}?$" "^[^a-z]{3}$" r"^(?:v)?\d+(\.\d+)*$" "^[]a-]+$" "^$"
            r"^[\w.-]{1,64}$" r"\bword\b");
        for text in ["(?i)a", "a(?=b)", r"\p{L}", "[[:alpha:]]", "a{2", "(a"] {
            let own = Pattern {
                text: Held::Static(text),
                matcher: Matcher::Function(|_| true),
            };
            assert!(pattern(&own, 0, u64::MAX, &mut rng).is_none(), "{text}");
        }
    }

    #[test]
    fn forms_name_samples() {
        let mut rng = Rng::new(1);
        let words = "a duration such as 250ms, 90s or 1h30m";
        for _ in 0..20 {
            let sample = form(words, &mut rng).unwrap_or_default();
            assert!(["250ms", "90s", "1h30m"].contains(&&*sample));
        }
        assert_eq!(form("something else", &mut rng), None);
    }
}
