//! The const writer: a schema tree to JSON text, in one dialect.
//!
//! Keys come in one order: `type`, `description`, the rules, then the children. What a dialect
//! has no keyword for is said by [`notes`](super::notes) inside the description.

use super::{
    Bound, Choice, Decimal, Dialect, Field, Integer, Kind, List, Literal, Map, Number, Object,
    Schema, Tagging, Text, Union, Unknown, Variant,
    dialect::{Maps, Null, Profile, keyword},
    flat,
    notes::{has_notes, notes},
    sink::Sink,
};

/// The length of the schema's JSON.
#[doc(hidden)]
#[must_use]
pub const fn json_len(schema: &Schema, dialect: Dialect) -> usize {
    let mut sink = Sink::counting();
    root(schema, dialect, &mut sink);
    sink.len()
}

/// The schema's JSON, for a length that [`json_len`] gave.
#[doc(hidden)]
#[must_use]
pub const fn json_bytes<const LEN: usize>(schema: &Schema, dialect: Dialect) -> [u8; LEN] {
    let mut bytes = [b' '; LEN];
    let mut sink = Sink::into(&mut bytes);
    root(schema, dialect, &mut sink);
    bytes
}

/// The bytes of a schema as text.
#[doc(hidden)]
#[must_use]
pub const fn text_of(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the writer copies whole strings"),
    }
}

impl Schema {
    /// The JSON of this schema in a dialect, for where the type is not known at compile time;
    /// otherwise use [`schema_json!`](crate::schema_json).
    #[must_use]
    pub fn to_json(&self, dialect: Dialect) -> String {
        let mut bytes = vec![0; json_len(self, dialect)];
        root(self, dialect, &mut Sink::into(&mut bytes));
        String::from_utf8(bytes).unwrap_or_default()
    }
}

pub(super) const fn root(schema: &Schema, dialect: Dialect, sink: &mut Sink<'_>) {
    let profile = dialect.profile();
    match schema.kind {
        Kind::Union(union) if !profile.root_union => flat::root(schema, &union, &profile, sink),
        Kind::Union(union) => {
            sink.raw("{\"type\":\"object\"");
            let mut comma = Comma(true);
            describe(schema, &profile, &mut comma, sink);
            comma.key("anyOf", sink);
            sink.byte(b'[');
            members(&union, &profile, sink);
            sink.raw("]}");
        }
        _ => node(schema, &profile, false, sink),
    }
}

/// A node; `optional` marks a field that a strict receiver wants as required and nullable.
pub(super) const fn node(schema: &Schema, profile: &Profile, optional: bool, sink: &mut Sink<'_>) {
    // Anything at all includes null.
    let null = (schema.nullable || optional) && !matches!(schema.kind, Kind::Any);
    sink.byte(b'{');
    let mut comma = Comma(false);
    if null && wraps(schema, profile) {
        describe(schema, profile, &mut comma, sink);
        comma.put(sink);
        sink.raw("\"anyOf\":[");
        if let Kind::Union(union) = schema.kind {
            members(&union, profile, sink);
        } else {
            sink.byte(b'{');
            core(schema, profile, false, false, &mut Comma(false), sink);
            sink.byte(b'}');
        }
        sink.raw(",{\"type\":\"null\"}]");
    } else {
        core(schema, profile, null, true, &mut comma, sink);
        if null && matches!(profile.null, Null::Keyword) {
            comma.put(sink);
            sink.raw("\"nullable\":true");
        }
    }
    sink.byte(b'}');
}

/// Whether null needs an `anyOf` around this node.
const fn wraps(schema: &Schema, profile: &Profile) -> bool {
    match profile.null {
        Null::AnyOf => true,
        Null::Keyword => false,
        // An enum beside a type array would have to hold null too; a union has no type.
        Null::TypeArray => match schema.kind {
            Kind::Union(_) => true,
            Kind::Text(text) => !text.choices.is_empty(),
            Kind::Integer(rules) => !rules.choices.is_empty() || splits(&rules),
            _ => false,
        },
    }
}

const fn describe(schema: &Schema, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    if has_notes(schema, profile) {
        comma.put(sink);
        sink.raw("\"description\":\"");
        notes(schema, profile, sink);
        sink.byte(b'"');
    }
    if let Some(value) = schema.default
        && profile.has(keyword::DEFAULT)
    {
        comma.key("default", sink);
        literal(&value, sink);
    }
    if let Some(value) = schema.example
        && profile.has(keyword::EXAMPLES)
    {
        comma.key("examples", sink);
        sink.byte(b'[');
        literal(&value, sink);
        sink.byte(b']');
    }
}

