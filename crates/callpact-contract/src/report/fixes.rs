//! The changes of one reading.

use std::{fmt, mem, ops::Deref, sync::OnceLock, vec};

use serde::{Serialize, Serializer};

use super::{Fix, FixKind, Path};
use crate::{policy::Policy, text::quoted};

/// The changes of one reading, in the order in which they were made: a slice of [`Fix`].
///
/// Those of a text that was read in one pass are read from it again when somebody looks at them.
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
pub struct Fixes(Option<Box<KeptFixes>>);

/// The changes are either a text that shows them, or a list.
#[derive(Clone, Default)]
struct KeptFixes {
    /// The text that the fixes are read from when somebody looks at them.
    unread: Option<UnreadFixes>,
    all: Vec<Fix>,
    /// The list of the text, made when somebody looks at it.
    made: OnceLock<Vec<Fix>>,
}

/// The text of a good reading that changed something, and how to read the changes.
#[derive(Clone)]
struct UnreadFixes {
    text: String,
    policy: Policy,
    read: fn(&str, &Policy) -> Fixes,
}

impl Fixes {
    /// The changes of a good reading of a text, which are read when somebody looks at them.
    #[cold]
    pub(crate) fn later(text: &str, policy: &Policy, read: fn(&str, &Policy) -> Self) -> Self {
        Self(Some(Box::new(KeptFixes {
            unread: Some(UnreadFixes {
                text: text.to_owned(),
                policy: *policy,
                read,
            }),
            ..KeptFixes::default()
        })))
    }

    /// How many changes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.as_deref().map_or(0, |kept| kept.list().len())
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

    /// The list, to be changed.
    pub(crate) fn all(&mut self) -> &mut Vec<Fix> {
        self.0.get_or_insert_default().all()
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
fn drop_kept(kept: Box<KeptFixes>) {
    drop(kept);
}

impl KeptFixes {
    fn list(&self) -> &[Fix] {
        match &self.unread {
            Some(unread) => self.made.get_or_init(|| unread.read()),
            None => &self.all,
        }
    }

    /// The list, which alone holds the changes from here on.
    fn all(&mut self) -> &mut Vec<Fix> {
        if let Some(unread) = self.unread.take() {
            self.all = self.made.take().unwrap_or_else(|| unread.read());
        }
        &mut self.all
    }
}

impl UnreadFixes {
    fn read(&self) -> Vec<Fix> {
        (self.read)(&self.text, &self.policy).into_vec()
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
            Some(kept) => kept.list(),
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
        Self(Some(Box::new(KeptFixes {
            all,
            ..KeptFixes::default()
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
    use crate::{
        policy::Policy,
        report::{Fix, Path, Step},
    };

    #[test]
    fn reads_fixes_lazily_from_text() {
        let read = |text: &str, _: &Policy| {
            let names = text.split(' ');
            let all: Vec<Fix> = names
                .map(|name| Fix::dropped(Path::of(vec![Step::Key(name.to_owned())]), name))
                .collect();
            all.into()
        };
        let mut fixes = Fixes::later("a b", &Policy::lax(), read);
        let copy = fixes.clone();
        assert_eq!((fixes.len(), copy[1].from.as_ref()), (2, "\"b\""));
        assert_eq!(fixes, copy);
        fixes.all().pop();
        assert_ne!(fixes, copy);
        let all: Vec<Fix> = fixes.into();
        assert_eq!(Fixes::from(all.clone()), all);
        assert_eq!(copy.into_iter().count(), 2);
        assert!(Fixes::from(Vec::new()).is_empty());
        assert_eq!(Fixes::default(), []);
        assert_eq!(format!("{:?}", Fixes::default()), "[]");
    }
}
