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

pub use serde::Serialize;

pub use crate::{
    input::{
        HiddenValue, MapKey, PartialInput, ToolInput, generated::*, schema_text,
        stream::PartialNode,
    },
    output::{
        OutputKey, ToolOutput, check_tagged_output, flattened_output, output_keys, tagged_output,
        unique_output_names,
    },
    schema::{
        ANY_AGAIN, Choice, CodeFault, CodeRules, CompiledPattern, Decimal, Declared, Dialect,
        FieldType, Held, Kind, ListRule, Literal, NO_RULES, NoVariants, NumberRule, OBJECT_AGAIN,
        Pattern, Rule, Said, Schema, Tagging, Text, TextRule, UNUSABLE, Union as UnionRules,
        Unknown, Variant, VariantNames, check_default, check_ends, check_example, check_keep_empty,
        check_rule, checked_by, fields, inside_itself, named, nothing_collected, object,
        object_only, optional_or_default, output_of, parts, refine, secret_path_exists,
        some_object, static_tree, tagged_object, tree, unique_names,
    },
};
