//! No part of a secret is shown: no value, and no key that the model chose inside it.

use serde_json::{Value, json};

use super::{fixed, lax, lines, read_foreign, read_foreign_value, schema};
use callpact::Policy;

const NEEDLES: [&str; 2] = ["hunter", "8675309"];

/// Values with many faults, and some that are right.
fn values() -> Vec<Value> {
    vec![
        json!("hunter2"),
        json!("8675309"),
        json!("8675309.0"),
        json!(8_675_309),
        json!(8_675_309.5),
        json!(8_675_309.0),
        json!(8_675_309e300),
        json!(true),
        json!(null),
        json!(""),
        json!(["hunter2", 8_675_309]),
        json!([8_675_309, 8_675_309]),
        json!({"hunter2": 8_675_309}),
        json!({"pin": "hunter2", "hunter2": 1}),
        json!({"kind": "hunter2", "pin": 8_675_309}),
        json!({"kind": 8_675_309}),
        json!({"kind": "card", "pin": "hunter2"}),
        json!({"pin": {"pin": {"hunter2": "hunter2"}}}),
    ]
}

/// Schemas with these rules, which declare a secret in different places.
fn said(rules: &Value) -> Vec<Value> {
    let with = |key: &str, value: Value| {
        let mut rules = rules.clone();
        rules[key] = value;
        rules
    };
    let of = |it: Value| json!({"type": "object", "properties": {"it": it}});
    let secret = json!({"writeOnly": true});
    vec![
        of(with("writeOnly", json!(true))),
        of(with("format", json!("password"))),
        of(json!({"allOf": [rules, secret]})),
        of(json!({"allOf": [secret, rules]})),
        of(json!({"anyOf": [with("writeOnly", json!(true)), {"type": "null"}]})),
        of(json!({"oneOf": [with("format", json!("password")), {"type": "null"}]})),
        of(
            json!({"if": {"type": "string"}, "then": with("writeOnly", json!(true)), "else": rules}),
        ),
        {
            let mut of = of(with("$ref", json!("#/$defs/secret")));
            of["$defs"] = json!({"secret": {"$ref": "#/$defs/again"}, "again": secret});
            of
        },
        {
            let mut of = of(rules.clone());
            of["patternProperties"] = json!({"^i": secret});
            of
        },
        json!({"type": "object", "additionalProperties": with("writeOnly", json!(true))}),
        {
            let mut of = of(rules.clone());
            of["allOf"] = json!([{"properties": {"it": secret}}]);
            of
        },
        {
            let mut of = of(rules.clone());
            of["dependentSchemas"] = json!({"it": {"properties": {"it": secret}}});
            of
        },
    ]
}

fn rules() -> Vec<Value> {
    let form = |kind: &str, pin: Value| json!({"type": "object", "properties": {"kind": {"const": kind}, "pin": pin}, "required": ["kind"], "additionalProperties": false});
    vec![
        json!({"type": "string", "minLength": 20}),
        json!({"type": "string", "pattern": "^x"}),
        json!({"type": "integer", "maximum": 5}),
        json!({"type": "integer"}),
        json!({"type": "number"}),
        json!({"type": "boolean"}),
        json!({"enum": ["hidden", "huntre2x", 5]}),
        json!({"const": "punter2"}),
        json!({"type": "array", "items": {"type": "integer", "maximum": 5}, "uniqueItems": true}),
        json!({"type": "array", "prefixItems": [{"type": "boolean"}], "items": false}),
        json!({"type": "array", "contains": {"const": 1}}),
        json!({"type": "object", "additionalProperties": {"type": "boolean"}}),
        json!({"type": "object", "properties": {"pin": {"type": "integer"}}, "required": ["pine"], "additionalProperties": false}),
        json!({"type": "object", "propertyNames": {"maxLength": 2}}),
        json!({"type": "object", "patternProperties": {"^h": {"type": "boolean"}}}),
        json!({"oneOf": [form("card", json!({"type": "integer"})), form("cash", json!({}))]}),
        json!({"oneOf": [{"type": "number"}, {"type": "integer"}, {"minLength": 1}]}),
        json!({"not": {}}),
    ]
}

