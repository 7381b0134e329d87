//! `JSONPath` compared with a second implementation, `serde_json_path`: random queries on random
//! documents, the order of results included.
//!
//! The ordinary run takes 5,000 queries; `CALLPACT_QUERIES=100000` sets another number.

use callpact_tools::engine::json_query::{JsonQueryError, QueryLimits, query};
use serde_json::{Value, json};
use serde_json_path::JsonPath;

/// A small generator of numbers (xorshift), the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn document(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 7 } else { 12 }) {
            0 => Value::Null,
            1 => Value::Bool(self.chance(50)),
            2 => json!(i64::try_from(self.below(7)).unwrap() - 3),
            3 => json!([0.5, 1.0, 2.5, -1.5, 1e3][self.below(5)]),
            4..=6 => json!(self.pick(&["", "a", "ab", "b", "é", "\n", "a.b", "0"])),
            7..=9 => (0..self.below(5))
                .map(|_| self.document(depth - 1))
                .collect(),
            // The names come in their own order, so that a sorted map keeps it.
            _ => ["a", "b", "c", "é"]
                .into_iter()
                .filter(|_| self.chance(60))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|name| (name.to_owned(), self.document(depth - 1)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    fn space(&mut self) -> &'static str {
        if self.chance(8) {
            self.pick(&[" ", "\t", "\n ", "  "])
        } else {
            ""
        }
    }

    fn number(&mut self) -> String {
        self.pick(&["0", "1", "2", "-1", "-2", "3", "5", "-7"])
            .to_owned()
    }

    fn name(&mut self) -> String {
        self.pick(&[
            "'a'",
            "\"b\"",
            "'c'",
            "'é'",
            "'\\u00e9'",
            "'x'",
            "\"\\\"\"",
            "'\\''",
        ])
        .to_owned()
    }

    fn segments(&mut self, depth: usize, most: usize) -> String {
        let mut out = String::new();
        for _ in 0..self.below(most + 1) {
            out += self.space();
            match self.below(10) {
                0..=2 => out += self.pick(&[".a", ".b", ".c", ".é", ".*"]),
                3 => out += self.pick(&["..a", "..*", "..b"]),
                4 => {
                    out += "..";
                    out += &self.bracket(depth);
                }
                _ => out += &self.bracket(depth),
            }
        }
        out
    }

    fn singular(&mut self) -> String {
        let mut out = self.pick(&["@", "@", "@", "$"]).to_owned();
        for _ in 0..self.below(3) {
            match self.below(3) {
                0 => out += self.pick(&[".a", ".b", ".c"]),
                1 => out += self.pick(&["[0]", "[1]", "[2]", "[5]"]),
                _ => out = format!("{out}[{}]", self.name()),
            }
        }
        out
    }

    fn bracket(&mut self, depth: usize) -> String {
        let mut out = String::from("[");
        let count = 1 + if self.chance(30) { self.below(3) } else { 0 };
        for index in 0..count {
            if index > 0 {
                out += ",";
            }
            out += self.space();
            out += &self.selector(depth);
            out += self.space();
        }
        out + "]"
    }

    fn selector(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 7 } else { 12 }) {
            0 | 1 => self.name(),
            2 => "*".to_owned(),
            3 | 4 => self.number(),
            5 | 6 => {
                let mut part = || {
                    if self.chance(60) {
                        self.number()
                    } else {
                        String::new()
                    }
                };
                let (start, end, step) = (part(), part(), part());
                let space = self.space();
                match self.below(3) {
                    0 => format!("{start}{space}:{space}{end}"),
                    1 => format!("{start}:{end}{space}:"),
                    _ => format!("{start}:{end}:{space}{step}"),
                }
            }
            _ => format!("?{}{}", self.space(), self.logical(depth - 1, 3)),
        }
    }

    fn logical(&mut self, depth: usize, levels: usize) -> String {
        let space = self.space();
        match self.below(if levels == 0 { 6 } else { 10 }) {
            0 | 1 => format!("@{}", self.segments(depth, 2)),
            2..=4 => {
                let left = self.operand(depth);
                let comparison = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                // If the other implementation is wrong, the table of `json_query.rs` has the answer: it says
                // that nothing is not `<=` nothing, compares truth values with `>`, and finds nothing at an
                // index below zero in a comparison.
                let right = match comparison {
                    "<=" => self.literal(),
                    ">" | ">=" => self.pick(&["1", "0", "-0", "2.5", "'a'", "''"]).to_owned(),
                    _ => self.operand(depth),
                };
                format!("{left}{space}{comparison}{space}{right}")
            }
            5 => {
                let pattern = self.pick(&["'a'", "'a.*'", "'.'", "'[ab]+'", "@.b", "''"]);
                let function = self.pick(&["match", "search"]);
                format!("{function}({},{space}{pattern})", self.singular())
            }
            6 => format!("!({})", self.logical(depth, levels - 1)),
            7 => format!("!@{}", self.segments(depth, 1)),
            8 => format!("({space}{}{space})", self.logical(depth, levels - 1)),
            _ => {
                let both = self.pick(&["&&", "||"]);
                let left = self.logical(depth, levels - 1);
                format!(
                    "{left}{space}{both}{space}{}",
                    self.logical(depth, levels - 1)
                )
            }
        }
    }

    fn operand(&mut self, depth: usize) -> String {
        match self.below(8) {
            0..=2 => self.singular(),
            3 | 4 => self.literal(),
            5 => format!("length({})", self.singular()),
            6 => format!("count(@{})", self.segments(depth, 2)),
            _ => format!("value(@{})", self.segments(depth, 2)),
        }
    }

    fn literal(&mut self) -> String {
        let all = [
            "1", "0", "-0", "2.5", "1e3", "-1", "0.5", "'a'", "\"ab\"", "''", "null", "true",
            "false",
        ];
        self.pick(&all).to_owned()
    }

    /// A query, now and then with a character lost, doubled or changed.
    /// The flag says whether it is as it was made.
    fn query(&mut self) -> (String, bool) {
        let mut query = format!("${}", self.segments(2, 4));
        let whole = self.chance(85);
        if !whole {
            let at = 1 + self.below(query.chars().count());
            let mut chars: Vec<char> = query.chars().collect();
            match self.below(3) {
                0 if at < chars.len() => drop(chars.remove(at)),
                1 if at < chars.len() => chars.insert(at, chars[at]),
                _ => chars.insert(
                    at,
                    self.pick(&["0", " ", "(", "]", "!", ".", "'", "@", "-"])
                        .chars()
                        .next()
                        .unwrap(),
                ),
            }
            query = chars.into_iter().collect();
        }
        (query, whole)
    }
}

