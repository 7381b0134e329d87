//! A text as a flat list of nodes in its order: a list is followed by its items, an object by its keys and values.

use std::borrow::Cow;

use super::{JsonForm, JsonScanner, string::special};

/// The position of a node in its document.
pub(crate) type NodeId = u32;

/// The form of a value or a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeForm {
    Null,
    Boolean(bool),
    Number,
    Text(TextForm),
    List,
    Object,
}

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// Without escapes.
    Plain,
    Escaped,
    /// With half of a surrogate pair, so that it cannot be read.
    Half,
}

impl NodeForm {
    /// The form of the value.
    pub(crate) fn form(self) -> JsonForm {
        match self {
            Self::Null => JsonForm::Null,
            Self::Boolean(value) => JsonForm::Boolean(value),
            Self::Number => JsonForm::Number,
            Self::Text(_) => JsonForm::Text,
            Self::List => JsonForm::List,
            Self::Object => JsonForm::Object,
        }
    }
}

/// A value or a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentNode {
    pub(crate) form: NodeForm,
    /// Where it starts and ends in the text. A list or an object that the text does not close ends at 0.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The node behind it and everything in it.
    pub(crate) next: NodeId,
}

/// A parsed text. Numbers stay as written, and an object keeps doubled keys.
#[derive(Debug)]
pub(crate) struct JsonDocument<'t> {
    text: &'t str,
    nodes: Vec<DocumentNode>,
    broken_at: Option<usize>,
}

/// No list or object is open.
const NONE: NodeId = NodeId::MAX;

impl<'t> JsonDocument<'t> {
    /// Parses a text. If it stops to be JSON somewhere, the document has the nodes before that place.
    pub(crate) fn parse(text: &'t str) -> Self {
        let mut parser = DocumentParser {
            json: JsonScanner::new(text),
            nodes: Vec::with_capacity(text.len() / 8 + 4),
            open: NONE,
        };
        let broken_at = match parser.parse_value() {
            Some(()) if parser.json.is_at_end() => None,
            _ => Some(parser.json.at),
        };
        parser.leave_open();
        Self {
            text,
            nodes: parser.nodes,
            broken_at,
        }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Where the text stops to be JSON.
    pub(crate) fn broken_at(&self) -> Option<usize> {
        self.broken_at
    }

    /// Whether the text has no value at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> DocumentNode {
        self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn form(&self, id: NodeId) -> NodeForm {
        self.node(id).form
    }

    /// Whether the text ends inside this list or object.
    pub(crate) fn is_open(&self, id: NodeId) -> bool {
        self.node(id).end == 0
    }

    /// A node as it is written.
    #[inline]
    pub(crate) fn written(&self, id: NodeId) -> &'t str {
        let node = self.node(id);
        let end = if node.end == 0 {
            self.text.len()
        } else {
            node.end as usize
        };
        self.text.get(node.start as usize..end).unwrap_or_default()
    }

    /// The characters of a string or a key; `None` for any other node and for half a character.
    #[inline]
    pub(crate) fn string(&self, id: NodeId) -> Option<Cow<'t, str>> {
        let written = self.written(id);
        match self.form(id) {
            NodeForm::Text(TextForm::Plain) => written.get(1..written.len() - 1).map(Cow::Borrowed),
            NodeForm::Text(TextForm::Escaped) => JsonScanner::new(written).take_text(),
            _ => None,
        }
    }

    /// Whether a key is this name.
    #[inline]
    pub(crate) fn is_key(&self, key: NodeId, name: &str) -> bool {
        match self.form(key) {
            NodeForm::Text(TextForm::Plain) => {
                let written = self.written(key).as_bytes();
                written.len() == name.len() + 2 && &written[1..=name.len()] == name.as_bytes()
            }
            _ => self.string(key).is_some_and(|key| key == name),
        }
    }

    /// The items of a list.
    pub(crate) fn items(&self, list: NodeId) -> impl Iterator<Item = NodeId> + use<'_, 't> {
        let end = self.node(list).next;
        let mut at = list + 1;
        std::iter::from_fn(move || {
            let item = (at < end).then_some(at)?;
            at = self.node(item).next;
            Some(item)
        })
    }

    /// The keys of an object. The value of a key is the node behind it; a text that breaks behind a key has none.
    pub(crate) fn keys(&self, object: NodeId) -> impl Iterator<Item = NodeId> + use<'_, 't> {
        let end = self.node(object).next;
        let mut at = object + 1;
        std::iter::from_fn(move || {
            let key = (at + 1 < end).then_some(at)?;
            at = self.node(key + 1).next;
            Some(key)
        })
    }

    /// The keys of an object with their names, as far as these can be read. Any other value has none.
    pub(crate) fn entries(
        &self,
        object: NodeId,
    ) -> impl Iterator<Item = (NodeId, Cow<'t, str>)> + use<'_, 't> {
        let node = self.nodes.get(object as usize);
        let node = node.filter(|node| node.form == NodeForm::Object);
        let keys = node.into_iter().flat_map(move |_| self.keys(object));
        keys.filter_map(|key| Some((key, self.string(key)?)))
    }

    /// The key at which the text ends, in an object that it does not close.
    pub(crate) fn last_key(&self, object: NodeId) -> Option<NodeId> {
        let end = self.node(object).next;
        let mut at = object + 1;
        while at + 1 < end {
            at = self.node(at + 1).next;
        }
        (at + 1 == end).then_some(at)
    }

    /// The first value of a key of an object.
    pub(crate) fn get(&self, object: NodeId, name: &str) -> Option<NodeId> {
        if self.form(object) != NodeForm::Object {
            return None;
        }
        let mut keys = self.keys(object);
        keys.find(|key| self.is_key(*key, name)).map(|key| key + 1)
    }

    /// The only item of a list of one.
    pub(crate) fn single_item(&self, list: NodeId) -> Option<NodeId> {
        let node = self.node(list);
        let item = list + 1;
        (node.form == NodeForm::List && item < node.next && self.node(item).next == node.next)
            .then_some(item)
    }
}

