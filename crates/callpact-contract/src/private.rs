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
        MapKey, PartialInput, ToolInput,
        constant::schema_text,
        partial::{
            HiddenValue, partial_item, partial_member, partial_tag, partial_value, partial_variant,
        },
        stream::PartialNode,
    },
    json::NameTable,
    output::{
        OutputKey, ToolOutput,
        check::{
            check_tagged_output, flattened_output, output_keys, tagged_output, unique_output_names,
        },
    },
    read::{
        FieldValue, PlaceRules, QuickInput, QuickObject, QuickUnion, Refusal, check_by_reading,
        content_rules, facts, put, quick_choice, quick_object, quick_union, takes_others,
        whole_schema, width,
    },
    schema::{
        Choice, CompiledPattern, Decimal, Dialect, Held, Kind, Literal, Pattern, Schema, Tagging,
        Text, Union as UnionRules, Unknown, Variant,
        again::{ANY_AGAIN, OBJECT_AGAIN, is_again},
        check::{
            UNUSABLE, check_ends, check_keep_empty, check_rule, nothing_collected, object_only,
            optional_or_default, output_of, some_object, tagged_object, unique_names,
        },
        code::{CheckedValue, CodeFault, CodeRules, checked_by},
        declared::{
            Declaration, Declared, FieldParts, FieldType, NO_RULES, Said, fields, object, parts,
            static_tree, tree,
        },
        default::{check_default, check_example},
        definition::{inside_itself, named},
        kind::{list::ListRule, number::NumberRule, text::TextRule},
        paths::{secret_path_exists, secret_paths_exist},
        rule::{NoVariants, Rule, VariantNames, nullable, refine},
    },
    types::{Again, any_text, check_conversion, conversion, conversion_inside, pattern, validated},
};