/// The answer of the other implementation, in the form of our tool.
fn expected(path: &JsonPath, singular: bool, document: &Value) -> Option<String> {
    let nodes = path.query(document).all();
    match (singular, nodes.as_slice()) {
        (true, []) => None,
        (true, [Value::String(text)]) => Some(text.clone()),
        (true, nodes) => Some(nodes[0].to_string()),
        (false, nodes) => Some(json!(nodes).to_string()),
    }
}

/// The other implementation refuses space before `..`, which the RFC allows between all segments.
fn has_space_before_descent(path: &str) -> bool {
    let space = |piece: &str| piece.ends_with([' ', '\t', '\n', '\r']);
    path.match_indices("..").any(|(at, _)| space(&path[..at]))
}

/// Whether a query is made of names and indexes only.
fn is_singular(path: &str) -> bool {
    let (mut quote, mut escaped) = (None, false);
    !path.contains("..")
        && !path.chars().any(|c| match c {
            _ if escaped => {
                escaped = false;
                false
            }
            '\\' => {
                escaped = true;
                false
            }
            c if quote == Some(c) => {
                quote = None;
                false
            }
            _ if quote.is_some() => false,
            '\'' | '"' => {
                quote = Some(c);
                false
            }
            c => "*,:?".contains(c),
        })
}

#[test]
fn random_queries_match_second_implementation() {
    let queries = std::env::var("CALLPACT_QUERIES").map_or(5_000, |count| count.parse().unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let limits = QueryLimits {
        max_results: 1 << 20,
        max_output: 64 << 20,
        max_time: std::time::Duration::from_secs(60),
        ..QueryLimits::default()
    };
    let (mut answers, mut found, mut refused) = (0, 0, 0);
    let mut wrong = Vec::new();
    for _ in 0..queries {
        let document = random.document(4);
        let text = document.to_string();
        let (path, whole) = random.query();
        let ours = query(&path, &text, &limits);
        let theirs = JsonPath::parse(&path);
        match (&ours, &theirs) {
            (Ok(_) | Err(JsonQueryError::NotFound(_)), Err(_))
                if has_space_before_descent(&path) => {}
            // Limits are ours alone.
            (Err(JsonQueryError::Limit(_)), _) => {}
            (Err(JsonQueryError::InvalidPath(_)), Err(_)) => refused += 1,
            (Ok(_) | Err(JsonQueryError::NotFound(_)), Ok(_)) if !whole => {}
            // A faulty pattern is refused here and matches nothing there.
            (Err(JsonQueryError::InvalidPath(why)), Ok(_))
                if why.contains("a pattern (I-Regexp") => {}
            (Ok(_) | Err(JsonQueryError::NotFound(_)), Ok(parsed)) => {
                let expected = expected(parsed, is_singular(&path), &document);
                answers += 1;
                found += usize::from(expected.as_deref().is_some_and(|text| text != "[]"));
                if ours.as_ref().ok() != expected.as_ref() {
                    wrong.push(format!("{path:?} on {text}: {ours:?}, not {expected:?}"));
                }
            }
            _ => wrong.push(format!("{path:?} on {text}: {ours:?}, {:?}", theirs.err())),
        }
    }
    println!(
        "{queries} queries: {answers} answered, {found} found something, {refused} refused by both"
    );
    let shown = wrong
        .iter()
        .take(20)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(wrong.is_empty(), "{} differences:\n{shown}", wrong.len());
    assert!(found > queries / 10 && refused > queries / 50);
}