struct DocumentParser<'t> {
    json: JsonScanner<'t>,
    nodes: Vec<DocumentNode>,
    /// The innermost open list or object. While a node is open, its `next` is the one around it.
    open: NodeId,
}

impl DocumentParser<'_> {
    fn count(&self) -> NodeId {
        NodeId::try_from(self.nodes.len()).unwrap_or(NONE)
    }

    fn position(&self) -> u32 {
        u32::try_from(self.json.at).unwrap_or(u32::MAX)
    }

    fn push(&mut self, form: NodeForm, start: u32) {
        let (end, next) = (self.position(), self.count() + 1);
        self.nodes.push(DocumentNode {
            form,
            start,
            end,
            next,
        });
    }

    /// Parses one value with everything in it, however deep it is.
    fn parse_value(&mut self) -> Option<()> {
        loop {
            let byte = self.json.next()?;
            let start = self.position();
            if matches!(byte, b'{' | b'[') {
                let form = if byte == b'{' {
                    NodeForm::Object
                } else {
                    NodeForm::List
                };
                let id = self.count();
                let around = std::mem::replace(&mut self.open, id);
                self.nodes.push(DocumentNode {
                    form,
                    start,
                    end: 0,
                    next: around,
                });
                self.json.at += 1;
                let is_empty = self.json.next()? == closing(form);
                if !is_empty {
                    if form == NodeForm::Object {
                        self.parse_key()?;
                    }
                    continue;
                }
            } else {
                let form = self.parse_scalar(byte)?;
                self.push(form, start);
            }
            if self.close_values()? {
                return Some(());
            }
        }
    }

    /// Closes what ends behind a value, up to the next value; whether the outermost value ended.
    fn close_values(&mut self) -> Option<bool> {
        while self.open != NONE {
            let next = self.count();
            let form = self.nodes[self.open as usize].form;
            match self.json.next()? {
                b',' => {
                    self.json.at += 1;
                    if form == NodeForm::Object {
                        self.parse_key()?;
                    }
                    return Some(false);
                }
                byte if byte == closing(form) => {
                    self.json.at += 1;
                    let end = self.position();
                    let node = &mut self.nodes[self.open as usize];
                    self.open = node.next;
                    (node.end, node.next) = (end, next);
                }
                _ => return None,
            }
        }
        Some(true)
    }

    fn parse_scalar(&mut self, first: u8) -> Option<NodeForm> {
        Some(match first {
            b'"' => self.parse_string()?,
            b't' => self
                .json
                .take_rest(*b"rue")
                .map(|()| NodeForm::Boolean(true))?,
            b'f' => self
                .json
                .take_rest(*b"alse")
                .map(|()| NodeForm::Boolean(false))?,
            b'n' => self.json.take_rest(*b"ull").map(|()| NodeForm::Null)?,
            _ => self.json.pass_number().map(|()| NodeForm::Number)?,
        })
    }

    fn parse_string(&mut self) -> Option<NodeForm> {
        let bytes = self.json.bytes();
        let end = special(bytes, self.json.at + 1);
        if bytes.get(end) == Some(&b'"') {
            self.json.at = end + 1;
            return Some(NodeForm::Text(TextForm::Plain));
        }
        let mut ahead = self.json;
        if ahead.string().is_some() {
            self.json = ahead;
            return Some(NodeForm::Text(TextForm::Escaped));
        }
        self.json
            .pass_string()
            .map(|()| NodeForm::Text(TextForm::Half))
    }

    fn parse_key(&mut self) -> Option<()> {
        if self.json.next() != Some(b'"') {
            return None;
        }
        let start = self.position();
        let form = self.parse_string()?;
        self.push(form, start);
        self.json.take(b':')
    }

    /// Ends the nodes that the text does not close.
    fn leave_open(&mut self) {
        let next = self.count();
        while self.open != NONE {
            let node = &mut self.nodes[self.open as usize];
            self.open = node.next;
            node.next = next;
        }
    }
}

fn closing(form: NodeForm) -> u8 {
    if form == NodeForm::Object { b'}' } else { b']' }
}
