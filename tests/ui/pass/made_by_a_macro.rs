//! Tokens of `macro_rules` come in groups.
#![deny(warnings)]
#![allow(dead_code)]

use callpact::{Dialect, Policy, ToolInput, read_str, schema_json};

macro_rules! args {
    ($(#[doc = $doc:expr])* $name:ident { $(#[$meta:meta])* $field:ident: $type:ty = $default:expr, $max:literal, $text:expr, $with:ty }) => {
        $(#[doc = $doc])*
        #[derive(ToolInput)]
        struct $name {
            #[tool_param(default = $default, max = $max, description = $text)]
            $field: $type,
            #[tool_param(with = $with)]
            converted: Option<u64>,
            $(#[$meta])*
            other: Option<$type>,
        }
    };
}

args! {
    #[doc = "What it is"]
    Args {
        #[tool_param(min = -5,)]
        count: i32 = 5, 10, "How many", u32
    }
}

fn main() {
    assert_eq!(
        schema_json!(Args, Dialect::Portable),
        r#"{"type":"object","description":"What it is","properties":{"count":{"type":"integer","description":"How many (default: 5)","minimum":-2147483648,"maximum":10},"converted":{"type":"integer","minimum":0,"maximum":4294967295},"other":{"type":"integer","minimum":-5,"maximum":2147483647}}}"#
    );
    let read = read_str::<Args>(r#"{"converted":7}"#, &Policy::exact()).map(|read| read.value);
    let Ok(read) = read else { panic!("not read") };
    assert_eq!((read.count, read.converted, read.other), (5, Some(7), None));
}
