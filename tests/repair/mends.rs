//! What the report on a broken text says to change.

use callpact::{Policy, read_str};

#[test]
fn names_the_mend_of_each_damage() {
    for (text, mend) in [
        ("```json\n{}\n```", "leave out the fence"),
        (
            "Here you are:\n{\"a\": 1}",
            "send the object alone, without words around it",
        ),
        (
            "I cannot do that",
            "send the arguments as a JSON object, and nothing else",
        ),
        ("{'a': 1}", "put keys and strings in double quotes"),
        ("{“a”: 1}", "put keys and strings in double quotes"),
        ("{a: 1}", "put keys and strings in double quotes"),
        ("{a\": 1}", "put keys and strings in double quotes"),
        ("{\"a\": yes}", "put text in double quotes"),
        (
            "{\"a\": \"say \"hi\" twice\"}",
            "write a quote inside a string as `\\\"`",
        ),
        ("{\"a\": True}", "write `true`, `false` and `null`"),
        ("{\"a\": NaN}", "JSON has no such number"),
        (
            "{\"a\": 0x1F}",
            "write a number in decimal digits, as in 10, -2 or 0.5",
        ),
        ("{\"a\": 1,}", "take out the extra comma"),
        ("{\"a\": 1 \"b\": 2}", "put a comma between two values"),
        (
            "{\"a\": 1; \"b\": 2}",
            "write a comma in place of the semicolon",
        ),
        (
            "{\"a\": \"x\" + \"y\"}",
            "JSON has no signs such as `+`: write one string or one number",
        ),
        (
            "{\"a\": 5 dollars}",
            "take out what stands behind the value",
        ),
        (
            "{\"a\": 1,000}",
            "write a number in decimal digits, as in 10, -2 or 0.5",
        ),
        ("{\"a\" 1}", "put a colon between a key and its value"),
        ("{\"a\": }", "give the key a value, or leave it out"),
        (
            "{\"a\": (1, 2)}",
            "put a list in `[` and `]`, without parentheses",
        ),
        ("{\"a\": [1}", "close `[` with `]` and `{` with `}`"),
        ("{\"a\": 1} // one", "take out comments"),
        ("{\"a\": [1, ...]}", "write out every value"),
        (
            "{\"a\": \"x\ny\"}",
            "inside a string write a line break as `\\n`, a tab as `\\t`",
        ),
        (
            "{\"a\": \"\\d\"}",
            "write a backslash inside a string as `\\\\`",
        ),
        ("{\"a\": \"it\\'s\"}", "write `'` without a backslash"),
        (
            "{\"a\": \"\\ud83d\"}",
            "write both halves of the character, or the character itself",
        ),
        (
            "{\\\"a\\\": 1}",
            "send the object without backslashes in front of its quotes",
        ),
        ("{\"a\": 1}}", "take out the extra closing bracket"),
        ("{\"a\": 1}{\"a\": 1}", "send the object once"),
        ("{\"a\": 1}{\"a\": 2}", "make one call for each"),
        (
            "{'a': True,}",
            "put keys and strings in double quotes, write `true`, `false` and `null`, take out the extra comma",
        ),
    ] {
        let report = read_str::<serde_json::Value>(text, &Policy::lax()).unwrap_err();
        assert_eq!(report.issues[0].hint.as_deref(), Some(mend), "{text}");
    }
}
