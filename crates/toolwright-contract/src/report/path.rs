//! Where in the arguments a value stands.

use std::{
    fmt,
    hash::{Hash, Hasher},
    slice,
    sync::OnceLock,
};

use serde::{Serialize, Serializer};

use crate::text::{put_key, whole};

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
#[derive(Clone, Default)]
pub struct Path(Form);

#[derive(Clone)]
enum Form {
    /// A few steps that the schema declares: a report is a part of what a call costs, and in this form
    /// a path takes no memory of its own and is not written before it is shown.
    Short {
        /// The steps stand at the end.
        parts: [Part<'static>; SHORT],
        start: u8,
        /// The path as steps, made when somebody asks for them.
        steps: OnceLock<Box<[Step]>>,
    },
    /// One parameter that the schema declares, which is less to move.
    Field {
        part: [Part<'static>; 1],
        /// See above.
        steps: OnceLock<Box<[Step]>>,
    },
    Steps(Vec<Step>),
    /// One step, which takes no memory but that of its key.
    One(Step),
}

/// How many steps are a few.
const SHORT: usize = 4;

/// One step of any path, borrowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part<'a> {
    Key(&'a str),
    Index(usize),
}

/// The first steps of a path, as many as its depth, which it has.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) path: &'a Path,
    pub(super) depth: usize,
}

/// The steps of a path in either form. A chain of the two would cost more than both.
pub(super) enum Parts<'a> {
    Short(slice::Iter<'a, Part<'static>>),
    Steps(slice::Iter<'a, Step>),
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    #[inline]
    fn next(&mut self) -> Option<Part<'a>> {
        match self {
            Self::Short(parts) => parts.next().copied(),
            Self::Steps(steps) => steps.next().map(Step::part),
        }
    }
}

/// Longest key that is shown whole; keys can come from the model.
const KEY: usize = 64;