/// Everything between the braces but a null that wraps it.
const fn core(
    schema: &Schema,
    profile: &Profile,
    null: bool,
    described: bool,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    if let Some(name) = type_of(schema, profile) {
        comma.key("type", sink);
        type_name(
            name,
            null && matches!(profile.null, Null::TypeArray),
            profile,
            sink,
        );
    }
    if described {
        describe(schema, profile, comma, sink);
    }
    match schema.kind {
        Kind::Any | Kind::Boolean => {}
        Kind::Integer(rules) => integer(&rules, profile, comma, sink),
        Kind::Number(rules) => number(&rules, profile, comma, sink),
        Kind::Text(rules) => text(&rules, profile, comma, sink),
        Kind::List(rules) => list(&rules, profile, comma, sink),
        Kind::Tuple(items) => tuple(items, profile, comma, sink),
        Kind::Map(rules) => map(&rules, profile, comma, sink),
        Kind::Object(rules) => object(&rules, None, profile, comma, sink),
        Kind::Union(rules) => {
            comma.key("anyOf", sink);
            sink.byte(b'[');
            members(&rules, profile, sink);
            sink.byte(b']');
        }
    }
}

const fn type_of(schema: &Schema, profile: &Profile) -> Option<&'static str> {
    match schema.kind {
        Kind::Any | Kind::Union(_) => None,
        Kind::Integer(rules) if splits(&rules) && profile.has(keyword::BOUNDS) => None,
        Kind::Integer(_) => Some("integer"),
        Kind::Boolean => Some("boolean"),
        Kind::Number(_) => Some("number"),
        Kind::Text(_) => Some("string"),
        Kind::List(_) | Kind::Tuple(_) => Some("array"),
        Kind::Map(_) if matches!(profile.maps, Maps::Pairs) => Some("array"),
        Kind::Map(_) | Kind::Object(_) => Some("object"),
    }
}

pub(super) const fn type_name(name: &str, null: bool, profile: &Profile, sink: &mut Sink<'_>) {
    if null {
        sink.byte(b'[');
    }
    sink.byte(b'"');
    let bytes = name.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        sink.byte(if profile.capitals {
            bytes[i].to_ascii_uppercase()
        } else {
            bytes[i]
        });
        i += 1;
    }
    sink.byte(b'"');
    if null {
        sink.raw(",\"null\"]");
    }
}

/// Whether zero is cut out of the middle of the range.
pub(super) const fn splits(rules: &Integer) -> bool {
    let below = match rules.min {
        Some(min) => min < 0,
        None => true,
    };
    let above = match rules.max {
        Some(max) => max > 0,
        None => true,
    };
    rules.nonzero && below && above && rules.choices.is_empty()
}

const fn integer(rules: &Integer, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    if splits(rules) && profile.has(keyword::BOUNDS) {
        comma.key("anyOf", sink);
        let below = Integer {
            max: Some(-1),
            nonzero: false,
            ..*rules
        };
        let above = Integer {
            min: Some(1),
            nonzero: false,
            ..*rules
        };
        sink.byte(b'[');
        node(&Schema::of(Kind::Integer(below)), profile, false, sink);
        sink.byte(b',');
        node(&Schema::of(Kind::Integer(above)), profile, false, sink);
        sink.byte(b']');
        return;
    }
    if profile.has(keyword::BOUNDS) {
        let (mut min, mut max) = (rules.min, rules.max);
        if rules.nonzero && matches!(min, Some(0)) {
            min = Some(1);
        }
        if rules.nonzero && matches!(max, Some(0)) {
            max = Some(-1);
        }
        whole("minimum", min, comma, sink);
        whole("maximum", max, comma, sink);
    }
    if profile.has(keyword::MULTIPLE) {
        whole("multipleOf", rules.multiple_of, comma, sink);
    }
    if !rules.choices.is_empty() && profile.has(keyword::NUMERIC_ENUM) {
        comma.key("enum", sink);
        sink.byte(b'[');
        let mut i = 0;
        while i < rules.choices.len() {
            if i > 0 {
                sink.byte(b',');
            }
            sink.integer(rules.choices[i]);
            i += 1;
        }
        sink.byte(b']');
    }
}

const fn whole(key: &str, value: Option<i128>, comma: &mut Comma, sink: &mut Sink<'_>) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value);
    }
}

