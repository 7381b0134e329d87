//! One type for every source, so that a reader is compiled once.

use std::{borrow::Cow, slice};

use serde_json::{Map, Value, map};

use crate::{
    json::{Form, Inside, Json, Number, Source, numbers_are_objects},
    report::{Part, Trail},
    schema::Literal,
};

/// The source of a value: a JSON text, or a JSON value in memory.
///
/// [`ToolInput::read`](crate::ToolInput::read) gets one. A hand-written reader passes it on to the reader of the type
/// that it builds on. A value can be read once.
///
/// ```
/// use callpact::{At, Input, Policy, Schema, ToolInput, read_str, read_value};
///
/// struct Upper(String);
///
/// impl ToolInput for Upper {
///     const SCHEMA: &'static Schema = String::SCHEMA;
///
///     fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
///         String::read(input, at).map(|text| Upper(text.to_uppercase()))
///     }
/// }
///
/// // One reader for a text and for a value in memory.
/// let policy = Policy::exact();
/// assert_eq!(read_str::<Upper>(r#""a""#, &policy)?.value.0, "A");
/// assert_eq!(read_value::<Upper>(&serde_json::json!("a"), &policy)?.value.0, "A");
/// # Ok::<(), callpact::Report>(())
/// ```
#[derive(Clone, Copy)]
pub struct Input<'de>(Kind<'de>);

// With an explicit tag. Otherwise the compiler hides the tag in a byte of the text, and every access decodes it.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Kind<'de> {
    Text(Json<'de>),
    Value(Borrowed<'de>),
    Rare(Rare<'de>),
}

/// Sources that few readings have.
#[derive(Clone, Copy)]
enum Rare<'de> {
    /// A literal of the declaration.
    Literal(&'static Literal),
    /// The path down to a value, and the number of steps that were taken.
    Way(&'de Alone<'de>, usize),
}

/// A value that is read alone at its place. The objects and lists around it contain nothing else.
#[derive(Clone, Copy)]
pub(crate) struct Alone<'de> {
    pub(crate) trail: Trail<'de>,
    pub(crate) value: Input<'de>,
}

/// A value in memory, and the number of steps that were taken from value to value.
#[derive(Clone, Copy)]
struct Borrowed<'de> {
    value: &'de Value,
    steps: usize,
}

/// The next value, if it has the requested form; otherwise its form.
pub(crate) type Next<T> = Result<T, Form>;

