//! A step of a path, and how it is written.

use crate::text::{put_key, whole};

/// One step from a value to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into an object, by key.
    Key(String),
    /// Into an array, by position from 0.
    Index(usize),
}

/// Longest key that is shown whole; keys can come from the model.
const KEY: usize = 64;

impl Step {
    /// Writes a key as a part of a list of keys.
    pub(super) fn write_alone(&self, out: &mut String) {
        match self {
            Self::Key(key) if !plain(key) => put_key(key, KEY, out),
            part => part.write(out.len(), out),
        }
    }

    /// Writes it behind the part of its path that starts there.
    pub(super) fn write(&self, start: usize, out: &mut String) {
        match self {
            Self::Key(key) if plain(key) => {
                if out.len() > start {
                    out.push('.');
                }
                out.push_str(key);
            }
            other => other.write_in_brackets(out),
        }
    }

    fn write_in_brackets(&self, out: &mut String) {
        out.push('[');
        match self {
            Self::Index(index) => whole(*index as i128, out),
            Self::Key(key) => put_key(key, KEY, out),
        }
        out.push(']');
    }
}

/// Whether a key needs no quotes inside a path.
#[inline]
fn plain(key: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$');
    (1..=KEY).contains(&key.len()) && key.bytes().all(is_plain)
}
