//! Each rule alone: the verdict, the limits of digits, and the report.

use serde_json::{Value, json};

use super::{exact, fixed, lax, lines, read_foreign, schema};
use callpact::{FixKind, Policy, input::read_foreign_value};

/// Each keyword with a value that follows it and one that does not. `not` accepts what a rule refuses, so this tests
/// the verdict and not only the reports.
#[test]
#[allow(clippy::too_many_lines)] // a table is as long as it is
fn what_a_rule_refuses_its_negation_accepts() {
    let rules = [
        (json!({"type": "string"}), json!("a"), json!(1)),
        (json!({"enum": [1, "a"]}), json!(1.0), json!("b")),
        (json!({"const": [1]}), json!([1.0]), json!([2])),
        (json!({"minLength": 2}), json!("äö"), json!("ä")),
        (json!({"maxLength": 2}), json!("äö"), json!("abc")),
        (json!({"pattern": "^a"}), json!("ab"), json!("b")),
        (json!({"minimum": 2}), json!(2), json!(1.5)),
        (json!({"maximum": 2.5}), json!(2.5), json!(3)),
        (json!({"exclusiveMinimum": 2}), json!(2.5), json!(2.0)),
        (json!({"exclusiveMaximum": 2.5}), json!(2), json!(2.5)),
        (json!({"multipleOf": 3}), json!(9), json!(10)),
        (json!({"multipleOf": 0.1}), json!(0.3), json!(0.35)),
        // Beyond 2^53 a float loses digits of a whole number.
        (json!({"minimum": EVEN + 1}), json!(EVEN + 1), json!(EVEN)),
        (json!({"maximum": EVEN}), json!(EVEN), json!(EVEN + 1)),
        (json!({"maximum": FLOAT}), json!(EVEN), json!(EVEN + 1)),
        (json!({"minimum": EVEN + 1}), json!(EVEN + 2), json!(FLOAT)),
        (
            json!({"exclusiveMinimum": FLOAT}),
            json!(EVEN + 1),
            json!(EVEN),
        ),
        (json!({"multipleOf": 1.5}), json!(EVEN + 1), json!(EVEN)),
        (json!({"minItems": 1}), json!([1]), json!([])),
        (json!({"maxItems": 1}), json!([1]), json!([1, 2])),
        (
            json!({"uniqueItems": true}),
            json!([1, "1"]),
            json!([1, 1.0]),
        ),
        (
            json!({"items": {"type": "null"}}),
            json!([null]),
            json!([null, 1]),
        ),
        (
            json!({"prefixItems": [{"type": "null"}]}),
            json!([null, 1]),
            json!([1]),
        ),
        (
            json!({"prefixItems": [true], "items": false}),
            json!([1]),
            json!([1, 2]),
        ),
        (json!({"contains": {"const": 1}}), json!([0, 1]), json!([0])),
        (
            json!({"contains": {"const": 1}, "minContains": 2}),
            json!([1, 1]),
            json!([1, 0]),
        ),
        (
            json!({"contains": {"const": 1}, "maxContains": 1}),
            json!([1, 0]),
            json!([1, 1]),
        ),
        (
            json!({"properties": {"a": {"type": "null"}}}),
            json!({"a": null, "b": 1}),
            json!({"a": 1}),
        ),
        (
            json!({"patternProperties": {"^x": {"type": "null"}}}),
            json!({"ax": 1, "xa": null}),
            json!({"ax": 1, "xa": 1}),
        ),
        (
            json!({"additionalProperties": {"type": "null"}, "properties": {"a": true}}),
            json!({"a": 1, "b": null}),
            json!({"b": 1}),
        ),
        (
            json!({"additionalProperties": false, "patternProperties": {"^x": true}}),
            json!({"xa": 1}),
            json!({"xa": 1, "ax": 1}),
        ),
        (
            json!({"propertyNames": {"maxLength": 1}}),
            json!({"a": 1}),
            json!({"aa": 1}),
        ),
        (json!({"minProperties": 1}), json!({"a": 1}), json!({})),
        (
            json!({"maxProperties": 1}),
            json!({"a": 1}),
            json!({"a": 1, "b": 1}),
        ),
        (
            json!({"required": ["a"]}),
            json!({"a": null}),
            json!({"b": 1}),
        ),
        (
            json!({"dependentRequired": {"a": ["b"]}}),
            json!({"b": 1}),
            json!({"a": 1}),
        ),
        (
            json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
            json!({"c": 1}),
            json!({"a": 1}),
        ),
        (
            json!({"dependencies": {"a": ["b"]}}),
            json!({"b": 1}),
            json!({"a": 1}),
        ),
        (
            json!({"dependencies": {"a": {"required": ["b"]}, "c": false}}),
            json!({"a": 1, "b": 1}),
            json!({"a": 1}),
        ),
        (
            json!({"if": {"required": ["a"]}, "then": {"maxProperties": 1}, "else": {"required": ["b"]}}),
            json!({"a": 1}),
            json!({"a": 1, "b": 1}),
        ),
        (
            json!({"if": {"required": ["a"]}, "then": {"maxProperties": 1}, "else": {"required": ["b"]}}),
            json!({"b": 1, "c": 1}),
            json!({"c": 1}),
        ),
        (
            json!({"allOf": [{"minimum": 1}, {"maximum": 2}]}),
            json!(2),
            json!(3),
        ),
        (
            json!({"anyOf": [{"minimum": 5}, {"maximum": 2}]}),
            json!(2),
            json!(3),
        ),
        (
            json!({"oneOf": [{"minimum": 1}, {"maximum": 2}]}),
            json!(3),
            json!(2),
        ),
        (json!({"$ref": "#/$defs/A"}), json!("a"), json!(1)),
    ];
    for (rule, good, bad) in rules {
        let mut of = rule.clone();
        of["$defs"] = json!({"A": {"type": "string"}});
        let not = json!({"not": rule, "$defs": {"A": {"type": "string"}}});
        for (value, fits) in [(good, true), (bad, false)] {
            assert_eq!(exact(of.clone(), &value).is_ok(), fits, "{rule} {value}");
            assert_eq!(
                exact(not.clone(), &value).is_ok(),
                !fits,
                "not {rule} {value}"
            );
        }
    }
}