/// The position in an open list.
#[repr(u8)]
pub(crate) enum Items<'de> {
    Text(Inside),
    Value(slice::Iter<'de, Value>),
    Literal(slice::Iter<'static, Literal>),
}

/// The position in an open object.
#[repr(u8)]
pub(crate) enum Entries<'de> {
    Text(Inside),
    Value(Option<map::Iter<'de>>),
}

impl<'de> Input<'de> {
    /// A JSON text.
    #[inline]
    pub(crate) fn text(text: &'de str) -> Self {
        Self(Kind::Text(Json::new(text)))
    }

    /// A value in memory.
    #[inline]
    pub(crate) fn value(value: &'de Value) -> Self {
        Self(Kind::Value(Borrowed { value, steps: 0 }))
    }

    /// A literal of the declaration.
    pub(crate) fn literal(literal: &'static Literal) -> Self {
        Self(Kind::Rare(Rare::Literal(literal)))
    }

    /// The rest of a JSON text that was scanned up to here.
    pub(crate) fn scanned(json: Json<'de>) -> Self {
        Self(Kind::Text(json))
    }

    /// One value inside others.
    pub(crate) fn alone(value: &'de Alone<'de>) -> Self {
        Self(Kind::Rare(Rare::Way(value, 0)))
    }

    /// Takes the next step down to a value that is read alone; `None` for any other source.
    pub(crate) fn next_step(&mut self) -> Option<Part<'de>> {
        let Kind::Rare(Rare::Way(alone, depth)) = self.0 else {
            return None;
        };
        let step = alone.trail.part(depth)?;
        *self = if depth + 1 == alone.trail.depth() {
            alone.value
        } else {
            Self(Kind::Rare(Rare::Way(alone, depth + 1)))
        };
        Some(step)
    }

    /// Whether more steps are needed to reach a value that is read alone.
    pub(crate) fn has_step(&self) -> bool {
        matches!(self.0, Kind::Rare(Rare::Way(..)))
    }

    /// Whether the text turned out not to be JSON.
    #[inline]
    pub(crate) fn is_broken(&self) -> bool {
        matches!(&self.0, Kind::Text(json) if json.is_broken())
    }

    /// Whether the value was read to its end and nothing follows it.
    #[inline]
    pub(crate) fn is_done(&mut self) -> bool {
        match &mut self.0 {
            Kind::Text(json) => json.is_done(),
            Kind::Value(_) | Kind::Rare(_) => true,
        }
    }

    /// Whether nothing follows the value that was read.
    pub(crate) fn is_at_end(&mut self) -> bool {
        match &mut self.0 {
            Kind::Text(json) => json.is_at_end(),
            Kind::Value(_) | Kind::Rare(_) => true,
        }
    }

    /// The text, if the source is one.
    #[inline]
    pub(crate) fn as_text(&mut self) -> Option<&mut Json<'de>> {
        match &mut self.0 {
            Kind::Text(json) => Some(json),
            Kind::Value(_) | Kind::Rare(_) => None,
        }
    }

    /// Whether null comes next. Takes nothing.
    #[inline]
    pub(crate) fn is_null(&mut self) -> bool {
        match &mut self.0 {
            Kind::Text(json) => json.is_null(),
            Kind::Value(source) => source.value.is_null(),
            Kind::Rare(_) => false,
        }
    }

    /// The value that comes next, if the source is in memory.
    #[inline]
    pub(crate) fn as_value(&self) -> Option<&'de Value> {
        match &self.0 {
            Kind::Value(source) => Some(source.value),
            Kind::Text(_) | Kind::Rare(_) => None,
        }
    }

    /// The string that comes next in memory, if there is one and it is not empty.
    #[inline]
    pub(crate) fn as_string(&self) -> Option<&'de str> {
        match &self.0 {
            Kind::Value(source) => match source.value {
                Value::String(text) if !text.is_empty() => Some(text),
                _ => None,
            },
            Kind::Text(_) | Kind::Rare(_) => None,
        }
    }

    /// The object that comes next in memory, if there is one.
    #[inline]
    pub(crate) fn as_object(&self) -> Option<&'de Map<String, Value>> {
        match &self.0 {
            Kind::Value(source) => source.value.as_object(),
            Kind::Text(_) | Kind::Rare(_) => None,
        }
    }

    /// Moves to another value, if the source is in memory.
    #[inline]
    pub(crate) fn move_to(&mut self, value: &'de Value) {
        if let Kind::Value(source) = &mut self.0 {
            source.value = value;
        }
    }

    /// Takes the next value if it is a number.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a tenth of the instructions for a list of numbers
    pub(crate) fn next_number(&mut self) -> Next<Number> {
        let number = match &mut self.0 {
            Kind::Text(json) => match json.form() {
                Form::Number => json.take_number(),
                form => return Err(form),
            },
            Kind::Value(source) => match source.value {
                Value::Number(number) => Some(number_of(number)),
                other => return Err(form_of(other)),
            },
            Kind::Rare(rare) => match rare.form() {
                Form::Number => rare.number(),
                form => return Err(form),
            },
        };
        number.ok_or(Form::Broken)
    }

    /// Takes the next value if it is a string.
    #[inline]
    pub(crate) fn next_text(&mut self) -> Next<Cow<'de, str>> {
        match &mut self.0 {
            Kind::Text(json) => match json.form() {
                Form::Text => json.take_text().ok_or(Form::Broken),
                form => Err(form),
            },
            Kind::Value(source) => match source.value {
                Value::String(text) => Ok(Cow::Borrowed(text)),
                other => Err(form_of(other)),
            },
            Kind::Rare(rare) => rare.text().ok_or_else(|| rare.form()),
        }
    }

    /// Takes the end of an object in a text if it comes next, and returns whether it did. Looking for a next key costs
    /// more.
    #[inline]
    pub(crate) fn closes(&mut self) -> bool {
        match &mut self.0 {
            Kind::Text(json) => json.closes(),
            Kind::Value(_) | Kind::Rare(_) => false,
        }
    }

    /// Stops reading a text, as if it were broken.
    pub(crate) fn give_up(&mut self) {
        if let Kind::Text(json) = &mut self.0 {
            json.give_up();
        }
    }

    /// Counts steps through a value in memory that were taken without this source.
    pub(crate) fn count_steps(&mut self, steps: usize) {
        if let Kind::Value(source) = &mut self.0 {
            source.steps += steps;
        }
    }

    /// The number of steps that were taken through a value in memory.
    pub(crate) fn steps(&self) -> usize {
        match &self.0 {
            Kind::Value(source) => source.steps,
            Kind::Text(_) | Kind::Rare(_) => 0,
        }
    }

    /// Takes a number, with all of its digits if `serde_json` keeps them; `None` if the text is broken.
    pub(crate) fn take_digits(&mut self) -> Option<serde_json::Number> {
        match &mut self.0 {
            Kind::Value(source) => match source.value {
                Value::Number(number) => Some(number.clone()),
                _ => None,
            },
            Kind::Text(json) if numbers_are_objects() => {
                let mut ahead = *json;
                // This breaks the text if the number does not fit a float.
                json.take_number()?;
                ahead.take_written()?.parse().ok()
            }
            Kind::Text(_) | Kind::Rare(_) => match self.take_number()? {
                Number::Positive(value) => Some(value.into()),
                Number::Negative(value) => Some(value.into()),
                #[allow(clippy::cast_precision_loss)] // as serde_json reads such a number itself
                Number::Large => serde_json::Number::from_i128(self.large())
                    .or_else(|| serde_json::Number::from_f64(self.large() as f64)),
                Number::Float(value) => serde_json::Number::from_f64(value),
            },
        }
    }
}

