//! The text of the schema: golden files, order, dialects, fingerprints.

use callpact::{Dialect, ToolInput};
use expect_test::Expect;

macro_rules! goldens {
    ($($test:ident: $type:ty => $expected:expr;)*) => {$(
        #[test]
        fn $test() {
            const TEXT: &str = callpact::schema_json!($type, callpact::Dialect::Portable);
            super::golden::<$type>(TEXT, &$expected);
        }
    )*};
}

mod attributes;
mod constants;
mod dialects;
mod fingerprints;
mod lists;
mod maps;
mod objects;
mod scalars;
mod strings;
mod unions;

/// Writes one key a line, in the order of the text. `serde_json` would sort the keys.
fn pretty(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for c in text.chars() {
        let structural = !quoted;
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = quoted && c == '\\' && !escaped;
        let line = |out: &mut String, depth: usize| {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        };
        match c {
            '{' if structural => {
                depth += 1;
                out.push(c);
                line(&mut out, depth);
            }
            '}' if structural => {
                depth -= 1;
                line(&mut out, depth);
                out.push(c);
            }
            ',' if structural => {
                out.push(c);
                line(&mut out, depth);
            }
            c => out.push(c),
        }
    }
    out
}

fn golden<T: ToolInput>(text: &'static str, expected: &Expect) {
    let built: String = T::SCHEMA.to_json(Dialect::Portable);
    assert_eq!(text, built, "the constant and the string");
    expected.assert_eq(&pretty(text));
}
