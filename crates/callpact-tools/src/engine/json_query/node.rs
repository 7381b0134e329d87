//! A JSON text as a tree that knows the position of each value.
//!
//! `serde_json::Value` rounds large numbers and may sort members. This tree keeps the text's own spelling
//! and order.

use std::ops::Range;

/// One value.
#[derive(Debug, Clone, Default)]
pub(super) struct JsonNode {
    pub(super) kind: NodeKind,
    /// The position of the value in the text; empty for a value from a path.
    pub(super) span: Range<usize>,
}

#[derive(Debug, Clone, Default)]
pub(super) enum NodeKind {
    #[default]
    Null,
    Bool(bool),
    Number(JsonNumber),
    Text(String),
    Array(Vec<JsonNode>),
    Object(ObjectMembers),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct JsonNumber {
    pub(super) float: f64,
    pub(super) integer: Option<i64>,
}

/// Members in the order of the text, and their indices in the order of their names.
#[derive(Debug, Clone, Default)]
pub(super) struct ObjectMembers {
    members: Vec<(String, JsonNode)>,
    sorted: Vec<usize>,
}

impl ObjectMembers {
    /// A repeated name is an error that quotes the name: choosing one of the members would be a guess.
    pub(super) fn new(members: Vec<(String, JsonNode)>) -> Result<Self, String> {
        let mut sorted: Vec<usize> = (0..members.len()).collect();
        let name = |at: usize| members.get(at).map(|member| member.0.as_str());
        sorted.sort_by_key(|&at| name(at));
        let twice = sorted
            .windows(2)
            .find_map(|pair| match pair {
                [one, other] if name(*one) == name(*other) => name(*one),
                _ => None,
            })
            .map(str::to_owned);
        match twice {
            Some(twice) => Err(twice),
            None => Ok(Self { members, sorted }),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn members(&self) -> impl Iterator<Item = (&str, &JsonNode)> {
        self.members
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    pub(super) fn get(&self, name: &str) -> Option<&JsonNode> {
        let member = |at: &usize| self.members.get(*at);
        let order = |at: &usize| member(at).map(|m| m.0.as_str()).cmp(&Some(name));
        let place = self.sorted.binary_search_by(order).ok()?;
        self.sorted.get(place).and_then(member).map(|m| &m.1)
    }
}

impl JsonNode {
    /// The items of an array or the values of an object, in the order of the text.
    pub(super) fn children(&self) -> impl Iterator<Item = &Self> {
        let (items, object) = match &self.kind {
            NodeKind::Array(items) => (items.as_slice(), None),
            NodeKind::Object(object) => (&[][..], Some(object)),
            _ => (&[][..], None),
        };
        let values = object.into_iter().flat_map(ObjectMembers::members);
        items.iter().chain(values.map(|(_, value)| value))
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn member(&self, name: &str) -> Option<&Self> {
        match &self.kind {
            NodeKind::Object(object) => object.get(name),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            NodeKind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Writes the value as `json` spells it, without the white space between tokens.
    pub(super) fn write(&self, json: &str, out: &mut String) {
        let (mut in_text, mut escaped) = (false, false);
        let text = json.get(self.span.clone()).unwrap_or_default();
        out.extend(text.chars().filter(|&c| {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_text => escaped = true,
                '"' => in_text = !in_text,
                _ => {}
            }
            in_text || !matches!(c, ' ' | '\t' | '\r' | '\n')
        }));
    }
}

impl From<NodeKind> for JsonNode {
    fn from(kind: NodeKind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }
}
