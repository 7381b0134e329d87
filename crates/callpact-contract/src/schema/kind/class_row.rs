//! Patterns that are a row of classes of characters, matched in one pass without an engine.

use std::{iter::Peekable, mem::replace, str::Chars};

/// A pattern such as `^[a-z]+-\d{4}$`: repeated classes from the start of a text.
///
/// While a class may still repeat, it has no character in common with what may follow it. So each character belongs to
/// one step, and nothing is tried twice.
#[derive(Debug)]
pub(super) struct ClassRow {
    steps: Vec<ClassStep>,
    /// Whether the text ends after the last step.
    is_closed: bool,
}

#[derive(Debug)]
struct ClassStep {
    class: CharClass,
    min: u32,
    max: u32,
}

/// A set of characters: some of ASCII, and all of the others or none.
#[derive(Clone, Copy, Debug)]
struct CharClass {
    ascii: u128,
    others: bool,
}

impl ClassRow {
    /// The pattern as a row; `None` for every other pattern, also for one that is no expression.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let mut chars = pattern.strip_prefix('^')?.chars().peekable();
        let mut steps = Vec::new();
        let mut is_closed = false;
        while let Some(first) = chars.next() {
            if first == '$' && chars.peek().is_none() {
                is_closed = true;
                break;
            }
            let class = match first {
                '[' => CharClass::in_brackets(&mut chars)?,
                '\\' => CharClass::escaped(chars.next()?)?,
                _ => CharClass::plain(first)?,
            };
            let (min, max) = counts(&mut chars)?;
            steps.push(ClassStep { class, min, max });
        }
        let row = Self { steps, is_closed };
        row.is_certain().then_some(row)
    }

    /// Whether each character of a text belongs to one step.
    fn is_certain(&self) -> bool {
        let mut steps = self.steps.iter().enumerate();
        steps.all(|(index, step)| {
            step.min == step.max || !self.following(index).any(|next| next.meets(step.class))
        })
    }

    /// The classes of the character that may come after a step.
    fn following(&self, index: usize) -> impl Iterator<Item = CharClass> {
        let mut is_over = false;
        let behind = self.steps.iter().skip(index + 1);
        let behind = behind.take_while(move |next| !replace(&mut is_over, next.min > 0));
        behind.map(|step| step.class)
    }

    /// Whether a text matches the row.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut chars = text.chars();
        for step in &self.steps {
            let mut count = 0;
            while count < step.max {
                let mut next = chars.clone();
                match next.next() {
                    Some(c) if step.class.contains(c) => chars = next,
                    _ => break,
                }
                count += 1;
            }
            if count < step.min {
                return false;
            }
        }
        !self.is_closed || chars.as_str().is_empty()
    }
}

impl CharClass {
    const DIGITS: Self = Self::of(b'0', b'9');
    const WORD: Self = Self {
        ascii: Self::DIGITS.ascii
            | Self::of(b'A', b'Z').ascii
            | Self::of(b'a', b'z').ascii
            | Self::of(b'_', b'_').ascii,
        others: false,
    };

    /// The ASCII characters from one to another.
    const fn of(first: u8, last: u8) -> Self {
        Self {
            ascii: (u128::MAX >> (127 - last)) & (u128::MAX << first),
            others: false,
        }
    }

    const fn inverse(self) -> Self {
        Self {
            ascii: !self.ascii,
            others: !self.others,
        }
    }

    /// An ASCII character that means itself outside of a class.
    fn plain(c: char) -> Option<Self> {
        let is_plain = c.is_ascii() && !"^$\\.*+?()[]{}|".contains(c);
        is_plain.then(|| Self::of(c as u8, c as u8))
    }

    /// The class of a backslash and a character. `\s` has some of the characters beyond ASCII.
    fn escaped(c: char) -> Option<Self> {
        match c {
            'd' => Some(Self::DIGITS),
            'D' => Some(Self::DIGITS.inverse()),
            'w' => Some(Self::WORD),
            'W' => Some(Self::WORD.inverse()),
            _ => escaped_char(c).map(|c| Self::of(c, c)),
        }
    }

    /// The class after its opening bracket, up to its end.
    fn in_brackets(chars: &mut Peekable<Chars<'_>>) -> Option<Self> {
        let is_inverse = chars.next_if_eq(&'^').is_some();
        let mut class = Self {
            ascii: 0,
            others: false,
        };
        loop {
            let first = match chars.next()? {
                ']' if class.ascii != 0 => break,
                // Engines differ in what these mean in some places.
                '[' | ']' | '&' | '~' => return None,
                '\\' => match chars.next()? {
                    'd' | 'w' if chars.peek() == Some(&'-') => return None,
                    'd' => {
                        class.ascii |= Self::DIGITS.ascii;
                        continue;
                    }
                    'w' => {
                        class.ascii |= Self::WORD.ascii;
                        continue;
                    }
                    c => escaped_char(c)?,
                },
                c => u8::try_from(c).ok().filter(u8::is_ascii)?,
            };
            let last = match chars.next_if_eq(&'-') {
                None => first,
                Some(_) => match chars.next()? {
                    ']' => {
                        class.ascii |= Self::of(first, first).ascii | Self::of(b'-', b'-').ascii;
                        break;
                    }
                    c => u8::try_from(c).ok().filter(u8::is_ascii_alphanumeric)?,
                },
            };
            if first > last || first == b'-' && last != first {
                return None;
            }
            class.ascii |= Self::of(first, last).ascii;
        }
        Some(if is_inverse { class.inverse() } else { class })
    }

