//! The issues of one reading.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    slice, vec,
};

use serde::{Serialize, Serializer};

use super::{Issue, trail::PathTrail};

/// The issues of one call, in the order of the text: a slice of [`Issue`].
///
/// ```
/// use callpact::{Issue, IssueKind, Policy, ToolInput, input::Issues, read_str};
///
/// #[derive(Debug, ToolInput)]
/// struct Page { number: u32, size: u8 }
///
/// let report = read_str::<Page>(r#"{"number": -1}"#, &Policy::lax()).unwrap_err();
/// assert_eq!(report.issues.len(), 2);
/// assert_eq!(report.issues[0].found, "-1");
/// assert!(report.issues.iter().any(|issue| issue.kind == IssueKind::Missing));
///
/// let issues: Vec<Issue> = report.issues.into();
/// assert_eq!(Issues::from(issues.clone()), issues);
/// ```
#[derive(Clone, Default)]
pub struct Issues {
    list: Vec<Issue>,
}

impl Issue {
    /// Where it is.
    #[inline]
    pub(crate) fn trail(&self) -> PathTrail<'_> {
        self.path.trail()
    }
}

impl Issues {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The issues as a list.
    pub fn into_vec(self) -> Vec<Issue> {
        self.list
    }

    /// The list, to be changed.
    pub(crate) fn all(&mut self) -> &mut Vec<Issue> {
        &mut self.list
    }

    /// Adds an issue.
    pub(crate) fn push(&mut self, issue: Issue) {
        if self.list.capacity() == 0 {
            // An issue seldom comes alone.
            self.list.reserve(8);
        }
        self.list.push(issue);
    }
}

impl Deref for Issues {
    type Target = [Issue];

    fn deref(&self) -> &[Issue] {
        &self.list
    }
}

impl DerefMut for Issues {
    fn deref_mut(&mut self) -> &mut [Issue] {
        self.all()
    }
}

impl fmt::Debug for Issues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for Issues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl Eq for Issues {}

impl PartialEq for Issues {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq<[Issue]> for Issues {
    fn eq(&self, other: &[Issue]) -> bool {
        **self == *other
    }
}

impl<const N: usize> PartialEq<[Issue; N]> for Issues {
    fn eq(&self, other: &[Issue; N]) -> bool {
        **self == *other
    }
}

impl PartialEq<Vec<Issue>> for Issues {
    fn eq(&self, other: &Vec<Issue>) -> bool {
        **self == **other
    }
}

impl From<Vec<Issue>> for Issues {
    fn from(list: Vec<Issue>) -> Self {
        Self { list }
    }
}

impl From<Issues> for Vec<Issue> {
    fn from(issues: Issues) -> Self {
        issues.into_vec()
    }
}

impl IntoIterator for Issues {
    type Item = Issue;
    type IntoIter = vec::IntoIter<Issue>;

    fn into_iter(self) -> vec::IntoIter<Issue> {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Issues {
    type Item = &'a Issue;
    type IntoIter = slice::Iter<'a, Issue>;

    fn into_iter(self) -> slice::Iter<'a, Issue> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Issues {
    type Item = &'a mut Issue;
    type IntoIter = slice::IterMut<'a, Issue>;

    fn into_iter(self) -> slice::IterMut<'a, Issue> {
        self.all().iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::Issues;
    use crate::{Issue, Policy, ToolInput, input::IssueKind, read_str};

    #[derive(ToolInput)]
    #[allow(dead_code)] // read for its faults
    struct Page {
        number: u32,
        sizes: Vec<u8>,
        title: String,
    }

    fn issues(text: &str) -> Issues {
        match read_str::<Page>(text, &Policy::exact()) {
            Ok(_) => Issues::default(),
            Err(report) => report.issues,
        }
    }

    fn words(issues: &[Issue]) -> Vec<String> {
        issues.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn issues_say_the_same_as_their_list() {
        for text in [
            r#"{"number": -1, "sizes": [1, 300, "a"]}"#,
            r#"{"number": "a", "title": null}"#,
            r#"{"number": 1.5, "sizes": {}, "title": ["b"], "title": 1}"#,
        ] {
            let kept = issues(text);
            let count = kept.len();
            assert!(count >= 3, "{text}");
            let list = words(&kept);
            let mut changed = kept.clone();
            for (number, issue) in (&mut changed).into_iter().enumerate() {
                assert_eq!(issue.to_string(), list[number]);
                issue.hint = Some("send it again".into());
            }
            assert_ne!(changed, kept);
            assert_eq!(changed[0].hint.as_deref(), Some("send it again"));
            // Whoever looked first, the list is the same.
            for looks in [false, true] {
                let issues = issues(text);
                if looks {
                    assert_eq!(issues.iter().len(), count);
                }
                let all: Vec<Issue> = issues.clone().into();
                assert_eq!(
                    (words(&all), &issues),
                    (list.clone(), &Issues::from(all.clone()))
                );
                assert_eq!(issues, all);
                assert_eq!(words(&issues.into_iter().collect::<Vec<_>>()), list);
            }
            let of_list = crate::Report::new(kept.clone().into_vec());
            let report = read_str::<Page>(text, &Policy::exact()).map(|_| ());
            assert_eq!(report.unwrap_err().to_string(), of_list.to_string());
        }
        assert_eq!(Issues::default(), []);
        assert_eq!(format!("{:?}", Issues::default()), "[]");
        assert!(
            issues("{}")
                .iter()
                .all(|issue| issue.kind == IssueKind::Missing)
        );
    }
}
