//! Schemas that were not derived: from schemars, from an MCP server, or written by hand.
//!
//! [`ForeignSchema`] holds one unchanged or [normalised](ForeignSchema::normalized), says whether
//! it [stays portable](ForeignSchema::check_portable), and is what
//! [`read_foreign`](crate::input::read_foreign) checks arguments against.

mod draft;
mod fault;
mod handwritten;
pub(super) mod keyword;
mod normal;
mod portable;
mod reference;
mod shape;

use std::{fmt, sync::Arc};

use serde_json::Value;

use super::{
    Dialect, ExtraRule, JsonObject, JsonValue, Kind, Schema,
    kind::format::FormatChecks,
    parse::{self, NullUse, SchemaTree},
};
pub use fault::{SchemaFault, SchemaFaults};
pub(crate) use keyword::{deeper_than, is_of, step, type_of, types};

/// A JSON Schema that was not derived.
///
/// ```
/// use callpact::schema::ForeignSchema;
///
/// let schema = ForeignSchema::normalized(serde_json::json!({
///     "$schema": "https://json-schema.org/draft/2020-12/schema",
///     "title": "Search",
///     "type": "object",
///     "properties": {
///         "limit": { "type": ["integer", "null"], "format": "uint8", "minimum": 0, "maximum": 255 },
///         "mode": { "$ref": "#/$defs/Mode", "description": "How to search" },
///     },
///     "required": ["limit", "mode"],
///     "$defs": {
///         "Mode": { "oneOf": [
///             { "const": "fast", "description": "titles only" },
///             { "const": "deep", "description": "whole texts" },
///         ] },
///     },
/// }))?;
/// assert_eq!(schema.value(), &serde_json::json!({
///     "type": "object",
///     "properties": {
///         "limit": { "type": "integer", "minimum": 0, "maximum": 255 },
///         "mode": {
///             "type": "string",
///             "enum": ["fast", "deep"],
///             "description": "How to search (fast: titles only; deep: whole texts)",
///         },
///     },
///     "required": ["mode"],
/// }));
/// schema.check_portable()?;
/// # Ok::<(), callpact::schema::SchemaFaults>(())
/// ```
#[derive(Clone)]
pub struct ForeignSchema {
    value: Value,
    text: String,
    /// The given text, if the schema was rewritten.
    given: Option<String>,
    tree: Arc<Schema>,
    unsaid: Option<Arc<SchemaFaults>>,
    kept_open: Option<String>,
    /// The schema for a tool list, if the tree is not an object or can be null.
    shown: Option<Arc<Schema>>,
}

impl ForeignSchema {
    /// A schema from its JSON text, kept unchanged.
    ///
    /// # Errors
    /// The text is not JSON or not a schema: a keyword has an invalid value, or a `$ref` leads
    /// nowhere. Unknown keywords are kept and have no meaning.
    pub fn parse(text: &str) -> Result<Self, SchemaFaults> {
        match JsonValue::parse(text) {
            Ok(json) => {
                let json = plain_types(json);
                Self::of(&json, json.to_value(), NullUse::Kept)
            }
            Err(error) => {
                let mut faults = SchemaFaults::default();
                faults.note("", "", format!("not JSON: {error}"));
                Err(faults)
            }
        }
    }

    /// A schema that a person wrote, kept unchanged. It may have annotations that JSON Schema does not know, and no
    /// misspelt keywords.
    ///
    /// ```
    /// use callpact::schema::ForeignSchema;
    ///
    /// let faults = ForeignSchema::parse_handwritten(r#"{
    ///     "type": "object",
    ///     "properties": { "path": { "type": "string", "minLenght": 1, "x-order": 3 } },
    ///     "required": ["pathe"]
    /// }"#).unwrap_err();
    /// assert_eq!(faults.to_string(), "\
    /// the schema has 2 faults:
    /// - the root: `required`: `pathe` is no property; did you mean `path`?
    /// - /properties/path: `minLenght`: this is no keyword; did you mean `minLength`?");
    /// ```
    ///
    /// # Errors
    /// Like [`parse`](Self::parse). Also for an unknown keyword that resembles a known one, a required name of no
    /// property, and a schema that takes no object or no value at all, such as one whose values never end.
    pub fn parse_handwritten(text: &str) -> Result<Self, SchemaFaults> {
        let parsed = Self::parse(text);
        let mut faults = match serde_json::from_str::<Value>(text) {
            Ok(value) if shape::is_walkable(&value) => handwritten::check(&value),
            _ => SchemaFaults::default(),
        };
        match parsed {
            Ok(schema) => {
                if accepts_nothing(&schema.tree) {
                    faults.note("", "", NO_VALUE);
                }
                faults.or(schema)
            }
            Err(more) => {
                faults.add(more);
                Err(faults)
            }
        }
    }

