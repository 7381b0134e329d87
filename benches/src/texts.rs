//! The JSON texts of the benchmark.

use std::fmt::Write;

use crate::draw::Draw;

/// The arguments of a [`Search`](crate::shapes::Search).
pub fn nested() -> String {
    r#"{"query":"typed tools","filters":[{"field":"size","op":"Gt","value":1024},{"field":"stars","op":"Lt","value":4.5}],"page":{"limit":20,"offset":40},"recursive":true,"note":"asked for by the user today"}"#.to_owned()
}

/// The arguments of a [`WriteFile`](crate::shapes::WriteFile) of 200 kB, with a line break every so many
/// characters.
pub fn long_text(line: Option<usize>) -> String {
    let mut content = String::new();
    while content.len() < 200_000 {
        match line {
            Some(width) => {
                content.push_str(&"the quick brown fox ".repeat(width / 20));
                content.push_str("\\n");
            }
            None => content.push_str("the quick brown fox "),
        }
    }
    format!(r#"{{"path":"notes/today.txt","content":"{content}","append":false}}"#)
}

/// The arguments of an [`Order`](crate::shapes::Order) of 2,000 items.
pub fn many_items() -> String {
    let mut text = r#"{"items":["#.to_owned();
    for i in 0..2_000 {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}{{"id":{i},"name":"article number {i}","price":{}.25,"count":{},"tags":["red","large"],"active":{}}}"#,
            i % 97,
            i % 12,
            i % 3 == 0,
        );
    }
    text.push_str("]}");
    text
}

fn string(text: &str) -> String {
    serde_json::to_string(text).expect("a string is JSON")
}

fn object(entries: &[(String, String)]) -> String {
    let entries: Vec<String> = entries
        .iter()
        .map(|(key, value)| format!("{}:{value}", string(key)))
        .collect();
    format!("{{{}}}", entries.join(","))
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

/// An object of one key, as the shapes of lists and maps have it.
fn under(key: &str, value: String) -> String {
    object(&[(key.to_owned(), value)])
}

/// A call with one field.
pub fn one_field() -> String {
    r#"{"city":"San Francisco"}"#.to_owned()
}

/// A call with three fields, with a blank behind each colon and comma.
pub fn three_fields() -> String {
    r#"{"location": "San Francisco, CA", "unit": "celsius", "days": 3}"#.to_owned()
}

/// The fields of a call: eight kinds in turn, as [`Sixteen`](crate::shapes::Sixteen) has them.
fn fields(draw: &mut Draw, count: usize) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for number in 1..=count {
        let value = match (number - 1) % 8 {
            0 | 4 => string(&draw.words(3)),
            1 => (draw.below(2_000_000).cast_signed() - 1_000_000).to_string(),
            2 => (draw.below(2) == 0).to_string(),
            3 => format!("{}.{:02}", draw.below(1_000), draw.below(100)),
            5 => draw.below(100_000).to_string(),
            6 => list(&[string(&draw.words(1)), string(&draw.words(2))]),
            _ => draw.below(256).to_string(),
        };
        all.push((format!("field_{number:02}"), value));
    }
    all
}

/// A call with so many fields, in the order of the declaration.
pub fn many_fields(count: usize) -> String {
    object(&fields(&mut Draw::new(1), count))
}

/// The same fields, from the last to the first.
pub fn fields_reversed(count: usize) -> String {
    let mut all = fields(&mut Draw::new(1), count);
    all.reverse();
    object(&all)
}

/// An invoice of six lines.
pub fn invoice() -> String {
    let mut draw = Draw::new(2);
    let lines: Vec<String> = (0..6)
        .map(|_| {
            format!(
                r#"{{"article":{},"count":{},"price":{}.{:02}}}"#,
                string(&draw.words(2)),
                draw.below(20),
                draw.below(500),
                draw.below(100)
            )
        })
        .collect();
    format!(
        r#"{{"id":"A-1009","customer":{{"name":"Ada Lovelace","email":"ada@example.org","address":{{"street":"12 Dorset St","city":"London","code":"W1U 6QS"}}}},"lines":{},"note":"to be sent before noon"}}"#,
        list(&lines)
    )
}

/// The same invoice, laid out for a person.
pub fn pretty_invoice() -> String {
    let value: serde_json::Value = serde_json::from_str(&invoice()).unwrap_or_default();
    format!("{value:#}")
}

fn write_file(content: &str) -> String {
    format!(
        r#"{{"path":"src/main.rs","content":{},"append":false}}"#,
        string(content)
    )
}

fn repeat_to(size: usize, mut next: impl FnMut() -> String) -> String {
    let mut content = String::new();
    while content.len() < size {
        content.push_str(&next());
    }
    content
}

/// A file of source code: short lines, tabs, quotes, backslashes.
pub fn code(size: usize) -> String {
    const LINES: [&str; 8] = [
        "fn main() {\n",
        "\tlet name = \"world\";\n",
        "\tprintln!(\"hello {name}\\n\");\n",
        "\tfor (index, line) in text.lines().enumerate() {\n",
        "\t\tif line.starts_with(\"//\") { continue; }\n",
        "\t\tcount += line.split('\\t').count();\n",
        "\t}\n",
        "}\n\n",
    ];
    let mut draw = Draw::new(3);
    write_file(&repeat_to(size, || (*draw.one_of(&LINES)).to_owned()))
}

/// Plain sentences, with a line break behind each paragraph.
pub fn prose(size: usize) -> String {
    let mut draw = Draw::new(4);
    write_file(&repeat_to(size, || {
        let words = 40 + draw.below(60);
        format!("{}.\n\n", draw.words(words))
    }))
}

