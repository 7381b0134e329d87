//! Why a text is not JSON, in words for the model: the place, the damage, and how to mend it.

use std::borrow::Cow;

use super::{
    envelope::mend_arguments,
    fault::{FaultMend, TextDamage, TextFault, find_fault},
};
use crate::{
    policy::{MAX_DEPTH, Policy},
    report::{Issue, IssueKind, Path, ShownText},
    text::quoted,
};

/// How many characters of a broken text are shown from the fault on.
const SHOWN: usize = 40;
/// How many characters are shown of the end of a text that was cut off.
const TAIL: usize = 24;

/// Says why a text is not one JSON value; `None` if it is one. In a broken text it is not known which part belongs to
/// which value, so if any of it may be secret, only the place is shown.
#[cold]
pub(crate) fn explain(text: &str, path: Path, secret: bool) -> Option<Issue> {
    let TextFault { at, what } = find_fault(text)?;
    let (kind, expected, mend) = match what {
        TextDamage::End => return Some(cut_off(path, text, secret)),
        TextDamage::Deep => return Some(too_deep(path)),
        TextDamage::Behind(mend) => (IssueKind::TrailingText, "one JSON value", mend),
        TextDamage::Broken(mend) => (IssueKind::NotJson, "JSON", mend),
    };
    let mend = match mend {
        FaultMend::Fix(kind) => kind.mend(),
        FaultMend::Words(words) => Some(words),
        FaultMend::Unknown => None,
    };
    let hint = mends_of_text(text).map(Cow::Owned);
    let hint = hint.or(mend.map(Cow::Borrowed));
    let mut issue = Issue::new(path, kind, expected, "");
    quote_text(&mut issue, text, at);
    issue.hint = hint;
    if secret {
        issue.hide_text();
    }
    Some(issue)
}

/// Shows a text from a given place on.
fn quote_text(issue: &mut Issue, text: &str, at: usize) {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let of_line = before.rsplit('\n').next().unwrap_or_default();
    let column = of_line.chars().count() + 1;
    let shown: String = rest_of(text, at).chars().take(SHOWN).collect();
    issue.found = format!("{} at line {line}, column {column}", quoted(&shown)).into();
    issue.shown = ShownText::Text { line, column };
}

