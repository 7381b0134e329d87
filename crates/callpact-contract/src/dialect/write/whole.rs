//! Patterns that describe a whole text, in the one form that compilers of grammars agree on.

use super::sink::ByteSink;

/// The largest count, and the largest product of nested counts: llama.cpp takes fewer than 2,000 repetitions.
const MOST: u32 = 1_999;
/// How deep groups may be nested.
const DEEPEST: usize = 8;

/// Whether a pattern has a form that [`put_whole`] writes.
pub(super) const fn is_whole(pattern: &str) -> bool {
    put_whole(pattern, &mut ByteSink::into(&mut []))
}

/// Writes a pattern as `^(?:…)$` inside a JSON string; returns whether it describes the whole text by characters that
/// need no escape in JSON, with constructs that every compiler knows. Otherwise, what is written is incomplete.
pub(super) const fn put_whole<'a>(pattern: &'a str, sink: &mut ByteSink<'a>) -> bool {
    let mut scan = PatternScan {
        rest: pattern.as_bytes(),
        depth: 0,
        weights: [1; DEEPEST + 1],
        atom: PatternAtom::None,
        empty: true,
    };
    sink.bytes(b"^(?:");
    loop {
        let [b'^', rest @ ..] = scan.rest else {
            return false;
        };
        scan.rest = rest;
        if !scan.alternative(sink) {
            return false;
        }
        match scan.rest {
            [b'$'] => break,
            [b'$', b'|', rest @ ..] => scan.rest = rest,
            _ => return false,
        }
        sink.bytes(b"|");
    }
    sink.bytes(b")$");
    true
}

/// What a quantifier would repeat.
#[derive(Clone, Copy)]
enum PatternAtom {
    None,
    Character,
    /// A group, with the largest product of counts in it.
    Group(u32),
}

struct PatternScan<'a> {
    rest: &'a [u8],
    depth: usize,
    /// The largest product of counts in each open group.
    weights: [u32; DEEPEST + 1],
    atom: PatternAtom,
    /// Whether the alternative has no part yet.
    empty: bool,
}

impl<'a> PatternScan<'a> {
    /// Writes one alternative of the pattern, up to its `$`.
    const fn alternative(&mut self, sink: &mut ByteSink<'a>) -> bool {
        self.empty = true;
        self.atom = PatternAtom::None;
        loop {
            let [first, rest @ ..] = self.rest else {
                return false;
            };
            let taken = match *first {
                b'$' if self.depth == 0 => return !self.empty,
                b'(' => self.open(sink),
                b')' => self.close(sink),
                b'|' if self.depth > 0 && !self.empty => {
                    self.rest = rest;
                    sink.bytes(b"|");
                    self.empty = true;
                    self.atom = PatternAtom::None;
                    true
                }
                b'*' | b'+' | b'?' | b'{' => self.quantifier(sink),
                b'[' => self.class(sink),
                b'\\' => self.escape(sink),
                sign if is_plain(sign) => {
                    self.character(sink);
                    true
                }
                _ => false,
            };
            if !taken {
                return false;
            }
        }
    }

    const fn open(&mut self, sink: &mut ByteSink<'a>) -> bool {
        self.rest = match self.rest {
            [b'(', b'?', b':', rest @ ..] => rest,
            [b'(', b'?', b'P', b'<', rest @ ..] | [b'(', b'?', b'<', rest @ ..] => {
                let mut rest = rest;
                loop {
                    match rest {
                        [b'>', behind @ ..] => break behind,
                        // Look-behind has no name.
                        [b'=' | b'!', ..] | [] => return false,
                        [_, behind @ ..] => rest = behind,
                    }
                }
            }
            [b'(', b'?', ..] | [] => return false,
            [_, rest @ ..] => rest,
        };
        if self.depth == DEEPEST {
            return false;
        }
        self.depth += 1;
        self.weights[self.depth] = 1;
        self.empty = true;
        self.atom = PatternAtom::None;
        sink.bytes(b"(?:");
        true
    }

    const fn close(&mut self, sink: &mut ByteSink<'a>) -> bool {
        let [_, rest @ ..] = self.rest else {
            return false;
        };
        if self.depth == 0 || self.empty {
            return false;
        }
        self.rest = rest;
        let weight = self.weights[self.depth];
        self.depth -= 1;
        self.grow(weight);
        self.atom = PatternAtom::Group(weight);
        sink.bytes(b")");
        true
    }

    /// A part of this weight stands in the open group.
    const fn grow(&mut self, weight: u32) {
        if weight > self.weights[self.depth] {
            self.weights[self.depth] = weight;
        }
        self.empty = false;
    }

