//! Regular expressions of JSON Schema.

use std::sync::Arc;

use regex_lite::Regex;

use crate::schema::Held;

/// A regular expression as declared, and the function that applies it.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The expression, as in the schema.
    pub text: Held<str>,
    /// Whether a string matches it.
    pub matcher: Matcher,
}

/// How a [`Pattern`] is applied to a string.
#[derive(Clone, Debug)]
pub enum Matcher {
    /// By a function, as the derive writes it.
    Function(fn(&str) -> bool),
    /// By an expression that was read at run time.
    Compiled(Arc<Regex>),
}

impl Pattern {
    /// Whether a string matches the expression.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &self.matcher {
            Matcher::Function(is_match) => is_match(text),
            Matcher::Compiled(regex) => regex.is_match(text),
        }
    }

    pub(super) const fn fixed(&self) -> Self {
        match &self.matcher {
            Matcher::Function(is_match) => Self {
                text: self.text.fixed(),
                matcher: Matcher::Function(*is_match),
            },
            Matcher::Compiled(_) => panic!("rules are laid over constants only"),
        }
    }

    pub(super) fn of_json(text: &str) -> Self {
        Self {
            text: text.to_owned().into(),
            matcher: match compile(text) {
                Some(regex) => Matcher::Compiled(Arc::new(regex)),
                // An expression of another flavour is shown, but not checked.
                None => Matcher::Function(|_| true),
            },
        }
    }
}

/// The expression of a foreign schema; `None` if the reader's engine does not take it.
///
/// Where ECMA-262 differs, the meaning is spelled out, as the derive does for its patterns.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    let mut is_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match (chars.next()?, is_class) {
                ('s', true) => out.push_str(SPACE),
                ('s', false) => out.extend(["[", SPACE, "]"]),
                ('S', false) => out.extend(["[^", SPACE, "]"]),
                ('/', _) => out.push('/'),
                (escaped, _) => out.extend(['\\', escaped]),
            },
            '.' if !is_class => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            // These are plain characters in ECMA-262.
            '[' | '&' | '~' if is_class => out.extend(['\\', c]),
            _ => {
                is_class = c == '[' || is_class && c != ']';
                out.push(c);
            }
        }
    }
    Regex::new(&out).ok()
}

const SPACE: &str = r"\t\n\x0B\x0C\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

#[cfg(test)]
mod tests {
    use super::compile;

    #[test]
    fn an_expression_means_what_it_means_in_json_schema() {
        for (pattern, text, matches) in [
            (r"^\w+\s\w*$", "a\u{a0}b", true),
            (r"^[\s]$", "\u{feff}", true),
            (r"^\S$", "\u{2003}", false),
            ("^.$", "\u{2028}", false),
            ("^.$", "\u{85}", true),
            (r"^a\/b$", "a/b", true),
            ("^[[a]$", "[", true),
            ("^[a&&b]$", "&", true),
            (r"^\d$", "\u{0663}", false),
            (r"^\.$", "x", false),
            ("(?i)^A$", "a", true),
        ] {
            let regex = compile(pattern).unwrap_or_else(|| panic!("{pattern}"));
            assert_eq!(regex.is_match(text), matches, "{pattern} {text:?}");
        }
        for other in ["(?=a)", "[", "\\", r"(a)\1"] {
            assert!(compile(other).is_none(), "{other}");
        }
    }
}
