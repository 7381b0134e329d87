//! Where in the arguments a value stands.

use std::{
    fmt,
    hash::{Hash, Hasher},
    slice,
};

use serde::{Serialize, Serializer};

use super::trail::{PathPart, PathTrail, Step};

/// The way from the arguments to one value in them, shown as `filters[0].field`.
///
/// ```
/// use callpact::input::{Path, Step};
///
/// let path = Path::from_iter([Step::Key("filters".into()), Step::Index(0), Step::Key("a b".into())]);
/// assert_eq!(path.to_string(), "filters[0][\"a b\"]");
/// assert_eq!(Path::default().to_string(), "arguments");
/// ```
#[derive(Clone, Default)]
pub struct Path(PathSteps);

#[derive(Clone)]
enum PathSteps {
    Steps(Vec<Step>),
    /// One step, which takes no memory but that of its key.
    One(Step),
}

impl Path {
    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        match &self.0 {
            PathSteps::Steps(steps) => steps,
            PathSteps::One(step) => slice::from_ref(step),
        }
    }

    /// The steps without a copy of them.
    #[inline]
    pub(crate) fn trail(&self) -> PathTrail<'_> {
        PathTrail(self.steps())
    }

    #[inline]
    fn parts(&self) -> impl Iterator<Item = PathPart<'_>> {
        self.trail().parts()
    }

    /// Whether this is the arguments as a whole.
    pub fn is_root(&self) -> bool {
        self.parts().next().is_none()
    }

    fn into_steps(self) -> Vec<Step> {
        match self.0 {
            PathSteps::Steps(steps) => steps,
            PathSteps::One(step) => vec![step],
        }
    }

    /// A parameter of the arguments that the schema may not declare.
    pub(crate) fn one(key: String) -> Self {
        Self(PathSteps::One(Step::Key(key)))
    }

    /// A path of these steps, in their memory.
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        Self(PathSteps::Steps(steps))
    }

    /// The way on from here by another one.
    #[must_use]
    pub(crate) fn below(self, rest: Self) -> Self {
        let mut steps = self.into_steps();
        steps.append(&mut rest.into_steps());
        Self(PathSteps::Steps(steps))
    }

    /// The path of a value inside this one.
    #[must_use]
    pub fn join(self, step: Step) -> Self {
        let mut steps = self.into_steps();
        steps.push(step);
        Self(PathSteps::Steps(steps))
    }

    /// Writes it piece by piece.
    pub(crate) fn write(&self, out: &mut String) {
        self.trail().write(out);
    }
}

impl Default for PathSteps {
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
        Self(PathSteps::Steps(steps.into_iter().collect()))
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
    use std::hash::{BuildHasher, RandomState};

    use super::{Path, PathPart, Step};

    /// Paths of every kind, with what they show.
    fn paths() -> Vec<(Vec<PathPart<'static>>, &'static str)> {
        let field = PathPart::Key;
        vec![
            (vec![], "arguments"),
            (vec![field("arguments")], "arguments"),
            (vec![field("a"), field("b-c"), field("$_")], "a.b-c.$_"),
            (vec![PathPart::Index(0)], "[0]"),
            (vec![field("0")], "0"),
            (
                vec![PathPart::Index(7), PathPart::Index(12), field("x")],
                "[7][12].x",
            ),
            (vec![field("a.b")], "[\"a.b\"]"),
            (vec![field("a"), field("b")], "a.b"),
            (vec![field("ab")], "ab"),
            (vec![field("a"), field("[0]")], "a[\"[0]\"]"),
            (vec![field("a"), PathPart::Index(0)], "a[0]"),
            (vec![field("")], "[\"\"]"),
            (vec![field("a\"].b\\\n")], r#"["a\"].b\\\n"]"#),
            (
                vec![field("é"), field("a"), PathPart::Index(3), field("b")],
                "[\"é\"].a[3].b",
            ),
        ]
    }

    /// One path in every form: as steps, and as one step.
    fn forms(of: &[PathPart<'static>]) -> Vec<Path> {
        let steps = of.iter().map(|part| match part {
            PathPart::Key(key) => Step::Key((*key).to_owned()),
            PathPart::Index(index) => Step::Index(*index),
        });
        let one = match of {
            [PathPart::Key(name)] => Some(Path::one((*name).to_owned())),
            _ => None,
        };
        [steps.collect()].into_iter().chain(one).collect()
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
                assert_eq!(path.trail().parameter(), key);
            }
        }
    }

    #[test]
    fn paths_go_on_in_every_form() {
        for (of, _) in paths() {
            for (end, _) in paths() {
                let steps = |of: &[PathPart<'static>]| forms(of)[0].steps().to_vec();
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
