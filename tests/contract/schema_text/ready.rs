//! Constants whose text the derive writes. The text equals that of the tree in every dialect, byte for byte.

use std::collections::{BTreeMap, HashMap};

use callpact::{Dialect, ToolInput, schema_json};
use callpact_tests::shapes::{all, constant};

#[test]
fn the_constant_of_every_shape_is_what_its_tree_says_in_every_dialect() {
    for shape in all() {
        for dialect in Dialect::ALL {
            let (constant, written) = ((shape.constant)(dialect), shape.schema.to_json(dialect));
            assert_eq!(constant, written, "{} in {dialect}", shape.name);
        }
    }
}

/// Whether the derive writes the text of a type. Checks that the constant equals the text of the tree.
fn is_told<T: ToolInput>() -> bool {
    for dialect in Dialect::ALL {
        assert_eq!(
            constant::<T>(dialect),
            T::SCHEMA.to_json(dialect),
            "{dialect}"
        );
    }
    T::TEXT.is_some()
}

/// How it is done; with "quotes" and a \ too
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
enum Way {
    /// At once
    Now,
    /// In the "night"
    #[tool_param(rename = "la\"ter")]
    Later,
    Never,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
enum Bare {
    One,
    Two,
}

/// One part
#[derive(ToolInput)]
#[tool_input(unknown = "deny")]
#[allow(dead_code)] // a declaration
struct Part {
    #[tool_param(description = "With a \"quote\", a tab\tand\nanother line")]
    text: String,
    #[tool_param(default = -7)]
    number: i16,
    inner: Inner,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Inner {
    way: Way,
    /// One way or the other
    bare: Option<Bare>,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Empty {}

/// Every type whose name the derive knows
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Types {
    bool: bool,
    text: String,
    f32: f32,
    f64: f64,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    isize: isize,
    u8: u8,
    u16: u16,
    u32: u32,
    u64: u64,
    usize: std::primitive::usize,
    list: Vec<Vec<u8>>,
    map: BTreeMap<String, Vec<f64>>,
    other: HashMap<String, bool>,
    option: std::option::Option<Vec<HashMap<String, u64>>>,
}

/// Every rule that it writes
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Rules {
    /// A text
    #[tool_param(
        min_length = 1,
        max_length = 9,
        pattern = "^[a-z\"\\\\]+$",
        default = "a\"b\\c"
    )]
    text: String,
    #[tool_param(pattern = "é", default = "\u{1}é")]
    other: Option<String>,
    #[tool_param(min = 1, max = 200, default = 5)]
    number: u8,
    #[tool_param(min = 3)]
    signed: i64,
    #[tool_param(max = 3)]
    wide: Option<u64>,
    #[tool_param(min = 0.0, max = 1e30, default = 0.25)]
    float: f64,
    #[tool_param(min = 1, default = 2)]
    single: f32,
    /// Some of them
    #[tool_param(min_items = 1, max_items = 20)]
    list: Vec<String>,
    #[tool_param(default = true)]
    switch: bool,
    #[tool_param(default)]
    absent: u32,
    #[tool_param(required = false)]
    left_out: Option<bool>,
    #[tool_param(alias = "key", keep_empty)]
    aliased: Option<String>,
    #[tool_param(skip)]
    skipped: u8,
    #[tool_param(with = u16)]
    converted: u32,
}

/// Every place of a type that brings its own text
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Places<T> {
    part: Part,
    /// Said of the field
    described: Part,
    /// Perhaps
    option: Option<Part>,
    list: Vec<Part>,
    /// A list
    lists: Option<Vec<Vec<Way>>>,
    way: Way,
    /// The way
    the_way: Way,
    bare: Bare,
    empty: Empty,
    given: T,
}

#[test]
fn the_derive_tells_the_text_of_what_it_knows() {
    assert!(is_told::<Empty>() && is_told::<Types>() && is_told::<Rules>());
    assert!(is_told::<Way>() && is_told::<Bare>() && is_told::<Part>());
    assert!(is_told::<Places<Inner>>() && is_told::<Places<Vec<Bare>>>());
    assert_eq!(
        schema_json!(Places<Part>, Dialect::Portable),
        Places::<Part>::SCHEMA.to_json(Dialect::Portable)
    );
    assert_eq!(
        schema_json!(Rules, Dialect::Anthropic),
        Rules::SCHEMA.to_json(Dialect::Anthropic)
    );
}

mod impostors {
    //! Types under the names of other types, and known types under other names.

    use callpact::ToolInput;

    type Text = std::string::String;
    type Perhaps<T> = std::option::Option<T>;
    type Parts = std::vec::Vec<super::Part>;

    /// A number
    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct String(u8);

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Vec<T> {
        item: T,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Named {
        text: String,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Wrapped {
        list: Vec<u8>,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Key {
        map: std::collections::BTreeMap<std::string::String, String>,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Aliased {
        text: Text,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Hidden {
        option: Perhaps<super::Part>,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Twice {
        option: std::option::Option<std::option::Option<super::Part>>,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Given<T> {
        given: T,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Listed {
        parts: Parts,
    }
}

#[test]
fn a_type_under_a_false_name_is_written_from_the_tree() {
    use impostors::*;
    assert!(!is_told::<Named>() && !is_told::<Key>());
    assert!(!is_told::<Aliased>() && !is_told::<Hidden>() && !is_told::<Twice>());
    assert!(!is_told::<Given<Option<Part>>>() && !is_told::<Given<u8>>());
    assert!(!is_told::<Given<String>>());
    // These bring their own text under any name.
    assert!(is_told::<Given<Part>>() && is_told::<Listed>());
    assert!(!is_told::<Wrapped>());
}
