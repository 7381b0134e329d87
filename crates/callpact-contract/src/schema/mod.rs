//! The contract as data: a const tree, its JSON in every dialect, its fingerprint.
//!
//! A [`Schema`] is built at compile time by `#[derive(ToolInput)]` and drives both sides: the
//! [writer](crate::schema_json!) turns it into the text that the model sees, and the reader checks
//! values against the same nodes.

mod again;
mod check;
mod code;
mod declared;
mod default;
mod definition;
mod extra;
mod fault;
pub(crate) mod foreign;
mod forms;
mod held;
mod json;
mod json_object;
mod kind;
mod literal;
mod names;
mod parse;
mod paths;
mod phrases;
mod pretty;
mod rule;
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
#[doc(hidden)]
pub use again::{ANY_AGAIN, OBJECT_AGAIN, is_again};
pub(crate) use check::is_object_only;
#[doc(hidden)]
pub use check::{
    UNUSABLE, check_ends, check_keep_empty, check_rule, nothing_collected, object_only,
    optional_or_default, output_of, some_object, tagged_object, unique_names,
};
#[doc(hidden)]
pub use code::{CheckedValue, CodeFault, CodeRules, checked_by};
pub(crate) use declared::extra_of;
#[doc(hidden)]
pub use declared::{
    Declaration, Declared, FieldParts, FieldType, NO_RULES, Said, fields, object, parts,
    static_tree, tree,
};
#[doc(hidden)]
pub use default::{check_default, check_example};
#[doc(hidden)]
pub use definition::{inside_itself, named};
#[doc(hidden)]
pub use extra::{
    Condition, Evaluated, EvaluatedForm, ExtraRule, FormNeed, KeyPattern, KeyPatterns, NumberEnd,
    OtherKeys, Unevaluated,
};
pub(crate) use fault::ValueFault;
pub(crate) use json::JsonValue;
pub(crate) use json_object::JsonObject;
pub(crate) use kind::text::are_crossed;
#[doc(hidden)]
pub use kind::{list::ListRule, number::NumberRule, text::TextRule};
pub(crate) use names::{FUNCTION, SafeName, WRAPPERS, field_by_case, is_safe_name, is_wrapper};
#[doc(hidden)]
pub use paths::{secret_path_exists, secret_paths_exist};
pub(crate) use phrases::{items_are, listed, range};
#[doc(hidden)]
pub use rule::{NoVariants, Rule, VariantNames, nullable, refine};
pub(crate) use words::{dense, described, expected, put_dense};

#[doc(hidden)]
pub use crate::text::cut;
