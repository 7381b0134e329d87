//! The issues of one reading, kept short until somebody looks at them.

use std::{
    borrow::Cow,
    fmt, mem,
    ops::{Deref, DerefMut},
    slice,
    sync::OnceLock,
    vec,
};

use serde::{Serialize, Serializer};

use super::{
    Issue, IssueKind,
    fault::{Fault, first_quoted, text_in_quotes},
    issue::Clue,
    trail::Trail,
};

/// The issues of one call, in the order of the text: a slice of [`Issue`].
///
/// Most issues are values that are not as they are declared. Such a one is kept without its words, and the list is made
/// when somebody looks at it. A [`Report`](crate::Report) writes its text without the list.
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
    /// The issues are either faults or a list.
    faults: Vec<Fault>,
    list: Vec<Issue>,
    /// The list of the faults, made when somebody looks at them.
    made: OnceLock<Vec<Issue>>,
}

/// The issues in the form in which they are kept.
pub(super) enum Kept<'a> {
    Faults(&'a [Fault]),
    List(&'a [Issue]),
}

/// One issue in either form, as far as its line and its hint ask.
#[derive(Clone, Copy)]
pub(crate) enum Seen<'a> {
    Fault(&'a Fault),
    Issue(&'a Issue),
}

/// The issues one by one, in either form.
#[derive(Clone)]
pub(super) enum SeenIter<'a> {
    Faults(slice::Iter<'a, Fault>),
    List(slice::Iter<'a, Issue>),
}

impl<'a> Iterator for SeenIter<'a> {
    type Item = Seen<'a>;

    #[inline]
    fn next(&mut self) -> Option<Seen<'a>> {
        match self {
            Self::Faults(faults) => faults.next().map(Seen::Fault),
            Self::List(list) => list.next().map(Seen::Issue),
        }
    }
}

impl<'a> Seen<'a> {
    #[inline]
    pub(crate) fn kind(self) -> IssueKind {
        match self {
            Self::Fault(fault) => fault.kind,
            Self::Issue(issue) => issue.kind,
        }
    }

    #[inline]
    pub(crate) fn trail(self) -> Trail<'a> {
        match self {
            Self::Fault(fault) => fault.trail(),
            Self::Issue(issue) => issue.path.trail(),
        }
    }

    #[inline]
    pub(super) fn clue(self) -> Clue {
        match self {
            Self::Fault(fault) => fault.clue(),
            Self::Issue(issue) => issue.clue,
        }
    }

    /// Whether it leads through an array.
    #[inline]
    pub(super) fn has_index(self) -> bool {
        match self {
            Self::Fault(fault) => fault.has_index,
            Self::Issue(issue) => issue.path.trail().has_index(),
        }
    }

    /// The text that was found, where the issue has the whole of it.
    pub(super) fn text(self) -> Option<&'a str> {
        match self {
            Self::Fault(fault) => fault.given.as_text(),
            Self::Issue(issue) => text_in_quotes(&issue.found),
        }
    }

    /// The first byte of the text that was found.
    #[inline]
    pub(super) fn first_byte(self) -> Option<u8> {
        match self {
            Self::Fault(fault) => fault.given.first_byte(),
            Self::Issue(issue) => first_quoted(&issue.found),
        }
    }
}

impl Issues {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.faults.len() + self.list.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The issues as a list.
    pub fn into_vec(mut self) -> Vec<Issue> {
        mem::take(self.all())
    }

    /// The list, to be changed, which alone holds the issues from here on.
    pub(crate) fn all(&mut self) -> &mut Vec<Issue> {
        if !self.faults.is_empty() {
            self.list = match self.made.take() {
                Some(made) => made,
                None => self.make(),
            };
            self.faults = Vec::new();
        }
        &mut self.list
    }

    /// The list of the faults.
    fn make(&self) -> Vec<Issue> {
        self.faults.iter().map(Fault::to_issue).collect()
    }

    /// Those that are kept as a list, which all are where one of them is no [`Fault`].
    #[inline]
    pub(crate) fn listed(&self) -> &[Issue] {
        &self.list
    }

    /// The issues as they are kept.
    #[inline]
    pub(super) fn kept(&self) -> Kept<'_> {
        if self.faults.is_empty() {
            Kept::List(&self.list)
        } else {
            Kept::Faults(&self.faults)
        }
    }

    /// The issues one by one, without a list of faults.
    #[inline]
    pub(super) fn seen(&self) -> SeenIter<'_> {
        match self.kept() {
            Kept::Faults(faults) => SeenIter::Faults(faults.iter()),
            Kept::List(list) => SeenIter::List(list.iter()),
        }
    }

    /// The issue of a number, without a list of faults.
    #[inline]
    pub(super) fn get_seen(&self, number: usize) -> Option<Seen<'_>> {
        match self.faults.get(number) {
            Some(fault) => Some(Seen::Fault(fault)),
            None => self.list.get(number).map(Seen::Issue),
        }
    }

    pub(super) fn set_hint(&mut self, number: usize, hint: Cow<'static, str>) {
        if let Some(fault) = self.faults.get_mut(number) {
            fault.hint = Some(hint);
        } else if let Some(issue) = self.list.get_mut(number) {
            issue.hint = Some(hint);
        }
    }

    /// Adds an issue, with room for so many where it is the first one.
    pub(crate) fn push(&mut self, issue: Issue, room: usize) {
        let list = self.all();
        if list.capacity() == 0 {
            *list = Vec::with_capacity(room);
        }
        list.push(issue);
    }

    /// The faults, with room for so many where there are none, unless there is a list.
    #[inline]
    pub(crate) fn faults(&mut self, room: usize) -> Option<&mut Vec<Fault>> {
        if !self.list.is_empty() || self.made.get().is_some() {
            return None;
        }
        if self.faults.capacity() == 0 {
            self.faults = Vec::with_capacity(room);
        }
        Some(&mut self.faults)
    }
}

impl Deref for Issues {
    type Target = [Issue];

    fn deref(&self) -> &[Issue] {
        if self.faults.is_empty() {
            &self.list
        } else {
            self.made.get_or_init(|| self.make())
        }
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
        Self {
            list,
            ..Self::default()
        }
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

    /// Faults alone, and faults before and behind an issue that is more.
    #[test]
    fn issues_say_the_same_in_every_form() {
        for text in [
            r#"{"number": -1, "sizes": [1, 300, "a"]}"#,
            r#"{"number": "a", "title": null}"#,
            r#"{"number": 1.5, "sizes": {}, "title": ["b"], "title": 1}"#,
        ] {
            let kept = issues(text);
            let count = kept.len();
            assert!(count >= 3 && kept.seen().count() == count, "{text}");
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
