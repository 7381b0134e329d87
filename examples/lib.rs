//! What the programs share; and the pages of `docs/` and the README, compiled as doc-tests.

/// JSON text over several lines, its keys in the order they have.
///
/// ```
/// assert_eq!(
///     toolwright_examples::pretty(r#"{"b":[1,"x{"],"a":{}}"#),
///     "{\n  \"b\": [\n    1,\n    \"x{\"\n  ],\n  \"a\": {}\n}",
/// );
/// ```
pub fn pretty(json: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut chars = json.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    while let Some(c) = chars.next() {
        match c {
            '{' | '[' => {
                out.push(c);
                if let Some(end) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => {
                out.push(c);
                while let Some(inside) = chars.next() {
                    out.push(inside);
                    match inside {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(doctest)]
mod pages {
    macro_rules! pages {
        ($($name:ident = $path:literal;)*) => {$(
            #[doc = include_str!($path)]
            struct $name;
        )*};
    }

    pages! {
        Readme = "../README.md";
        Attributes = "../docs/attributes.md";
        Benchmarks = "../docs/benchmarks.md";
        Decisions = "../docs/decisions.md";
        Deriving = "../docs/deriving.md";
        Errors = "../docs/errors.md";
        Functions = "../docs/functions.md";
        Leniency = "../docs/leniency.md";
        Repair = "../docs/repair.md";
        Proofs = "../docs/testing.md";
        Testing = "../docs/testing-your-tools.md";
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque},
        net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
        num::{NonZeroI64, NonZeroU8},
        path::PathBuf,
        rc::Rc,
        sync::Arc,
        time::Duration,
    };

    use toolwright::{Dialect, schema_json};

    /// A row of the tables in `docs/deriving.md`: what stands on the left, and the types of it.
    macro_rules! rows {
        ($($label:literal: $($type:ty),+;)*) => {
            vec![$(($label, vec![$(schema_json!($type, Dialect::Portable)),+])),*]
        };
    }

    #[test]
    fn the_tables_of_types_are_true() {
        let page = include_str!("../docs/deriving.md");
        let rows = rows! {
            "`bool`": bool;
            "`i8`": i8;
            "`i16`": i16;
            "`i32`": i32;
            "`i64`, `i128`, `isize`": i64, i128, isize;
            "`u8`": u8;
            "`u16`": u16;
            "`u32`": u32;
            "`u64`, `u128`, `usize`": u64, u128, usize;
            "`NonZeroU8`": NonZeroU8;
            "`NonZeroI64`": NonZeroI64;
            "`f32`, `f64`": f32, f64;
            "`String`, `Box<str>`, `Rc<str>`, `Arc<str>`, `Cow<'static, str>`, `PathBuf`":
                String, Box<str>, Rc<str>, Arc<str>, std::borrow::Cow<'static, str>, PathBuf;
            "`char`": char;
            "`Vec<T>`, `VecDeque<T>`, `LinkedList<T>`, `Box<[T]>`":
                Vec<bool>, VecDeque<bool>, LinkedList<bool>, Box<[bool]>;
            "`HashSet<T>`, `BTreeSet<T>`": HashSet<bool>, BTreeSet<bool>;
            "`[T; N]`": [bool; 3];
            "tuples up to 8": (bool, String);
            "`HashMap<K, T>`, `BTreeMap<K, T>`": HashMap<String, bool>, BTreeMap<String, bool>;
            "`serde_json::Value`": serde_json::Value;
            "`serde_json::Map<String, Value>`": serde_json::Map<String, serde_json::Value>;
            "`Duration`": Duration;
            "`IpAddr`": IpAddr;
            "`Ipv4Addr`": Ipv4Addr;
            "`Ipv6Addr`": Ipv6Addr;
            "`SocketAddr`": SocketAddr;
            "`Option<T>` elsewhere": Option<bool>;
            "`url::Url`": url::Url;
            "`uuid::Uuid`": uuid::Uuid;
            "`chrono::DateTime<Utc>`": chrono::DateTime<chrono::Utc>;
            "`chrono::DateTime<FixedOffset>`": chrono::DateTime<chrono::FixedOffset>;
            "`chrono::NaiveDate`": chrono::NaiveDate;
            "`chrono::NaiveTime`": chrono::NaiveTime;
            "`chrono::NaiveDateTime`": chrono::NaiveDateTime;
            "`jiff::Timestamp`": jiff::Timestamp;
            "`jiff::Zoned`": jiff::Zoned;
            "`jiff::civil::Date`": jiff::civil::Date;
            "`jiff::civil::Time`": jiff::civil::Time;
            "`jiff::civil::DateTime`": jiff::civil::DateTime;
            "`jiff::Span`": jiff::Span;
            "`jiff::SignedDuration`": jiff::SignedDuration;
            "`rust_decimal::Decimal`": rust_decimal::Decimal;
            "`bytes::Bytes`": bytes::Bytes;
        };
        for (label, schemas) in rows {
            for schema in schemas {
                let row = format!("| {label} | `{schema}` |");
                assert!(
                    page.lines().any(|line| line == row),
                    "not in the page: {row}"
                );
            }
        }
    }
}