    /// A schema from a JSON value, kept unchanged.
    ///
    /// # Errors
    /// Like [`parse`](Self::parse).
    pub fn from_value(value: Value) -> Result<Self, SchemaFaults> {
        let json = JsonValue::from(&value);
        Self::of(&json, value, NullUse::Kept)
    }

    /// The schema of a tool that a server or a worker offers, kept unchanged.
    ///
    /// ```
    /// use callpact::schema::ForeignSchema;
    ///
    /// let schema = serde_json::json!({
    ///     "type": "object",
    ///     "properties": { "mode": { "type": "string", "minLength": 3, "maxLength": 2 } },
    ///     "required": ["mode"],
    /// });
    /// let refused = ForeignSchema::from_server(schema).unwrap_err();
    /// assert_eq!(refused.to_string(), "the schema has 1 fault:\n- the root: no value is accepted");
    /// ```
    ///
    /// # Errors
    /// Like [`parse`](Self::parse). Also for a schema that is longer than a mebibyte, or that accepts no value.
    pub fn from_server(value: Value) -> Result<Self, SchemaFaults> {
        Self::usable(value, NullUse::Kept)
    }

    fn usable(value: Value, nulls: NullUse) -> Result<Self, SchemaFaults> {
        let mut faults = SchemaFaults::default();
        if value.to_string().len() > LONGEST {
            faults.note("", "", TOO_LONG);
            return Err(faults);
        }
        let schema = Self::of(&JsonValue::from(&value), value, nulls)?;
        if accepts_nothing(&schema.tree) {
            faults.note("", "", NO_VALUE);
        }
        faults.or(schema)
    }

    /// One schema in two forms, of which the first keeps its order.
    fn of(json: &JsonValue, value: Value, nulls: NullUse) -> Result<Self, SchemaFaults> {
        let plain = without_draft(json, &value)?;
        let mut tree = parse::tree(plain.as_ref().unwrap_or(json), FormatChecks::On, nulls);
        std::mem::take(&mut tree.faults).or(())?;
        Ok(Self::of_tree(json.to_string(), value, tree))
    }

    fn of_tree(text: String, value: Value, tree: SchemaTree) -> Self {
        Self {
            text,
            value,
            given: None,
            shown: parse::shown(&tree.schema).map(Arc::new),
            tree: Arc::new(tree.schema),
            unsaid: (!tree.unsaid.faults.is_empty()).then(|| Arc::new(tree.unsaid)),
            kept_open: tree.kept_open,
        }
    }

    /// The schema without checks of `format`, which the model still reads in words. By default, the reader refuses a
    /// text that does not have the format.
    ///
    /// ```
    /// use callpact::{Policy, input::read_foreign, schema::ForeignSchema};
    ///
    /// let schema = ForeignSchema::parse(r#"{
    ///     "type": "object",
    ///     "properties": { "day": { "type": "string", "format": "date" } }
    /// }"#)?;
    /// let text = r#"{"day": "next Friday"}"#;
    /// assert!(read_foreign(text, &schema, &Policy::lax()).is_err());
    /// assert!(read_foreign(text, &schema.without_format_checks(), &Policy::lax()).is_ok());
    /// # Ok::<(), callpact::schema::SchemaFaults>(())
    /// ```
    #[must_use]
    pub fn without_format_checks(self) -> Self {
        let given = self.given.as_ref().unwrap_or(&self.text);
        let json = JsonValue::parse(given).unwrap_or(JsonValue::Null);
        match without_draft(&json, &json.to_value()) {
            Ok(plain) => {
                let nulls = match &self.given {
                    Some(_) => NullUse::Absent,
                    None => NullUse::Kept,
                };
                let tree = parse::tree(plain.as_ref().unwrap_or(&json), FormatChecks::Off, nulls);
                Self {
                    given: self.given,
                    ..Self::of_tree(self.text, self.value, tree)
                }
            }
            // The same document was taken before.
            Err(_) => self,
        }
    }

    /// The schema as the tree that every dialect is written from. It leaves out rules that the tree
    /// cannot express, such as `not` and `if`.
    pub fn tree(&self) -> &Schema {
        self.shown.as_ref().unwrap_or(&self.tree)
    }

    /// The tree for reading values, in which arguments need not be an object.
    #[doc(hidden)]
    pub fn reading(&self) -> &Schema {
        &self.tree
    }

