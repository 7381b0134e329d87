//! The changes of one reading, kept short until somebody looks at them.

use std::{fmt, mem, ops::Deref, sync::OnceLock, vec};

use serde::{Serialize, Serializer};

use super::{Fix, FixKind, Path};
use crate::text::{Texts, quoted};

/// The changes of one reading, in the order in which they were made: a slice of [`Fix`].
///
/// Most changes are a null for a parameter that may be left out, or a key that no parameter has. Such a
/// change is kept as its name, and the list is made when somebody looks at it.
///
/// ```
/// use callpact::{Fix, FixKind, Policy, ToolInput, input::Fixes, read_str};
///
/// #[derive(ToolInput)]
/// struct Search { query: String, limit: Option<u32> }
///
/// let read = read_str::<Search>(r#"{"query": "rust", "limit": null, "hour": 9}"#, &Policy::lax())?;
/// assert_eq!(read.fixes.len(), 2);
/// assert_eq!(read.fixes[0].to_string(), "limit: null read as absent");
/// assert!(read.fixes.iter().any(|fix| fix.kind == FixKind::UnknownDropped));
///
/// let fixes: Vec<Fix> = read.fixes.into();
/// assert_eq!(Fixes::from(fixes.clone()), fixes);
/// # Ok::<(), callpact::Report>(())
/// ```
#[derive(Clone, Default)]
pub struct Fixes(Option<Box<Kept>>);

/// The changes are either names, the nulls first, or a list.
#[derive(Clone, Default)]
struct Kept {
    /// The names of parameters of the arguments that null was given for.
    nulls: Vec<&'static str>,
    /// The keys of the arguments that were dropped.
    dropped: Texts,
    all: Vec<Fix>,
    /// The list of the names, made when somebody looks at them.
    made: OnceLock<Vec<Fix>>,
}

