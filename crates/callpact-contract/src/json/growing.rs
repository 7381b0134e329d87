//! A document that grows: each byte of a text is read once, while its pieces arrive.

use std::borrow::Cow;

use serde_json::Value;

use super::{JsonScanner, string::special};
use crate::policy::MAX_DEPTH;

/// A JSON text that is still arriving. Each byte is read once, and a value is made only on request.
///
/// ```
/// use callpact::input::stream::GrowingDocument;
/// use serde_json::json;
///
/// let mut document = GrowingDocument::new();
/// document.push(r#"{"to": ["Ada", "B"#);
/// assert_eq!(document.value(), Some(json!({"to": ["Ada", "B"]})));
/// document.push(r#"en"], "amount": 1"#);
/// // More digits may follow.
/// assert_eq!(document.value(), Some(json!({"to": ["Ada", "Ben"]})));
/// ```
///
/// Nothing should run on such a value: a text that ends early is never one that the model meant.
#[derive(Clone, Debug, Default)]
pub struct GrowingDocument {
    text: String,
    /// The next byte to read.
    at: usize,
    nodes: Vec<GrowingNode>,
    /// The lists and objects that are open.
    open: Vec<usize>,
    place: GrowthPlace,
    /// Whether the text is no JSON at this place, whatever follows.
    is_broken: bool,
}

/// A value or a key. Those inside of it follow it.
#[derive(Clone, Copy, Debug)]
struct GrowingNode {
    form: GrowingForm,
    start: usize,
    /// Where it ends in the text; 0 while it is open.
    end: usize,
    /// The node behind it and everything in it, once it is closed.
    next: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GrowingForm {
    /// A number, a boolean or null.
    Word,
    Text {
        is_key: bool,
        has_escape: bool,
    },
    List,
    Object,
}

/// What comes next in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GrowthPlace {
    #[default]
    Value,
    /// A value, or the end of the list.
    FirstItem,
    /// A key, or the end of the object.
    FirstKey,
    Key,
    Colon,
    Text,
    /// The character behind a backslash.
    Escape,
    Word,
    /// A comma, or the end of the list or object.
    Comma,
    Done,
}

/// What has changed at the root or in one of its fields, with the number of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// The root or the value of a field begins.
    Started(usize),
    /// The key of a field is complete.
    Key(usize),
    /// The value of a field is complete.
    Field(usize),
    /// Other text follows the value.
    Trailing,
    /// The text begins like no JSON.
    OtherStart,
    /// The text stops to be JSON at this byte.
    Broken(usize),
}

/// A number of so many digits without an exponent fits a float.
const ALWAYS_FITS: usize = 300;

impl GrowingDocument {
    /// A document before its first byte.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece, and reads it.
    pub fn push(&mut self, piece: &str) {
        self.add(piece);
        while self.grow().is_some() {}
    }

