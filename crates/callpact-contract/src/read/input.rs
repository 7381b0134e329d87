//! The text that is read, and the few facts that outlive one value.

use std::{borrow::Cow, slice};

use super::{Refusal, field::FieldPresence};
use crate::json::{JsonForm, JsonScanner, NameTable, OpenProgress, ScannedNumber};

/// A JSON text that is read quickly.
///
/// [`ToolInput::read_quick`](crate::ToolInput::read_quick) gets one.
pub struct QuickInput<'de> {
    json: JsonScanner<'de>,
    /// Whether a leaf may be converted.
    lenient: bool,
    /// Whether a leaf was converted.
    changed: bool,
    /// Whether a type was met that only the checker knows.
    is_foreign: bool,
    /// The tag of the object that comes next.
    tag: Option<ObjectTag>,
    /// The number of bytes that may still be looked at ahead of reading.
    ahead: usize,
    /// What the checker knows of the text, if it accepted it.
    checked: Option<slice::Iter<'de, u32>>,
    /// The first words of an author who refused a value.
    refusal: Option<String>,
}

/// The tag among the keys of a variant.
#[derive(Clone, Copy)]
pub(super) struct ObjectTag {
    key: &'static str,
    /// Whether it was read. A second one is not plain.
    is_read: bool,
}

/// An object that is open.
pub(super) struct OpenObject {
    inside: OpenProgress,
    tag: Option<ObjectTag>,
}

/// The next key of an object.
pub(super) enum NextKey<'de> {
    Key(Cow<'de, str>),
    End,
}

impl<'de> QuickInput<'de> {
    #[inline]
    pub(super) fn new(text: &'de str, lenient: bool) -> Self {
        Self {
            json: JsonScanner::new(text),
            lenient,
            changed: false,
            is_foreign: false,
            tag: None,
            // Nested objects whose tag comes last would be searched once for each level.
            ahead: 1024 + 2 * text.len(),
            checked: None,
            refusal: None,
        }
    }

    /// A text that the checker accepted, with the chosen forms of its untagged unions in the order of the text.
    pub(super) fn checked(text: &'de str, forms: &'de [u32]) -> Self {
        Self {
            ahead: usize::MAX,
            checked: Some(forms.iter()),
            ..Self::new(text, false)
        }
    }

    /// Whether the checker accepted the text.
    #[inline]
    pub(crate) fn is_checked(&self) -> bool {
        self.checked.is_some()
    }

    /// The number of the form that the checker chose for the untagged union that comes next; `None` if it did not check
    /// the text.
    pub(super) fn next_form(&mut self) -> Option<usize> {
        let forms = self.checked.as_mut()?;
        Some(forms.next().map_or(usize::MAX, |form| *form as usize))
    }