/// JSON Schema has no `nullable`, so a server refuses null by its own schema. The null is left out if that is possible.
#[test]
fn drops_null_allowed_only_by_nullable_keyword() {
    let of = |d: Value, required: Value| {
        json!({"type": "object", "properties": {"d": d}, "required": required,
            "$defs": {"N": {"type": "string", "nullable": true}}})
    };
    let word = json!({"type": "string", "nullable": true});
    let lowered =
        |of: Value| read_foreign(r#"{"d":null}"#, &schema(of), &Policy::exact().lowered());
    for d in [word.clone(), json!({"$ref": "#/$defs/N"})] {
        assert_eq!(fixed(lowered(of(d.clone(), json!([])))).0, json!({}), "{d}");
        assert_eq!(
            fixed(lax(of(d.clone(), json!([])), &json!({"d": null}))).0,
            json!({}),
            "{d}"
        );
        // A required value is sent as the author of the schema says.
        let kept = json!({"d": null});
        assert_eq!(fixed(lowered(of(d.clone(), json!(["d"])))).0, kept, "{d}");
    }
    for d in [
        json!({"type": ["string", "null"], "nullable": true}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}], "nullable": true}),
        json!({"enum": ["a", null], "nullable": true}),
    ] {
        assert_eq!(
            fixed(lowered(of(d.clone(), json!([])))).0,
            json!({"d": null}),
            "{d}"
        );
    }
}

const EVEN: i64 = 9_007_199_254_740_992;
#[allow(clippy::cast_precision_loss)] // a power of two
const FLOAT: f64 = EVEN as f64;

/// The last float that stands for one whole number only is an integer. The next one is not, since the odd number
/// behind it is rounded to the same float.
#[test]
fn whole_numbers_end_where_floats_lose_them() {
    let of = json!({"anyOf": [{"type": "integer"}, {"type": "string"}]});
    let read = exact(of.clone(), &json!(FLOAT - 1.0));
    assert_eq!(fixed(read).0, json!(EVEN - 1));
    assert!(exact(of, &json!(FLOAT)).is_err());
    assert_eq!(
        lines(exact(json!({"type": "integer"}), &json!(FLOAT))),
        [
            "arguments: expected an integer, found 9007199254740992.0; write it in digits alone, in at most 64 bits"
        ]
    );
}