    fn contains(self, c: char) -> bool {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.ascii >> byte & 1 == 1,
            _ => self.others,
        }
    }

    /// Whether the classes have a character in common.
    fn meets(self, other: Self) -> bool {
        self.ascii & other.ascii != 0 || self.others && other.others
    }
}

/// The ASCII character that a backslash and this character mean.
fn escaped_char(c: char) -> Option<u8> {
    match c {
        'n' => Some(b'\n'),
        'r' => Some(b'\r'),
        't' => Some(b'\t'),
        '<' | '>' | '_' => None,
        _ => u8::try_from(c).ok().filter(u8::is_ascii_punctuation),
    }
}

/// How often the class before repeats.
fn counts(chars: &mut Peekable<Chars<'_>>) -> Option<(u32, u32)> {
    let counts = match chars.peek() {
        Some('*') => (0, u32::MAX),
        Some('+') => (1, u32::MAX),
        Some('?') => (0, 1),
        Some('{') => {
            chars.next();
            let written: String = chars.by_ref().take_while(|c| *c != '}').collect();
            let (min, max) = written.split_once(',').unwrap_or((&written, &written));
            let count = |digits: &str| digits.parse::<u16>().ok().map(u32::from);
            let min = count(min)?;
            let max = if max.is_empty() {
                u32::MAX
            } else {
                count(max)?
            };
            let is_single = !matches!(chars.peek(), Some('*' | '+' | '?' | '{'));
            return (min <= max && is_single).then_some((min, max));
        }
        _ => return Some((1, 1)),
    };
    chars.next();
    let is_single = !matches!(chars.peek(), Some('*' | '+' | '?' | '{'));
    is_single.then_some(counts)
}

#[cfg(test)]
mod tests {
    use regex_lite::Regex;

    use super::ClassRow;

    /// Every text of up to this many of the characters.
    fn texts(chars: &[char], most: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut start = 0;
        for _ in 0..most {
            let end = all.len();
            for index in start..end {
                for c in chars {
                    let longer = format!("{}{c}", all[index]);
                    all.push(longer);
                }
            }
            start = end;
        }
        all
    }

    fn agrees(pattern: &str, texts: &[String]) -> bool {
        let Some(row) = ClassRow::new(pattern) else {
            return false;
        };
        let regex = Regex::new(pattern).expect(pattern);
        for text in texts {
            assert_eq!(
                row.is_match(text),
                regex.is_match(text),
                "{pattern} {text:?}"
            );
        }
        true
    }

    #[test]
    fn rows_match_like_an_engine() {
        let texts = texts(&['a', 'b', 'é'], 4);
        let classes = ["a", "[ab]", "[^a]", "b"];
        let repeats = ["", "?", "*", "{1,2}"];
        let pieces = classes.map(|class| repeats.map(|repeat| format!("{class}{repeat}")));
        let pieces = pieces.as_flattened();
        let mut rows = 0;
        for first in pieces {
            for second in pieces {
                for third in pieces.iter().step_by(3) {
                    for end in ["", "$"] {
                        let pattern = format!("^{first}{second}{third}{end}");
                        rows += usize::from(agrees(&pattern, &texts));
                    }
                }
            }
        }
        assert!(rows > 500, "{rows} rows");
    }

    #[test]
    fn usual_patterns_are_rows() {
        let texts = [
            "",
            "a",
            "ab_9",
            "A-1",
            "2024-02-29",
            "#00ffAA",
            "x y",
            "é",
            "AB-12",
            "a.b",
            "a\n",
            "v1.20.3",
            "-",
            "AB-1234",
            "~",
            "ab\u{2028}",
        ]
        .map(str::to_owned);
        for pattern in [
            "^[a-z]+$",
            r"^\d{4}-\d{2}-\d{2}$",
            "^#[0-9a-fA-F]{6}$",
            "^[A-Za-z_][A-Za-z0-9_]*$",
            "^[A-Z]{2,}-[0-9]+$",
            r"^v\d+\.\d+\.\d+$",
            r"^[^\n]+$",
            r"^\W$",
            "^[a-z-]+$",
            r"^[\w.-]+$",
            "^",
            "^$",
        ] {
            assert!(agrees(pattern, &texts), "{pattern}");
        }
    }

    #[test]
    fn other_patterns_are_left_to_the_engine() {
        for pattern in [
            "",
            "a",
            "^a|b$",
            "^(a)$",
            "^a*a$",
            "^[^@]+@[^@]+\\.[a-z]+$",
            "^.$",
            r"^\s$",
            "^a+?$",
            "^a{2}{3}$",
            "^a{,3}$",
            "^a{3,2}$",
            "^[]a]$",
            "^[[a]$",
            "^[a&&b]$",
            "^[z-a]$",
            "^[a",
            "^\\",
            r"^\p{L}$",
            "^é$",
            r"^[\d-z]$",
            "^[--a]$",
            "^a$b",
            "^*",
            r"^\b",
            r"^\1",
        ] {
            assert!(ClassRow::new(pattern).is_none(), "{pattern}");
        }
    }
}
