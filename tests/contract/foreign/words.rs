//! A foreign schema is reported in the words of a derived one.

use serde_json::json;

use super::{exact, lax, lines, read_foreign, schema};
use callpact::{Dialect, Policy, ToolInput, input::IssueKind, read_str};

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Search {
    /// What to look for
    #[tool_param(min_length = 2, max_length = 5)]
    query: String,
    #[tool_param(min = 1, max = 50)]
    limit: u32,
    mode: Option<Mode>,
    #[tool_param(min = 0.5)]
    score: Option<f64>,
    #[tool_param(min_items = 1, max_items = 2)]
    tags: Option<Vec<String>>,
    inner: Option<Inner>,
    deep: Option<bool>,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Inner {
    #[tool_param(pattern = "^[a-z]+$")]
    name: String,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
enum Mode {
    Fast,
    Deep,
}

/// The derived reader and its schema as JSON read each text with the same report.
#[test]
fn derived_and_foreign_reports_agree() {
    let foreign = schema(
        serde_json::from_str(&Search::SCHEMA.to_json(Dialect::Portable)).unwrap_or_default(),
    );
    for text in [
        "{}",
        "[1]",
        r#""text""#,
        r#"{"query": "a", "limit": 99}"#,
        r#"{"query": "much too long", "limit": 0}"#,
        r#"{"query": 5, "limit": "many"}"#,
        r#"{"qurey": "abc", "limit": 5}"#,
        r#"{"query": "abc", "limit": 1.5}"#,
        r#"{"query": "abc", "limit": 5, "mode": "fsat"}"#,
        r#"{"query": "abc", "limit": 5, "mode": 7}"#,
        r#"{"query": "abc", "limit": 5, "score": 0.25}"#,
        r#"{"query": "abc", "limit": 5, "tags": []}"#,
        r#"{"query": "abc", "limit": 5, "tags": ["a", 5, "c"]}"#,
        r#"{"query": "abc", "limit": 5, "inner": {"name": "A"}}"#,
        r#"{"query": "abc", "limit": 5, "inner": {}}"#,
        r#"{"query": "abc", "limit": 5, "inner": "x"}"#,
        r#"{"query": "abc", "limit": 5, "deep": "yes"}"#,
        r#"{"query": "abc", "limit": 5, "#,
        r#"{"query": "abc", "limit": 5} and more"#,
        "{query: 1}",
        "{\"query\": \"abc\u{202e}defghi\", \"limit\": 5}",
    ] {
        for policy in [Policy::exact(), Policy::lax()] {
            let sorted = |report: callpact::Report| {
                let mut lines: Vec<_> = report
                    .issues
                    .iter()
                    .map(|i| (i.kind.name(), i.to_string()))
                    .collect();
                lines.sort();
                lines
            };
            let own = read_str::<Search>(text, &policy)
                .map(|_| ())
                .map_err(sorted);
            let other = read_foreign(text, &foreign, &policy)
                .map(|_| ())
                .map_err(sorted);
            assert!(own.is_err(), "{text}");
            assert_eq!(other, own, "{text}");
        }
    }
}

#[test]
fn duplicate_keys_are_reported_with_the_rest() {
    let of = schema(
        json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}),
    );
    let report = read_foreign(r#"{"a": 1, "a": 2, "b": 5}"#, &of, &Policy::lax());
    assert_eq!(
        lines(report),
        [
            "a: expected once, found more than once",
            "b: expected a string, found 5; put it in quotes"
        ]
    );
}

#[test]
fn names_unknown_keys_of_closed_object() {
    let of = json!({"type": "object", "properties": {"path": {"type": "string"}}, "additionalProperties": false});
    assert_eq!(
        lines(exact(of, &json!({"pth": "a", "x": 1}))),
        [
            "pth: not a parameter; did you mean `path`?",
            "x: not a parameter; known are `path`"
        ]
    );
}

fn forms() -> serde_json::Value {
    let form = |kind: &str, key: &str| json!({"type": "object", "properties": {"kind": {"const": kind}, key: {"type": "integer"}}, "required": ["kind", key]});
    json!({"type": "object", "properties": {"it": {"anyOf": [form("circle", "radius"), form("square", "side"), {"type": "string"}]},
        "tagged": {"oneOf": [form("circle", "radius"), form("square", "side")]}}})
}

#[test]
fn a_form_is_told_by_its_tag() {
    let of = |value| lines(lax(forms(), &json!({"tagged": value})));
    assert_eq!(
        of(json!({"kind": "circle"})),
        ["tagged.radius: missing; expected an integer"]
    );
    assert_eq!(
        of(json!({"kind": "sqare", "side": 1})),
        [
            "tagged.kind: expected one of \"circle\", \"square\", found \"sqare\"; did you mean \"square\"?"
        ]
    );
    assert_eq!(
        of(json!({})),
        [
            "tagged: expected an object whose `kind` is one of \"circle\", \"square\", found an empty one; send one, or leave it out"
        ]
    );
    assert_eq!(
        of(json!(5)),
        ["tagged: expected an object whose `kind` is one of \"circle\", \"square\", found 5"]
    );
    assert_eq!(
        lines(lax(forms(), &json!({"it": 5}))),
        ["it: expected an object or a string, found 5; put it in quotes"]
    );
}

#[test]
fn more_than_one_form() {
    let of = json!({"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]});
    assert_eq!(
        lines(exact(of, &json!(5))),
        [
            "arguments: expected an integer or a number or a string, in exactly one of 3 forms, found 5, which fits more than one; put it in quotes"
        ]
    );
}

#[test]
fn what_is_found_is_cut_escaped_and_hidden() {
    let of = json!({"type": "object", "properties": {"a": {"type": "integer"}, "key": {"type": "integer", "writeOnly": true}}});
    let given = json!({"a": "x\u{202e}\n".repeat(100), "key": "hunter2"});
    let report = lax(of, &given)
        .map(|_| ())
        .map_err(|report| report.to_string());
    let text = report.err().unwrap_or_default();
    assert!(
        text.contains("…") && text.contains("\\u{202e}\\n") && !text.contains('\u{202e}'),
        "{text}"
    );
    assert!(
        text.contains("a string (not shown)") && !text.contains("hunter2"),
        "{text}"
    );
}

#[test]
fn other_rules() {
    let cases = [
        (
            json!({"type": "array", "uniqueItems": true}),
            json!([1, 1.0]),
            "[1]: expected every item once, found the same item again",
        ),
        (
            json!({"not": {"type": "string"}}),
            json!("a"),
            "arguments: not accepted here: a string",
        ),
        (
            json!({"type": "object", "properties": {"a": false}}),
            json!({"a": 1}),
            "a: no value is accepted here",
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}),
            json!(["a", "b"]),
            "arguments: expected an array of at most 1 item, found 2 items",
        ),
        (
            json!({"type": "object", "minProperties": 2}),
            json!({}),
            "arguments: expected an object of at least 2 keys, found 0",
        ),
        (
            json!({"if": {"type": "string"}, "then": {"maxLength": 1}}),
            json!("ab"),
            "arguments: expected a string of at most 1 character, found \"ab\"; it has 2 characters",
        ),
        (
            json!({"type": "object", "dependentRequired": {"a": ["b"]}}),
            json!({"a": 1}),
            "b: missing; expected any value",
        ),
        (
            json!({"type": "object", "dependencies": {"a": ["b"]}}),
            json!({"a": 1}),
            "b: missing; expected any value",
        ),
        (
            json!({"multipleOf": 0.1}),
            json!(0.35),
            "arguments: expected a number, a multiple of 0.1, found 0.35",
        ),
    ];
    for (of, value, line) in cases {
        let got = lines(exact(of.clone(), &value));
        assert_eq!(got.first().map(String::as_str), Some(line), "{of}");
    }
}

/// Reports describe the rules of the schema, not those of its tree.
#[test]
fn what_no_kind_says_is_named() {
    let cases = [
        (
            json!({"type": "null"}),
            json!("x"),
            "d: expected null, found \"x\"",
        ),
        (
            json!({"not": {"type": "null"}}),
            json!(null),
            "d: not accepted here: null",
        ),
        (
            json!({"const": true}),
            json!(5),
            "d: expected true, found 5",
        ),
        (
            json!({"enum": [true, "yes"]}),
            json!(5),
            "d: expected \"yes\" or true, found 5",
        ),
        (
            json!({"enum": [true, "yes"]}),
            json!(false),
            "d: expected one of true, \"yes\", found false",
        ),
        (
            json!({"type": "object", "not": {"required": ["a", "b"]}}),
            json!({"a": 1, "b": 2}),
            "d: not accepted here; not given together: `a` and `b`",
        ),
        (
            json!({"not": {"properties": {"a": {"const": 1}}}}),
            json!({"a": 1}),
            "d: not accepted here; rule: {\"not\":{\"properties\":{\"a\":{\"const\":1}}}}",
        ),
    ];
    for (rule, value, line) in cases {
        let of = json!({"type": "object", "properties": {"d": rule}, "required": ["d"]});
        assert_eq!(
            lines(exact(of.clone(), &json!({"d": value}))),
            [line],
            "{of}"
        );
    }
}

#[test]
fn kinds() {
    let of = json!({"type": "object", "required": ["m"], "additionalProperties": false, "properties": {
        "m": {}, "t": {"type": "string"}, "r": {"maximum": 1}, "l": {"maxLength": 1}, "p": {"pattern": "^a"}, "c": {"enum": ["a"]},
        "i": {"maxItems": 0}, "u": {"uniqueItems": true}, "v": {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
    }});
    let given = json!({"t": 1, "r": 2, "l": "ab", "p": "b", "c": "b", "i": [1], "u": [1, 1], "v": 1, "x": 1});
    let Err(report) = exact(of, &given) else {
        panic!("accepted")
    };
    let kinds: Vec<_> = report.issues.iter().map(|issue| issue.kind).collect();
    for kind in [
        IssueKind::Missing,
        IssueKind::WrongType,
        IssueKind::OutOfRange,
        IssueKind::Length,
        IssueKind::Pattern,
        IssueKind::NotAChoice,
        IssueKind::ItemCount,
        IssueKind::DuplicateItem,
        IssueKind::NoVariant,
        IssueKind::UnknownKey,
    ] {
        assert!(kinds.contains(&kind), "{kind:?} in {report}");
    }
    assert_eq!(kinds.len(), 10);
}

#[test]
fn describes_required_item_count_in_sentence() {
    let line = |rule: serde_json::Value, value: serde_json::Value| {
        let of = json!({"type": "object", "properties": {"a": rule}});
        lines(exact(of, &json!({"a": value})))
    };
    let least = json!({"type": "array", "items": {"type": "integer"}, "contains": {"type": "integer", "minimum": 5}});
    assert_eq!(
        line(least, json!([1, 2])),
        ["a: expected an array of which at least 1 item is an integer of at least 5, found none"]
    );
    let between =
        json!({"type": "array", "contains": {"const": "x"}, "minContains": 2, "maxContains": 3});
    assert_eq!(
        line(between, json!(["x", "y"])),
        ["a: expected an array of which 2 to 3 items are \"x\", found 1"]
    );
    let most =
        json!({"type": "array", "contains": {"const": 1}, "minContains": 0, "maxContains": 1});
    assert_eq!(
        line(most, json!([1, 1])),
        ["a: expected an array of which at most 1 item is 1, found 2"]
    );
}

#[test]
fn a_condition_about_scalars_is_said_in_words() {
    let both =
        json!({"if": {"type": "string"}, "then": {"minLength": 3}, "else": {"type": "integer"}});
    let then = json!({"type": "string", "if": {"enum": ["a", "b"]}, "then": {"maxLength": 1}});
    let contains = json!({"type": "array", "items": {}, "contains": {"type": "integer"}});
    let of = json!({
        "type": "object",
        "properties": {"v": both, "w": then, "c": contains},
        "required": ["v"],
    });
    assert_eq!(
        lines(lax(of.clone(), &json!({}))),
        [
            "v: missing; expected a string of at least 3 characters or an integer (a string of at least 3 \
             characters where it is a string, else an integer)"
        ]
    );
    assert_eq!(
        lines(lax(of.clone(), &json!({"v": []}))),
        ["v: expected a string of at least 3 characters or an integer, found an array"]
    );
    let written = schema(of.clone()).to_json(Dialect::OpenAi);
    for words in [
        "a string of at least 3 characters where it is a string, else an integer",
        "a string of at most 1 character where it is one of",
        "at least 1 item is an integer",
    ] {
        assert!(written.contains(words), "{written}");
    }
    for (value, fits) in [(json!("abc"), true), (json!(5), true), (json!("ab"), false)] {
        assert_eq!(
            exact(of.clone(), &json!({"v": value})).is_ok(),
            fits,
            "{value}"
        );
    }
}

/// The given keys show which form is meant, at any depth.
#[test]
fn names_intended_variant_in_nested_unions() {
    let form = |key: &str, of: &str| json!({"type": "object", "properties": {key: {"type": of}}, "required": [key]});
    let any_of = |forms: Vec<serde_json::Value>| json!({"anyOf": forms});
    let line = |of: &serde_json::Value, value: serde_json::Value| {
        let of = json!({"type": "object", "properties": {"v": of}, "required": ["v"]});
        lines(exact(of, &json!({"v": value})))
    };
    let (a, b) = (form("a", "integer"), form("b", "string"));
    let (c, d) = (form("c", "boolean"), form("d", "integer"));
    let flat = any_of(vec![a.clone(), b.clone(), c.clone(), d.clone()]);
    let nested = any_of(vec![any_of(vec![a, b]), any_of(vec![c, d])]);
    let deep = any_of(vec![any_of(vec![nested.clone()]), form("e", "string")]);
    for (value, expected) in [
        (json!({"a": "x"}), "v.a: expected an integer, found \"x\""),
        (json!({"b": []}), "v.b: expected a string, found an array"),
        (
            json!({"c": "x"}),
            "v.c: expected true or false, found \"x\"",
        ),
        (json!({"d": "x"}), "v.d: expected an integer, found \"x\""),
    ] {
        for of in [&flat, &nested, &deep] {
            assert_eq!(line(of, value.clone()), [expected], "{of}");
        }
    }
    // Two forms with the same key, with different forms inside.
    let around = |forms: Vec<serde_json::Value>| json!({"type": "object", "properties": {"a": any_of(forms)}, "required": ["a"]});
    let one = around(vec![form("b", "integer"), form("c", "integer")]);
    let other = around(vec![form("d", "integer"), form("e", "integer")]);
    let of = any_of(vec![one, other]);
    for key in ["b", "c", "d", "e"] {
        assert_eq!(
            line(&of, json!({"a": {key: "x"}})),
            [format!("v.a.{key}: expected an integer, found \"x\"")]
        );
    }
}

/// A condition names the required property, and the schema around it has the type.
#[test]
fn surrounding_schema_describes_property_required_by_condition() {
    let rules = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "allOf": [{"if": {"required": ["a"]}, "then": {"required": ["b"]}}],
        "dependentRequired": {"b": ["c"]}});
    let inside =
        json!({"type": "object", "properties": {"list": {"type": "array", "items": rules}}});
    assert_eq!(
        lines(lax(rules.clone(), &json!({"a": "x"}))),
        ["b: missing; expected an integer"]
    );
    assert_eq!(
        lines(lax(inside, &json!({"list": [{"a": "x"}]}))),
        ["list[0].b: missing; expected an integer"]
    );
    // Nothing declares `c`.
    assert_eq!(
        lines(lax(rules, &json!({"b": 1}))),
        ["c: missing; expected any value"]
    );
}
