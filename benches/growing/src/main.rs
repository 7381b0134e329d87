//! Feeds arguments in pieces in one way, for tools that count instructions.
//!
//! `growing WAY BYTES` prints by what the instructions above those of `nothing` are to be multiplied: a way that reads
//! the text so far again at each piece does so at a sample of the pieces.

use std::hint::black_box;

use callpact::{
    Policy, ToolInput,
    input::stream::{ArgumentWatch, GrowingDocument},
};
use jiter::{JsonValue, PartialMode};

/// Writes a file
#[derive(ToolInput)]
#[allow(dead_code)] // only its schema is used
struct WriteFile {
    path: String,
    content: String,
    tags: Vec<String>,
}

/// The bytes of a piece: about a token of a model.
const PIECE: usize = 4;

/// How many times a text is read again.
const SAMPLE: usize = 64;

/// Arguments of about this length: half of it is one string, the other half short ones.
fn arguments(bytes: usize) -> String {
    let line = "let total = \\\"a\\\" + b;\\n";
    let mut text = r#"{"path": "src/main.rs", "content": ""#.to_owned();
    while text.len() < bytes / 2 {
        text.push_str(line);
    }
    text.push_str(r#"", "tags": ["first""#);
    while text.len() < bytes.saturating_sub(12) {
        text.push_str(r#", "another""#);
    }
    text.push_str("]}");
    text
}

/// The ends of the pieces.
fn ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    (PIECE..text.len()).step_by(PIECE).chain([text.len()])
}

/// Reads the text so far at some of the pieces, and returns for how many pieces each of them stands.
fn read_again(text: &str, mut read: impl FnMut(&str)) -> f64 {
    let pieces = ends(text).count();
    let step = pieces.div_ceil(SAMPLE);
    let mut times = 0;
    for end in ends(text).skip(step / 2).step_by(step) {
        read(&text[..end]);
        times += 1;
    }
    pieces as f64 / f64::from(times)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [way, bytes] = words.as_slice() else {
        panic!("growing WAY BYTES");
    };
    let text = arguments(bytes.parse().expect("a number"));
    let schema = WriteFile::SCHEMA;
    let factor = match way.as_str() {
        "nothing" => {
            black_box(ends(&text).map(|end| text[..end].len()).max());
            1.0
        }
        "feed" => {
            let mut document = GrowingDocument::new();
            let mut start = 0;
            for end in ends(&text) {
                document.push(&text[start..end]);
                start = end;
            }
            assert!(document.is_whole());
            1.0
        }
        "watch" => {
            let mut watch = ArgumentWatch::new(schema, &Policy::lax());
            let mut start = 0;
            for end in ends(&text) {
                black_box(watch.push(&text[start..end]));
                start = end;
            }
            assert!(watch.document().is_whole());
            1.0
        }
        "value" => {
            let mut document = GrowingDocument::new();
            document.push(&text[..text.len() - 3]);
            black_box(document.value());
            1.0
        }
        "jiter" => read_again(&text, |so_far| {
            let mode = PartialMode::TrailingStrings;
            let value = JsonValue::parse_with_config(so_far.as_bytes(), false, mode);
            black_box(value.expect("it begins like JSON"));
        }),
        "again" => read_again(&text, |so_far| {
            let mut document = GrowingDocument::new();
            document.push(so_far);
            black_box(document.value());
        }),
        other => panic!("{other} is none of nothing, feed, watch, value, jiter, again"),
    };
    println!("{} {factor}", text.len());
}