fn rest_of(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The report on a text that ends too early.
#[cold]
pub(crate) fn cut_off(path: Path, text: &str, secret: bool) -> Issue {
    let text = text.trim_ascii();
    let last = text.char_indices().rev().nth(TAIL - 1);
    let tail = text.get(last.map_or(0, |(start, _)| start)..);
    let tail = quoted(tail.unwrap_or_default());
    let mut issue = Issue::new(
        path,
        IssueKind::CutOff,
        "complete JSON",
        format!("a text cut off after {tail}"),
    )
    .with_hint("send the whole call again");
    if secret {
        issue.hide_text();
    }
    issue
}

/// The report on arguments that are nested too deeply.
#[cold]
pub(crate) fn too_deep(path: Path) -> Issue {
    let words = format!("at most {MAX_DEPTH} levels of nesting");
    Issue::new(path, IssueKind::TooDeep, words, "")
}

/// All changes that turn a text into JSON, if they are certain.
fn mends_of_text(text: &str) -> Option<String> {
    let clean = mend_arguments(text, &Policy::repair()).ok()?;
    if !super::is_json(&clean.text) {
        return None;
    }
    let mut mends: Vec<&str> = Vec::new();
    for fix in clean.fixes {
        let mend = fix.kind.mend()?;
        if !mends.contains(&mend) {
            mends.push(mend);
        }
    }
    (!mends.is_empty()).then(|| mends.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words about the damage and its mend, for every way in which models break a text.
    #[test]
    #[allow(clippy::too_many_lines)] // a table
    fn every_fault_has_its_place_and_its_mend() {
        let quotes = "put keys and strings in double quotes";
        let object = "send the arguments as a JSON object, and nothing else";
        let operator = "JSON has no signs such as `+`: write one string or one number";
        for (text, found, mend) in [
            ("not json", "\"not json\" at line 1, column 1", object),
            (
                "call({\"a\": 1})",
                "\"call({\\\"a\\\": 1})\" at line 1, column 1",
                object,
            ),
            ("<a>1</a>", "\"<a>1</a>\" at line 1, column 1", object),
            (
                "```json\n{}\n```",
                "\"```json\\n{}\\n```\" at line 1, column 1",
                "leave out the fence",
            ),
            (
                "\u{feff}{}",
                "\"\\u{feff}{}\" at line 1, column 1",
                "take out the byte order mark",
            ),
            ("{'a': 1}", "\"'a': 1}\" at line 1, column 2", quotes),
            ("{a: 1}", "\"a: 1}\" at line 1, column 2", quotes),
            ("{“a”: 1}", "\"“a”: 1}\" at line 1, column 2", quotes),
            ("{\"a\": 'x'}", "\"'x'}\" at line 1, column 7", quotes),
            (
                "{{}: 1}",
                "\"{}: 1}\" at line 1, column 2",
                "a key is a string in double quotes",
            ),
            (
                "[True]",
                "\"True]\" at line 1, column 2",
                "write `true`, `false` and `null`",
            ),
            (
                "[NaN]",
                "\"NaN]\" at line 1, column 2",
                "JSON has no such number",
            ),
            (
                "[-Infinity]",
                "\"-Infinity]\" at line 1, column 2",
                "JSON has no such number",
            ),
            (
                "[yes]",
                "\"yes]\" at line 1, column 2",
                "put text in double quotes",
            ),
            (
                "[\"a \"b\" c\"]",
                "\"b\\\" c\\\"]\" at line 1, column 6",
                "write a quote inside a string as `\\\"`",
            ),
            (
                "[1,]",
                "\"]\" at line 1, column 4",
                "take out the extra comma",
            ),
            (
                "{\"a\": 1,}",
                "\"}\" at line 1, column 9",
                "take out the extra comma",
            ),
            (
                "[1,,2]",
                "\",2]\" at line 1, column 4",
                "take out the extra comma",
            ),
            (
                "[1 2]",
                "\"2]\" at line 1, column 4",
                "put a comma between two values",
            ),
            (
                "{\"a\": 1 b: 2",
                "\"b: 2\" at line 1, column 9",
                "put a comma between two values",
            ),
            (
                "{\"a\": 5 dollars}",
                "\"dollars}\" at line 1, column 9",
                "take out what stands behind the value",
            ),
            ("{\"a\": 1/2}", "\"/2}\" at line 1, column 8", operator),
            (
                "[5%]",
                "\"%]\" at line 1, column 3",
                "take out what stands behind the value",
            ),
            (
                "{\"a\": \"x\" + \"y\"}",
                "\"+ \\\"y\\\"}\" at line 1, column 11",
                operator,
            ),
            ("{\"a\": 5 - 1}", "\"- 1}\" at line 1, column 9", operator),
            ("[2*3]", "\"*3]\" at line 1, column 3", operator),
            (
                "[\"x\" . \"y\"]",
                "\". \\\"y\\\"]\" at line 1, column 6",
                operator,
            ),
            (
                "{\"a\": \"x\"; \"b\": 1}",
                "\"; \\\"b\\\": 1}\" at line 1, column 10",
                "write a comma in place of the semicolon",
            ),
            (
                "{\"a\": 1,000}",
                "\"000}\" at line 1, column 9",
                "write a number in decimal digits, as in 10, -2 or 0.5",
            ),
            ("{\"a\": 1,2: 3}", "\"2: 3}\" at line 1, column 9", quotes),
            ("---\na: b", "\"---\\na: b\" at line 1, column 1", object),
            (
                "{\"a\" 1}",
                "\"1}\" at line 1, column 6",
                "put a colon between a key and its value",
            ),
            (
                "{\"a\": }",
                "\"}\" at line 1, column 7",
                "give the key a value, or leave it out",
            ),
            (
                "{\"a\": , \"b\": 1}",
                "\", \\\"b\\\": 1}\" at line 1, column 7",
                "give the key a value, or leave it out",
            ),
            (
                "{\"a\": [1}",
                "\"}\" at line 1, column 9",
                "close `[` with `]` and `{` with `}`",
            ),
            (
                "{ // note\n\"a\": 1}",
                "\"// note\\n\\\"a\\\": 1}\" at line 1, column 3",
                "take out comments",
            ),
            (
                "[1, ...]",
                "\"...]\" at line 1, column 5",
                "write out every value",
            ),
            (
                "{\\n\"a\": 1}",
                "\"\\\\n\\\"a\\\": 1}\" at line 1, column 2",
                "write `\\n` inside strings only",
            ),
            (
                "{\\\"a\\\": 1}",
                "\"\\\\\\\"a\\\\\\\": 1}\" at line 1, column 2",
                "send the object without backslashes in front of its quotes",
            ),
            (
                "{\u{a0}\"a\": 1}",
                "\"\u{a0}\\\"a\\\": 1}\" at line 1, column 2",
                "use plain spaces between values",
            ),
            (
                "\n[\"x\ny\"]",
                "\"\\ny\\\"]\" at line 2, column 4",
                "inside a string write a line break as `\\n`, a tab as `\\t`",
            ),
            (
                "[\"\\d+\"]",
                "\"\\\\d+\\\"]\" at line 1, column 3",
                "write a backslash inside a string as `\\\\`",
            ),
            (
                "[\"it\\'s\"]",
                "\"\\\\'s\\\"]\" at line 1, column 5",
                "write `'` without a backslash",
            ),
            (
                "[\"\\u00\"]",
                "\"\\\\u00\\\"]\" at line 1, column 3",
                "write four hexadecimal digits behind `\\u`",
            ),
            (
                "[\"\\ud83d\"]",
                "\"\\\\ud83d\\\"]\" at line 1, column 3",
                "write both halves of the character, or the character itself",
            ),
            (
                "[01]",
                "\"01]\" at line 1, column 2",
                "write a number in decimal digits, as in 10, -2 or 0.5",
            ),
            (
                "[0x1F]",
                "\"0x1F]\" at line 1, column 2",
                "write a number in decimal digits, as in 10, -2 or 0.5",
            ),
            (
                "[.5]",
                "\".5]\" at line 1, column 2",
                "write a number in decimal digits, as in 10, -2 or 0.5",
            ),
            (
                "[1_000]",
                "\"1_000]\" at line 1, column 2",
                "write a number in decimal digits, as in 10, -2 or 0.5",
            ),
            (
                "1e999",
                "\"1e999\" at line 1, column 1",
                "number out of range: write a smaller one",
            ),
            (
                "[(1, 2)]",
                "\"(1, 2)]\" at line 1, column 2",
                "put a list in `[` and `]`, without parentheses",
            ),
            // After the arguments.
            (
                "{} ok?",
                "\"ok?\" at line 1, column 4",
                "send nothing after it",
            ),
            (
                "{}{\"a\": 1}",
                "\"{\\\"a\\\": 1}\" at line 1, column 3",
                "make one call for each",
            ),
            (
                "{\"a\": 1}\n{\"a\": 1}",
                "\"{\\\"a\\\": 1}\" at line 2, column 1",
                "send the object once",
            ),
            (
                "{}}",
                "\"}\" at line 1, column 3",
                "take out the extra closing bracket",
            ),
            (
                "{},",
                "\",\" at line 1, column 3",
                "take out the extra comma",
            ),
            // All changes at once, if they are certain.
            (
                "{'a': True, b: [1,],} // done",
                "\"'a': True, b: [1,],} // done\" at line 1, column 2",
                "put keys and strings in double quotes, write `true`, `false` and `null`, take out the extra comma, take out comments",
            ),
        ] {
            let issue = explain(text, Path::default(), false).expect("a fault");
            assert_eq!(
                (&*issue.found, issue.hint.as_deref()),
                (found, Some(mend)),
                "{text}"
            );

            // If the text may be secret, only the place is shown, with the same mend.
            let hidden = explain(text, Path::default(), true).expect("a fault");
            let place = found.rfind(" at line").and_then(|at| found.get(at..));
            assert_eq!(
                hidden.found,
                format!("something{} (not shown)", place.unwrap_or_default())
            );
            assert_eq!(hidden.hint, issue.hint);
        }
    }

    #[test]
    fn the_excerpt_has_forty_characters_from_the_fault() {
        let long = "x".repeat(60);
        let issue = explain(&format!("[é{long}"), Path::default(), false).expect("a fault");
        assert_eq!(
            issue.found,
            format!("\"é{}\" at line 1, column 2", &long[..39])
        );
        let issue = cut_off(Path::default(), &format!("[\"é{long}"), false);
        assert_eq!(
            issue.found,
            format!("a text cut off after \"{}\"", &long[..24])
        );
    }

    #[test]
    fn reports_truncated_text_as_cut_off() {
        for text in [
            "{",
            "[1",
            "{\"a\"",
            "{\"a\": tr",
            "\"x",
            "\"x\\",
            "\"\\u00",
            "\"\\ud83d\\",
            "[1.",
            "-",
        ] {
            let issue = explain(text, Path::default(), false).expect("a fault");
            assert_eq!(issue.kind, IssueKind::CutOff, "{text}: {issue}");
        }
        let deep = "[".repeat(MAX_DEPTH + 1);
        let issue = explain(&deep, Path::default(), false).expect("a fault");
        assert_eq!(issue.kind, IssueKind::TooDeep);
        for good in [
            "{\"a\": [1, -0.5e+3, null, true, \"\\ud83d\\ude42\\u00e9\"]}",
            " 0 ",
            "\"\"",
        ] {
            assert_eq!(explain(good, Path::default(), false), None, "{good}");
        }
    }
}
