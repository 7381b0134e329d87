//! The schema of an output: of the JSON that serde writes.
//!
//! Reading and writing differ. serde writes an absent value as null, a number that is not finite as
//! null, and some types in another form than they are read. The author's rules are not checked when a
//! value is written. So an output has its own schema, of names and forms.

pub(crate) mod check;
pub(crate) mod types;

use crate::schema::{Choice, IntegerKeys, Schema};

/// A type whose serde output is known.
///
/// Derive it together with `serde::Serialize`. The derive reads serde's attributes, and refuses what it
/// cannot know: a field written by a function needs its form, `#[tool_output(with = Type)]`.
///
/// A type with a hand-written `Serialize` also states its form by hand:
///
/// ```
/// use serde::{Serialize, Serializer};
/// use callpact::{Schema, ToolOutput};
///
/// /// A colour, written as text.
/// struct Colour(u8, u8, u8);
///
/// impl Serialize for Colour {
///     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         serializer.collect_str(&format_args!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2))
///     }
/// }
///
/// impl ToolOutput for Colour {
///     const SCHEMA: &'static Schema = <String as ToolOutput>::SCHEMA;
/// }
///
/// #[derive(Serialize, ToolOutput)]
/// struct Pixel {
///     colour: Option<Colour>,
/// }
///
/// # fn main() {
/// assert_eq!(
///     <Pixel as ToolOutput>::SCHEMA.to_output_json(),
///     r#"{"type":"object","properties":{"colour":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["colour"]}"#,
/// );
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "it is not known what serde writes for `{Self}`",
    label = "the schema of this part of the output is missing",
    note = "derive `ToolOutput` for the type, or say the form of the field: `#[tool_output(with = Type)]`"
)]
pub trait ToolOutput {
    /// The JSON that serde writes.
    const SCHEMA: &'static Schema;

    /// The JSON that serde writes if `None` is left out.
    #[doc(hidden)]
    const PRESENT: &'static Schema = Self::SCHEMA;

    /// The schema that replaces the type inside its own schema.
    #[doc(hidden)]
    const AGAIN: &'static Schema = Self::SCHEMA;
}

/// A type that serde writes as the key of a JSON object.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no key of a JSON object",
    label = "serde writes strings, integers, `bool`, `char` and enums of unit variants as keys",
    note = "serde does not write such a map: give the field another type, or write it with `#[serde(serialize_with = …)]` and say its form: `#[tool_output(with = …)]`"
)]
pub trait OutputKey: ToolOutput {
    /// If not empty, the only keys.
    const KEYS: &'static [Choice] = &[];

    /// The range, if the keys are integers.
    #[doc(hidden)]
    const INTEGERS: Option<&'static IntegerKeys> = None;
}