    /// Takes the next piece, which [`grow`](Self::grow) reads.
    pub(crate) fn add(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    /// Reads up to the next change.
    pub(crate) fn grow(&mut self) -> Option<Growth> {
        loop {
            if self.is_broken {
                return None;
            }
            let byte = *self.text.as_bytes().get(self.at)?;
            let growth = self.take(byte);
            if growth.is_some() {
                return growth;
            }
        }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is no JSON, whatever follows. What arrived before that place stays.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// What the text lacks at its end, or where it stops to be JSON.
    pub(crate) fn place(&self) -> GrowthPlace {
        self.place
    }

    /// The first byte that was not read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Where the values and keys start in which reading may have missed a fault: half a character, a number that no
    /// float holds, or the last one.
    pub(crate) fn suspects(&self) -> impl Iterator<Item = usize> {
        let last = self.nodes.len().saturating_sub(1);
        let nodes = self.nodes.iter().enumerate();
        let suspects = nodes.filter(move |(id, node)| match node.form {
            GrowingForm::Text { has_escape, .. } => has_escape || *id == last,
            GrowingForm::Word => {
                let written = self.text.get(node.start..node.end).unwrap_or_default();
                *id == last || written.len() > ALWAYS_FITS || written.contains(['e', 'E'])
            }
            GrowingForm::List | GrowingForm::Object => false,
        });
        suspects.map(|(_, node)| node.start)
    }

    /// The bracket that closes the innermost open list or object.
    pub(crate) fn closing(&self) -> Option<u8> {
        self.form_around().map(|form| match form {
            GrowingForm::Object => b'}',
            _ => b']',
        })
    }

    /// Whether the value is complete. A number is so only when something follows it.
    pub fn is_whole(&self) -> bool {
        self.place == GrowthPlace::Done && !self.is_broken
    }

    /// The value, as soon as it begins.
    pub fn root(&self) -> Option<PartialNode<'_>> {
        (!self.nodes.is_empty()).then(|| self.node(0))
    }

    /// The value so far: strings and lists grow, and a number, a boolean and a key are there once they are complete.
    pub fn value(&self) -> Option<Value> {
        self.root()?.value()
    }

    pub(crate) fn node(&self, id: usize) -> PartialNode<'_> {
        PartialNode { document: self, id }
    }

    fn take(&mut self, byte: u8) -> Option<Growth> {
        match self.place {
            GrowthPlace::Text => return self.take_text(),
            GrowthPlace::Escape if b"\"\\/bfnrtu".contains(&byte) => {
                self.at += 1;
                self.place = GrowthPlace::Text;
            }
            GrowthPlace::Word if byte.is_ascii_alphanumeric() || b"+-._$".contains(&byte) => {
                self.at += 1;
            }
            GrowthPlace::Word => return self.end_word(),
            _ if b" \n\r\t".contains(&byte) => self.at += 1,
            GrowthPlace::FirstItem if byte == b']' => return self.close(byte),
            GrowthPlace::Value | GrowthPlace::FirstItem => return self.begin(byte),
            GrowthPlace::FirstKey if byte == b'}' => return self.close(byte),
            GrowthPlace::FirstKey | GrowthPlace::Key if byte == b'"' => self.begin_text(true),
            GrowthPlace::Colon if byte == b':' => {
                self.at += 1;
                self.place = GrowthPlace::Value;
                let is_field = self.open.len() == 1;
                return is_field.then(|| Growth::Key(self.nodes.len() - 1));
            }
            GrowthPlace::Comma if byte == b',' => {
                self.at += 1;
                self.place = match self.form_around() {
                    Some(GrowingForm::Object) => GrowthPlace::Key,
                    _ => GrowthPlace::Value,
                };
            }
            GrowthPlace::Comma => return self.close(byte),
            GrowthPlace::Done => {
                self.is_broken = true;
                return Some(Growth::Trailing);
            }
            GrowthPlace::Escape | GrowthPlace::FirstKey | GrowthPlace::Key | GrowthPlace::Colon => {
                return Some(self.fail());
            }
        }
        None
    }

    fn fail(&mut self) -> Growth {
        self.is_broken = true;
        if self.nodes.is_empty() {
            Growth::OtherStart
        } else {
            Growth::Broken(self.at)
        }
    }

    fn form_around(&self) -> Option<GrowingForm> {
        let around = *self.open.last()?;
        self.nodes.get(around).map(|node| node.form)
    }

    /// Whether the value that begins or has ended is the root or a field of it.
    fn is_outer(&self) -> bool {
        self.open.is_empty()
            || self.open.len() == 1 && self.form_around() == Some(GrowingForm::Object)
    }

    fn add_node(&mut self, form: GrowingForm) -> usize {
        let id = self.nodes.len();
        self.nodes.push(GrowingNode {
            form,
            start: self.at,
            end: 0,
            next: id + 1,
        });
        id
    }

    fn begin_text(&mut self, is_key: bool) {
        self.add_node(GrowingForm::Text {
            is_key,
            has_escape: false,
        });
        self.at += 1;
        self.place = GrowthPlace::Text;
    }

