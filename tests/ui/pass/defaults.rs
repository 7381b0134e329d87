//! Every way to say a default, on every kind of type.
use std::time::Duration;

use callpact::{Dialect, Policy, ToolInput, read_str, schema_json};

#[derive(Debug, Default, PartialEq, ToolInput)]
enum Mode {
    #[default]
    Fast,
    Slow,
}

#[derive(Debug, Default, PartialEq, ToolInput)]
struct Port(#[tool_param(min = 1)] u16);

const LIMIT: u8 = 9;

fn name() -> String {
    "made".to_owned()
}

#[derive(Debug, PartialEq, ToolInput)]
struct Args {
    #[tool_param(default = 5)]
    option: Option<u8>,
    #[tool_param(default = 80)]
    newtype: Port,
    #[tool_param(default = ["a", "b"], min_items = 1)]
    list: Vec<String>,
    #[tool_param(default = "Slow")]
    mode: Mode,
    #[tool_param(default = Mode::Slow)]
    variant: Mode,
    #[tool_param(default)]
    bare: Mode,
    #[tool_param(default = LIMIT)]
    constant: u8,
    #[tool_param(default = name)]
    function: String,
    #[tool_param(default = -1.5)]
    number: f64,
    #[tool_param(default = true)]
    flag: bool,
    #[tool_param(skip, default = 3)]
    skipped: u8,
    #[tool_param(with = u8, default = 7)]
    converted: u32,
    #[tool_param(with = u8, default = 7)]
    converted_option: Option<u32>,
    #[tool_param(with = u8)]
    left_out: Option<u32>,
    #[serde(default = "name")]
    of_serde: String,
    #[tool_param(default = Duration::from_secs(5))]
    call: Duration,
    #[tool_param(default = String::from("a") + "b")]
    expression: String,
    #[tool_param(default = vec![1, 2])]
    of_a_macro: Vec<u8>,
}

mod names {
    #[derive(Debug, PartialEq, callpact::ToolInput)]
    #[tool_input(rename_all = "snake_case")]
    pub enum Priority {
        Low,
        #[tool_param(rename = "as-usual")]
        Normal,
        r#AsSoonAsPossible,
    }

    impl Priority {
        pub const USUAL: Self = Self::Normal;
    }
}

const PAGE: u16 = 25;

struct Limits;

impl Limits {
    const MOST: i64 = 1_000;
}

#[derive(Debug, PartialEq, ToolInput)]
struct Shown {
    #[tool_param(default = names::Priority::Normal)]
    variant: names::Priority,
    #[tool_param(default = Some(names::Priority::AsSoonAsPossible))]
    option: Option<names::Priority>,
    /// No name of a variant, and so not shown
    #[tool_param(default = names::Priority::USUAL)]
    constant_of_the_enum: names::Priority,
    #[tool_param(default = PAGE, max = 100)]
    constant: u16,
    #[tool_param(default = Limits::MOST / 2)]
    sum: i64,
    #[tool_param(default = Some(u8::MAX))]
    option_of_a_number: Option<u8>,
    #[tool_param(default = !cfg!(doc))]
    not_shown: bool,
}

#[derive(Debug, PartialEq, ToolInput)]
#[serde(default)]
struct Whole {
    a: u8,
    b: Mode,
    #[tool_param(default = 1)]
    c: u8,
}

impl Default for Whole {
    fn default() -> Self {
        Self {
            a: 42,
            b: Mode::Slow,
            c: 9,
        }
    }
}

#[derive(Debug, PartialEq, ToolInput)]
#[serde(default = "made")]
struct Made {
    a: u8,
}

fn made() -> Made {
    Made { a: 43 }
}

fn main() {
    let read = read_str::<Args>("{}", &Policy::exact()).map(|read| read.value);
    let Ok(args) = read else { panic!("{read:?}") };
    assert_eq!(
        args,
        Args {
            option: Some(5),
            newtype: Port(80),
            list: vec!["a".to_owned(), "b".to_owned()],
            mode: Mode::Slow,
            variant: Mode::Slow,
            bare: Mode::Fast,
            constant: 9,
            function: name(),
            number: -1.5,
            flag: true,
            skipped: 3,
            converted: 7,
            converted_option: Some(7),
            left_out: None,
            of_serde: name(),
            call: Duration::from_secs(5),
            expression: "ab".to_owned(),
            of_a_macro: vec![1, 2],
        }
    );
    let read = read_str::<Shown>("{}", &Policy::exact()).map(|read| read.value);
    let Ok(shown) = read else { panic!("{read:?}") };
    assert_eq!(
        shown,
        Shown {
            variant: names::Priority::Normal,
            option: Some(names::Priority::AsSoonAsPossible),
            constant_of_the_enum: names::Priority::Normal,
            constant: 25,
            sum: 500,
            option_of_a_number: Some(255),
            not_shown: true,
        }
    );
    let schema = schema_json!(Shown, Dialect::Mcp20251125);
    assert_eq!(
        schema,
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""variant":{"type":"string","default":"as-usual","enum":["low","as-usual","as_soon_as_possible"]},"#,
            r#""option":{"type":"string","default":"as_soon_as_possible","enum":["low","as-usual","as_soon_as_possible"]},"#,
            r#""constant_of_the_enum":{"type":"string","description":"No name of a variant, and so not shown","enum":["low","as-usual","as_soon_as_possible"]},"#,
            r#""constant":{"type":"integer","default":25,"minimum":0,"maximum":100},"#,
            r#""sum":{"type":"integer","default":500},"#,
            r#""option_of_a_number":{"type":"integer","default":255,"minimum":0,"maximum":255},"#,
            r#""not_shown":{"type":"boolean"}}}"#,
        )
    );
    let whole = read_str::<Whole>("{}", &Policy::exact()).map(|read| read.value);
    assert_eq!(
        whole.ok(),
        Some(Whole {
            a: 42,
            b: Mode::Slow,
            c: 1
        })
    );
    let made = read_str::<Made>("{}", &Policy::exact()).map(|read| read.value);
    assert_eq!(made.ok(), Some(Made { a: 43 }));
}
