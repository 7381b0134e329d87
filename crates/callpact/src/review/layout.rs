//! Arguments as lines, for a person who decides about them.

use std::{borrow::Cow, fmt};

use serde::{
    Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

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
    let mut reader = serde_json::Deserializer::from_str(action);
    let Ok(arguments) = reader.deserialize_map(ArgumentLayout) else {
        return unchanged;
    };
    if reader.end().is_err() {
        return unchanged;
    }
    let mut lines = Vec::new();
    let mut is_long = false;
    for (name, value) in arguments {
        let name = serde_json::Value::from(name);
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

/// Reads the arguments in their order, with their values as they are written.
struct ArgumentLayout;

impl<'de> Visitor<'de> for ArgumentLayout {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut arguments = Vec::new();
        while let Some(argument) = map.next_entry()? {
            arguments.push(argument);
        }
        Ok(arguments)
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
