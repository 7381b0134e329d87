//! Every way to say a default, on every kind of type.
use toolwright::{Policy, ToolInput, read_str};

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
        }
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