/// The line of the first issue; empty if there is none.
fn line(of: Value, value: &Value) -> String {
    exact(of, value).map_or_else(|report| report.issues[0].to_string(), |_| String::new())
}

#[test]
fn reports_length_unless_obvious_or_secret() {
    let of = |max: u64| json!({"type": "string", "minLength": 1, "maxLength": max});
    let sixty = json!("x".repeat(60));
    assert!(line(of(59), &sixty).ends_with("; it has 60 characters"));
    assert!(!line(of(59), &json!("x".repeat(61))).contains("it has"));
    assert_eq!(
        line(of(9), &json!("")),
        "arguments: expected a string of 1 to 9 characters, found \"\""
    );
    assert_eq!(
        line(json!({"minLength": 2}), &json!("a")),
        "arguments: expected a string of at least 2 characters, found \"a\"; it has 1 character"
    );
    let secret = json!({"type": "string", "writeOnly": true, "maxLength": 5});
    assert_eq!(
        line(secret, &json!("hunter2")),
        "arguments: expected a string of at most 5 characters, found a string (not shown)"
    );
}

/// If a choice has the type of the value, the value is not among the choices. Otherwise its type is wrong. Choices of
/// several types are several forms.
#[test]
fn value_of_choice_type_reports_invalid_choice() {
    let kind = |choices: Value, value: Value| {
        let report = exact(json!({"enum": choices}), &value);
        report.map_or_else(|report| report.issues[0].kind.name(), |_| "")
    };
    let (choice, type_) = ("not_a_choice", "wrong_type");
    assert_eq!(kind(json!(["a", 1]), json!("b")), choice);
    assert_eq!(kind(json!(["a", 1]), json!(2.0)), choice);
    // An integer is a number, but a number may not be an integer.
    assert_eq!(kind(json!([1.5]), json!(2)), choice);
    assert_eq!(kind(json!([2]), json!(1.5)), type_);
    assert_eq!(kind(json!(["a"]), json!(true)), type_);
    assert_eq!(kind(json!(["a", 1]), json!(true)), "no_variant");
    assert_eq!(kind(json!(["a", 1]), json!(null)), "no_variant");
    assert_eq!(
        lines(exact(json!({"enum": ["a", 1, null]}), &json!(true))),
        [r#"arguments: expected "a" or 1, or null, found true"#]
    );
}

#[test]
fn a_secret_choice_gets_no_hint() {
    let of = |secret: bool| json!({"enum": ["hunter1", "hunter2"], "writeOnly": secret});
    assert!(line(of(false), &json!("hunetr1")).contains("did you mean"));
    let shown = line(of(true), &json!("hunetr1"));
    assert!(shown.ends_with("found a string (not shown)"), "{shown}");
}

#[test]
fn examines_and_counts_all_unknown_keys() {
    // The misspelt key comes last, in the order of the keys and of the text.
    let given = |others: usize| {
        let mut given = json!({});
        for number in 0..others {
            given[format!("a{number}")] = json!(1);
        }
        given["qurey"] = json!(1);
        given
    };
    let of = json!({"type": "object", "properties": {"query": {"type": "integer"}}, "required": ["query"]});
    let missing = "query: missing; expected an integer";
    let said = format!("{missing}; `qurey` was given: rename it to `query`");
    for others in [15, 16] {
        assert_eq!(lines(exact(of.clone(), &given(others))), [&*said]);
    }

    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let report = exact(closed, &given(19)).unwrap_err();
    assert_eq!((report.issues.len(), report.count()), (16, 20));
}

fn missing_of(keys: &[&str]) -> Value {
    json!({"type": "object", "required": keys})
}

/// The nearest of several forms of an object says what is wrong.
#[test]
fn the_nearest_form_speaks() {
    let of = |members: &[Value]| json!({"anyOf": members});
    let lines = |members: &[Value]| lines(exact(of(members), &json!({})));
    let a = "a: missing; expected any value";
    assert_eq!(lines(&[missing_of(&["b", "c"]), missing_of(&["a"])]), [a]);
    assert_eq!(lines(&[missing_of(&["a"]), missing_of(&["b", "c"])]), [a]);
    // Of two equally near forms, the first.
    assert_eq!(lines(&[missing_of(&["a"]), missing_of(&["b"])]), [a]);
    // A form without a type is for objects,
    assert_eq!(
        lines(&[json!({"required": ["a"]}), json!({"type": "string"})]),
        [a]
    );
    assert_eq!(
        lines(&[json!({"properties": {"a": {"type": "string"}}, "required": ["a"]})]),
        ["a: missing; expected a string"]
    );
    // unless it lists values.
    for listed in [json!({"enum": ["x"]}), json!({"const": "x"})] {
        assert_eq!(lines(&[listed, missing_of(&["a"])]), [a]);
    }
    assert_eq!(
        lines(&[json!({"enum": ["x"]}), json!({"type": "string"})]),
        ["arguments: expected \"x\" or a string, found an object"]
    );
}

/// A tool with parameters that depend on each other, as people write it.
#[test]
fn one_of_two_parameters_is_asked_for() {
    let of = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "url": {"type": "string"}},
        "anyOf": [{"required": ["path"]}, {"required": ["url"]}],
    });
    assert!(exact(of.clone(), &json!({"url": "a"})).is_ok());
    assert_eq!(
        lines(exact(of, &json!({}))),
        ["path: missing; expected a string"]
    );
}