    /// The JSON of the schema in a dialect, for the tool list of a request.
    ///
    /// A client of MCP takes the schema unchanged, and so does every provider if it is already
    /// [portable](Self::check_portable). For the others it is lowered like a derived one.
    pub fn to_json(&self, dialect: Dialect) -> String {
        if !self.is_own(dialect) {
            return self.tree().to_json(dialect);
        }
        // The arguments of a tool are an object, and MCP requires the schema to say so.
        let name = self.value.get("type");
        let is_said = name.is_some_and(|name| !takes_objects_too(name));
        match JsonValue::parse(&self.text) {
            Ok(JsonValue::Object(entries)) if !is_said => of_objects(entries).to_string(),
            _ => self.text.clone(),
        }
    }

    /// Whether the schema is shown unchanged.
    fn is_own(&self, dialect: Dialect) -> bool {
        match dialect {
            _ if self.given.is_some() => false,
            Dialect::Mcp20251125 | Dialect::Mcp20260728 => true,
            Dialect::Portable => self.check_portable().is_ok(),
            _ => false,
        }
    }

    /// The keywords that the schema of a dialect has no place for, if there are any. If possible, the description
    /// tells the model about them. Values are checked against the schema itself, unless a fault says that the reader
    /// does not check it.
    ///
    /// ```
    /// use callpact::{Dialect, schema::ForeignSchema};
    ///
    /// let schema = ForeignSchema::parse(r#"{
    ///     "type": "object",
    ///     "properties": { "path": { "type": "string" }, "url": { "type": "string" } },
    ///     "anyOf": [{ "required": ["path"] }, { "required": ["url"] }]
    /// }"#)?;
    /// let left = schema.unsaid(Dialect::OpenAi).unwrap();
    /// assert_eq!(
    ///     left.faults[0].to_string(),
    ///     "the root: `anyOf`: only words can say it; the reader checks it",
    /// );
    /// let written = schema.to_json(Dialect::OpenAi);
    /// assert!(written.contains("at least one of these is given: `path`, or `url`"));
    /// // A client of MCP gets the schema itself.
    /// assert!(schema.unsaid(Dialect::Mcp20260728).is_none());
    /// # Ok::<(), callpact::schema::SchemaFaults>(())
    /// ```
    pub fn unsaid(&self, dialect: Dialect) -> Option<Arc<SchemaFaults>> {
        let unsaid = self.unsaid.as_ref()?;
        (!self.is_own(dialect)).then(|| Arc::clone(unsaid))
    }

    /// The rules that the tree does not express, whatever the dialect.
    pub(crate) fn faults(&self) -> &[SchemaFault] {
        self.unsaid.as_ref().map_or(&[], |unsaid| &unsaid.faults)
    }

    /// Why a dialect that closes every object cannot express the schema, whatever else it can do; `None` if it can.
    #[doc(hidden)]
    pub fn find_refusal(&self, dialect: Dialect) -> Option<String> {
        let refuses = dialect.profile().closed && !self.is_own(dialect);
        self.kept_open.clone().filter(|_| refuses)
    }

    /// A schema from a JSON value, written in the portable dialect.
    ///
    /// The value and the text of the result are the portable dialect of the schema: references are replaced by their
    /// targets, unions become `anyOf`, constants become `enum`, every object has `properties`, and a rule that the
    /// portable dialect has no keyword for becomes words in a description. A property that may be null is optional
    /// instead, and the formats of Rust's number types, such as `uint8`, count as their ranges. Arguments are checked by
    /// all rules of the given schema, and every other dialect says as much of them as it can.
    ///
    /// # Errors
    /// Like [`parse`](Self::parse). Also for a schema that accepts nothing, or that is longer than a mebibyte.
    pub fn normalized(value: Value) -> Result<Self, SchemaFaults> {
        let mut value = match value {
            Value::Bool(true) => Value::Object(serde_json::Map::new()),
            value => value,
        };
        if shape::is_walkable(&value) {
            normal::change_each(&mut value, normal::add_range);
        }
        let schema = Self::usable(value, NullUse::Absent)?;
        let root = Schema {
            nullable: false,
            ..(*schema.tree).clone()
        };
        let mut value = serde_json::from_str(&root.to_json(Dialect::Portable)).unwrap_or_default();
        normal::change_each(&mut value, normal::add_properties);
        Ok(Self {
            text: value.to_string(),
            value,
            given: Some(schema.text),
            ..schema
        })
    }