    fn begin(&mut self, byte: u8) -> Option<Growth> {
        let (id, is_outer) = (self.nodes.len(), self.is_outer());
        match byte {
            b'"' => self.begin_text(false),
            b'{' | b'[' if self.open.len() < MAX_DEPTH => {
                let (form, place) = if byte == b'{' {
                    (GrowingForm::Object, GrowthPlace::FirstKey)
                } else {
                    (GrowingForm::List, GrowthPlace::FirstItem)
                };
                let node = self.add_node(form);
                self.open.push(node);
                self.at += 1;
                self.place = place;
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                self.add_node(GrowingForm::Word);
                self.place = GrowthPlace::Word;
            }
            _ => return Some(self.fail()),
        }
        is_outer.then_some(Growth::Started(id))
    }

    /// Goes on in a string.
    fn take_text(&mut self) -> Option<Growth> {
        let bytes = self.text.as_bytes();
        self.at = special(bytes, self.at);
        match bytes.get(self.at) {
            None => None,
            Some(b'\\') => {
                self.at += 1;
                self.place = GrowthPlace::Escape;
                if let Some(GrowingNode {
                    form: GrowingForm::Text { has_escape, .. },
                    ..
                }) = self.nodes.last_mut()
                {
                    *has_escape = true;
                }
                None
            }
            Some(b'"') => {
                self.at += 1;
                self.end_scalar()
            }
            Some(_) => Some(self.fail()),
        }
    }

    fn end_word(&mut self) -> Option<Growth> {
        let start = self.nodes.last().map_or(self.at, |node| node.start);
        let word = self.text.get(start..self.at).unwrap_or_default();
        let mut json = JsonScanner::new(word);
        let is_value = json.pass_value().is_some() && json.is_done();
        if is_value {
            self.end_scalar()
        } else {
            self.at = start;
            Some(self.fail())
        }
    }

    /// Ends the newest node.
    fn end_scalar(&mut self) -> Option<Growth> {
        let id = self.nodes.len().checked_sub(1)?;
        let node = self.nodes.get_mut(id)?;
        node.end = self.at;
        if let GrowingForm::Text { is_key, has_escape } = node.form {
            let written = self.text.get(node.start..node.end).unwrap_or_default();
            if has_escape && JsonScanner::new(written).pass_value().is_none() {
                return Some(self.fail());
            }
            if is_key {
                self.place = GrowthPlace::Colon;
                return None;
            }
        }
        self.end_value(id)
    }

    fn end_value(&mut self, id: usize) -> Option<Growth> {
        self.place = if self.open.is_empty() {
            GrowthPlace::Done
        } else {
            GrowthPlace::Comma
        };
        let is_field = self.is_outer() && !self.open.is_empty();
        is_field.then_some(Growth::Field(id))
    }

    fn close(&mut self, byte: u8) -> Option<Growth> {
        if self.closing() != Some(byte) {
            return Some(self.fail());
        }
        self.at += 1;
        let (id, next) = (self.open.pop()?, self.nodes.len());
        if let Some(node) = self.nodes.get_mut(id) {
            (node.end, node.next) = (self.at, next);
        }
        self.end_value(id)
    }
}

/// A value in a [`GrowingDocument`], as far as it is there.
#[derive(Clone, Copy, Debug)]
pub struct PartialNode<'d> {
    document: &'d GrowingDocument,
    id: usize,
}

impl PartialEq for PartialNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.document, other.document)
    }
}

impl Eq for PartialNode<'_> {}