#[test]
fn counts_issues_of_variant_beyond_limit() {
    let of = schema(json!({"anyOf": [missing_of(&["a", "b", "c"])]}));
    for (most, kept) in [(1, 1), (0, 0)] {
        let policy = Policy::exact().with_max_issues(most);
        let report = read_foreign_value(&json!({}), &of, &policy).unwrap_err();
        assert_eq!((report.issues.len(), report.count()), (kept, 3));
    }
}

/// A property with one value in each form is a tag, in any spelling.
#[test]
fn what_is_a_tag() {
    let form = |kind: Value, key: &str| json!({"type": "object", "properties": {"kind": kind, key: {"type": "integer"}}, "required": ["kind", key]});
    let told = |first: Value, second: Value| {
        let of = json!({"oneOf": [form(first, "radius"), form(second, "side")]});
        lines(exact(of, &json!({"kind": "sqare", "side": 1})))
    };
    let tagged =
        ["kind: expected one of \"circle\", \"square\", found \"sqare\"; did you mean \"square\"?"];
    let (circle, square) = (json!({"const": "circle"}), json!({"const": "square"}));
    assert_eq!(told(circle.clone(), square.clone()), tagged);
    assert_eq!(told(json!({"enum": ["circle"]}), square.clone()), tagged);
    // A property with two values in a form, or with only one form, is not a tag. The nearest form says what is wrong.
    let two = told(json!({"enum": ["circle", "round"]}), square);
    assert_eq!(
        two,
        ["kind: expected \"square\", found \"sqare\"; did you mean \"square\"?"]
    );
    let of = json!({"oneOf": [form(circle, "radius")]});
    let one = lines(exact(of, &json!({})));
    assert_eq!(
        one,
        [
            "kind: missing; expected \"circle\"",
            "radius: missing; expected an integer"
        ]
    );
}

#[test]
fn converts_to_variant_only_if_value_is_unique() {
    let (integer, number) = (json!({"type": "integer"}), json!({"type": "number"}));
    let twice = json!({"anyOf": [integer, number]});
    let (value, fixes) = fixed(lax(twice, &json!("5")));
    assert_eq!((value, fixes.len()), (json!(5), 1));
    // It is not known which of the two is meant, so what is wrong without a conversion is told.
    let apart = json!({"anyOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}}},
        {"type": "object", "properties": {"b": {"type": "integer"}}},
    ]});
    let apart = lax(
        json!({"allOf": [apart], "properties": {"a": true}}),
        &json!({"a": "5", "b": "5"}),
    );
    assert_eq!(
        lines(apart),
        ["a: expected an integer, found \"5\"; send it without the quotes around it"]
    );
}

/// A fix that the host refuses is refused inside forms too.
#[test]
fn a_refused_conversion_is_refused_in_a_form() {
    let policy = Policy::lax().refusing(FixKind::NumberFromText);
    let plain = json!({"type": "integer"});
    for of in [plain.clone(), json!({"anyOf": [plain, {"type": "null"}]})] {
        let read = read_foreign("\"5\"", &schema(of), &policy);
        assert_eq!(lines(read), ["arguments: expected 5, found \"5\""]);
    }
}

