//! Where in the arguments a value stands.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::schema::{cut, whole};

/// One step from a value to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into an object, by key.
    Key(String),
    /// Into an array, by position from 0.
    Index(usize),
}

/// The way from the arguments to one value in them, shown as `filters[0].field`.
///
/// ```
/// use toolwright::input::{Path, Step};
///
/// let path = Path::from_iter([Step::Key("filters".into()), Step::Index(0), Step::Key("a b".into())]);
/// assert_eq!(path.to_string(), "filters[0][\"a b\"]");
/// assert_eq!(Path::default().to_string(), "arguments");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path(Vec<Step>);

/// Longest key that is shown whole; keys can come from the model.
const KEY: usize = 64;

impl Path {
    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Whether this is the arguments as a whole.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The way on from here by another one.
    #[must_use]
    pub(super) fn below(mut self, rest: Self) -> Self {
        self.0.extend(rest.0);
        self
    }

    /// The path of a value inside this one.
    #[must_use]
    pub fn join(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }

    /// Writes it piece by piece: a report is a part of what a call costs.
    pub(super) fn write(&self, out: &mut String) {
        if self.0.is_empty() {
            out.push_str("arguments");
        }
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => {
                    out.push('[');
                    whole(*index as i128, out);
                    out.push(']');
                }
                Step::Key(key) if plain(key) => {
                    if i > 0 {
                        out.push('.');
                    }
                    out.push_str(key);
                }
                Step::Key(key) => {
                    out.push_str("[\"");
                    out.push_str(&cut(key, KEY));
                    out.push_str("\"]");
                }
            }
        }
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

/// Whether a key needs no quotes inside a path.
fn plain(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= KEY
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-' || b == b'$')
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_root() {
            serializer.serialize_str("")
        } else {
            serializer.collect_str(self)
        }
    }
}
