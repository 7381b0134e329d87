//! Markup of a call that leaked into a string, and may have swallowed the parameters after it.

/// The tags around a call or a part of one, in the syntaxes in which models write calls.
const TAGS: [&str; 8] = [
    "parameter",
    "invoke",
    "function_calls",
    "function",
    "tool_calls",
    "tool_call",
    "arg_value",
    "arg_key",
];

/// Tokens that end a call.
const ENDS: [&str; 4] = [
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
];

/// How an escaped `<` begins; a `c` in either case ends it.
const ESCAPED_START: &[u8] = b"\\u003";

/// Whether a text needs a closer check. It is cheap, because every accepted text is tested.
pub(crate) fn is_suspect(text: &str) -> bool {
    let bytes = text.as_bytes();
    if memchr::memchr2(b'<', b'\\', bytes).is_none() {
        return false;
    }
    let mut marks = memchr::memchr_iter(b'<', bytes);
    if marks.any(|at| begins_mark(text.get(at..).unwrap_or_default())) {
        return true;
    }
    // `<` may be escaped, but not the words: no model escapes letters.
    memchr::memchr(b'\\', bytes).is_some()
        && memchr::memmem::find_iter(bytes, ESCAPED_START)
            .any(|at| matches!(bytes.get(at + ESCAPED_START.len()), Some(b'c' | b'C')))
        && (text.contains("tool") || TAGS.iter().any(|tag| text.contains(tag)))
}

/// Whether a text begins with a tag of a call, or with a token that ends one.
pub(super) fn begins_mark(text: &str) -> bool {
    let inside = text.get(1..).unwrap_or_default();
    let inside = inside.trim_start_matches(['/', '\\']);
    let end = inside
        .find(['>', ' ', '=', '\\', '"', '<'])
        .unwrap_or_default();
    let name = plain_name(inside.get(..end).unwrap_or_default());
    TAGS.contains(&name) || ENDS.iter().any(|mark| text.starts_with(mark))
}

/// The name of a tag without its namespace, as in `ns:invoke` and `｜DSML｜invoke`.
fn plain_name(name: &str) -> &str {
    name.rsplit([':', '|', '｜']).next().unwrap_or(name)
}

/// The closing tag at the end of a text that has no opening tag in it, or the token that ends a call.
pub(crate) fn closing_mark(text: &str) -> Option<&str> {
    let end = text.trim_end();
    let mark = end.get(end.rfind('<')?..)?;
    if ENDS.contains(&mark) {
        return Some(mark);
    }
    let name = mark.strip_prefix("</")?.strip_suffix('>')?;
    let tag = plain_name(name.trim());
    let is_open = end.matches(mark).count() <= opened(end, tag);
    (TAGS.contains(&tag) && !is_open).then_some(mark)
}

/// Whether the first tag of a text is not closed in it.
pub(super) fn leaves_open(text: &str) -> bool {
    let inside = text.get(1..).unwrap_or_default();
    let end = inside.find(['>', ' ', '=']).unwrap_or(inside.len());
    let name = inside.get(..end).unwrap_or_default();
    !name.is_empty() && !text.contains(&format!("</{name}>"))
}

fn opened(text: &str, tag: &str) -> usize {
    text.split('<')
        .skip(1)
        .filter(|behind| {
            let name = behind
                .split(['>', ' ', '\n', '/', '='])
                .next()
                .unwrap_or_default();
            plain_name(name) == tag
        })
        .count()
}

/// The names of the parameters that begin inside a text, each with the markup that names it.
pub(crate) fn swallowed_names(value: &str) -> impl Iterator<Item = (&str, &str)> {
    /// The longest name, with room for its markup.
    const LONGEST: usize = 64;
    value.match_indices('<').filter_map(|(at, _)| {
        let mark = value.get(at..)?;
        let inside = mark.get(1..)?;
        let end = inside.find([' ', '=', '>'])?;
        let rest = inside.get(end..)?;
        let (name, behind) = match plain_name(inside.get(..end)?) {
            "parameter" if rest.starts_with('=') => rest.get(1..)?.split_once('>')?,
            "parameter" => {
                let (name, rest) = rest.strip_prefix(" name=\"")?.split_once('"')?;
                (name, rest.split_once('>').map_or(rest, |(_, rest)| rest))
            }
            "arg_key" => rest.strip_prefix('>')?.split_once('<')?,
            _ => return None,
        };
        let mark = mark.get(..mark.len() - behind.len())?.trim_end_matches('<');
        (name.len() <= LONGEST).then_some((name.trim(), mark))
    })
}

#[cfg(test)]
mod tests {
    use super::{closing_mark, is_suspect, swallowed_names};

    #[test]
    fn finds_the_closing_tag_of_each_call_syntax() {
        for (text, mark) in [
            ("let a = 2;</parameter>\n</invoke>", Some("</invoke>")),
            ("/srv</arg_value>", Some("</arg_value>")),
            ("ls</function>", Some("</function>")),
            ("ls\n</tool_call>\n", Some("</tool_call>")),
            ("a</ns:parameter>", Some("</ns:parameter>")),
            ("a</｜DSML｜invoke>", Some("</｜DSML｜invoke>")),
            ("a<｜tool▁call▁end｜>", Some("<｜tool▁call▁end｜>")),
            // What is opened in the text is its own.
            ("<function name=\"f\">a</function>", None),
            ("<tool_call>{}</tool_call>", None),
            ("<p>a</p>", None),
            ("a </invoke> b", None),
        ] {
            assert_eq!(closing_mark(text), mark, "{text}");
            if mark.is_some() {
                let json = serde_json::to_string(text).unwrap_or_default();
                assert!(is_suspect(&json), "{json}");
                assert!(is_suspect(&json.replace('<', "\\u003c")) || !text.contains("</"));
            }
        }
        assert!(!is_suspect("if a < function && b > parameter"));
    }

    #[test]
    fn finds_the_parameters_inside_a_text() {
        let names = |text| swallowed_names(text).collect::<Vec<_>>();
        assert_eq!(
            names("Dallas\n<parameter=state>\nTexas"),
            [("state", "<parameter=state>")]
        );
        assert_eq!(
            names("a</parameter><parameter name=\"b\">c<ns:parameter name=\"d\" x>"),
            [
                ("b", "<parameter name=\"b\">"),
                ("d", "<ns:parameter name=\"d\" x>")
            ]
        );
        assert_eq!(
            names("a</arg_value><arg_key>b</arg_key><arg_value>c"),
            [("b", "<arg_key>b")]
        );
        assert!(names("a < b > c <p>").is_empty());
    }
}
