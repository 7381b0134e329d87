//! The traits of types that a model can send.

use std::mem;

use super::{
    FieldFacts, FieldValue, PlaceRules, QuickInput, Refusal, check_by_reading, read_checked,
};
use crate::schema::{
    Choice, CodeRules, FieldType, Fingerprint, ForeignSchema, IntegerKeys, Literal, Schema,
};

/// A type that a model can send: its schema, and the reader that checks values against it.
///
/// Derive it; see [the derive](derive@crate::ToolInput) for every attribute. A type without the derive has a schema,
/// marked by [`Schema::read_by`], and a function from JSON that fits the schema:
///
/// ```
/// use callpact::{Policy, ToolInput, read_str, schema::{Integer, Kind, Schema}};
///
/// struct Even(u32);
///
/// impl ToolInput for Even {
///     const SCHEMA: &'static Schema =
///         &Schema::described(Kind::Integer(Integer::between(0, 0xFFFF_FFFF)), "an even number")
///             .read_by::<Self>();
///
///     fn from_json(json: &str) -> Result<Self, String> {
///         let n: u32 = json.parse().map_err(|_| "not a number".to_owned())?;
///         if n % 2 == 0 { Ok(Even(n)) } else { Err(format!("{n} is not even")) }
///     }
/// }
///
/// let report = read_str::<Even>("3", &Policy::exact()).map(|_| ()).unwrap_err();
/// assert_eq!(report.issues[0].to_string(), "arguments: 3 is not even");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema that a model could be shown",
    label = "not a tool input",
    note = "a function with `#[tool]` takes what the program owns, such as a database, as `State<T>`",
    note = "for a type of your own, add `#[derive(ToolInput)]`",
    note = "for a foreign type, read it from one that has a schema: `#[tool_param(with = …)]`"
)]
pub trait ToolInput: Sized {
    /// The schema of the value.
    const SCHEMA: &'static Schema;

    /// The schema of the value in a field that may be left out.
    #[doc(hidden)]
    const PRESENT: &'static Schema = Self::SCHEMA;

    /// Whether a field of this type may be left out.
    #[doc(hidden)]
    const OPTIONAL: bool = false;

    /// The demands of a field on this type.
    #[doc(hidden)]
    const FIELD: FieldType = FieldType::of(Self::PRESENT, Self::OPTIONAL);

    /// Stands for the type inside its own schema. For a type that cannot contain itself, it is the schema.
    #[doc(hidden)]
    const AGAIN: &'static Schema = Self::SCHEMA;

    /// Changes when the contract does.
    const FINGERPRINT: Fingerprint = Fingerprint::of(Self::SCHEMA);

    /// The schema that replaces `SCHEMA`, for a type whose contract was not derived.
    #[doc(hidden)]
    fn foreign() -> Option<&'static ForeignSchema> {
        None
    }

    /// The value of a JSON text that fits the schema, or why the author refuses it. Write it for a type without the
    /// derive.
    ///
    /// # Errors
    /// Words for the model. Without words, the schema accepts more than this function does.
    fn from_json(json: &str) -> Result<Self, String> {
        let _ = json;
        Err(String::new())
    }

    /// Reads a value from a plain text. `None` leaves the text to the checker, which must accept every text that is
    /// accepted here, as the same value.
    #[doc(hidden)]
    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        let _ = rules;
        if !input.is_checked() {
            return input.leave_foreign();
        }
        match Self::from_json(input.take_written()?) {
            Ok(value) => Some(value),
            Err(why) => {
                input.refusal().refuse(why);
                None
            }
        }
    }

    /// Like [`read_quick`](Self::read_quick), for the value of an optional field. Null is not read as
    /// an absent value here.
    #[doc(hidden)]
    fn read_present(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        Self::read_quick(input, rules)
    }

    /// Reads the value of a field into its slot. The code is compiled once for each type, not for each field.
    #[doc(hidden)]
    fn read_field(
        slot: &mut Option<Self>,
        input: &mut QuickInput<'_>,
        facts: &FieldFacts,
    ) -> Option<FieldValue> {
        if facts.takes_absent(input)? {
            return Some(FieldValue::Absent);
        }
        let value = if facts.is_required() {
            Self::read_quick(input, facts.rules())?
        } else {
            Self::read_present(input, facts.rules())?
        };
        put(slot, Some(value));
        Some(FieldValue::Present)
    }

    /// Like [`read_field`](Self::read_field), for a field that is converted from this type.
    #[doc(hidden)]
    fn read_field_as<T>(
        slot: &mut Option<T>,
        input: &mut QuickInput<'_>,
        facts: &FieldFacts,
        convert: fn(Option<Self>, Refusal<'_>) -> Option<T>,
    ) -> Option<FieldValue> {
        let mut read = None;
        let found = Self::read_field(&mut read, input, facts)?;
        if matches!(found, FieldValue::Present) {
            put(slot, Some(convert(read, input.refusal())?));
        }
        Some(found)
    }

    /// The value of a literal in the declaration.
    #[doc(hidden)]
    fn from_literal(literal: &'static Literal) -> Option<Self> {
        let json = literal.to_json();
        let mut input = QuickInput::new(&json, false);
        Self::read_quick(&mut input, None).or_else(|| read_checked(&json, &[]).ok())
    }

    /// Puts the value of a literal into its empty slot.
    #[doc(hidden)]
    fn fill_literal(slot: &mut Option<Self>, literal: &'static Literal) {
        put(slot, Self::from_literal(literal));
    }

    /// The value of an absent field, for types that have one.
    #[doc(hidden)]
    fn absent() -> Option<Self> {
        None
    }

    /// Puts the value of an absent field into its empty slot.
    #[doc(hidden)]
    fn leave_out(slot: &mut Option<Self>) {
        put(slot, Self::absent());
    }
}

/// The schema of a type, for the stand-in that leads back to it.
#[must_use]
pub fn whole_schema<T: ToolInput>() -> &'static Schema {
    T::SCHEMA
}

/// Puts a value into its slot, and drops nothing. The slot is still empty, since only the first value of a doubled key
/// is read. Checking that would take longer than reading a small field.
#[doc(hidden)]
#[inline]
pub fn put<T>(slot: &mut Option<T>, value: Option<T>) {
    mem::forget(mem::replace(slot, value));
}

/// A type for the keys of a map: a string, an integer or an enum of unit variants.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map",
    label = "the key of this map",
    note = "keys are strings, integers of at most 64 bits, or an enum of unit variants that derives `ToolInput`"
)]
pub trait MapKey: Sized {
    /// If not empty, the only allowed keys.
    const KEYS: &'static [Choice] = &[];

    /// The range, if the keys are integers.
    #[doc(hidden)]
    const INTEGERS: Option<&'static IntegerKeys> = None;

    /// The key that this text means.
    fn from_text(text: &str) -> Option<Self>;
}

impl CodeRules {
    /// Those of an enum whose names have other names.
    #[must_use]
    pub const fn names<T: MapKey>() -> Self {
        Self {
            name_of: Some(name_of::<T>),
            ..Self::NONE
        }
    }
}

/// The name that another name means.
fn name_of<T: MapKey>(other: &str) -> Option<&'static str> {
    let meant = T::KEYS
        .iter()
        .find(|choice| choice.aliases.contains(&other));
    meant.map(|choice| choice.name.part())
}

impl Schema {
    /// This schema, for a type whose [`ToolInput::from_json`] makes the value.
    #[must_use]
    pub const fn read_by<T: ToolInput>(mut self) -> Self {
        self.code.check = Some(check_by_reading::<T>);
        self
    }
}
