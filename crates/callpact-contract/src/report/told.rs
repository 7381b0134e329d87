//! An issue in either of its forms, as far as its line asks.

use super::{
    Issue, IssueKind,
    expected::{write_expected, write_words},
    fault::Fault,
    room::{Room, put_first},
    trail::Trail,
};
use crate::text::length;

/// An issue in one of its forms. The lines are written for each form on its own, since to ask for the form costs as much as
/// what is asked for.
pub(super) trait Told {
    fn kind(&self) -> IssueKind;

    fn trail(&self) -> Trail<'_>;

    fn hint(&self) -> Option<&str>;

    fn write_expected(&self, room: &Room, out: &mut String);

    /// The least characters of what was found.
    fn least_found(&self) -> usize;

    /// Writes at most so many characters of what was found.
    fn write_found(&self, most: usize, out: &mut String);
}

impl Told for Fault {
    #[inline]
    fn kind(&self) -> IssueKind {
        self.kind
    }

    #[inline]
    fn trail(&self) -> Trail<'_> {
        Fault::trail(self)
    }

    #[inline]
    fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    #[inline]
    fn write_expected(&self, room: &Room, out: &mut String) {
        write_expected(self.kind, self.schema, room, out);
    }

    #[inline]
    fn least_found(&self) -> usize {
        self.given.least_length()
    }

    fn write_found(&self, most: usize, out: &mut String) {
        self.given.write_first(most, out);
    }
}

impl Told for Issue {
    fn kind(&self) -> IssueKind {
        self.kind
    }

    fn trail(&self) -> Trail<'_> {
        self.path.trail()
    }

    fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    fn write_expected(&self, room: &Room, out: &mut String) {
        write_words(self.kind, &self.expected, room, out);
    }

    fn least_found(&self) -> usize {
        length(&self.found)
    }

    fn write_found(&self, most: usize, out: &mut String) {
        put_first(&self.found, most, out);
    }
}