const fn number(rules: &Number, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    bound(
        "minimum",
        "exclusiveMinimum",
        rules.min,
        profile,
        comma,
        sink,
    );
    bound(
        "maximum",
        "exclusiveMaximum",
        rules.max,
        profile,
        comma,
        sink,
    );
    if let Some(step) = rules.multiple_of
        && profile.has(keyword::MULTIPLE)
    {
        comma.key("multipleOf", sink);
        decimal(step, sink);
    }
}

const fn bound(
    key: &str,
    exclusive_key: &str,
    bound: Option<Bound>,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    let Some(bound) = bound else { return };
    let (key, need) = if bound.exclusive {
        (exclusive_key, keyword::EXCLUSIVE)
    } else {
        (key, keyword::BOUNDS)
    };
    if profile.has(need) {
        comma.key(key, sink);
        decimal(bound.at, sink);
    }
}

pub(super) const fn decimal(value: Decimal, sink: &mut Sink<'_>) {
    if value.text.is_empty() {
        #[allow(clippy::cast_possible_truncation)] // made from a whole number, see `refine`
        sink.integer(value.value as i128);
    } else {
        sink.raw(value.text);
    }
}

const fn text(rules: &Text, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    if profile.has(keyword::LENGTH) {
        count("minLength", rules.min_length, comma, sink);
        count("maxLength", rules.max_length, comma, sink);
    }
    if let Some(pattern) = rules.pattern
        && profile.has(keyword::PATTERN)
    {
        comma.key("pattern", sink);
        sink.string(pattern.text);
    }
    if !rules.choices.is_empty() {
        comma.key("enum", sink);
        names(rules.choices, sink);
    }
}

const fn names(choices: &[Choice], sink: &mut Sink<'_>) {
    sink.byte(b'[');
    let mut i = 0;
    while i < choices.len() {
        if i > 0 {
            sink.byte(b',');
        }
        sink.string(choices[i].name);
        i += 1;
    }
    sink.byte(b']');
}

const fn count(key: &str, value: Option<u64>, comma: &mut Comma, sink: &mut Sink<'_>) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value as i128);
    }
}

const fn list(rules: &List, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    comma.key("items", sink);
    node(rules.items, profile, false, sink);
    if profile.has(keyword::MIN_ITEMS) {
        count("minItems", rules.min_items, comma, sink);
    }
    if profile.has(keyword::MAX_ITEMS) {
        count("maxItems", rules.max_items, comma, sink);
    }
    if rules.unique && profile.has(keyword::UNIQUE) {
        comma.key("uniqueItems", sink);
        sink.raw("true");
    }
}

