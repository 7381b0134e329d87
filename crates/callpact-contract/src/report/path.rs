//! Where in the arguments a value stands.

use std::fmt;

use serde::{Serialize, Serializer};

use super::Step;

/// The way from the arguments to one value in them, shown as `filters[0].field`.
///
/// ```
/// use callpact::input::{Path, Step};
///
/// let path = Path::from_iter([Step::Key("filters".into()), Step::Index(0), Step::Key("a b".into())]);
/// assert_eq!(path.to_string(), "filters[0][\"a b\"]");
/// assert_eq!(Path::default().to_string(), "arguments");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Path(Vec<Step>);

impl Path {
    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Whether this is the arguments as a whole.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// A path of these steps, in their memory.
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        Self(steps)
    }

    /// The way on from here by another one.
    #[must_use]
    pub(crate) fn below(mut self, mut rest: Self) -> Self {
        self.0.append(&mut rest.0);
        self
    }

    /// The path of a value inside this one.
    #[must_use]
    pub fn join(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }

    /// The parameter of the arguments that it leads to, or into.
    pub(crate) fn parameter(&self) -> Option<&str> {
        match self.0.first() {
            Some(Step::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// The only step in which another one differs, where both are indexes, or keys.
    pub(super) fn only_other_step(&self, other: &Self) -> Option<usize> {
        if self.0.len() != other.0.len() {
            return None;
        }
        let mut found = None;
        for (number, steps) in self.0.iter().zip(&other.0).enumerate() {
            match steps {
                (one, other) if one == other => {}
                (Step::Index(_), Step::Index(_)) | (Step::Key(_), Step::Key(_))
                    if found.is_none() =>
                {
                    found = Some(number);
                }
                _ => return None,
            }
        }
        found
    }

    /// Whether it leads through an array.
    pub(super) fn has_index(&self) -> bool {
        self.0.iter().any(|step| matches!(step, Step::Index(_)))
    }

    /// Writes it with other words for one of its steps: `[0..2]` or `{a, b}`.
    pub(super) fn write_with(&self, number: usize, steps: &str, out: &mut String) {
        let start = out.len();
        for (index, step) in self.0.iter().enumerate() {
            if index == number {
                if matches!(step, Step::Key(_)) && out.len() > start {
                    out.push('.');
                }
                out.push_str(steps);
            } else {
                step.write(start, out);
            }
        }
    }

    /// Writes it piece by piece.
    pub(crate) fn write(&self, out: &mut String) {
        let start = out.len();
        self.0.iter().for_each(|step| step.write(start, out));
        if out.len() == start {
            out.push_str("arguments");
        }
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Path").field(&self.steps()).finish()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
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

#[cfg(test)]
mod tests {
    use super::{Path, Step};

    #[test]
    fn writes_steps_as_names_and_brackets() {
        let key = |name: &str| Step::Key(name.to_owned());
        for (steps, shown) in [
            (vec![], "arguments"),
            (vec![key("arguments")], "arguments"),
            (vec![key("a"), key("b-c"), key("$_")], "a.b-c.$_"),
            (vec![Step::Index(0)], "[0]"),
            (vec![key("0")], "0"),
            (vec![Step::Index(7), Step::Index(12), key("x")], "[7][12].x"),
            (vec![key("a.b")], "[\"a.b\"]"),
            (vec![key("a"), key("[0]")], "a[\"[0]\"]"),
            (vec![key("a"), Step::Index(0)], "a[0]"),
            (vec![key("")], "[\"\"]"),
            (vec![key("a\"].b\\\n")], r#"["a\"].b\\\n"]"#),
            (
                vec![key("é"), key("a"), Step::Index(3), key("b")],
                "[\"é\"].a[3].b",
            ),
        ] {
            let path: Path = steps.iter().cloned().collect();
            assert_eq!(path.to_string(), shown);
            let joined = steps.iter().cloned().fold(Path::default(), Path::join);
            assert_eq!(joined, path);
        }
    }
}
