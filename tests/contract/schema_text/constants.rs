//! Constants equal the text that a program writes, byte for byte.

use std::collections::{BTreeMap, HashMap};

use callpact::{Dialect, ToolInput, schema_json};
use callpact_tests::shapes::all;

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
    #[tool_param(secret, alias = "key", keep_empty)]
    secret: Option<String>,
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
fn constant_equals_written_text_in_every_dialect() {
    macro_rules! check {
        ($type:ty: $($dialect:ident)*) => {
            let constants = [$((Dialect::$dialect, schema_json!($type, Dialect::$dialect)),)*];
            let dialects = constants.map(|(dialect, _)| dialect);
            assert_eq!(dialects, Dialect::ALL, "every dialect, in order");
            for (dialect, constant) in constants {
                let written = <$type as ToolInput>::SCHEMA.to_json(dialect);
                assert_eq!(constant, written, "{dialect}");
            }
        };
        ($($type:ty,)*) => {$(
            check! {
                $type: Portable OpenAi OpenAiStrict OpenAiResponses OpenAiResponsesStrict
                    OpenAiFineTunedStrict OpenAiResponsesFineTunedStrict Anthropic AnthropicStrict Gemini
                    GeminiOpenApi Bedrock BedrockStrict Mistral Ollama Vllm Llguidance LlamaCpp Mcp20251125
                    Mcp20260728
            }
        )*};
    }
    check!(Types, Rules, Places<Part>, Empty,);
}

#[test]
fn constant_of_every_shape_equals_written_text() {
    for shape in all() {
        let written = |dialect| shape.schema.to_json(dialect);
        assert_eq!(shape.portable, written(Dialect::Portable), "{}", shape.name);
        assert_eq!(shape.whole, written(Dialect::Mcp20260728), "{}", shape.name);
    }
}
