//! Translates regular expressions of JSON Schema (ECMA-262) for the engine of the reader.

/// The pattern as an expression for `regex-lite`, or an error message.
///
/// Both engines search anywhere in the string and have ASCII classes. Features of only one engine are
/// an error. `.` and `\s` are spelled out, since they match more characters in ECMA-262.
pub(crate) fn translate(pattern: &str) -> Result<String, String> {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    let mut class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let Some(next) = chars.next() else {
                    return Err("the pattern ends in a backslash".to_owned());
                };
                escape(next, class, &mut out)?;
            }
            '[' if class => {
                return Err(
                    "a `[` inside a class means different things to different engines: \
                            write `\\[`"
                        .to_owned(),
                );
            }
            '[' => {
                class = true;
                out.push(c);
            }
            ']' if class => {
                class = false;
                out.push(c);
            }
            '&' | '~' | '-' if class && chars.peek() == Some(&c) => {
                return Err(format!(
                    "`{c}{c}` in a class is an operation that JSON Schema lacks"
                ));
            }
            '.' if !class => out.push_str("[^\\n\\r\\u{2028}\\u{2029}]"),
            '(' if !class && chars.peek() == Some(&'?') => {
                out.push_str("(?");
                chars.next();
                match chars.peek() {
                    Some(':') => {}
                    Some('=' | '!' | '<') => {
                        return Err(
                            "engines differ in groups that look around or have names: write a plain group, `(…)` or `(?:…)`"
                                .to_owned(),
                        );
                    }
                    _ => {
                        return Err("flags inside a pattern are not part of JSON Schema".to_owned());
                    }
                }
            }
            _ => out.push(c),
        }
    }
    regex_lite::Regex::new(&out)
        .map_err(|error| format!("the pattern is not a regular expression: {error}"))?;
    Ok(out)
}

const SPACE: &str = r"\t\n\x0B\x0C\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

fn escape(next: char, class: bool, out: &mut String) -> Result<(), String> {
    match (next, class) {
        ('s', true) => out.push_str(SPACE),
        ('s', false) => out.extend(["[", SPACE, "]"]),
        ('S', false) => out.extend(["[^", SPACE, "]"]),
        ('S', true) => return Err("`\\S` inside a class is not supported".to_owned()),
        (
            'A' | 'z' | 'Z' | 'G' | 'h' | 'H' | 'R' | 'x' | 'u' | 'U' | 'a' | 'k' | 'p' | 'P' | '<'
            | '>',
            _,
        ) => {
            return Err(format!(
                "`\\{next}` means different things to different engines: write the characters out"
            ));
        }
        ('0'..='9', _) => return Err("a pattern cannot refer back to a group".to_owned()),
        ('d' | 'D' | 'w' | 'W' | 'b' | 'B' | 'n' | 'r' | 't' | 'f' | 'v', _) => {
            out.push('\\');
            out.push(next);
        }
        (c, _) if c.is_ascii_alphabetic() => return Err(format!("`\\{c}` is not an escape")),
        // `\/` is common in JSON Schema. `regex-lite` takes only a plain slash.
        ('/', _) => out.push('/'),
        (c, _) => {
            out.push('\\');
            out.push(c);
        }
    }
    Ok(())
}

/// Whether a text matches a translated expression.
pub(crate) fn matches(translated: &str, text: &str) -> bool {
    regex_lite::Regex::new(translated).is_ok_and(|regex| regex.is_match(text))
}
