//! What generated code calls; not part of the public interface, and changes without notice.

pub use std::{
    clone::Clone,
    default::Default,
    marker::PhantomData,
    option::Option,
    primitive::{bool, str, u8, u64, usize},
    result::Result,
    string::String,
    sync::{Arc, OnceLock},
};

pub use regex_lite::Regex;
pub use serde::Serialize;

pub use crate::{
    input::{MapKey, ToolInput, draft, generated::*, json},
    output::{
        OutputKey, ToolOutput, check_tagged_output, flattened_output, output_keys, tagged_output,
        unique_output_names,
    },
    schema::{
        ANY_AGAIN, Choice, CodeFault, CodeRules, Decimal, Declared, Dialect, Held, Kind, ListRule,
        Literal, NO_RULES, NoVariants, NumberRule, OBJECT_AGAIN, Pattern, Ready, Rule, Said,
        Schema, Tagging, Text, TextRule, Texts, UNUSABLE, Union as UnionRules, Unknown, Variant,
        VariantNames, Wire, check_default, check_ends, check_example, check_keep_empty, check_rule,
        checked_by, fields, inside_itself, named, nothing_collected, object, object_only,
        optional_or_default, output_of, parts, refine, secret_path_exists, static_tree,
        tagged_object, text, tree, unique_names,
    },
};