impl<'d> PartialNode<'d> {
    fn data(self) -> Option<&'d GrowingNode> {
        self.document.nodes.get(self.id)
    }

    fn form(self) -> Option<GrowingForm> {
        self.data().map(|node| node.form)
    }

    /// Whether it is complete.
    pub fn is_whole(self) -> bool {
        self.data().is_some_and(|node| node.end != 0)
    }

    /// Where it starts in the text.
    pub(crate) fn start(self) -> usize {
        self.data().map_or(0, |node| node.start)
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.form() == Some(GrowingForm::Object)
    }

    /// Whether it is a list.
    pub fn is_list(self) -> bool {
        self.form() == Some(GrowingForm::List)
    }

    /// Its text as it is written, so far.
    pub fn written(self) -> &'d str {
        let document = self.document;
        let Some(node) = self.data() else {
            return "";
        };
        let end = match node.end {
            0 if document.is_broken() => document.at,
            0 => document.text.len(),
            end => end,
        };
        document.text.get(node.start..end).unwrap_or_default()
    }

    /// The characters of a string so far, without an escape that is not complete. `None` for any other value.
    pub fn text(self) -> Option<Cow<'d, str>> {
        let Some(GrowingForm::Text { has_escape, .. }) = self.form() else {
            return None;
        };
        let written = self.written();
        let inside = written.get(1..)?;
        if self.is_whole() {
            return if has_escape {
                serde_json::from_str(written).ok().map(Cow::Owned)
            } else {
                inside.get(..inside.len() - 1).map(Cow::Borrowed)
            };
        }
        if !has_escape {
            return Some(Cow::Borrowed(inside));
        }
        let literal = format!("\"{}\"", without_open_escape(inside));
        serde_json::from_str(&literal).ok().map(Cow::Owned)
    }

    /// Where it and everything in it ends among the nodes.
    fn end(self) -> usize {
        match self.data() {
            Some(node) if node.end != 0 => node.next,
            _ => self.document.nodes.len(),
        }
    }

    fn at(self, id: usize) -> Self {
        Self { id, ..self }
    }

    /// The items of a list so far.
    pub fn items(self) -> impl Iterator<Item = Self> + use<'d> {
        let end = if self.is_list() { self.end() } else { 0 };
        let mut next = self.id + 1;
        std::iter::from_fn(move || {
            let item = (next < end).then(|| self.at(next))?;
            next = item.end();
            Some(item)
        })
    }

    /// The keys and values of an object so far. A key is there once its value begins.
    pub fn members(self) -> impl Iterator<Item = (Cow<'d, str>, Self)> + use<'d> {
        let end = if self.is_object() { self.end() } else { 0 };
        let mut next = self.id + 1;
        std::iter::from_fn(move || {
            let (key, value) = (self.at(next), self.at(next + 1));
            let key = (next + 1 < end).then(|| key.text())??;
            next = value.end();
            Some((key, value))
        })
    }

    /// The value of the first key of an object that is one of these names.
    pub fn member(self, names: &[&str]) -> Option<Self> {
        let mut members = self.members();
        members.find_map(|(key, value)| names.contains(&&*key).then_some(value))
    }

    /// The value so far. It takes a time in proportion to the text.
    pub fn value(self) -> Option<Value> {
        match self.form()? {
            GrowingForm::Word if self.is_whole() => serde_json::from_str(self.written()).ok(),
            GrowingForm::Word => None,
            GrowingForm::Text { .. } => self.text().map(|text| Value::String(text.into_owned())),
            GrowingForm::List => Some(self.items().map_while(Self::value).collect()),
            GrowingForm::Object => {
                let members = self.members();
                let members =
                    members.map_while(|(key, node)| Some((key.into_owned(), node.value()?)));
                Some(Value::Object(members.collect()))
            }
        }
    }
}

/// The start of a string without an escape that is not complete, such as one half of a surrogate pair.
fn without_open_escape(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        let length = match bytes.get(at + 1) {
            Some(b'u') => {
                let is_high = matches!(
                    bytes.get(at + 2..at + 4),
                    Some([b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B'])
                );
                if is_high { 12 } else { 6 }
            }
            _ => 2,
        };
        if at + length > bytes.len() {
            return text.get(..at).unwrap_or_default();
        }
        at += length;
    }
    text
}
