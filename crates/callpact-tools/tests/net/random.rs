//! Random input, the same in every run: nothing panics, and what is read is what `serde_json` reads.

use callpact_tools::engine::json_query::{QueryLimits, query};
use callpact_tools::engine::readable::{Options, readable};
use serde_json::{Value, json};

/// A small generator (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn text(&mut self, from: &[&str], most: usize) -> String {
        (0..self.below(most)).map(|_| self.pick(from)).collect()
    }

    fn json(&mut self, depth: usize) -> Value {
        let keys = ["a", "b", "c", "a.b", "é", "", "x\"\\"];
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.0),
            3 => json!(f64::from(u32::try_from(self.below(1000)).unwrap()) / 8.0),
            4 => json!(self.text(
                &["a", "\"", "\\", "\n", "\u{1}", "é", "😀", "[", "}", " "],
                6
            )),
            5 | 6 => (0..self.below(4)).map(|_| self.json(depth - 1)).collect(),
            _ => (0..self.below(4))
                .map(|_| (self.pick(&keys).to_owned(), self.json(depth - 1)))
                .collect(),
        }
    }
}

#[test]
fn json_is_read_as_serde_reads_it() {
    let mut random = Random(1);
    let limits = QueryLimits::default();
    for _ in 0..3_000 {
        let value = random.json(4);
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let found = query("$", &pretty, &limits).unwrap();
        let expected = value
            .as_str()
            .map_or_else(|| value.to_string(), ToOwned::to_owned);
        assert_eq!(found, expected);
        let Value::Object(members) = &value else {
            continue;
        };
        for (key, member) in members {
            let escaped = key.replace('\\', "\\\\").replace('"', "\\\"");
            let expected = member
                .as_str()
                .map_or_else(|| member.to_string(), ToOwned::to_owned);
            for path in [format!("[\"{escaped}\"]"), format!("$[\"{escaped}\"]")] {
                assert_eq!(
                    query(&path, &pretty, &limits).as_deref(),
                    Ok(expected.as_str()),
                    "{path}"
                );
            }
        }
    }
}

#[test]
fn no_path_and_no_json_panics() {
    let tokens = [
        "$",
        "@",
        ".",
        "..",
        "*",
        "[",
        "]",
        "(",
        ")",
        "?",
        "!",
        "'a'",
        "\"b\"",
        "a",
        "é",
        "0",
        "-1",
        ":",
        ",",
        "==",
        "<",
        ">=",
        "&&",
        "||",
        "1e400",
        "9223372036854775807",
        "-9223372036854775808",
        "length(",
        "count(",
        "match(",
        "search(",
        "value(",
        "in(",
        "null",
        "true",
        " ",
        "\\",
        "\\u12",
        "1.5",
        "[?@",
        "[0]",
        "[*]",
        "..a",
        ".b",
        "[::-1]",
        "[1:9223372036854775807:9007199254740991]",
        "[-9007199254740991]",
        "[::9007199254740991]",
        "[9007199254740991:-9007199254740991:-9007199254740991]",
    ];
    let mut random = Random(2);
    let limits = QueryLimits::default();
    let mut fine = 0;
    for round in 0..30_000 {
        let start = if round % 3 == 0 { "" } else { "$" };
        let path = format!("{start}{}", random.text(&tokens, 7));
        let value = random.json(3).to_string();
        fine += usize::from(query(&path, &value, &limits).is_ok());
        // A text that is nearly JSON.
        let cut = value
            .char_indices()
            .nth(random.below(12))
            .map_or(0, |(at, _)| at);
        let _ = query(
            "$..*",
            &format!("{}{}", &value[..cut], random.pick(&tokens)),
            &limits,
        );
    }
    assert!(fine > 1_000, "{fine}");
}

#[test]
fn no_page_panics_or_keeps_what_is_invisible() {
    let tokens = [
        "<p>",
        "</p>",
        "<div hidden>",
        "</div>",
        "<nav>",
        "</nav>",
        "<script>",
        "</script>",
        "<pre>",
        "</pre>",
        "<title>",
        "</title>",
        "<svg>",
        "</svg>",
        "<a href=\"x\">",
        "</a>",
        "<td>",
        "<br/>",
        "<!--",
        "-->",
        "<",
        ">",
        "/",
        "=",
        "\"",
        "'",
        "&",
        "&amp;",
        "&#x",
        "&#0;",
        "text",
        " ",
        "\n",
        "\0",
        "\u{1b}",
        "\u{202e}",
        "é",
        "😀",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE",
        "style=display:none",
        "hidden",
        "<textarea>",
    ];
    let mut random = Random(3);
    for round in 0..5_000 {
        let page = random.text(&tokens, 40);
        let options = Options {
            max_chars: random.below(60),
            links: round % 2 == 0,
            ..Options::default()
        };
        let read = readable(&page, &options).unwrap();
        assert!(
            !read
                .text
                .chars()
                .any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'),
            "{page}"
        );
        let mark = format!(" [truncated at {} chars]", options.max_chars);
        let text = read.text.strip_suffix(&mark).unwrap_or(&read.text);
        assert!(text.chars().count() <= options.max_chars, "{page}");
        assert_eq!(read.truncated, text.len() < read.text.len(), "{page}");
    }
}