const fn tuple(
    items: &[&'static Schema],
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    if profile.has(keyword::PREFIX_ITEMS) {
        comma.key("prefixItems", sink);
        nodes(items, profile, sink);
        comma.key("items", sink);
        sink.raw("false");
    } else {
        comma.key("items", sink);
        if same_everywhere(items, profile) {
            node(items[0], profile, false, sink);
        } else {
            sink.raw("{\"anyOf\":[");
            let mut comma = Comma(false);
            let mut i = 0;
            while i < items.len() {
                if !said_before(items, i, profile) {
                    comma.put(sink);
                    node(items[i], profile, false, sink);
                }
                i += 1;
            }
            sink.raw("]}");
        }
    }
    if profile.has(keyword::MIN_ITEMS) {
        count("minItems", Some(items.len() as u64), comma, sink);
    }
    if profile.has(keyword::MAX_ITEMS) {
        count("maxItems", Some(items.len() as u64), comma, sink);
    }
}

const fn same_everywhere(items: &[&'static Schema], profile: &Profile) -> bool {
    let mut i = 1;
    while i < items.len() {
        if !said_before(items, i, profile) {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether an earlier position of a tuple has the same schema.
const fn said_before(items: &[&'static Schema], index: usize, profile: &Profile) -> bool {
    let hash = flat::hash_of(items[index], profile);
    let mut i = 0;
    while i < index {
        if flat::hash_of(items[i], profile) == hash {
            return true;
        }
        i += 1;
    }
    false
}

const fn nodes(items: &[&'static Schema], profile: &Profile, sink: &mut Sink<'_>) {
    sink.byte(b'[');
    let mut i = 0;
    while i < items.len() {
        if i > 0 {
            sink.byte(b',');
        }
        node(items[i], profile, false, sink);
        i += 1;
    }
    sink.byte(b']');
}

const fn map(rules: &Map, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    match profile.maps {
        Maps::Words => {}
        Maps::Pairs => {
            comma.key("items", sink);
            sink.raw("{\"type\":");
            type_name("object", false, profile, sink);
            sink.raw(",\"properties\":{\"key\":{\"type\":");
            type_name("string", false, profile, sink);
            if !rules.keys.is_empty() {
                sink.raw(",\"enum\":");
                names(rules.keys, sink);
            }
            sink.raw("},\"value\":");
            node(rules.values, profile, false, sink);
            sink.raw("},\"required\":[\"key\",\"value\"]");
            if profile.closed {
                sink.raw(",\"additionalProperties\":false");
            }
            sink.byte(b'}');
        }
        Maps::Keyword if rules.keys.is_empty() => {
            // An open object says nothing about its values.
            if !matches!(rules.values.kind, Kind::Any) {
                comma.key("additionalProperties", sink);
                node(rules.values, profile, false, sink);
            }
        }
        Maps::Keyword => {
            comma.key("properties", sink);
            sink.byte(b'{');
            let mut i = 0;
            while i < rules.keys.len() {
                if i > 0 {
                    sink.byte(b',');
                }
                sink.string(rules.keys[i].name);
                sink.byte(b':');
                node(rules.values, profile, false, sink);
                i += 1;
            }
            sink.byte(b'}');
            if profile.has(keyword::CLOSED) {
                comma.key("additionalProperties", sink);
                sink.raw("false");
            }
        }
    }
}

/// The name of a variant among the properties of an object.
#[derive(Clone, Copy)]
struct Tag<'a> {
    key: &'a str,
    value: &'a str,
}

const fn object(
    rules: &Object,
    tag: Option<Tag<'_>>,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    comma.key("properties", sink);
    sink.byte(b'{');
    let mut inner = Comma(false);
    if let Some(tag) = tag {
        inner.key(tag.key, sink);
        constant(tag.value, profile, sink);
    }
    properties(rules.fields, profile, &mut inner, sink);
    sink.byte(b'}');
    if tag.is_some() || requires(rules.fields, profile) {
        comma.key("required", sink);
        sink.byte(b'[');
        let mut inner = Comma(false);
        if let Some(tag) = tag {
            inner.put(sink);
            sink.string(tag.key);
        }
        required(rules.fields, profile, &mut inner, sink);
        sink.byte(b']');
    }
    close(rules.unknown, rules.extra, profile, comma, sink);
}

pub(super) const fn close(
    unknown: Unknown,
    extra: Option<&'static Schema>,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    if profile.closed || (matches!(unknown, Unknown::Deny) && profile.has(keyword::CLOSED)) {
        comma.key("additionalProperties", sink);
        sink.raw("false");
    } else if let Some(values) = extra
        && matches!(profile.maps, Maps::Keyword)
        && !matches!(values.kind, Kind::Any)
    {
        comma.key("additionalProperties", sink);
        node(values, profile, false, sink);
    }
}

pub(super) const fn constant(value: &str, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw("{\"type\":");
    type_name("string", false, profile, sink);
    sink.raw(",\"enum\":[");
    sink.string(value);
    sink.raw("]}");
}

const fn properties(fields: &[Field], profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        match field.schema.kind {
            Kind::Object(inner) if field.flatten => {
                properties(inner.fields, profile, comma, sink);
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                comma.key(field.name, sink);
                node(
                    field.schema,
                    profile,
                    profile.nullable_optionals() && !field.required,
                    sink,
                );
            }
        }
        i += 1;
    }
}

const fn requires(fields: &[Field], profile: &Profile) -> bool {
    let mut i = 0;
    while i < fields.len() {
        match fields[i].schema.kind {
            Kind::Object(inner) if fields[i].flatten => {
                if requires(inner.fields, profile) {
                    return true;
                }
            }
            Kind::Map(_) if fields[i].flatten => {}
            _ => {
                if fields[i].required || profile.all_required {
                    return true;
                }
            }
        }
        i += 1;
    }
    false
}

const fn required(fields: &[Field], profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        match field.schema.kind {
            Kind::Object(inner) if field.flatten => {
                required(inner.fields, profile, comma, sink);
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                if field.required || profile.all_required {
                    comma.put(sink);
                    sink.string(field.name);
                }
            }
        }
        i += 1;
    }
}

/// The members of a union's `anyOf`.
const fn members(union: &Union, profile: &Profile, sink: &mut Sink<'_>) {
    let mut comma = Comma(false);
    if matches!(union.tagging, Tagging::External) {
        units(union, profile, &mut comma, sink);
    }
    let mut i = 0;
    while i < union.variants.len() {
        let variant = &union.variants[i];
        if variant.content.is_some() || !matches!(union.tagging, Tagging::External) {
            comma.put(sink);
            member(union, variant, profile, sink);
        }
        i += 1;
    }
}

/// All unit variants of an externally tagged union are one list of strings.
const fn units(union: &Union, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    let mut inner = Comma(false);
    let mut i = 0;
    while i < union.variants.len() {
        if union.variants[i].content.is_none() {
            if inner.0 {
                sink.byte(b',');
            } else {
                comma.put(sink);
                sink.raw("{\"type\":");
                type_name("string", false, profile, sink);
                sink.raw(",\"enum\":[");
                inner.0 = true;
            }
            sink.string(union.variants[i].name);
        }
        i += 1;
    }
    if inner.0 {
        sink.raw("]}");
    }
}

const fn member(union: &Union, variant: &Variant, profile: &Profile, sink: &mut Sink<'_>) {
    const EMPTY: Object = Object {
        fields: &[],
        unknown: Unknown::Report,
        extra: None,
    };
    match union.tagging {
        Tagging::None => {
            if let Some(content) = variant.content {
                node(content, profile, false, sink);
            }
        }
        Tagging::Internal { tag } => {
            let tag = Tag {
                key: tag,
                value: variant.name,
            };
            let rules = match variant.content {
                Some(Schema {
                    kind: Kind::Object(rules),
                    ..
                }) => *rules,
                _ => Object {
                    unknown: union.unknown,
                    ..EMPTY
                },
            };
            open_member(variant, profile, sink);
            object(&rules, Some(tag), profile, &mut Comma(true), sink);
            sink.byte(b'}');
        }
        Tagging::External | Tagging::Adjacent { .. } => {
            open_member(variant, profile, sink);
            sink.raw(",\"properties\":{");
            let key = match union.tagging {
                Tagging::Adjacent { tag, content } => {
                    sink.string(tag);
                    sink.byte(b':');
                    constant(variant.name, profile, sink);
                    if variant.content.is_some() {
                        sink.byte(b',');
                    }
                    content
                }
                _ => variant.name,
            };
            if let Some(content) = variant.content {
                sink.string(key);
                sink.byte(b':');
                node(content, profile, false, sink);
            }
            sink.raw("},\"required\":[");
            if let Tagging::Adjacent { tag, .. } = union.tagging {
                sink.string(tag);
                if variant.content.is_some() {
                    sink.byte(b',');
                }
            }
            if variant.content.is_some() {
                sink.string(key);
            }
            sink.byte(b']');
            // Two keys at once would be two variants, so external tagging is always closed.
            let unknown = match union.tagging {
                Tagging::External => Unknown::Deny,
                _ => union.unknown,
            };
            close(unknown, None, profile, &mut Comma(true), sink);
            sink.byte(b'}');
        }
    }
}

const fn open_member(variant: &Variant, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw("{\"type\":");
    type_name("object", false, profile, sink);
    if !variant.description.is_empty() {
        sink.raw(",\"description\":");
        sink.string(variant.description);
    }
}

pub(super) const fn literal(value: &Literal, sink: &mut Sink<'_>) {
    match value {
        Literal::Boolean(true) => sink.raw("true"),
        Literal::Boolean(false) => sink.raw("false"),
        Literal::Integer(value) => sink.integer(*value),
        Literal::Number(value) => decimal(*value, sink),
        Literal::Text(text) => sink.string(text),
        Literal::List(items) => {
            sink.byte(b'[');
            let mut i = 0;
            while i < items.len() {
                if i > 0 {
                    sink.byte(b',');
                }
                literal(&items[i], sink);
                i += 1;
            }
            sink.byte(b']');
        }
    }
}

/// Puts a comma before everything but the first.
pub(super) struct Comma(pub(super) bool);

impl Comma {
    pub(super) const fn put(&mut self, sink: &mut Sink<'_>) {
        if self.0 {
            sink.byte(b',');
        }
        self.0 = true;
    }

    pub(super) const fn key(&mut self, key: &str, sink: &mut Sink<'_>) {
        self.put(sink);
        sink.string(key);
        sink.byte(b':');
    }
}