    const fn quantifier(&mut self, sink: &mut ByteSink<'a>) -> bool {
        let inner = match self.atom {
            PatternAtom::None => return false,
            PatternAtom::Character => 1,
            PatternAtom::Group(weight) => weight,
        };
        self.atom = PatternAtom::None;
        match self.rest {
            [b'{', rest @ ..] => {
                let (Some(min), mut behind) = number(rest) else {
                    return false;
                };
                let mut most = min;
                if let [b',', rest @ ..] = behind {
                    behind = rest;
                    if let (Some(max), rest) = number(rest) {
                        most = max;
                        behind = rest;
                    }
                }
                let [b'}', after @ ..] = behind else {
                    return false;
                };
                if min > most || most.saturating_mul(inner) > MOST {
                    return false;
                }
                self.grow(most * inner);
                let (written, _) = self.rest.split_at(self.rest.len() - after.len());
                sink.bytes(written);
                self.rest = after;
            }
            [_, after @ ..] => {
                let (written, _) = self.rest.split_at(1);
                sink.bytes(written);
                self.rest = after;
            }
            [] => return false,
        }
        // A lazy quantifier matches the same whole texts.
        if let [b'?', after @ ..] = self.rest {
            self.rest = after;
        }
        true
    }

    /// A character of any length in bytes.
    const fn character(&mut self, sink: &mut ByteSink<'a>) {
        let mut length = 1;
        while length < self.rest.len() && self.rest[length] & 0xC0 == 0x80 {
            length += 1;
        }
        let (written, rest) = self.rest.split_at(length);
        sink.bytes(written);
        self.rest = rest;
        self.grow(1);
        self.atom = PatternAtom::Character;
    }

    const fn escape(&mut self, sink: &mut ByteSink<'a>) -> bool {
        let [b'\\', sign, rest @ ..] = self.rest else {
            return false;
        };
        match *sign {
            b'd' => sink.bytes(b"[0-9]"),
            b'w' => sink.bytes(b"[A-Za-z0-9_]"),
            b'.' | b'(' | b')' | b'*' | b'+' | b'?' | b'|' | b'{' | b'}' | b'[' | b']' | b'^'
            | b'$' => {
                sink.bytes(b"\\\\");
                let (written, _) = self.rest.split_at(2);
                sink.bytes(written.split_at(1).1);
            }
            sign if is_plain(sign) && !sign.is_ascii_alphanumeric() && sign < 0x80 => {
                let (written, _) = self.rest.split_at(2);
                sink.bytes(written.split_at(1).1);
            }
            _ => return false,
        }
        self.rest = rest;
        self.grow(1);
        self.atom = PatternAtom::Character;
        true
    }

    const fn class(&mut self, sink: &mut ByteSink<'a>) -> bool {
        let [b'[', rest @ ..] = self.rest else {
            return false;
        };
        // What an inverted class takes needs an escape in JSON.
        if let [b'^' | b']', ..] = rest {
            return false;
        }
        self.rest = rest;
        sink.bytes(b"[");
        let mut first = true;
        loop {
            if let [b']', rest @ ..] = self.rest {
                self.rest = rest;
                break;
            }
            if !self.member(first, sink) {
                return false;
            }
            first = false;
        }
        sink.bytes(b"]");
        self.grow(1);
        self.atom = PatternAtom::Character;
        true
    }

    /// A character, a range or a named set in a class.
    const fn member(&mut self, first: bool, sink: &mut ByteSink<'a>) -> bool {
        match self.rest {
            // In some engines, a doubled sign is an operator.
            [b'&', b'&', ..] | [b'~', b'~', ..] => return false,
            [b'\\', b'd', rest @ ..] => {
                sink.bytes(b"0-9");
                self.rest = rest;
                return !matches!(rest, [b'-', ..]);
            }
            [b'\\', b'w', rest @ ..] => {
                sink.bytes(b"A-Za-z0-9_");
                self.rest = rest;
                return !matches!(rest, [b'-', ..]);
            }
            _ => {}
        }
        let Some(low) = self.one_of_class(first, sink) else {
            return false;
        };
        match self.rest {
            [b'-', b']', ..] => true,
            [b'-', rest @ ..] => {
                self.rest = rest;
                sink.bytes(b"-");
                let Some(high) = self.one_of_class(false, sink) else {
                    return false;
                };
                low <= high
                    && !holds(low, high, b'"')
                    && !holds(low, high, b'\\')
                    && !holds(low, high, 0x7f)
            }
            _ => true,
        }
    }

