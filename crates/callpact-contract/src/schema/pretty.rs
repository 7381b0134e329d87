//! JSON for people to read.

/// A JSON text over several lines, with its keys in their order: for people, what a model gets on one
/// line.
///
/// ```
/// assert_eq!(
///     callpact::schema::pretty(r#"{"b":[1,"x{"],"a":{}}"#),
///     "{\n  \"b\": [\n    1,\n    \"x{\"\n  ],\n  \"a\": {}\n}",
/// );
/// ```
pub fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut characters = json.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    while let Some(c) = characters.next() {
        if quoted {
            out.push(c);
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '{' | '[' => {
                out.push(c);
                let close = if c == '{' { '}' } else { ']' };
                if let Some(close) = characters.next_if_eq(&close) {
                    out.push(close);
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
                quoted = true;
                out.push(c);
            }
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn json_is_broken_into_lines_and_stays_itself() {
        let text = r#"{"b":[1,{"a":"x: {\"y\\"}],"a":{},"c":[]}"#;
        let shown = pretty(text);
        assert_eq!(
            shown,
            "{\n  \"b\": [\n    1,\n    {\n      \"a\": \"x: {\\\"y\\\\\"\n    }\n  ],\n  \"a\": {},\n  \"c\": []\n}"
        );
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        assert_eq!(value(&shown), value(text));
    }
}