/// Japanese sentences, in lines.
pub fn japanese(size: usize) -> String {
    const PARTS: [&str; 6] = [
        "道具の入力を",
        "検証する。",
        "結果は",
        "レポートに",
        "書かれます。\n",
        "東京の天気",
    ];
    let mut draw = Draw::new(5);
    write_file(&repeat_to(size, || (*draw.one_of(&PARTS)).to_owned()))
}

/// Words among emoji.
pub fn emoji(size: usize) -> String {
    const PARTS: [&str; 6] = ["🚀", "👩‍💻 ", "done ", "✅ all tests pass\n", "🎉", "👍🏽 "];
    let mut draw = Draw::new(6);
    write_file(&repeat_to(size, || (*draw.one_of(&PARTS)).to_owned()))
}

/// The same text from a writer that keeps to ASCII: every other character as `\uXXXX`.
pub fn unicode_escapes(size: usize) -> String {
    let mut text = String::new();
    for char in emoji(size).chars() {
        if char.is_ascii() {
            text.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
    text
}

/// Floats of a few digits.
pub fn short_floats(count: usize) -> String {
    let mut draw = Draw::new(7);
    let all: Vec<String> = (0..count)
        .map(|_| format!("{}.{}", draw.below(200), draw.below(100)))
        .collect();
    under("values", list(&all))
}

/// Floats of any value between -1 and 1, with all of their digits.
#[allow(clippy::cast_precision_loss)] // as meant: 53 bits
pub fn long_floats(count: usize) -> String {
    let mut draw = Draw::new(8);
    let all: Vec<String> = (0..count)
        .map(|_| {
            let value = (draw.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
            format!("{value:?}")
        })
        .collect();
    under("values", list(&all))
}

/// Floats with exponents from -300 to 300 and up to seventeen digits.
pub fn exponents(count: usize) -> String {
    let mut draw = Draw::new(9);
    let mut all = Vec::new();
    while all.len() < count {
        let value = f64::from_bits(draw.bits());
        if value.is_finite() && (1e-300..1e300).contains(&value.abs()) {
            all.push(format!("{value:e}"));
        }
    }
    under("values", list(&all))
}

/// Integers of one to sixty-three bits, of both signs.
pub fn integers(count: usize) -> String {
    let mut draw = Draw::new(10);
    let all: Vec<String> = (0..count)
        .map(|_| {
            let shift = 1 + draw.below(62);
            (draw.bits().cast_signed() >> shift).to_string()
        })
        .collect();
    under("values", list(&all))
}

/// The order of the keys in the text of a map.
#[derive(Clone, Copy)]
pub enum Keys {
    /// Sorted.
    Sorted,
    /// In random order.
    Shuffled,
}

/// A map of strings.
pub fn map_of_strings(count: usize, keys: Keys) -> String {
    let mut draw = Draw::new(11);
    let mut entries: Vec<(String, String)> = (0..count)
        .map(|i| (format!("key_{i:04}"), string(&draw.words(4))))
        .collect();
    if let Keys::Shuffled = keys {
        draw.shuffle(&mut entries);
    }
    under("entries", object(&entries))
}

/// A map of numbers.
pub fn map_of_numbers(count: usize) -> String {
    let mut draw = Draw::new(12);
    let entries: Vec<(String, String)> = (0..count)
        .map(|i| (format!("key_{i:04}"), draw.below(100_000).to_string()))
        .collect();
    under("entries", object(&entries))
}

/// How the actions of a list name their variant.
#[derive(Clone, Copy)]
pub enum Naming {
    /// By a tag in front of the fields.
    TagFirst,
    /// By a tag behind the fields.
    TagLast,
    /// By the key of an object around the fields.
    External,
    /// Not at all.
    Nothing,
}

/// A list of actions of three variants.
pub fn actions(count: usize, naming: Naming) -> String {
    let mut draw = Draw::new(13);
    let all: Vec<String> = (0..count)
        .map(|_| {
            let (kind, content) = match draw.below(3) {
                0 => (
                    "Move",
                    format!(r#""x":{},"y":-{}"#, draw.below(500), 1 + draw.below(500)),
                ),
                1 => ("Say", format!(r#""text":{}"#, string(&draw.words(3)))),
                _ => (
                    "Wait",
                    format!(r#""seconds":{}.{}"#, draw.below(60), 1 + draw.below(9)),
                ),
            };
            match naming {
                Naming::TagFirst => format!(r#"{{"kind":"{kind}",{content}}}"#),
                Naming::TagLast => format!(r#"{{{content},"kind":"{kind}"}}"#),
                Naming::External => format!(r#"{{"{kind}":{{{content}}}}}"#),
                Naming::Nothing => format!("{{{content}}}"),
            }
        })
        .collect();
    under("actions", list(&all))
}

/// A hundred unknown keys, then two fields.
pub fn unknown_keys() -> String {
    let mut entries: Vec<(String, String)> = (0..100)
        .map(|i| (format!("other_{i}"), r#"{"deep": [1, 2, "x"]}"#.to_owned()))
        .collect();
    entries.push(("name".to_owned(), string("report")));
    entries.push(("count".to_owned(), "4".to_owned()));
    object(&entries)
}

/// One field, without the optional ones.
pub fn options_absent() -> String {
    r#"{"query":"the report of last week"}"#.to_owned()
}

/// The same field, with null for each optional one.
pub fn options_null() -> String {
    let mut entries = vec![("query".to_owned(), string("the report of last week"))];
    entries.extend((1..=16).map(|i| (format!("option_{i:02}"), "null".to_owned())));
    object(&entries)
}

/// Objects in objects, so many levels deep.
pub fn deep(levels: usize) -> String {
    let mut text = r#"{"name":"the last one"}"#.to_owned();
    for level in 1..levels {
        text = format!(r#"{{"name":"level {level}","inner":{text}}}"#);
    }
    text
}
