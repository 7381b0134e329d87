//! The contract as data: a const tree, its JSON in every dialect, its fingerprint.
//!
//! A [`Schema`] is built at compile time by `#[derive(ToolInput)]` and drives both sides: the
//! [writer](crate::schema_json!) turns it into the text that the model sees, and the reader checks
//! values against the same nodes.

pub(crate) mod again;
pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod declared;
pub(crate) mod default;
pub(crate) mod definition;
pub(crate) mod extra;
mod fault;
pub(crate) mod foreign;
mod forms;
mod held;
mod json;
mod json_object;
pub(crate) mod kind;
mod literal;
mod names;
mod parse;
pub(crate) mod paths;
mod phrases;
mod pretty;
pub(crate) mod rule;
mod tree;
mod words;

pub use crate::dialect::{Dialect, Fingerprint, UnknownDialect, gbnf_of_calls, lark_of_calls};
pub use foreign::{ForeignSchema, SchemaFault, SchemaFaults};
pub(crate) use forms::{declares, has_form};
pub use held::Held;
pub use kind::{
    format::Format,
    integer::Integer,
    keys::IntegerKeys,
    number::{Bound, Number},
    pattern::{CompiledPattern, Matcher, Pattern},
    text::{Choice, Text},
};
pub use literal::{Decimal, Literal};
pub(crate) use parse::NOTHING;
pub use pretty::pretty;
pub use tree::{Field, Kind, List, Map, Object, Schema, Tagging, Union, Unknown, Variant};

pub(crate) use crate::dialect::write_schema;
pub(crate) use again::AGAIN_WORDS;
pub(crate) use again::{ANY_AGAIN, OBJECT_AGAIN, is_again};
pub(crate) use check::is_object_only;
pub(crate) use code::{CheckedValue, CodeFault, CodeRules};
pub(crate) use declared::{FieldType, extra_of};
pub(crate) use extra::{
    Condition, Evaluated, EvaluatedForm, ExtraRule, FormNeed, KeyPattern, KeyPatterns, NumberEnd,
    OtherKeys, Unevaluated,
};
pub(crate) use fault::ValueFault;
pub(crate) use json::JsonValue;
pub(crate) use json_object::JsonObject;
pub(crate) use kind::{format_checks::missing_day, text::are_crossed};
pub(crate) use names::{FUNCTION, SafeName, WRAPPERS, field_by_case, is_safe_name, is_wrapper};
pub(crate) use phrases::{items_are, listed, range};
pub(crate) use rule::{Rule, nullable, refine};
pub(crate) use words::{dense, described, expected, put_dense};

#[doc(hidden)]
pub use crate::text::cut;