    /// Whether leaves are converted, and names that resemble a parameter are no keys of a map.
    pub(super) fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// The place for the words of an author who refuses a value.
    #[inline]
    pub fn refusal(&mut self) -> Refusal<'_> {
        Refusal(&mut self.refusal)
    }

    /// The words of the author who refused a value.
    pub(super) fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// The next value as it is written.
    pub(crate) fn take_written(&mut self) -> Option<&'de str> {
        self.json.take_written()
    }

    /// Whether the text was read to its end.
    #[inline]
    pub(super) fn is_done(&mut self) -> bool {
        self.json.is_done()
    }

    #[inline]
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Leaves the value to the checker, since its type cannot be read quickly.
    #[cold]
    pub(crate) fn leave_foreign<T>(&mut self) -> Option<T> {
        self.is_foreign = true;
        None
    }

    #[inline]
    pub(super) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// The place of a value that is not the content of a variant with a tag, to go back to.
    pub(super) fn start_of_value(&self) -> Option<JsonScanner<'de>> {
        self.tag.is_none().then_some(self.json)
    }

    /// Goes back to the start of a value.
    pub(super) fn go_back(&mut self, start: JsonScanner<'de>) {
        self.json = start;
    }

    /// The form of the next value.
    #[inline]
    pub(super) fn form(&mut self) -> JsonForm {
        self.json.form()
    }

    /// Reads the next value without converting anything.
    pub(super) fn strictly<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let lenient = std::mem::take(&mut self.lenient);
        let value = read(self);
        self.lenient = lenient;
        value
    }

    /// Whether the next value is null, judged by its first letter.
    #[inline]
    pub(crate) fn is_null(&mut self) -> bool {
        self.json.is_null()
    }

    /// Takes null.
    pub(crate) fn take_null(&mut self) -> Option<()> {
        self.json.take_rest(*b"ull")
    }

    /// The string that comes next.
    #[inline]
    pub(crate) fn take_text(&mut self) -> Option<Cow<'de, str>> {
        self.json.next_text()
    }

    /// Whether a number comes next, judged by its first letter.
    #[inline]
    pub(crate) fn is_number(&mut self) -> bool {
        matches!(self.json.next(), Some(b'-' | b'0'..=b'9'))
    }

    #[inline]
    pub(crate) fn take_number(&mut self) -> Option<ScannedNumber> {
        self.json.number()
    }

    /// The boolean that comes next, written without quotes.
    #[inline]
    pub(crate) fn take_boolean(&mut self) -> Option<bool> {
        match self.json.next()? {
            b't' => self.json.take_rest(*b"rue").map(|()| true),
            b'f' => self.json.take_rest(*b"alse").map(|()| false),
            _ => None,
        }
    }

    /// A leaf in quotes, converted by this function, if leaves are converted.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_quoted<T>(&mut self, convert: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        if !self.lenient {
            return None;
        }
        let value = convert(&self.json.next_text()?)?;
        self.changed = true;
        Some(value)
    }

    /// Remembers that a number with a fraction of zeros was read as an integer, which is a fix if anything is.
    #[cold]
    pub(crate) fn note_whole_float(&mut self) {
        self.changed |= self.lenient;
    }

    /// Whether null or `""` comes next and means the absent value of a field. `None` if it is not plain.
    #[inline]
    pub(super) fn take_absent(&mut self, presence: FieldPresence) -> Option<bool> {
        match self.json.next() {
            Some(b'n') => self.take_null_as_absent(presence),
            Some(b'"') if self.lenient && presence != FieldPresence::KeepsEmpty => {
                self.take_empty_as_absent(presence)
            }
            _ => Some(false),
        }
    }

    #[inline(never)]
    fn take_null_as_absent(&mut self, presence: FieldPresence) -> Option<bool> {
        match presence {
            FieldPresence::Nullable => Some(false),
            FieldPresence::Optional | FieldPresence::KeepsEmpty if self.lenient => {
                self.take_null()?;
                self.changed = true;
                Some(true)
            }
            // A null that the checker leaves in place is a value.
            _ => self.is_checked().then_some(false),
        }
    }

    #[inline]
    fn take_empty_as_absent(&mut self, presence: FieldPresence) -> Option<bool> {
        if !self.json.take_empty_text() {
            return Some(false);
        }
        self.changed = true;
        (presence == FieldPresence::Optional).then_some(true)
    }

    /// Opens the list that comes next.
    #[inline]
    pub(super) fn open_list(&mut self) -> Option<OpenProgress> {
        (self.json.next() == Some(b'[')).then(|| self.json.open())
    }

    /// Whether another item follows. At the end of the text there is none, which [`closes_well`](Self::closes_well)
    /// tells from the end of the list.
    #[inline]
    pub(super) fn has_item(&mut self, inside: &mut OpenProgress) -> bool {
        self.json.has_more(inside, b']')
    }

    /// Whether the list or object that ended was not cut off.
    #[inline]
    pub(super) fn closes_well(&self) -> bool {
        !self.json.is_broken()
    }

    #[inline]
    pub(crate) fn position(&mut self) -> usize {
        self.json.next();
        self.json.position()
    }

    pub(crate) fn written_from(&self, start: usize) -> Option<&'de str> {
        self.json.written_from(start)
    }

    /// Opens the object that comes next, or goes on with the one whose tag was read.
    #[inline]
    pub(super) fn open_object(&mut self) -> Option<OpenObject> {
        let tag = self.tag.take();
        if let Some(ObjectTag { is_read: true, .. }) = tag {
            let inside = OpenProgress::BEHIND_FIRST;
            return Some(OpenObject { inside, tag });
        }
        if self.json.next() != Some(b'{') {
            return None;
        }
        let inside = self.json.open();
        Some(OpenObject { inside, tag })
    }

    /// Opens an object that is not the content of a variant with a tag.
    pub(super) fn open_own_object(&mut self) -> Option<OpenObject> {
        if self.tag.is_some() {
            return None;
        }
        self.open_object()
    }

    /// The next key of an object, behind its colon. The tag is passed.
    #[inline]
    pub(super) fn next_key(&mut self, object: &mut OpenObject) -> Option<NextKey<'de>> {
        while self.json.has_more(&mut object.inside, b'}') {
            let key = self.json.next_text()?;
            self.json.take(b':')?;
            match &mut object.tag {
                Some(tag) if tag.key == key => {
                    if std::mem::replace(&mut tag.is_read, true) {
                        return None;
                    }
                    self.json.pass_value()?;
                }
                _ => return Some(NextKey::Key(key)),
            }
        }
        self.closes_well().then_some(NextKey::End)
    }

    /// The number of the next key, if it is one of these names and written without escapes.
    #[inline]
    pub(super) fn next_name(
        &mut self,
        object: &mut OpenObject,
        names: &NameTable,
        likely: usize,
    ) -> Option<usize> {
        self.json.next_name(&mut object.inside, names, likely)
    }

    /// The name in the tag of the object that comes next. The object is opened if the tag is its first key.
    pub(super) fn take_tag(&mut self, key: &'static str) -> Option<Cow<'de, str>> {
        if self.tag.is_some() || self.json.next() != Some(b'{') {
            return None;
        }
        let mut ahead = self.json;
        let mut inside = ahead.open();
        let is_read = ahead.next_is(&mut inside, key);
        if !is_read {
            let rest = ahead.rest();
            let has_tag = ahead.seek(&mut inside, key);
            if !self.is_checked() {
                self.ahead = self.ahead.checked_sub(rest - ahead.rest())?;
            }
            if !has_tag {
                return None;
            }
        }
        let name = ahead.next_text()?;
        if is_read {
            self.json = ahead;
        }
        self.tag = Some(ObjectTag { key, is_read });
        Some(name)
    }

    /// Whether the object with the tag was read, as the content of the variant.
    #[inline]
    pub(super) fn has_read_content(&self) -> bool {
        self.tag.is_none()
    }

    /// The first key of the object that comes next, if it is written without escapes and its value is not null.
    pub(super) fn first_key(&mut self) -> Option<&'de str> {
        let (key, behind) = self.json.first_key()?;
        if self.json.is_null_at(behind) {
            return None;
        }
        std::str::from_utf8(key).ok()
    }
}
