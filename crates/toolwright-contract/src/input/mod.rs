//! Arguments in: the [`ToolInput`] trait, the reader, and what it reports.

mod at;
mod entry;
mod foreign;
mod impls;
mod json;
mod keys;
mod leaks;
mod list;
mod list_text;
mod literal;
mod map;
mod meant;
mod mended;
mod object;
mod pass;
#[cfg(test)]
mod private_tests;
mod read;
#[cfg(feature = "schemars")]
mod serde_type;
pub mod stream;
mod table;
mod union;
mod value;
mod visit;
mod wrapped;

use entry::Entry;
use json::{Broken, Json};
use serde::de::Deserializer;

use crate::schema::{Fingerprint, ForeignSchema, Literal, Schema};

pub use at::At;
pub use foreign::{read_foreign, read_foreign_value};
pub use impls::MapKey;
pub use read::{Read, read_str, read_value};
#[cfg(feature = "schemars")]
#[cfg_attr(docsrs, doc(cfg(feature = "schemars")))]
pub use serde_type::Serde;

pub use crate::{
    policy::{MAX_DEPTH, Policy},
    report::{Fix, FixKind, Issue, IssueKind, Path, Report, Step},
    text::nearest,
};

pub mod repair {
    //! Mending a broken text, where only one thing can have been meant.
    pub use crate::repair::clean_text;
    #[doc(hidden)]
    pub use crate::repair::is_json;
}

#[doc(hidden)]
pub mod generated {
    //! What the derive calls.
    pub use super::{
        entry::Entry,
        impls::{
            Again, conversion, conversion_inside, nth, pattern, read_choice, read_choice_text,
            validated,
        },
        json::{Broken, Json},
        object::{Object, read_object, read_object_text, skip_value, unusable},
        table::{UNKNOWN, extra, extra_of, takes_others, width},
        union::{Union, read_adjacent, read_external, read_internal, read_untagged},
    };
}

/// A type that a model can send: its schema, and the reader that checks values against it.
///
/// Derive it; see [the derive](derive@crate::ToolInput) for every attribute. To give a type of
/// your own a schema without the derive, build on the reader of a type that has one:
///
/// ```
/// use serde::Deserializer;
/// use toolwright::{At, Policy, ToolInput, read_str, schema::{Kind, Schema, Text}};
///
/// struct Even(u32);
///
/// impl ToolInput for Even {
///     const SCHEMA: &'static Schema =
///         &Schema { description: "an even number", ..*<u32 as ToolInput>::SCHEMA };
///
///     fn read<'de, D: Deserializer<'de>>(source: D, mut at: At<'_>) -> Result<Option<Self>, D::Error> {
///         Ok(u32::read(source, at.reborrow())?.and_then(|n| {
///             if n % 2 == 0 {
///                 return Some(Even(n));
///             }
///             at.refuse(format!("{n} is not even"));
///             None
///         }))
///     }
/// }
///
/// let report = read_str::<Even>("3", &Policy::exact()).map(|_| ()).unwrap_err();
/// assert_eq!(report.issues[0].to_string(), "arguments: 3 is not even");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema that a model could be shown",
    label = "not a tool input",
    note = "for a type of your own, add `#[derive(ToolInput)]`",
    note = "for a foreign type, read it from one that has a schema: `#[tool_param(with = …)]`"
)]
pub trait ToolInput: Sized {
    /// What the value must be.
    const SCHEMA: &'static Schema;

    /// What the value must be when it stands in a field that may be left out.
    #[doc(hidden)]
    const PRESENT: &'static Schema = Self::SCHEMA;

    /// Whether a field of this type may be left out.
    #[doc(hidden)]
    const OPTIONAL: bool = false;

    /// What stands for the type in its own schema, where it contains itself; that of a type that cannot is
    /// its schema.
    #[doc(hidden)]
    const AGAIN: &'static Schema = Self::SCHEMA;

    /// Changes when the contract does.
    const FINGERPRINT: Fingerprint = Fingerprint::of(Self::SCHEMA);

    /// Reads a value. Issues go into `at`, and then the answer is `Ok(None)`.
    ///
    /// # Errors
    /// Only what the source itself reports: a text that is not JSON.
    fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error>;

    /// The schema that holds instead, for a type whose contract was not derived.
    #[doc(hidden)]
    fn foreign() -> Option<&'static ForeignSchema> {
        None
    }

    /// The value of an entry of an object.
    #[doc(hidden)]
    #[inline]
    fn read_entry<'de, E: Entry<'de>>(entry: &mut E, at: At<'_>) -> Result<Option<Self>, E::Error> {
        entry.read(at)
    }

    /// Reads a value where no field adds a rule to those of [`SCHEMA`](Self::SCHEMA), so that the
    /// compiler knows them all.
    #[doc(hidden)]
    #[inline]
    fn read_own<'de, D: Deserializer<'de>>(
        source: D,
        at: At<'_>,
    ) -> Result<Option<Self>, D::Error> {
        Self::read(source, at)
    }

    /// The same for the value of an entry of an object.
    #[doc(hidden)]
    #[inline]
    fn read_own_entry<'de, E: Entry<'de>>(
        entry: &mut E,
        at: At<'_>,
    ) -> Result<Option<Self>, E::Error> {
        entry.read_own(at)
    }

    /// Reads a value from a text. What most types do there is done by code that is compiled once and
    /// not for each of them, so that little is left to compile for a type.
    #[doc(hidden)]
    #[inline]
    fn read_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
        Self::read(json, at)
    }

    /// The same where no field adds a rule.
    #[doc(hidden)]
    #[inline]
    fn read_own_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
        Self::read_text(json, at)
    }

    /// The value of a literal in the declaration.
    #[doc(hidden)]
    fn read_default(literal: &'static Literal, at: At<'_>) -> Option<Self> {
        literal::default_of(literal, at)
    }

    /// The value of a field that was left out, for types that have one.
    #[doc(hidden)]
    fn absent() -> Option<Self> {
        None
    }
}