#[test]
fn wherever_it_is_said() {
    let (mut refused, mut mended) = (0, 0);
    for rules in rules() {
        for of in said(&rules) {
            let schema = schema(of.clone());
            for value in values() {
                let given = json!({"it": value});
                for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
                    for read in [
                        read_foreign_value(&given, &schema, &policy),
                        read_foreign(&given.to_string(), &schema, &policy),
                    ] {
                        let told = match read {
                            Ok(read) => {
                                mended += read.fixes.len();
                                format!("{:?}", read.fixes)
                            }
                            Err(report) => {
                                refused += 1;
                                format!("{report} {report:?}")
                            }
                        };
                        // The text of the schema itself is not secret.
                        let told = told.replace("punter2", "").replace("huntre2x", "");
                        for needle in NEEDLES {
                            assert!(!told.contains(needle), "{given} by {of}: {told}");
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 10_000 && mended > 100, "{refused} {mended}");
}

/// The property that distinguishes the forms may be the secret.
#[test]
fn a_tag() {
    let form =
        |kind: Value| json!({"type": "object", "properties": {"kind": kind}, "required": ["kind"]});
    let of = |first: Value, second: Value| json!({"type": "object", "properties": {"it": {"oneOf": [form(first), form(second)]}}});
    let shown = |kind: &str| json!({"const": kind});
    let secret = |kind: &str| json!({"const": kind, "writeOnly": true});
    for (given, hidden, told) in [
        (
            json!("sqare"),
            "a string (not shown)",
            "\"sqare\"; did you mean \"square\"?",
        ),
        (json!(8_675_309), "a number (not shown)", "8675309"),
    ] {
        let given = json!({"it": {"kind": given}});
        for (first, second, found) in [
            (shown("circle"), shown("square"), told),
            (secret("circle"), secret("square"), hidden),
            (shown("circle"), secret("square"), hidden),
            (secret("circle"), shown("square"), hidden),
            (shown("circle"), json!({"$ref": "#/$defs/it"}), hidden),
        ] {
            let mut of = of(first, second);
            of["$defs"] = json!({"it": secret("square")});
            if of.to_string().contains("$ref") {
                // Behind a reference there is no tag, but the value is still hidden.
                let lines = lines(lax(of, &given)).join("\n");
                assert!(
                    !lines.contains("sqare") && !lines.contains("8675309"),
                    "{lines}"
                );
                continue;
            }
            assert_eq!(
                lines(lax(of, &given)),
                [format!(
                    "it.kind: expected one of \"circle\", \"square\", found {found}"
                )]
            );
        }
    }
}

#[test]
fn what_is_said_all_the_same() {
    let of = json!({"type": "object", "properties": {
        "it": {"type": "object", "writeOnly": true, "properties": {"pin": {"type": "integer"}}, "additionalProperties": false},
        "map": {"type": "object", "additionalProperties": {"type": "integer", "format": "password"}},
        "word": {"type": "object", "properties": {"format": {"const": "password"}}},
    }});
    let given = json!({"it": {"pin": "x", "hunter2": 1}, "map": {"shown": "hunter2"}, "word": {"format": "shown"}});
    assert_eq!(
        lines(lax(of.clone(), &given)),
        [
            "it.pin: expected an integer, found a string (not shown)",
            "it[\"(not shown)\"]: not a parameter; known are `pin`",
            "map.shown: expected an integer, found a string (not shown)",
            "word.format: expected \"password\", found \"shown\"",
        ]
    );
    let given = json!({"it": {"pin": "8675309"}, "map": {"shown": "8675309"}});
    let (_, fixes) = fixed(lax(of.clone(), &given));
    assert_eq!(
        fixes,
        [
            "it.pin: a string (not shown) read as (not shown)",
            "map.shown: a string (not shown) read as (not shown)"
        ]
    );
    // A broken text is not quoted, nor is a doubled key in it.
    let schema = schema(of);
    let said = |text: &str, policy: &Policy| lines(read_foreign(text, &schema, policy));
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let cut = said(r#"{"it": {"hunter2": 1, "#, &policy).join("\n");
        assert!(
            cut.ends_with("found a text cut off (its end is not shown); send the whole call again"),
            "{cut}"
        );
        let twice = said(r#"{"it": {"hunter2": 1, "hunter2": 2}}"#, &policy).join("\n");
        assert!(
            (twice.contains("expected once") || twice.contains("not a parameter"))
                && !twice.contains("hunter"),
            "{twice}"
        );
    }
    let broken = said(r#"{"it": hunter2}"#, &Policy::exact()).join("\n");
    assert!(
        broken.contains("found something at line 1, column"),
        "{broken}"
    );
}

/// The search for secrets ends in a schema with circular references.
#[test]
fn without_end() {
    let of = json!({"$ref": "#/$defs/a", "$defs": {
        "a": {"allOf": [{"$ref": "#/$defs/b"}, {"properties": {"it": {"$ref": "#/$defs/a"}}}]},
        "b": {"anyOf": [{"type": "object"}, {"type": "integer"}], "writeOnly": false},
    }});
    let deep = json!({"it": {"it": {"it": "shown"}}});
    let lines = lines(lax(of, &deep)).join("\n");
    assert!(lines.contains("\"shown\""), "{lines}");
}