#[test]
fn booleans_from_text() {
    for (text, read) in [
        ("true", true),
        ("True", true),
        ("TRUE", true),
        ("false", false),
        ("False", false),
        ("FALSE", false),
    ] {
        let (value, fixes) = fixed(lax(json!({"type": "boolean"}), &json!(text)));
        assert_eq!((value, fixes.len()), (json!(read), 1), "{text}");
    }
    assert!(lax(json!({"type": "boolean"}), &json!("yes")).is_err());
}

#[test]
fn fixes_of_secrets_show_nothing() {
    let of = json!({"type": "object", "properties": {
        "empty": {"type": "integer", "writeOnly": true},
        "none": {"type": "string", "writeOnly": true},
        "pin": {"type": "integer", "writeOnly": true},
    }});
    let given = json!({"empty": "", "none": null, "pin": "1234"});
    assert_eq!(
        fixed(lax(of, &given)),
        (
            json!({"pin": 1234}),
            vec![
                "empty: a string (not shown) read as (not shown)".to_owned(),
                "none: null read as (not shown)".to_owned(),
                "pin: a string (not shown) read as (not shown)".to_owned(),
            ]
        )
    );
}

/// No arguments mean an empty object only if the schema takes an object and not null.
#[test]
fn absent_arguments_become_empty_object_only_for_objects() {
    let read = |of: Value, text: &str| read_foreign(text, &schema(of), &Policy::exact());
    let empty = json!({});
    for of in [
        json!({}),
        json!({"type": "object"}),
        json!({"type": ["object", "string"]}),
    ] {
        for text in ["", "null"] {
            let value = read(of.clone(), text).map(|read| read.value);
            assert_eq!(value.as_ref(), Ok(&empty), "{of} {text:?}");
        }
    }
    let nullable = read(json!({"type": ["object", "null"]}), "null");
    assert_eq!(fixed(nullable).0, Value::Null);
    assert_eq!(
        lines(read(json!({"type": "array"}), "null")),
        ["arguments: expected an array, found null"]
    );
    assert_eq!(
        lines(read(json!({"type": "string"}), "")),
        ["arguments: expected a string, found an empty text"]
    );
}

/// A text that is too long is not read.
#[test]
fn what_is_too_large_is_said_alone() {
    let of = schema(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    let policy = Policy::exact().with_max_bytes(7);
    assert_eq!(
        lines(read_foreign(r#"{"a": 1}"#, &of, &policy)),
        ["arguments: expected at most 7 bytes, found 8 bytes"]
    );
}

/// Rules that no kind has are reported together with all other faults.
#[test]
fn reports_every_fault_at_once() {
    let of = json!({
        "type": "object",
        "properties": {
            "n": {"type": "integer"},
            "m": {"type": "string", "not": {"const": "no"}},
            "never": false,
            "tags": {"type": "object", "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false},
            "names": {"type": "object", "propertyNames": {"maxLength": 2}},
            "one": {"oneOf": [{"minimum": 1}, {"maximum": 5}]},
        },
        "minProperties": 7,
        "if": {"required": ["m"]},
        "then": {"required": ["n", "other"]},
    });
    let given =
        json!({"n": "q", "m": "no", "never": 1, "tags": {"y": 1}, "names": {"long": 1}, "one": 3});
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let mut lines = lines(read_foreign_value(&given, &schema(of.clone()), &policy));
        lines.sort();
        let starts = [
            "arguments: expected an object of at least 7 keys, found 6",
            "m: not accepted here: \"no\"",
            "n: expected an integer, found \"q\"",
            "names.long: this name is not accepted; a name is a string of at most 2 characters",
            "never: no value is accepted here",
            "one: expected a number of at least 1 or a number of at most 5, in exactly one of 2 forms, found 3, which fits more than one",
            "other: missing; expected any value",
            "tags.y: not a parameter; known are names that match `^x`",
        ];
        assert_eq!(lines.len(), starts.len(), "{lines:?}");
        for (line, start) in lines.iter().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
    }
}

/// A rule is about the value as it will run.
#[test]
fn rules_hold_for_converted_values() {
    let of =
        json!({"type": "object", "properties": {"n": {"type": "integer", "not": {"const": 5}}}});
    assert_eq!(
        lines(lax(of.clone(), &json!({"n": "5"}))),
        ["n: not accepted here: 5"]
    );
    assert_eq!(fixed(lax(of, &json!({"n": "6"}))).0, json!({"n": 6}));
}