    /// Checks that every provider takes the schema unchanged.
    ///
    /// A node has one `type` (string, integer, number, boolean, array, object) or `anyOf`. It may
    /// also have `description`, `properties`, `required`, `items`, `additionalProperties`, `enum`,
    /// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`, `minLength`,
    /// `maxLength`, `minItems`, `maxItems` and `uniqueItems`. The root is an object without
    /// `anyOf`, arrays have typed items, and an `anyOf` may have `{"type": "null"}` as a member.
    ///
    /// `format` and `pattern` are refused: not every provider takes them, and nothing would move
    /// them from a hand-written schema into the description.
    ///
    /// ```
    /// use callpact::schema::ForeignSchema;
    ///
    /// let schema = ForeignSchema::parse(r#"{
    ///     "type": "object",
    ///     "properties": { "day": { "type": "string", "format": "date" } }
    /// }"#)?;
    /// assert_eq!(schema.check_portable().unwrap_err().to_string(), "\
    /// the schema has 1 fault:
    /// - /properties/day: `format`: not portable; say the form in the description");
    /// # Ok::<(), callpact::schema::SchemaFaults>(())
    /// ```
    ///
    /// # Errors
    /// Every keyword outside the subset, with its place and what to write instead.
    pub fn check_portable(&self) -> Result<(), SchemaFaults> {
        portable::check(&self.value)
    }

    /// The schema as a JSON value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The schema as compact JSON text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// The most bytes of a schema of a server.
const LONGEST: usize = 1 << 20;
const NO_VALUE: &str = "no value is accepted";
const TOO_LONG: &str = "the schema is longer than a mebibyte";

/// Whether no value fits a schema, because of its rules or of a part that every value has.
///
/// A value that has to contain another one of its own definition has no end. All stand-ins are inside their
/// definitions, so one walk decides it: a definition has a value only if it has one without any.
fn accepts_nothing(schema: &Schema) -> bool {
    let is_never = |rule: &ExtraRule| matches!(rule, ExtraRule::Never(None));
    if schema.rules().iter().any(is_never) {
        return true;
    }
    if schema.nullable || schema.is_loose() {
        return false;
    }
    schema.takes_nothing()
        || schema.is_stand_in()
        || match &schema.kind {
            Kind::Object(object) => {
                let mut required = object.fields.iter().filter(|field| field.required);
                required.any(|field| accepts_nothing(&field.schema))
            }
            Kind::List(list) => list.min_items > Some(0) && accepts_nothing(&list.items),
            Kind::Tuple(items) => items.iter().any(|item| accepts_nothing(item)),
            Kind::Union(union) => {
                let mut variants = union.variants.iter();
                variants.all(|variant| variant.content.as_deref().is_some_and(accepts_nothing))
            }
            _ => false,
        }
}

/// Checks a document, and returns it without its draft unless it can be read as it is.
fn without_draft(json: &JsonValue, value: &Value) -> Result<Option<JsonValue>, SchemaFaults> {
    let (plain, mut faults) = draft::without_draft(json, value);
    let checked = match &plain {
        Some(plain) => shape::check(&plain.to_value()),
        None => shape::check(value),
    };
    if let Err(more) = checked {
        faults.add(more);
    }
    faults.or(plain)
}

/// Whether objects are one of several types.
fn takes_objects_too(name: &Value) -> bool {
    let mut names = name.as_array().into_iter().flatten();
    names.any(|name| name == "object")
}

/// A schema that takes only objects.
fn of_objects(mut entries: JsonObject) -> JsonValue {
    let (key, object) = ("type".to_owned(), JsonValue::Text("object".to_owned()));
    JsonValue::Object(if entries.get(&key).is_some() {
        entries.set(key, object);
        entries
    } else {
        let first = std::iter::once((key, object));
        first.chain(entries).collect()
    })
}

/// The names of types in lower case: Gemini's `parameters` have them in capitals.
fn plain_types(json: JsonValue) -> JsonValue {
    match json {
        JsonValue::List(items) => JsonValue::List(items.into_iter().map(plain_types).collect()),
        JsonValue::Object(entries) => {
            let plain = |(key, value): (String, JsonValue)| {
                let value = match (key.as_str(), value) {
                    ("type", JsonValue::Text(name))
                        if shape::TYPES.contains(&&*name.to_lowercase()) =>
                    {
                        JsonValue::Text(name.to_lowercase())
                    }
                    ("default" | "enum" | "const" | "examples", data) => data,
                    (_, value) => plain_types(value),
                };
                (key, value)
            };
            JsonValue::Object(entries.into_iter().map(plain).collect())
        }
        other => other,
    }
}

impl PartialEq for ForeignSchema {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Debug for ForeignSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ForeignSchema").field(&self.value).finish()
    }
}
