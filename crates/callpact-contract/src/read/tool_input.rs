//! The traits of types that a model can send.

use std::mem;

use super::{at::At, input::Input};
use crate::schema::{Choice, Fingerprint, ForeignSchema, Literal, Ready, Schema, Wire};

/// A type that a model can send: its schema, and the reader that checks values against it.
///
/// Derive it; see [the derive](derive@crate::ToolInput) for every attribute. To give a type of
/// your own a schema without the derive, build on the reader of a type that has one:
///
/// ```
/// use callpact::{At, Input, Policy, ToolInput, read_str, schema::{Integer, Kind, Schema}};
///
/// struct Even(u32);
///
/// impl ToolInput for Even {
///     const SCHEMA: &'static Schema =
///         &Schema::described(Kind::Integer(Integer::between(0, 0xFFFF_FFFF)), "an even number");
///
///     fn read(input: &mut Input<'_>, mut at: At<'_>) -> Option<Self> {
///         let n = u32::read(input, at.reborrow())?;
///         if n % 2 == 0 {
///             return Some(Even(n));
///         }
///         at.refuse(format!("{n} is not even"));
///         None
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

    /// The number of a type that the derive knows by its name, and whose schema it writes as text.
    #[doc(hidden)]
    const PLAIN: u64 = 0;

    /// The text of [`PRESENT`](Self::PRESENT) in the dialects that keep every rule, if the derive has written it.
    #[doc(hidden)]
    const TEXT: Option<&'static Ready> = None;

    /// The demands of a field on this type.
    #[doc(hidden)]
    const FIELD: Wire = Wire {
        schema: Self::PRESENT,
        optional: Self::OPTIONAL,
        plain: Self::PLAIN,
        text: Self::TEXT,
    };

    /// Stands for the type inside its own schema. For a type that cannot contain itself, it is the schema.
    #[doc(hidden)]
    const AGAIN: &'static Schema = Self::SCHEMA;

    /// The reader of a list, for a type that takes so few instructions that its lists have a separate loop.
    #[doc(hidden)]
    const READ_VEC: Option<ReadVec<Self>> = None;

    /// Changes when the contract does.
    const FINGERPRINT: Fingerprint = Fingerprint::of(Self::SCHEMA);

    /// Reads a value from any source. If there is an issue, it is reported to `at` and there is no value.
    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self>;

    /// Reads a value into its empty slot. So the code for a field is compiled once for each type, not for each field.
    #[doc(hidden)]
    fn read_into(slot: &mut Option<Self>, input: &mut Input<'_>, at: At<'_>) {
        put(slot, Self::read(input, at));
    }

    /// The schema that replaces `SCHEMA`, for a type whose contract was not derived.
    #[doc(hidden)]
    fn foreign() -> Option<&'static ForeignSchema> {
        None
    }

    /// The value of a literal in the declaration.
    #[doc(hidden)]
    fn read_default(literal: &'static Literal, at: At<'_>) -> Option<Self> {
        at.required(|at| Self::read(&mut Input::literal(literal), at))
    }

    /// Reads such a literal into its empty slot.
    #[doc(hidden)]
    fn read_default_into(slot: &mut Option<Self>, literal: &'static Literal, at: At<'_>) {
        put(slot, Self::read_default(literal, at));
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

/// Puts a value into its slot, and drops nothing. The slot is still empty, since only the first value of a doubled key
/// is read. Checking that would take longer than reading a small field.
#[doc(hidden)]
#[inline]
pub fn put<T>(slot: &mut Option<T>, value: Option<T>) {
    mem::forget(mem::replace(slot, value));
}

/// Reads a list of values.
pub(crate) type ReadVec<T> = fn(&mut Input<'_>, At<'_>) -> Option<Vec<T>>;

/// A type for the keys of a map: a string or an enum of unit variants.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map",
    label = "the key of this map",
    note = "keys are strings, or an enum of unit variants that derives `ToolInput`"
)]
pub trait MapKey: Sized {
    /// If not empty, the only allowed keys.
    const KEYS: &'static [Choice] = &[];

    /// The key that this text means.
    fn from_text(text: &str) -> Option<Self>;

    /// The key at this place in [`KEYS`](Self::KEYS).
    #[doc(hidden)]
    fn nth(number: usize) -> Option<Self> {
        Self::from_text(Self::KEYS.get(number)?.name.part())
    }
}
