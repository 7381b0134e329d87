//! The steps of a path, borrowed.

use crate::text::{put_key, whole};

/// One step from a value to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into an object, by key.
    Key(String),
    /// Into an array, by position from 0.
    Index(usize),
}

/// One step of any path, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PathPart<'a> {
    Key(&'a str),
    Index(usize),
}

/// The steps of a path, borrowed.
#[derive(Clone, Copy)]
pub(crate) struct PathTrail<'a>(pub(super) &'a [Step]);

/// Longest key that is shown whole; keys can come from the model.
const KEY: usize = 64;

impl<'a> PathTrail<'a> {
    /// The steps from the root.
    #[inline]
    pub(super) fn parts(self) -> impl Iterator<Item = PathPart<'a>> {
        self.0.iter().map(Step::part)
    }

    /// The step at a depth.
    #[inline]
    pub(crate) fn part(self, depth: usize) -> Option<PathPart<'a>> {
        self.0.get(depth).map(Step::part)
    }

    /// How many steps there are.
    #[inline]
    pub(crate) fn depth(self) -> usize {
        self.0.len()
    }

    /// The last step, and those before it.
    pub(crate) fn split_last(self) -> Option<(PathPart<'a>, Self)> {
        let (last, before) = self.0.split_last()?;
        Some((last.part(), Self(before)))
    }

    /// The parameter of the arguments that it leads to, or into.
    pub(crate) fn parameter(self) -> Option<&'a str> {
        match self.part(0) {
            Some(PathPart::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// Whether another one has the same steps.
    pub(crate) fn is_same(self, other: PathTrail<'_>) -> bool {
        self.depth() == other.depth() && self.parts().eq(other.parts())
    }

    /// The only step in which another one differs, where both are indexes, or keys.
    pub(super) fn only_other_step(self, other: PathTrail<'_>) -> Option<usize> {
        let (mut parts, mut others) = (self.parts(), other.parts());
        let mut found = None;
        for step in 0.. {
            match (parts.next(), others.next()) {
                (None, None) => break,
                (one, other) if one == other => {}
                (Some(PathPart::Index(_)), Some(PathPart::Index(_)))
                | (Some(PathPart::Key(_)), Some(PathPart::Key(_)))
                    if found.is_none() =>
                {
                    found = Some(step);
                }
                _ => return None,
            }
        }
        found
    }

    /// Whether it leads through an array.
    #[inline]
    pub(super) fn has_index(self) -> bool {
        self.parts().any(|part| matches!(part, PathPart::Index(_)))
    }

    /// Writes it with other words for one of its steps: `[0..2]` or `{a, b}`.
    pub(super) fn write_with(self, step: usize, steps: &str, out: &mut String) {
        let start = out.len();
        for (number, part) in self.parts().enumerate() {
            if number == step {
                if matches!(part, PathPart::Key(_)) && out.len() > start {
                    out.push('.');
                }
                out.push_str(steps);
            } else {
                part.write(start, out);
            }
        }
    }

    /// Writes it piece by piece.
    #[inline]
    pub(super) fn write(self, out: &mut String) {
        let start = out.len();
        self.parts().for_each(|part| part.write(start, out));
        if out.len() == start {
            out.push_str("arguments");
        }
    }
}

impl Step {
    #[inline]
    pub(super) fn part(&self) -> PathPart<'_> {
        match self {
            Self::Key(key) => PathPart::Key(key),
            Self::Index(index) => PathPart::Index(*index),
        }
    }
}

impl PathPart<'_> {
    /// The step in memory of its own.
    pub(super) fn to_step(self) -> Step {
        match self {
            Self::Key(key) => Step::Key(key.to_owned()),
            Self::Index(index) => Step::Index(index),
        }
    }

    /// Writes a key as a part of a list of keys.
    pub(super) fn write_alone(self, out: &mut String) {
        match self {
            PathPart::Key(key) if !plain(key) => put_key(key, KEY, out),
            part => part.write(out.len(), out),
        }
    }

    /// Writes it behind the part of its path that starts there.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would take as long as a short key
    fn write(self, start: usize, out: &mut String) {
        match self {
            PathPart::Key(key) if plain(key) => {
                if out.len() > start {
                    out.push('.');
                }
                out.push_str(key);
            }
            other => other.write_in_brackets(out),
        }
    }

    fn write_in_brackets(self, out: &mut String) {
        // Most lists are short.
        const FIRST: [&str; 10] = [
            "[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]", "[8]", "[9]",
        ];
        if let PathPart::Index(index) = self
            && let Some(words) = FIRST.get(index)
        {
            return out.push_str(words);
        }
        out.push('[');
        match self {
            PathPart::Index(index) => whole(index as i128, out),
            PathPart::Key(key) => put_key(key, KEY, out),
        }
        out.push(']');
    }
}

/// One for each byte of a key that needs no quotes inside a path.
static PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let is_plain = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$');
        plain[byte as usize] = is_plain as u8;
        byte += 1;
    }
    plain
};

/// Whether a key needs no quotes inside a path.
#[inline]
fn plain(key: &str) -> bool {
    let is_plain = |byte: u8| PLAIN.get(usize::from(byte)).copied().unwrap_or_default();
    // Without a way out of the loop: nearly every key is plain.
    (1..=KEY).contains(&key.len()) && key.bytes().fold(1, |all, byte| all & is_plain(byte)) != 0
}
