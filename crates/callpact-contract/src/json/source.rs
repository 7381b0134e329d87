//! The trait that every reader reads from: one value after the other, each taken or skipped.

use std::borrow::Cow;

/// The form of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Null,
    Boolean(bool),
    Number,
    Text,
    List,
    Object,
    /// The source is not JSON from here on. Every later call gives this form again.
    Broken,
}

/// A number as the source has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Positive(u64),
    Negative(i64),
    Float(f64),
}

/// A text, or a value in memory. A caller looks at the form of a value and then takes it, by the method
/// for that form or by [`skip`](Self::skip).
pub(crate) trait Source<'de> {
    /// The place in a list that is open.
    type Items;
    /// The place in an object that is open.
    type Entries;

    /// The form of the next value, which is not taken.
    fn form(&mut self) -> Form;
    /// Takes a string; `None` when the source is broken.
    fn take_text(&mut self) -> Option<Cow<'de, str>>;
    /// Opens the list that comes next.
    fn open_list(&mut self) -> Self::Items;
    /// Moves to the next item; `false` at the end, and when the source is broken.
    fn next_item(&mut self, items: &mut Self::Items) -> bool;
    /// Opens the object that comes next.
    fn open_object(&mut self) -> Self::Entries;
    /// Moves to the value of the next key; `None` at the end, and when the source is broken.
    fn next_key(&mut self, entries: &mut Self::Entries) -> Option<Cow<'de, str>>;
    /// Moves to the value of the next key if that key is `name`, written without escapes; otherwise takes nothing.
    fn next_is(&mut self, entries: &mut Self::Entries, name: &str) -> bool;
    /// Skips the next value.
    fn skip(&mut self);
}

/// Whether the next value is a list of one item.
pub(crate) fn has_one_item<'de>(mut source: impl Source<'de>) -> bool {
    if source.form() != Form::List {
        return false;
    }
    let mut items = source.open_list();
    source.next_item(&mut items) && {
        source.skip();
        !source.next_item(&mut items)
    }
}
