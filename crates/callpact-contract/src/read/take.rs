//! Gives each form of JSON to a type.

use std::borrow::Cow;

use super::{at::At, found::Found, input::Input};
use crate::{
    json::{Form, Number, Source, has_one_item},
    policy::MAX_DEPTH,
    report::{FixKind, Issue, IssueKind, Path},
};

/// A type that takes some forms of JSON. By default it reports that it expects another form.
pub(crate) trait Take: Sized {
    type Out;

    #[cold]
    fn null(self, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Null);
        None
    }

    #[cold]
    fn boolean(self, value: bool, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Boolean(value));
        None
    }

    #[cold]
    fn integer(self, value: i128, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Integer(value));
        None
    }

    #[cold]
    fn number(self, value: f64, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Number(value));
        None
    }

    #[cold]
    fn text(self, value: Cow<'_, str>, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Text(&value));
        None
    }

    /// Takes a list, which is not read yet.
    #[cold]
    fn list(self, input: &mut Input<'_>, at: At<'_>) -> Option<Self::Out> {
        refuse_whole(input, &Found::Array, at);
        None
    }

    /// Takes an object, which is not read yet.
    #[cold]
    fn object(self, input: &mut Input<'_>, at: At<'_>) -> Option<Self::Out> {
        refuse_whole(input, &Found::Object, at);
        None
    }
}

/// Skips a value of the wrong form and reports it.
#[cold]
#[inline(never)]
pub(crate) fn refuse_whole(input: &mut Input<'_>, found: &Found<'_>, mut at: At<'_>) {
    let is_single = matches!(found, Found::Array) && has_one_item(*input);
    input.skip();
    if !input.is_broken() {
        at.mismatch(if is_single { &Found::Single } else { found });
    }
}

/// Reads the next value, of any form.
#[inline]
pub(crate) fn take<T: Take>(input: &mut Input<'_>, take: T, at: At<'_>) -> Option<T::Out> {
    match input.form() {
        Form::Text => take_text(input, take, at),
        Form::Number => take_number(input, take, at),
        form => take_rare(input, form, take, at),
    }
}

/// Reads a value that is most often a string.
#[inline]
pub(crate) fn take_mostly_text<T: Take>(
    input: &mut Input<'_>,
    take: T,
    at: At<'_>,
) -> Option<T::Out> {
    match input.next_text() {
        Ok(text) => give_text(text, take, at),
        Err(form) => take_other(input, form, take, at),
    }
}

/// Reads a value that is most often a number.
#[inline]
pub(crate) fn take_mostly_number<T: Take>(
    input: &mut Input<'_>,
    take: T,
    at: At<'_>,
) -> Option<T::Out> {
    match input.next_number() {
        Ok(number) => give_number(number, input, take, at),
        Err(form) => take_other(input, form, take, at),
    }
}

#[inline]
fn take_text<T: Take>(input: &mut Input<'_>, take: T, at: At<'_>) -> Option<T::Out> {
    let text = input.take_text()?;
    give_text(text, take, at)
}

#[inline]
pub(crate) fn give_text<T: Take>(text: Cow<'_, str>, take: T, mut at: At<'_>) -> Option<T::Out> {
    if text.is_empty() && stands_for_absent(&mut at) {
        return None;
    }
    take.text(text, at)
}

#[inline]
fn take_number<T: Take>(input: &mut Input<'_>, take: T, at: At<'_>) -> Option<T::Out> {
    let number = input.take_number()?;
    give_number(number, input, take, at)
}

/// Gives a number that was just read from this source to a type.
#[inline(always)]
#[allow(clippy::inline_always)] // see `Input::next_number`
pub(crate) fn give_number<T: Take>(
    number: Number,
    input: &Input<'_>,
    take: T,
    at: At<'_>,
) -> Option<T::Out> {
    match number {
        Number::Positive(value) => take.integer(value.into(), at),
        Number::Negative(value) => take.integer(value.into(), at),
        Number::Large => take.integer(input.large(), at),
        Number::Float(value) => take.number(value, at),
    }
}

/// Reads a value of any form. It is out of line, since it is seldom needed.
#[cold]
#[inline(never)]
pub(crate) fn take_other<T: Take>(
    input: &mut Input<'_>,
    form: Form,
    take: T,
    at: At<'_>,
) -> Option<T::Out> {
    match form {
        Form::Text => take_text(input, take, at),
        Form::Number => take_number(input, take, at),
        form => take_rare(input, form, take, at),
    }
}

#[inline]
fn take_rare<T: Take>(
    input: &mut Input<'_>,
    form: Form,
    take: T,
    mut at: At<'_>,
) -> Option<T::Out> {
    match form {
        Form::Null => {
            if !input.take_word() || at.take_null_as_absent() {
                return None;
            }
            take.null(at)
        }
        Form::Boolean(value) => {
            if !input.take_word() {
                return None;
            }
            take.boolean(value, at)
        }
        Form::List | Form::Object if at.too_deep() => {
            refuse_depth(input, &mut at);
            None
        }
        Form::List => take.list(input, at),
        Form::Object => take.object(input, at),
        Form::Text | Form::Number | Form::Broken => None,
    }
}

/// Whether an empty string that was found here stands for an absent value. If so, notes it.
#[cold]
pub(crate) fn stands_for_absent(at: &mut At<'_>) -> bool {
    let absent = at.takes_empty();
    if absent {
        at.absent(FixKind::EmptyAsAbsent, &Found::Text(""));
    }
    absent
}

/// Skips a list or an object below the deepest level, and reports it.
#[cold]
pub(crate) fn refuse_depth(input: &mut Input<'_>, at: &mut At<'_>) {
    input.skip();
    if !input.is_broken() {
        let words = format!("at most {MAX_DEPTH} levels of nesting");
        let issue = Issue::new(Path::default(), IssueKind::TooDeep, words, "");
        at.state().push(issue);
    }
}