impl Fixes {
    /// How many changes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.as_deref().map_or(0, Kept::len)
    }

    /// Whether nothing was changed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The changes as a list.
    #[inline]
    pub fn into_vec(mut self) -> Vec<Fix> {
        match &mut self.0 {
            Some(kept) => mem::take(kept.all()),
            None => Vec::new(),
        }
    }

    /// Whether all of them are kept as the names of parameters that null was given for.
    #[inline]
    pub(crate) fn are_nulls(&self) -> bool {
        self.0.as_deref().is_none_or(Kept::takes_nulls)
    }

    /// The list, to be changed.
    pub(crate) fn all(&mut self) -> &mut Vec<Fix> {
        self.0.get_or_insert_default().all()
    }

    /// Adds a null that was given for a parameter of the arguments, unless there are so many changes.
    #[inline]
    pub(crate) fn add_null(&mut self, name: &'static str, most: usize) {
        match &mut self.0 {
            Some(kept) if kept.takes_nulls() => {
                if kept.nulls.len() < most {
                    kept.nulls.push(name);
                }
            }
            _ => self.add_other_null(name, most),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_other_null(&mut self, name: &'static str, most: usize) {
        if self.len() >= most {
            return;
        }
        let kept = self.0.get_or_insert_default();
        if kept.takes_nulls() {
            // One null seldom comes alone.
            kept.nulls.reserve(16);
            kept.nulls.push(name);
        } else {
            kept.all().push(null_of(name));
        }
    }

    /// Adds keys of the arguments that were dropped.
    pub(crate) fn add_dropped(&mut self, keys: Texts) {
        let kept = self.0.get_or_insert_default();
        if kept.takes_nulls() {
            kept.dropped = keys;
        } else {
            let dropped = |key: &str| Fix::dropped(Path::one(key.to_owned()), key);
            kept.all().extend(keys.iter().map(dropped));
        }
    }

    /// Whether every change stands at a place that the schema declares, as far as is known.
    pub(crate) fn are_declared(&self) -> bool {
        self.0.as_deref().is_none_or(|kept| {
            kept.dropped.is_empty() && kept.all.iter().all(|fix| fix.path.is_declared())
        })
    }
}

impl Drop for Fixes {
    /// Most readings change nothing. What is left to the compiler is a call for each of them.
    #[inline]
    fn drop(&mut self) {
        if let Some(kept) = self.0.take() {
            drop_kept(kept);
        }
    }
}

#[cold]
#[inline(never)]
#[allow(clippy::boxed_local)] // dropped here, out of the way
fn drop_kept(kept: Box<Kept>) {
    drop(kept);
}

impl Kept {
    #[inline]
    fn len(&self) -> usize {
        self.nulls.len() + self.dropped.len() + self.all.len()
    }

    /// Whether the name of one more null may be kept.
    #[inline]
    fn takes_nulls(&self) -> bool {
        self.dropped.is_empty() && self.all.is_empty() && self.made.get().is_none()
    }

    #[inline]
    fn has_names(&self) -> bool {
        !self.nulls.is_empty() || !self.dropped.is_empty()
    }

    /// The list of the names.
    fn make(&self) -> Vec<Fix> {
        let mut all = Vec::with_capacity(self.len());
        all.extend(self.nulls.iter().copied().map(null_of));
        let dropped = |key: &str| Fix::dropped(Path::one(key.to_owned()), key);
        all.extend(self.dropped.iter().map(dropped));
        all
    }

    /// The list, which alone holds the changes from here on.
    fn all(&mut self) -> &mut Vec<Fix> {
        if self.has_names() {
            self.all = self.made.take().unwrap_or_else(|| self.make());
            (self.nulls, self.dropped) = Default::default();
        }
        &mut self.all
    }
}

/// The fix of a null that was given for a parameter of the arguments.
fn null_of(name: &'static str) -> Fix {
    Fix {
        path: Path::field(name),
        kind: FixKind::NullAsAbsent,
        from: "null".into(),
        to: "absent".into(),
    }
}

impl Fix {
    /// A key that nothing takes.
    pub(crate) fn dropped(path: Path, key: &str) -> Self {
        Self {
            path,
            kind: FixKind::UnknownDropped,
            from: quoted(key).into(),
            to: "absent".into(),
        }
    }
}

impl Deref for Fixes {
    type Target = [Fix];

    fn deref(&self) -> &[Fix] {
        match &self.0 {
            Some(kept) if kept.has_names() => kept.made.get_or_init(|| kept.make()),
            Some(kept) => &kept.all,
            None => &[],
        }
    }
}

impl fmt::Debug for Fixes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for Fixes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl Eq for Fixes {}

impl PartialEq for Fixes {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq<[Fix]> for Fixes {
    fn eq(&self, other: &[Fix]) -> bool {
        **self == *other
    }
}

impl<const N: usize> PartialEq<[Fix; N]> for Fixes {
    fn eq(&self, other: &[Fix; N]) -> bool {
        **self == *other
    }
}

impl PartialEq<Vec<Fix>> for Fixes {
    fn eq(&self, other: &Vec<Fix>) -> bool {
        **self == **other
    }
}

impl From<Vec<Fix>> for Fixes {
    fn from(all: Vec<Fix>) -> Self {
        if all.is_empty() {
            return Self(None);
        }
        Self(Some(Box::new(Kept {
            all,
            ..Kept::default()
        })))
    }
}

impl From<Fixes> for Vec<Fix> {
    fn from(fixes: Fixes) -> Self {
        fixes.into_vec()
    }
}

impl IntoIterator for Fixes {
    type Item = Fix;
    type IntoIter = vec::IntoIter<Fix>;

    fn into_iter(self) -> vec::IntoIter<Fix> {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Fixes {
    type Item = &'a Fix;
    type IntoIter = std::slice::Iter<'a, Fix>;

    fn into_iter(self) -> std::slice::Iter<'a, Fix> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Fixes;
    use crate::{report::Fix, text::Texts};

    fn words(fixes: &Fixes) -> Vec<String> {
        fixes.iter().map(ToString::to_string).collect()
    }

    fn keys(names: &[&str]) -> Texts {
        let mut keys = Texts::default();
        for name in names {
            keys.push(name);
        }
        keys
    }

    #[test]
    fn changes_stay_in_order_whatever_comes_and_whoever_looks() {
        let wanted = [
            "a: null read as absent",
            "b: null read as absent",
            "x: not a parameter, ignored",
            "y: not a parameter, ignored",
            "c: null read as absent",
            "z: not a parameter, ignored",
        ];
        for look_after in 0..=4 {
            let mut fixes = Fixes::default();
            assert!(fixes.are_nulls() && fixes.is_empty() && fixes.are_declared());
            let steps: [fn(&mut Fixes); 5] = [
                |fixes| fixes.add_null("a", 9),
                |fixes| fixes.add_null("b", 2),
                |fixes| fixes.add_dropped(keys(&["x", "y"])),
                |fixes| fixes.add_null("c", 9),
                |fixes| fixes.add_dropped(keys(&["z"])),
            ];
            for (step, count) in steps.iter().zip([1, 2, 4, 5, 6]) {
                step(&mut fixes);
                assert_eq!(fixes.len(), count);
                assert_eq!(fixes.are_declared(), count <= 2);
                if count > look_after {
                    assert_eq!(words(&fixes), wanted[..count]);
                }
            }
            for most in [0, 6] {
                fixes.add_null("d", most);
                assert_eq!(fixes.len(), 6);
            }
            let copy = fixes.clone();
            let mut all: Vec<Fix> = fixes.into();
            assert_eq!((&copy, copy.len()), (&Fixes::from(all.clone()), 6));
            all.pop();
            assert_ne!(copy, all);
            assert_eq!(copy.into_iter().count(), 6);
        }
        assert!(Fixes::from(Vec::new()).is_empty());
        assert_eq!(Fixes::default(), []);
        assert_eq!(format!("{:?}", Fixes::default()), "[]");
    }
}