    /// Writes a character of a class, and returns its first byte.
    const fn one_of_class(&mut self, first: bool, sink: &mut ByteSink<'a>) -> Option<u8> {
        let (escaped, sign) = match self.rest {
            [b'\\', sign, ..] if !sign.is_ascii_alphanumeric() => (true, *sign),
            [b'\\' | b']', ..] | [] => return None,
            [sign, ..] => (false, *sign),
        };
        if escaped {
            self.rest = self.rest.split_at(1).1;
        }
        match sign {
            b'-' => sink.bytes(b"\\\\-"),
            b'[' => sink.bytes(b"\\\\["),
            b']' => sink.bytes(b"\\\\]"),
            b'^' if first => return None,
            b'^' | b'.' | b'(' | b')' | b'*' | b'+' | b'?' | b'|' | b'{' | b'}' | b'$' => {
                sink.bytes(self.rest.split_at(1).0);
            }
            sign if is_plain(sign) => {
                self.character(sink);
                return Some(sign);
            }
            _ => return None,
        }
        self.rest = self.rest.split_at(1).1;
        Some(sign)
    }
}

const fn holds(low: u8, high: u8, sign: u8) -> bool {
    low <= sign && sign <= high
}

/// Whether a byte means itself in an expression, and needs no escape in JSON.
const fn is_plain(byte: u8) -> bool {
    match byte {
        b'"' | b'\\' | b'^' | b'$' | b'.' | b'(' | b')' | b'*' | b'+' | b'?' | b'|' | b'{'
        | b'}' | b'[' | b']' | 0x7f => false,
        byte => byte >= b' ',
    }
}

/// The number at the start, if there is one of a sensible size, and the rest.
const fn number(mut rest: &[u8]) -> (Option<u32>, &[u8]) {
    let mut value = None;
    while let [digit @ b'0'..=b'9', behind @ ..] = rest {
        let before = match value {
            Some(value) => value,
            None => 0_u32,
        };
        let (tens, digit) = (before.saturating_mul(10), (*digit - b'0') as u32);
        value = Some(tens.saturating_add(digit));
        rest = behind;
    }
    (value, rest)
}

#[cfg(test)]
mod tests {
    use super::{ByteSink, put_whole};

    fn whole(pattern: &str) -> Option<String> {
        let mut room = [0; 200];
        let mut sink = ByteSink::into(&mut room);
        let taken = put_whole(pattern, &mut sink);
        sink.flush();
        let length = sink.len();
        let text = std::str::from_utf8(&room[..length]).ok()?;
        taken.then(|| serde_json::from_str(&format!("\"{text}\"")).unwrap())
    }

    #[test]
    fn writes_patterns_of_whole_texts_in_one_form() {
        for (pattern, form) in [
            ("^[a-z]+$", "^(?:[a-z]+)$"),
            (r"^\d{3}-\d{4}$", "^(?:[0-9]{3}-[0-9]{4})$"),
            ("^(a|b)$", "^(?:(?:a|b))$"),
            ("^a$|^b$", "^(?:a|b)$"),
            (r"^(?<year>\d{4})?x$", "^(?:(?:[0-9]{4})?x)$"),
            (r"^[\w.-]+?\/é*$", r"^(?:[A-Za-z0-9_.\-]+/é*)$"),
            (r"^[\[\]+*a\-z]\.\($", r"^(?:[\[\]+*a\-z]\.\()$"),
            ("^a{2,}$", "^(?:a{2,})$"),
        ] {
            assert_eq!(whole(pattern).as_deref(), Some(form), "{pattern}");
        }
    }

    #[test]
    fn leaves_out_what_a_compiler_reads_otherwise() {
        for pattern in [
            "",
            "a",
            "^a",
            "a$",
            "^/",
            "^a|b$",
            "^$",
            "^(a|)$",
            "^.$",
            r"^\s$",
            r"^\S+$",
            "^[^/]$",
            r"^\\$",
            "^\"$",
            "^[ -~]$",
            r"^[\s]$",
            r"^\ba$",
            "^(?=a)a$",
            "^(?!a)b$",
            "^(?<=a)b$",
            r"^(a)\1$",
            r"^\p{L}$",
            "^(?i)a$",
            "^a{3000}$",
            "^(a{50}){50}$",
            "^a++$",
            "^*$",
            "^[a&&b]$",
            "^[z-a]$",
            "^a$b",
            "^a^$",
            "^[]a]$",
            "^(a$",
            "^a)$",
            "^a{$",
            "^[^]$",
            r"^[\d-z]$",
        ] {
            assert_eq!(whole(pattern), None, "{pattern}");
        }
    }
}