impl<'de> Source<'de> for Input<'de> {
    type Items = Items<'de>;
    type Entries = Entries<'de>;

    #[inline]
    fn form(&mut self) -> Form {
        match &mut self.0 {
            Kind::Text(json) => json.form(),
            Kind::Value(source) => form_of(source.value),
            Kind::Rare(rare) => rare.form(),
        }
    }

    #[inline]
    fn take_word(&mut self) -> bool {
        match &mut self.0 {
            Kind::Text(json) => json.take_word(),
            Kind::Value(_) | Kind::Rare(_) => true,
        }
    }

    #[inline]
    fn take_number(&mut self) -> Option<Number> {
        match &mut self.0 {
            Kind::Text(json) => json.take_number(),
            Kind::Value(source) => match source.value {
                Value::Number(number) => Some(number_of(number)),
                _ => None,
            },
            Kind::Rare(rare) => rare.number(),
        }
    }

    #[cold]
    fn large(&self) -> i128 {
        let value = match &self.0 {
            Kind::Value(source) => source
                .value
                .as_number()
                .and_then(serde_json::Number::as_i128),
            Kind::Rare(Rare::Literal(Literal::Integer(value))) => Some(*value),
            Kind::Text(_) | Kind::Rare(_) => None,
        };
        value.unwrap_or_default()
    }

    #[inline]
    fn take_text(&mut self) -> Option<Cow<'de, str>> {
        match &mut self.0 {
            Kind::Text(json) => json.take_text(),
            Kind::Value(source) => source.value.as_str().map(Cow::Borrowed),
            Kind::Rare(rare) => rare.text(),
        }
    }

    #[inline]
    fn open_list(&mut self) -> Items<'de> {
        match &mut self.0 {
            Kind::Text(json) => Items::Text(json.open_list()),
            Kind::Value(source) => {
                let items = source.value.as_array().map(Vec::as_slice);
                Items::Value(items.unwrap_or_default().iter())
            }
            Kind::Rare(Rare::Literal(Literal::List(items))) => Items::Literal(items.iter()),
            Kind::Rare(_) => Items::Literal([].iter()),
        }
    }

    #[inline]
    fn next_item(&mut self, items: &mut Items<'de>) -> bool {
        match (&mut self.0, items) {
            (Kind::Text(json), Items::Text(inside)) => json.next_item(inside),
            (Kind::Value(source), Items::Value(items)) => match items.next() {
                Some(item) => {
                    source.value = item;
                    source.steps += 1;
                    true
                }
                None => false,
            },
            (Kind::Rare(Rare::Literal(literal)), Items::Literal(items)) => match items.next() {
                Some(item) => {
                    *literal = item;
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    #[inline]
    fn open_object(&mut self) -> Entries<'de> {
        match &mut self.0 {
            Kind::Text(json) => Entries::Text(json.open_object()),
            Kind::Value(source) => Entries::Value(source.value.as_object().map(Map::iter)),
            Kind::Rare(_) => Entries::Value(None),
        }
    }

    #[inline]
    fn next_key(&mut self, entries: &mut Entries<'de>) -> Option<Cow<'de, str>> {
        match (&mut self.0, entries) {
            (Kind::Text(json), Entries::Text(inside)) => json.next_key(inside),
            (Kind::Value(source), Entries::Value(Some(entries))) => {
                let (key, value) = entries.next()?;
                source.value = value;
                source.steps += 1;
                Some(Cow::Borrowed(key))
            }
            _ => None,
        }
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // one of the calls is for every key of a text
    fn next_is(&mut self, entries: &mut Entries<'de>, name: &str) -> bool {
        match (&mut self.0, entries) {
            (Kind::Text(json), Entries::Text(inside)) => json.next_is(inside, name),
            _ => false,
        }
    }

    #[inline]
    fn skip(&mut self) {
        if let Kind::Text(json) = &mut self.0 {
            json.skip();
        }
    }

    #[inline]
    fn count(&self, items: &Items<'de>) -> usize {
        match items {
            Items::Text(_) => 0,
            Items::Value(items) => items.len(),
            Items::Literal(items) => items.len(),
        }
    }
}

#[inline]
pub(super) fn form_of(value: &Value) -> Form {
    match value {
        Value::Null => Form::Null,
        Value::Bool(value) => Form::Boolean(*value),
        Value::Number(_) => Form::Number,
        Value::String(_) => Form::Text,
        Value::Array(_) => Form::List,
        Value::Object(_) => Form::Object,
    }
}

impl Rare<'_> {
    fn form(&self) -> Form {
        match self {
            Self::Literal(Literal::Boolean(value)) => Form::Boolean(*value),
            Self::Literal(Literal::Integer(_) | Literal::Number(_)) => Form::Number,
            Self::Literal(Literal::Text(_)) => Form::Text,
            Self::Literal(Literal::List(_)) => Form::List,
            // A reader that does not take the steps finds nothing.
            Self::Way(..) => Form::Broken,
        }
    }

    fn text<'de>(&self) -> Option<Cow<'de, str>> {
        match self {
            Self::Literal(Literal::Text(text)) => Some(Cow::Borrowed(text.part())),
            _ => None,
        }
    }

    fn number(&self) -> Option<Number> {
        match self {
            Self::Literal(literal) => number_of_literal(literal),
            Self::Way(..) => None,
        }
    }
}

#[inline]
fn number_of(number: &serde_json::Number) -> Number {
    if let Some(value) = number.as_u64() {
        return Number::Positive(value);
    }
    if let Some(value) = number.as_i64() {
        return Number::Negative(value);
    }
    match number.as_f64() {
        Some(value) if number.is_f64() => Number::Float(value),
        value => far_number_of(number, value),
    }
}

/// A number whose digits `arbitrary_precision` keeps: it is beyond 64 bits, or does not fit a float.
#[cold]
fn far_number_of(number: &serde_json::Number, nearest: Option<f64>) -> Number {
    if number.as_i128().is_some() {
        return Number::Large;
    }
    Number::Float(nearest.unwrap_or(f64::INFINITY))
}

fn number_of_literal(literal: &Literal) -> Option<Number> {
    match literal {
        Literal::Integer(value) => Some(match (u64::try_from(*value), i64::try_from(*value)) {
            (Ok(value), _) => Number::Positive(value),
            (Err(_), Ok(value)) => Number::Negative(value),
            (Err(_), Err(_)) => Number::Large,
        }),
        Literal::Number(value) => Some(Number::Float(value.value)),
        Literal::Boolean(_) | Literal::Text(_) | Literal::List(_) => None,
    }
}
