//! Patterns of `match` and `search`: I-Regexp, RFC 9485. The library takes more than that, such as `\d`
//! and `^`, and so does this module.

use std::collections::HashMap;

use regex::{Regex, RegexBuilder};

/// How many patterns from the JSON are kept.
const MAX_KEPT: usize = 64;
/// The most bytes of a pattern in memory.
const MAX_SIZE: usize = 1 << 20;
/// The most levels of a pattern.
const MAX_DEPTH: u32 = 50;

/// The patterns of one query, each compiled once. A faulty one is `None` and matches nothing.
#[derive(Default)]
pub(super) struct QueryPatterns {
    kept: HashMap<(String, bool), Option<Regex>>,
}

impl QueryPatterns {
    pub(super) fn matches(&mut self, pattern: &str, whole: bool, text: &str) -> bool {
        let key = (pattern.to_owned(), whole);
        if self.kept.len() >= MAX_KEPT && !self.kept.contains_key(&key) {
            self.kept.clear();
        }
        let regex = self
            .kept
            .entry(key)
            .or_insert_with(|| compile(pattern, whole));
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

/// The pattern in the form of the library, or `None`.
pub(super) fn compile(pattern: &str, whole: bool) -> Option<Regex> {
    let pattern = dots_without_line_ends(pattern);
    let pattern = if whole {
        format!("^(?:{pattern})$")
    } else {
        pattern
    };
    RegexBuilder::new(&pattern)
        .size_limit(MAX_SIZE)
        .nest_limit(MAX_DEPTH)
        .build()
        .ok()
}

/// A dot matches no line end; the library's dot matches `\r`.
fn dots_without_line_ends(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let (mut escaped, mut in_class) = (false, false);
    for c in pattern.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '.' if !in_class => {
                out.push_str(r"[^\n\r]");
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}
