//! Where in the arguments a value stands.

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::OnceLock,
};

use serde::{Serialize, Serializer};

use crate::schema::{put_cut, whole};

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
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Path(Form);

/// A path has one form: that of text, if all its keys are [`plain`].
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    /// As it is shown, which says every step; a report is a part of what a call costs.
    Text(Text),
    /// With a key that is not shown as it is.
    Steps(Vec<Step>),
}

#[derive(Clone, Default)]
struct Text {
    text: String,
    /// The same once more, for those who ask for steps.
    steps: OnceLock<Box<[Step]>>,
}

/// Longest key that is shown whole; keys can come from the model.
const KEY: usize = 64;

impl Path {
    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        match &self.0 {
            Form::Text(known) => known.steps.get_or_init(|| parsed(&known.text)),
            Form::Steps(steps) => steps,
        }
    }

    /// Whether this is the arguments as a whole.
    pub fn is_root(&self) -> bool {
        matches!(&self.0, Form::Text(Text { text, .. }) if text.is_empty())
    }

    /// The path of a text that [`push`] wrote.
    pub(super) fn of_text(text: String) -> Self {
        Self(Form::Text(Text {
            text,
            steps: OnceLock::new(),
        }))
    }

    /// The way on from here by another one.
    #[must_use]
    pub(super) fn below(self, rest: Self) -> Self {
        if self.is_root() {
            return rest;
        }
        rest.steps().iter().cloned().fold(self, Self::join)
    }

    /// The path of a value inside this one.
    #[must_use]
    pub fn join(self, step: Step) -> Self {
        let mut steps = match self.0 {
            Form::Text(Text { mut text, .. }) => {
                let said = match &step {
                    Step::Key(key) => push_key(key, &mut text),
                    Step::Index(index) => {
                        push_index(*index, &mut text);
                        true
                    }
                };
                if said {
                    return Self::of_text(text);
                }
                parsed(&text).into_vec()
            }
            Form::Steps(steps) => steps,
        };
        steps.push(step);
        Self(Form::Steps(steps))
    }

    /// Writes it piece by piece.
    pub(super) fn write(&self, out: &mut String) {
        match &self.0 {
            Form::Text(Text { text, .. }) if text.is_empty() => out.push_str("arguments"),
            Form::Text(Text { text, .. }) => out.push_str(text),
            Form::Steps(steps) => {
                let start = out.len();
                for step in steps {
                    match step {
                        Step::Index(index) => push_index(*index, out),
                        Step::Key(key) if plain(key) => {
                            if out.len() > start {
                                out.push('.');
                            }
                            out.push_str(key);
                        }
                        Step::Key(key) => {
                            out.push_str("[\"");
                            put_cut(key, KEY, out);
                            out.push_str("\"]");
                        }
                    }
                }
            }
        }
    }
}

/// Adds a key to the text of a path, if it can stand there as it is.
pub(super) fn push_key(key: &str, text: &mut String) -> bool {
    let plain = plain(key);
    if plain {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(key);
    }
    plain
}

/// Adds a position.
pub(super) fn push_index(index: usize, text: &mut String) {
    text.push('[');
    whole(index as i128, text);
    text.push(']');
}

/// The steps of a text of plain keys and positions.
fn parsed(text: &str) -> Box<[Step]> {
    text.split(['.', '['])
        // In front of a position that comes first.
        .filter(|step| !step.is_empty())
        .map(|step| match step.strip_suffix(']') {
            Some(index) => Step::Index(index.parse().unwrap_or_default()),
            None => Step::Key(step.to_owned()),
        })
        .collect()
}

impl Default for Path {
    fn default() -> Self {
        Self::of_text(String::new())
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        steps.into_iter().fold(Self::default(), Self::join)
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

/// The bytes of a key that needs no quotes inside a path.
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        plain[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$');
        byte += 1;
    }
    plain
};

/// Whether a key needs no quotes inside a path.
fn plain(key: &str) -> bool {
    let shown = |byte: u8| PLAIN.get(usize::from(byte)) == Some(&true);
    !key.is_empty() && key.len() <= KEY && key.bytes().all(shown)
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
    use std::{
        collections::HashSet,
        hash::{BuildHasher, RandomState},
    };

    use super::{Form, Path, Step};

    fn key(key: &str) -> Step {
        Step::Key(key.to_owned())
    }

    /// Paths of every kind, with what they show.
    fn paths() -> Vec<(Vec<Step>, &'static str)> {
        vec![
            (vec![], "arguments"),
            (vec![key("arguments")], "arguments"),
            (vec![key("a"), key("b-c"), key("$_")], "a.b-c.$_"),
            (vec![Step::Index(0)], "[0]"),
            (vec![key("0")], "0"),
            (vec![Step::Index(7), Step::Index(12), key("x")], "[7][12].x"),
            (vec![key("a"), Step::Index(4_294_967_295)], "a[4294967295]"),
            (vec![key("a.b")], "[\"a.b\"]"),
            (vec![key("a"), key("b")], "a.b"),
            (vec![key("a"), key("[0]")], "a[\"[0]\"]"),
            (vec![key("a"), Step::Index(0)], "a[0]"),
            (vec![key("")], "[\"\"]"),
            (vec![key("é"), key("a"), Step::Index(3)], "[\"é\"].a[3]"),
        ]
    }

    #[test]
    fn a_path_gives_back_the_steps_it_was_made_of() {
        for (steps, shown) in paths() {
            let path: Path = steps.iter().cloned().collect();
            assert_eq!(path.to_string(), shown);
            assert_eq!(path.steps(), steps);
            assert_eq!(path.clone().steps(), steps);
            assert_eq!(path.is_root(), steps.is_empty());
            assert_eq!(format!("{path:?}"), format!("Path({steps:?})"));
            for cut in 0..=steps.len() {
                let (start, end) = steps.split_at(cut);
                let part = |steps: &[Step]| steps.iter().cloned().collect::<Path>();
                assert_eq!(part(start).below(part(end)), path);
            }
        }
    }

    #[test]
    #[expect(
        clippy::mutable_key_type,
        reason = "the steps kept are no part of what is compared"
    )]
    fn paths_are_equal_exactly_when_their_steps_are() {
        let state = RandomState::new();
        let all: HashSet<Path> = paths()
            .into_iter()
            .map(|(steps, _)| Path::from_iter(steps))
            .collect();
        assert_eq!(all.len(), paths().len());
        for (steps, _) in paths() {
            let path: Path = steps.into_iter().collect();
            let again = path.clone();
            // Steps that were asked for do not tell two paths apart.
            let _ = path.steps();
            assert_eq!(path, again);
            assert_eq!(state.hash_one(&path), state.hash_one(&again));
            assert!(all.contains(&path));
        }
    }

    #[test]
    fn only_a_key_that_is_not_shown_as_it_is_needs_steps() {
        for (steps, shown) in paths() {
            let path: Path = steps.into_iter().collect();
            assert_eq!(matches!(path.0, Form::Steps(_)), shown.contains('"'));
        }
    }
}
