//! Regular expressions of JSON Schema.

use std::sync::Arc;

use regex_lite::Regex;

use super::class_row::ClassRow;
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
    Compiled(CompiledPattern),
}

impl Pattern {
    /// Whether a string matches the expression.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &self.matcher {
            Matcher::Function(is_match) => is_match(text),
            Matcher::Compiled(pattern) => pattern.is_match(text),
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

    pub(super) fn of_json(text: &str) -> Result<Self, &'static str> {
        Ok(Self {
            text: text.to_owned().into(),
            matcher: Matcher::Compiled(CompiledPattern::new(text)?),
        })
    }
}

/// A regular expression of JSON Schema, compiled when it is first used.
#[derive(Clone, Debug)]
pub struct CompiledPattern(Arc<PatternEngine>);

#[derive(Debug)]
enum PatternEngine {
    /// In one pass, without an engine.
    Row(ClassRow),
    /// In linear time.
    Plain(Regex),
    /// By trying, with a bound.
    #[cfg(feature = "look-around")]
    Backtracking(Box<fancy_regex::Regex>),
}

/// The steps after which an expression that is tried out matches nothing.
#[cfg(feature = "look-around")]
const MOST_STEPS: usize = 100_000;

impl CompiledPattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// Why the expression cannot be checked.
    pub fn new(pattern: &str) -> Result<Self, &'static str> {
        if let Some(row) = ClassRow::new(pattern) {
            return Ok(Self(PatternEngine::Row(row).into()));
        }
        let plain = translate(pattern, false).and_then(|text| Regex::new(&text).ok());
        match plain {
            Some(regex) => Ok(Self(PatternEngine::Plain(regex).into())),
            None => Self::with_look_around(pattern),
        }
    }

    #[cfg(feature = "look-around")]
    fn with_look_around(pattern: &str) -> Result<Self, &'static str> {
        let text = translate(pattern, true).unwrap_or_default();
        let mut builder = fancy_regex::RegexBuilder::new(&text);
        match builder.backtrack_limit(MOST_STEPS).build() {
            Ok(regex) if !text.is_empty() => {
                Ok(Self(PatternEngine::Backtracking(regex.into()).into()))
            }
            _ => Err("this is no regular expression that can be checked"),
        }
    }

    #[cfg(not(feature = "look-around"))]
    fn with_look_around(_: &str) -> Result<Self, &'static str> {
        Err(
            "this expression cannot be checked; look-around, back references and `\\p{…}` need the feature `look-around`",
        )
    }

    /// Whether the expression matches somewhere in a text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &*self.0 {
            PatternEngine::Row(row) => row.is_match(text),
            PatternEngine::Plain(regex) => regex.is_match(text),
            #[cfg(feature = "look-around")]
            PatternEngine::Backtracking(regex) => regex.is_match(text).unwrap_or(false),
        }
    }
}

/// The expression in the syntax of an engine; `None` if it ends too early.
///
/// Where ECMA-262 differs, the meaning is spelled out, as the derive does for its patterns. An engine that `nests` has
/// classes in classes and look-around, and its `\d`, `\w` and `\b` know more than ASCII.
fn translate(pattern: &str, nests: bool) -> Option<String> {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    let mut is_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match (chars.next()?, is_class) {
                ('s', true) => out.push_str(SPACE),
                ('s', false) => out.extend(["[", SPACE, "]"]),
                ('S', false) => out.extend(["[^", SPACE, "]"]),
                ('S', true) if nests => out.extend(["[^", SPACE, "]"]),
                ('d', _) if nests => out.push_str("[0-9]"),
                ('D', _) if nests => out.push_str("[^0-9]"),
                ('w', _) if nests => out.push_str("[0-9A-Za-z_]"),
                ('W', _) if nests => out.push_str("[^0-9A-Za-z_]"),
                ('b', false) if nests => out.push_str(WORD_END),
                ('B', false) if nests => out.extend(["(?!", WORD_END, ")"]),
                ('c', _) => {
                    let control = chars.next().filter(char::is_ascii_alphabetic)?;
                    out.extend(["\\x", &format!("{:02x}", u32::from(control) % 32)]);
                }
                (plain @ ('/' | '<' | '>'), _) => out.push(plain),
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
    Some(out)
}

/// The ends of a word of ASCII letters, digits and `_`.
const WORD_END: &str = "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";
const SPACE: &str = r"\t\n\x0B\x0C\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

#[cfg(test)]
mod tests {
    use super::CompiledPattern;

    #[test]
    fn pattern_follows_json_schema_semantics() {
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
            let compiled = CompiledPattern::new(pattern).expect(pattern);
            assert_eq!(compiled.is_match(text), matches, "{pattern} {text:?}");
        }
        for other in ["[", "\\", r"^\c$", "(a"] {
            assert!(CompiledPattern::new(other).is_err(), "{other}");
        }
    }

    #[cfg(not(feature = "look-around"))]
    #[test]
    fn names_the_feature_for_look_around() {
        for pattern in ["(?=a)", r"(a)\1", r"^\p{L}$"] {
            let refused = CompiledPattern::new(pattern).expect_err(pattern);
            assert!(refused.contains("`look-around`"), "{refused}");
        }
    }

    #[cfg(feature = "look-around")]
    #[test]
    fn checks_look_around_by_ascii_words() {
        // What pydantic writes for a `Decimal`.
        let decimal = r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$";
        for (pattern, text, matches) in [
            (decimal, "-12.50", true),
            (decimal, "+.", false),
            (decimal, "", false),
            (decimal, "\u{663}", false),
            (r"^\p{L}+$", "\u{e9}a", true),
            (r"^\P{L}+$", "\u{e9}", false),
            (r"^(a|b)\1$", "aa", true),
            (r"^(a|b)\1$", "ab", false),
            (r"(?=x)\bx\b", "x", true),
            (r"(?=x)\bx\b", "\u{e9}x", true),
            (r"(?=x)\Bx", "\u{e9}x", false),
            (r"^(?=.)[\W\d]+$", "1-\u{e9}", true),
        ] {
            let compiled = CompiledPattern::new(pattern).expect(pattern);
            assert_eq!(compiled.is_match(text), matches, "{pattern} {text:?}");
        }
        // Without a bound this takes longer than anybody waits.
        let endless = CompiledPattern::new(r"^(?=(a+)+\1b)").expect("it is read");
        assert!(!endless.is_match(&"a".repeat(40)));
    }
}
