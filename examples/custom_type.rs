//! Your own type as a parameter: its schema and its reader, and the function that makes it.
//!
//! `cargo run --example custom_type -p callpact-examples`

use std::collections::BTreeMap;

use callpact::{
    Dialect, Policy, ToolInput, read_str,
    schema::{Kind, Schema, Text},
    schema_json,
};
use callpact_testing::assert_contract;

/// A range of lines such as `10-25`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lines {
    first: u32,
    last: u32,
}

impl Lines {
    fn parse(text: &str) -> Result<Self, String> {
        let number = |digits: &str| {
            digits.parse::<u32>().map_err(|_| {
                format!("{text:?} is not a range of lines: write two numbers, such as 10-25")
            })
        };
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (number(first)?, number(last)?);
        if first == 0 || last < first {
            return Err(format!("the lines {text} count backwards or start at 0"));
        }
        Ok(Self { first, last })
    }
}

impl ToolInput for Lines {
    // A text form: a string with words on how it is written. What no schema can say (that the second
    // number is not the smaller one) `from_json` refuses all the same.
    const SCHEMA: &'static Schema =
        &Schema::of(Kind::Text(Text::form("lines such as 10-25"))).read_by::<Self>();

    fn from_json(json: &str) -> Result<Self, String> {
        // The value fits the schema, so it is a string. The model gets an error together with every other fault.
        let text: String = serde_json::from_str(json).map_err(|why| why.to_string())?;
        Self::parse(&text)
    }
}

/// Read parts of files
#[derive(Debug, ToolInput)]
#[allow(dead_code)] // printed as a whole
struct ReadParts {
    /// The parts to read, by file
    parts: BTreeMap<String, Vec<Lines>>,
    /// Lines to leave out
    except: Option<Lines>,
}

const SCHEMA: &str = schema_json!(ReadParts, Dialect::Portable);

fn main() {
    println!("{SCHEMA}\n");
    for arguments in [
        r#"{"parts": {"lib.rs": ["1-20", "41"]}}"#,
        r#"{"parts": {"lib.rs": ["20-1", "all"], "main.rs": [7]}, "except": "0"}"#,
    ] {
        println!("{arguments}");
        match read_str::<ReadParts>(arguments, &Policy::exact()) {
            Ok(read) => println!("{:?}\n", read.value),
            Err(report) => println!("{report}\n"),
        }
    }
    // Schema and reader agree on 2,000 generated values, as far as a schema can state the rules.
    assert_contract::<ReadParts>();
    println!("the contract holds");
}
