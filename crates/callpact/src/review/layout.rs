//! Arguments as lines, for a person who decides about them.

use std::borrow::Cow;

use crate::raw_object::RawObject;

/// Arguments for people to read: if a text among them has several lines, each argument on a line of its own, with the
/// lines of such a text below its name, each after two spaces. Every other text is unchanged.
///
/// Nothing is left out. A line that begins with `"` names an argument; no line of a text begins so.
///
/// ```
/// use callpact::review::arguments_as_lines;
///
/// assert_eq!(
///     arguments_as_lines(r#"{"path":"a.md","content":"one\n\"mode\": 2"}"#),
///     "\"path\": \"a.md\"\n\"content\":\n  one\n  \"mode\": 2",
/// );
/// assert_eq!(arguments_as_lines(r#"{"path":"a.md"}"#), r#"{"path":"a.md"}"#);
/// ```
pub fn arguments_as_lines(action: &str) -> Cow<'_, str> {
    let unchanged = Cow::Borrowed(action);
    // Most actions have no text of several lines.
    if !action.contains(r"\n") {
        return unchanged;
    }
    let Ok(RawObject(arguments)) = serde_json::from_str(action) else {
        return unchanged;
    };
    let mut lines = Vec::new();
    let mut is_long = false;
    for (name, value) in arguments {
        let name = serde_json::Value::from(name.into_owned());
        match serde_json::from_str::<String>(value.get()) {
            Ok(text) if text.contains('\n') => {
                is_long = true;
                lines.push(format!("{name}:"));
                lines.extend(text.split('\n').map(|line| format!("  {line}")));
            }
            _ => lines.push(format!("{name}: {value}")),
        }
    }
    if is_long {
        Cow::Owned(lines.join("\n"))
    } else {
        unchanged
    }
}

#[cfg(test)]
mod tests {
    use super::arguments_as_lines;

    #[test]
    fn shows_every_argument_as_it_is_written() {
        let action =
            r#"{"n":1.50,"n":100000000000000000000000,"text":"a\r\n\n","list":["x\ny"],"\"":""}"#;
        let lines = concat!(
            "\"n\": 1.50\n\"n\": 100000000000000000000000\n\"text\":\n  a\r\n  \n  \n",
            r#""list": ["x\ny"]"#,
            "\n",
            r#""\"": """#
        );
        assert_eq!(arguments_as_lines(action), lines);
    }

    #[test]
    fn leaves_other_texts_unchanged() {
        for action in [
            r#""a\nb""#,
            r#"["a\nb"]"#,
            r#"{"a":"b\n""#,
            r#"{"a":"b\n"} x"#,
            r#"{"a":["b\n"]}"#,
            r#"{"a":"\\n"}"#,
            "plain\ntext",
        ] {
            assert_eq!(arguments_as_lines(action), action);
        }
    }
}