impl Path {
    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        match &self.0 {
            Form::Short { steps, .. } | Form::Field { steps, .. } => steps.get_or_init(|| {
                let step = |part| match part {
                    Part::Key(key) => Step::Key(key.to_owned()),
                    Part::Index(index) => Step::Index(index),
                };
                self.parts().map(step).collect()
            }),
            Form::Steps(steps) => steps,
            Form::One(step) => slice::from_ref(step),
        }
    }

    /// The steps without a copy of them.
    #[inline]
    pub(super) fn parts(&self) -> Parts<'_> {
        match &self.0 {
            Form::Short { parts, start, .. } => {
                Parts::Short(parts.get(usize::from(*start)..).unwrap_or_default().iter())
            }
            Form::Field { part, .. } => Parts::Short(part.iter()),
            Form::Steps(steps) => Parts::Steps(steps.iter()),
            Form::One(step) => Parts::Steps(slice::from_ref(step).iter()),
        }
    }

    /// The parameter of the arguments that this is, or is inside of.
    pub(crate) fn parameter(&self) -> Option<&str> {
        match self.parts().next() {
            Some(Part::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// Whether this is the arguments as a whole.
    pub fn is_root(&self) -> bool {
        self.parts().next().is_none()
    }

    /// Whether every key on the way is one that the schema declares, as far as the form tells.
    pub(crate) fn is_declared(&self) -> bool {
        matches!(&self.0, Form::Short { .. } | Form::Field { .. }) || self.is_root()
    }

    /// A path of a few steps that the schema declares, from the last one to the first; else that of all steps.
    #[inline]
    pub(crate) fn short(
        upwards: impl Iterator<Item = Option<Part<'static>>>,
        all: impl FnOnce() -> Vec<Step>,
    ) -> Self {
        let mut parts = [Part::Index(0); SHORT];
        let mut start = SHORT;
        for part in upwards {
            start = start.wrapping_sub(1);
            let (Some(free), Some(part)) = (parts.get_mut(start), part) else {
                return Self::of(all());
            };
            *free = part;
        }
        #[allow(clippy::cast_possible_truncation)] // at most a few
        let start = start as u8;
        Self(Form::Short {
            parts,
            start,
            steps: OnceLock::new(),
        })
    }

    fn into_steps(self) -> Vec<Step> {
        match self.0 {
            Form::Steps(steps) => steps,
            Form::One(step) => vec![step],
            Form::Short { .. } | Form::Field { .. } => self.steps().to_vec(),
        }
    }

    /// A parameter of the arguments that the schema declares.
    #[inline]
    pub(crate) fn field(name: &'static str) -> Self {
        Self(Form::Field {
            part: [Part::Key(name)],
            steps: OnceLock::new(),
        })
    }

    /// A parameter of the arguments that the schema may not declare.
    pub(crate) fn one(key: String) -> Self {
        Self(Form::One(Step::Key(key)))
    }

    /// A path of these steps, in their memory.
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        Self(Form::Steps(steps))
    }

    /// The way on from here by another one.
    #[must_use]
    pub(crate) fn below(self, rest: Self) -> Self {
        let mut steps = self.into_steps();
        steps.append(&mut rest.into_steps());
        Self(Form::Steps(steps))
    }

    /// The path of a value inside this one.
    #[must_use]
    pub fn join(self, step: Step) -> Self {
        let mut steps = self.into_steps();
        steps.push(step);
        Self(Form::Steps(steps))
    }

    /// The step at a depth.
    #[inline]
    pub(crate) fn part(&self, depth: usize) -> Option<Part<'_>> {
        match &self.0 {
            Form::Short { parts, start, .. } => parts.get(usize::from(*start) + depth).copied(),
            Form::Field { part, .. } => part.get(depth).copied(),
            Form::Steps(steps) => steps.get(depth).map(Step::part),
            Form::One(step) => (depth == 0).then(|| step.part()),
        }
    }

    /// How many steps it has.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        match &self.0 {
            Form::Short { start, .. } => SHORT - usize::from(*start),
            Form::Steps(steps) => steps.len(),
            Form::Field { .. } | Form::One(_) => 1,
        }
    }

    /// The place that it leads to.
    pub(super) fn place(&self) -> Place<'_> {
        Place {
            path: self,
            depth: self.depth(),
        }
    }

    /// Whether it leads to a place or to one inside of it.
    pub(super) fn is_inside(&self, place: Place<'_>) -> bool {
        (0..place.depth).all(|depth| self.part(depth) == place.path.part(depth))
    }

    /// Whether it leads to a place or, where that counts too, one step inside of it.
    pub(super) fn is_at(&self, place: Place<'_>, or_below: bool) -> bool {
        let beyond = self.depth().checked_sub(place.depth);
        beyond.is_some_and(|beyond| beyond <= usize::from(or_below)) && self.is_inside(place)
    }

    /// The only step in which another path differs, where that is an index.
    pub(super) fn only_other_index(&self, other: &Self) -> Option<usize> {
        let (mut parts, mut others) = (self.parts(), other.parts());
        let mut found = None;
        for step in 0.. {
            match (parts.next(), others.next()) {
                (None, None) => break,
                (one, other) if one == other => {}
                (Some(Part::Index(_)), Some(Part::Index(_))) if found.is_none() => {
                    found = Some(step);
                }
                _ => return None,
            }
        }
        found
    }

    /// Whether it leads through an array.
    #[inline]
    pub(super) fn has_index(&self) -> bool {
        let is_index = |part| matches!(part, Part::Index(_));
        match self.parts() {
            Parts::Short(parts) => parts.copied().any(is_index),
            Parts::Steps(steps) => steps.map(Step::part).any(is_index),
        }
    }

    /// Writes it with other words for one of its indexes.
    pub(super) fn write_with(&self, step: usize, index: &str, out: &mut String) {
        let start = out.len();
        for (number, part) in self.parts().enumerate() {
            if number == step {
                out.push('[');
                out.push_str(index);
                out.push(']');
            } else {
                part.write(start, out);
            }
        }
    }

    /// The least bytes that it takes when it is written.
    pub(super) fn least_length(&self) -> usize {
        let length = |part| match part {
            Part::Index(_) => "[0]".len(),
            Part::Key(key) => key.len().min(KEY) + 1,
        };
        let all: usize = match self.parts() {
            Parts::Short(parts) => parts.copied().map(length).sum(),
            Parts::Steps(steps) => steps.map(|step| length(step.part())).sum(),
        };
        // There is no dot in front of the first key.
        all.saturating_sub(1)
    }

    /// Writes it piece by piece.
    #[inline]
    pub(crate) fn write(&self, out: &mut String) {
        let start = out.len();
        // Two loops, since one would ask at each step which form it is.
        match self.parts() {
            Parts::Short(parts) => parts.for_each(|part| part.write(start, out)),
            Parts::Steps(steps) => steps.for_each(|step| step.part().write(start, out)),
        }
        if out.len() == start {
            out.push_str("arguments");
        }
    }
}

impl Step {
    #[inline]
    pub(super) fn part(&self) -> Part<'_> {
        match self {
            Self::Key(key) => Part::Key(key),
            Self::Index(index) => Part::Index(*index),
        }
    }
}

