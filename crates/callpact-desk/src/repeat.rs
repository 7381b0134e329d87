//! A traced call as a Rust test.

use std::fmt::Write;

use callpact::observe::{TracedCall, TracedEnd};

/// A Rust test that repeats a call and expects the same.
pub(crate) fn write_test(call: &TracedCall, end: &TracedEnd) -> String {
    let name: String = call
        .tool
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    let (tool, arguments, text) = (
        literal(&call.tool),
        literal(&call.arguments),
        literal(&end.text),
    );
    let mut out = format!(
        "#[tokio::test]\nasync fn {name}_{}() {{\n    let call = ToolCall::new(\"call-1\", {tool}, {arguments});\n",
        end.outcome.replace(' ', "_")
    );
    // Writing to a String does not fail.
    let _ = if end.halted {
        write!(
            out,
            "    let halt = tools().call(&call, &ToolContext::new()).await.expect_err(\"a halt\");\n    \
             assert_eq!(halt.name(), \"{}\");\n    assert_eq!(halt.to_string(), {text});\n}}\n",
            end.outcome
        )
    } else {
        write!(
            out,
            "    let reply = tools().call(&call, &ToolContext::new()).await.expect(\"a reply\");\n    \
             assert_eq!(reply.outcome.name(), \"{}\");\n    assert_eq!(reply.to_model(), {text});\n}}\n",
            end.outcome
        )
    };
    out
}

/// A text as a literal of Rust.
fn literal(text: &str) -> String {
    let plain = text
        .chars()
        .all(|c| c == '\n' || !callpact::review::is_hidden(c));
    if !plain {
        return format!("{text:?}");
    }
    let mut hashes = String::new();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    if hashes.is_empty() && !text.contains('\\') {
        format!("\"{text}\"")
    } else {
        format!("r{hashes}\"{text}\"{hashes}")
    }
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn a_literal_is_the_text_again() {
        for (text, written) in [
            ("a", "\"a\""),
            (r#"{"a": 1}"#, "r#\"{\"a\": 1}\"#"),
            ("\"#", "r##\"\"#\"##"),
            ("a\\n", "r\"a\\n\""),
            ("\u{202e}", "\"\\u{202e}\""),
        ] {
            assert_eq!(literal(text), written);
        }
    }
}