impl Part<'_> {
    /// Writes it behind the part of its path that starts there.
    #[inline]
    fn write(self, start: usize, out: &mut String) {
        match self {
            Part::Key(key) if plain(key) => {
                if out.len() > start {
                    out.push('.');
                }
                out.push_str(key);
            }
            other => other.write_in_brackets(out),
        }
    }

    fn write_in_brackets(self, out: &mut String) {
        out.push('[');
        match self {
            Part::Index(index) => whole(index as i128, out),
            Part::Key(key) => put_key(key, KEY, out),
        }
        out.push(']');
    }
}

impl Default for Form {
    fn default() -> Self {
        Self::Steps(Vec::new())
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.parts().eq(other.parts())
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().for_each(|part| part.hash(state));
        // So that no path is the beginning of another one.
        state.write_u8(u8::MAX);
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self(Form::Steps(steps.into_iter().collect()))
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
    use std::hash::{BuildHasher, RandomState};

    use super::{Form, Part, Path, SHORT, Step};

    /// Paths of every kind, with what they show.
    fn paths() -> Vec<(Vec<Part<'static>>, &'static str)> {
        let field = Part::Key;
        vec![
            (vec![], "arguments"),
            (vec![field("arguments")], "arguments"),
            (vec![field("a"), field("b-c"), field("$_")], "a.b-c.$_"),
            (vec![Part::Index(0)], "[0]"),
            (vec![field("0")], "0"),
            (
                vec![Part::Index(7), Part::Index(12), field("x")],
                "[7][12].x",
            ),
            (vec![field("a.b")], "[\"a.b\"]"),
            (vec![field("a"), field("b")], "a.b"),
            (vec![field("ab")], "ab"),
            (vec![field("a"), field("[0]")], "a[\"[0]\"]"),
            (vec![field("a"), Part::Index(0)], "a[0]"),
            (vec![field("")], "[\"\"]"),
            (vec![field("a\"].b\\\n")], r#"["a\"].b\\\n"]"#),
            (
                vec![field("é"), field("a"), Part::Index(3), field("b")],
                "[\"é\"].a[3].b",
            ),
        ]
    }

    /// One path in every form: as steps, and short.
    fn forms(of: &[Part<'static>]) -> [Path; 3] {
        let steps = of.iter().map(|part| match part {
            Part::Key(key) => Step::Key((*key).to_owned()),
            Part::Index(index) => Step::Index(*index),
        });
        let short = Path::short(of.iter().rev().copied().map(Some), || panic!("a few steps"));
        let field = match of {
            [Part::Key(name)] => Path::field(name),
            _ => short.clone(),
        };
        [steps.collect(), short, field]
    }

    #[test]
    fn a_path_is_short_when_its_steps_are_few_and_declared() {
        let is_short = |parts: &[Option<Part<'static>>]| {
            let path = Path::short(parts.iter().copied(), Vec::new);
            matches!(path.0, Form::Short { .. })
        };
        let few = |count: usize| vec![Some(Part::Index(0)); count];
        assert!(is_short(&few(SHORT)) && !is_short(&few(SHORT + 1)));
        assert!(!is_short(&[Some(Part::Key("a")), None]));
    }

    #[test]
    fn every_form_of_a_path_says_the_same() {
        for (of, shown) in paths() {
            let forms = forms(&of);
            let steps = forms[0].steps().to_vec();
            for path in &forms {
                assert_eq!(path.to_string(), shown);
                assert_eq!(path.steps(), steps);
                assert_eq!(path.clone().steps(), steps);
                assert_eq!(path.is_root(), of.is_empty());
                assert_eq!(format!("{path:?}"), format!("Path({steps:?})"));
                let key = match steps.first() {
                    Some(Step::Key(key)) => Some(key.as_str()),
                    _ => None,
                };
                assert_eq!(path.parameter(), key);
            }
        }
    }

    #[test]
    fn paths_go_on_in_every_form() {
        for (of, _) in paths() {
            for (end, _) in paths() {
                let steps = |of: &[Part<'static>]| forms(of)[0].steps().to_vec();
                let whole = [steps(&of), steps(&end)].concat();
                for path in forms(&of) {
                    for rest in forms(&end) {
                        assert_eq!(path.clone().below(rest.clone()).steps(), whole);
                        let joined = rest.steps().iter().cloned();
                        assert_eq!(joined.fold(path.clone(), Path::join).steps(), whole);
                    }
                }
            }
        }
    }

    #[test]
    fn paths_are_equal_exactly_when_their_steps_are() {
        let state = RandomState::new();
        for (i, (one, _)) in paths().iter().enumerate() {
            for (j, (other, _)) in paths().iter().enumerate() {
                for one in forms(one) {
                    for other in forms(other) {
                        assert_eq!(one == other, i == j);
                        assert_eq!(state.hash_one(&one) == state.hash_one(&other), i == j);
                    }
                }
            }
        }
    }
}
