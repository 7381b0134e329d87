use serde_json::{Value, json};

use callpact::{
    Dialect, Policy,
    input::{read_foreign, read_foreign_call, read_foreign_value},
    schema::{ForeignSchema, Kind, Tagging},
};

fn schema(text: &str) -> ForeignSchema {
    ForeignSchema::parse(text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn written(text: &str, dialect: Dialect) -> String {
    schema(text).to_json(dialect)
}

const NOTE: &str = r#"{
    "type": "object",
    "properties": {
        "title": {"type": "string", "format": "date", "description": "The day"},
        "after": {"type": ["integer", "null"], "exclusiveMinimum": 0},
        "parent": {"type": ["string", "null"]},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "any": {}
    },
    "required": ["title", "parent"]
}"#;

#[test]
fn lowers_run_time_schema_like_derived_schema() {
    assert_eq!(
        written(NOTE, Dialect::OpenAiStrict),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""title":{"type":"string","description":"The day","format":"date"},"#,
            r#""after":{"type":["integer","null"],"minimum":1},"#,
            r#""parent":{"type":["string","null"]},"#,
            r#""labels":{"type":["array","null"],"description":"as key/value pairs","items":{"type":"object","#,
            r#""properties":{"key":{"type":"string"},"value":{"type":"string"}},"#,
            r#""required":["key","value"],"additionalProperties":false}},"any":{}},"#,
            r#""required":["title","after","parent","labels","any"],"additionalProperties":false}"#,
        )
    );
    let gemini = written(NOTE, Dialect::GeminiOpenApi);
    assert!(!gemini.contains("additionalProperties"), "{gemini}");
    assert!(gemini.contains(r#""after":{"type":"INTEGER""#), "{gemini}");
}

#[test]
fn a_required_null_stays_required_and_null() {
    let plain = written(NOTE, Dialect::OpenAi);
    assert!(
        plain.contains(r#""parent":{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
        "{plain}"
    );
    assert!(
        plain.ends_with(r#""required":["title","parent"]}"#),
        "{plain}"
    );
    let given = json!({"title": "2026-01-31", "parent": null});
    for policy in [Policy::exact(), Policy::lax()] {
        let read = read_foreign_value(&given, &schema(NOTE), &policy).expect("it fits");
        assert_eq!(read.value, given);
    }
}

#[test]
fn every_policy_reverses_strict_dialect_form() {
    let sent = r#"{"title": "2026-01-31", "after": null, "parent": null, "any": null,
        "labels": [{"key": "a", "value": "b"}, {"key": "c", "value": "d"}]}"#;
    let wanted = json!({
        "title": "2026-01-31", "after": null, "parent": null, "any": null,
        "labels": {"a": "b", "c": "d"}
    });
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let read =
            read_foreign_call(sent, &schema(NOTE), &policy).unwrap_or_else(|r| panic!("{r}"));
        assert_eq!(read.value, wanted);
    }
    let optional = schema(r#"{"type":"object","properties":{"a":{"type":"string"}}}"#);
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let read = read_foreign_call(r#"{"a": null}"#, &optional, &policy).expect("it is left out");
        assert_eq!(read.value, json!({}));
        let read = read_foreign(r#"{"a": null}"#, &optional, &policy.lowered());
        assert_eq!(read.expect("it is left out").fixes, []);
    }
    // A repeated key is not a map.
    let twice = r#"{"title": "2026-01-31", "parent": null,
        "labels": [{"key": "a", "value": "b"}, {"key": "a", "value": "d"}]}"#;
    assert!(read_foreign_call(twice, &schema(NOTE), &Policy::exact()).is_err());
}

#[test]
fn keeps_empty_text_accepted_by_schema() {
    let schema = schema(
        r#"{"type":"object","properties":{"new":{"type":"string"},"count":{"type":"integer"},
            "name":{"type":"string","minLength":1}}}"#,
    );
    let text = r#"{"new": "", "count": "", "name": ""}"#;
    let read = read_foreign_call(text, &schema, &Policy::lax()).unwrap_or_else(|r| panic!("{r}"));
    let fixes: Vec<String> = read.fixes.iter().map(ToString::to_string).collect();
    assert_eq!(read.value, json!({"new": ""}));
    assert_eq!(
        fixes,
        ["count: \"\" read as absent", "name: \"\" read as absent"]
    );
}

#[test]
fn properties_keep_declaration_order() {
    let text = r#"{"type":"object","properties":{"reasoning":{"type":"string"},"answer":{"type":"object","properties":{"z":{"type":"integer"},"a":{"type":"integer"}}}},"required":["answer","reasoning"]}"#;
    for dialect in Dialect::ALL {
        let json = written(text, dialect);
        let place = |name: &str| json.find(&format!("\"{name}\":{{")).expect("it is there");
        assert!(place("reasoning") < place("answer"), "{json}");
        assert!(place("z") < place("a"), "{json}");
    }
    assert_eq!(schema(text).as_str(), text);
    assert_eq!(written(text, Dialect::Mcp20260728), text);
}

#[test]
fn references_are_written_out_and_recursion_ends() {
    let text = r##"{"type":"object","properties":{"tree":{"$ref":"#/$defs/Tree"},"next":{"$ref":"#"}},
        "$defs":{"Tree":{"type":"object","properties":{"name":{"type":"string"},
            "children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}}}}"##;
    let json = written(text, Dialect::Portable);
    assert_eq!(
        json,
        concat!(
            r#"{"type":"object","properties":{"tree":{"type":"object","properties":{"name":{"type":"string"},"#,
            r#""children":{"type":"array","items":{"type":"object","description":"the same form again"}}}},"#,
            r#""next":{"type":"object","description":"the same form again"}}}"#,
        )
    );
    // Each level names the next one twice, so writing it out would never end.
    let defs = (0..60).map(|i| {
        let next = format!("#/$defs/L{}", i + 1);
        let level =
            json!({"type": "object", "properties": {"a": {"$ref": next}, "b": {"$ref": next}}});
        (format!("L{i}"), level)
    });
    let mut defs: serde_json::Map<String, Value> = defs.collect();
    defs.insert("L60".to_owned(), json!({"type": "string"}));
    let deep =
        json!({"type": "object", "properties": {"l": {"$ref": "#/$defs/L0"}}, "$defs": defs});
    let deep = ForeignSchema::from_value(deep).expect("it is a schema");
    assert!(deep.to_json(Dialect::Anthropic).len() < 4 << 20);
}

#[test]
fn variants_with_distinct_key_become_tagged_union() {
    let text = r#"{"type":"object","properties":{"shape":{"oneOf":[
        {"type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},
        {"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]},
        {"type":"object","properties":{"kind":{"const":"empty"}},"required":["kind"]}
    ]}}}"#;
    let schema = schema(text);
    let field = schema.tree().fields().next().expect("a field");
    let Kind::Union(union) = &field.schema.kind else {
        panic!("{:?}", field.schema.kind)
    };
    assert!(matches!(&union.tagging, Tagging::Internal { tag } if *tag == "kind"));
    let names: Vec<&str> = union.variants.iter().map(|v| v.name.part()).collect();
    assert_eq!(names, ["circle", "square", "empty"]);
    assert!(
        union
            .variants
            .iter()
            .last()
            .and_then(|v| v.content.as_ref())
            .is_some_and(|content| content.fields().next().is_none())
    );
}

#[test]
fn constants_with_meanings_are_one_list() {
    let text = r#"{"type":"object","properties":{"mode":{"description":"How","oneOf":[
        {"const":"fast","description":"titles only"},{"const":"deep"},{"type":"null"}]}}}"#;
    assert_eq!(
        written(text, Dialect::OpenAi),
        r#"{"type":"object","properties":{"mode":{"description":"How (fast: titles only)","anyOf":[{"type":"string","enum":["fast","deep"]},{"type":"null"}]}}}"#
    );
}

#[test]
fn checker_enforces_rules_missing_from_tree() {
    let text = r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"not":{"type":"string"}}},
        "if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"minProperties":1}"#;
    let schema = schema(text);
    assert_eq!(
        schema.to_json(Dialect::OpenAi),
        concat!(
            r#"{"type":"object","description":"minimum keys: 1; rule: {\"if\":{\"properties\":{\"a\":{\"const\":1}}},"#,
            r#"\"then\":{\"required\":[\"b\"]}}","properties":{"a":{"type":"integer"},"#,
            r#""b":{"description":"rule: {\"not\":{\"type\":\"string\"}}"}}}"#
        )
    );
    let read = |value: Value| read_foreign_value(&value, &schema, &Policy::exact()).is_ok();
    assert!(read(json!({"a": 2})));
    assert!(!read(json!({"a": 1})) && !read(json!({})) && !read(json!({"b": "x"})));
}

#[test]
fn objects_of_all_of_become_one() {
    let text = r##"{"allOf":[{"$ref":"#/$defs/Base"},{"type":"object","properties":{"b":{"type":"boolean"}},"required":["b","a"]}],
        "$defs":{"Base":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}}"##;
    assert_eq!(
        written(text, Dialect::OpenAi),
        r#"{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"boolean"}},"required":["a","b"]}"#
    );
}

#[test]
fn arguments_without_names_are_object_in_every_dialect() {
    for text in [
        "{}",
        r#"{"type":"object"}"#,
        r#"{"type":"object","properties":{}}"#,
    ] {
        for dialect in [
            Dialect::OpenAiStrict,
            Dialect::AnthropicStrict,
            Dialect::Ollama,
            Dialect::Portable,
        ] {
            let json: Value = serde_json::from_str(&written(text, dialect)).expect("JSON");
            assert_eq!(json["type"], "object", "{json}");
        }
    }
}

#[test]
fn keeps_separate_conditions_and_lists_beside_items() {
    let text = r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"},
        "pair":{"type":"array","items":{"type":"integer"},"enum":[[1,2],[3,4]]}},
        "allOf":[
            {"if":{"required":["a"]},"then":{"required":["b"]}},
            {"if":{"required":["b"]},"then":{"required":["c"]}}
        ]}"#;
    let schema = schema(text);
    let read = |value: Value| read_foreign_value(&value, &schema, &Policy::exact()).is_ok();
    assert!(read(json!({"b": 1, "c": 1})) && read(json!({"a": 1, "b": 1, "c": 1})));
    assert!(!read(json!({"a": 1})) && !read(json!({"a": 1, "b": 1})) && !read(json!({"b": 1})));
    assert!(read(json!({"pair": [3, 4]})) && !read(json!({"pair": [1, 3]})));
    let json = schema.to_json(Dialect::OpenAi);
    assert!(
        json.contains("pair") && !json.contains("\"required\""),
        "{json}"
    );
}

/// The description or a rule says everything that the tree has no place for, and so does `unsaid`.
#[test]
#[allow(clippy::too_many_lines)] // a table
fn nothing_is_lost_without_a_word() {
    let words = |property: &str| {
        let text = format!(
            r#"{{"type":"object","properties":{{"a":{property},"b":{{}}}},
            "$defs":{{"Small":{{"type":"integer","maximum":9}},"Name":{{"type":"string","enum":["x","y"]}}}}}}"#
        );
        let schema = schema(&text);
        let places = schema.unsaid(Dialect::OpenAi).unwrap_or_default();
        let places = places
            .faults
            .iter()
            .map(|fault| format!("{}/{}", fault.path, fault.keyword));
        let json: Value = serde_json::from_str(&schema.to_json(Dialect::OpenAi)).expect("JSON");
        (json["properties"]["a"].clone(), places.collect::<Vec<_>>())
    };
    // The parts that the tree can express.
    for (property, expected) in [
        (
            r#"{"enum":["a",1,null]}"#,
            json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}, {"type": "null"}]}),
        ),
        (
            r#"{"type":["string","null"],"enum":["a",1,null]}"#,
            json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
        ),
        (
            r##"{"$ref":"#/$defs/Small","maximum":5,"minimum":1}"##,
            json!({"type": "integer", "minimum": 1, "maximum": 5}),
        ),
        (
            r##"{"allOf":[{"$ref":"#/$defs/Small"},{"exclusiveMinimum":0.5},{"multipleOf":3}]}"##,
            json!({"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 3}),
        ),
        (
            r#"{"allOf":[{"type":"string","minLength":1},{"maxLength":5,"minLength":2},{"pattern":"^a"}]}"#,
            json!({"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^a"}),
        ),
        (
            r##"{"$ref":"#/$defs/Name","enum":["y","z"]}"##,
            json!({"type": "string", "enum": ["y"]}),
        ),
        (
            r#"{"allOf":[{"type":"number","minimum":0},{"exclusiveMinimum":0,"maximum":1.5}]}"#,
            json!({"type": "number", "exclusiveMinimum": 0, "maximum": 1.5}),
        ),
        (
            r#"{"allOf":[{"type":"array","items":{"type":"integer"}},{"minItems":1,"items":{"maximum":4}}]}"#,
            json!({"type": "array", "items": {"type": "integer", "maximum": 4}, "minItems": 1}),
        ),
    ] {
        assert_eq!(words(property), (expected, Vec::new()), "{property}");
    }
    // The parts that it cannot.
    for (property, expected, keyword) in [
        (
            r#"{"enum":[1.5,2]}"#,
            json!({"type": "number", "description": "one of 1.5, 2"}),
            "enum",
        ),
        (
            r#"{"const":true}"#,
            json!({"type": "boolean", "description": "true"}),
            "const",
        ),
        (
            r#"{"type":"object","properties":{"x":{"type":"string"}},"description":"A thing","minProperties":1,"dependentRequired":{"x":["y"]}}"#,
            json!({"type": "object", "description": "A thing; minimum keys: 1; `x` needs `y`", "properties": {"x": {"type": "string"}}}),
            "minProperties",
        ),
        (
            r#"{"type":"object","properties":{"x":{},"y":{}},"oneOf":[{"required":["x"]},{"required":["y"]}]}"#,
            json!({"type": "object", "description": "exactly one of these is given: `x`, or `y`", "properties": {"x": {}, "y": {}}}),
            "oneOf",
        ),
        (
            r#"{"type":"array","prefixItems":[{"type":"string"}]}"#,
            json!({"type": "array", "description": "rule: {\"prefixItems\":[{\"type\":\"string\"}]}", "items": {}}),
            "prefixItems",
        ),
        (
            r#"{"type":"string","not":{"pattern":"^x"}}"#,
            json!({"type": "string", "description": "rule: {\"not\":{\"pattern\":\"^x\"}}"}),
            "not",
        ),
        (
            r#"{"allOf":[{"type":"string","pattern":"^a"},{"pattern":"b$"}]}"#,
            json!({"type": "string", "description": "rule: {\"allOf\":[{\"type\":\"string\",\"pattern\":\"^a\"},{\"pattern\":\"b$\"}]}", "pattern": "^a"}),
            "allOf",
        ),
        (
            r#"{"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}"#,
            json!({"description": "exactly one of these forms", "anyOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}),
            "oneOf",
        ),
        ("false", Value::Null, "a"),
    ] {
        let (written, places) = words(property);
        assert_eq!(written, expected, "{property}");
        assert!(
            places
                .first()
                .is_some_and(|place| place.ends_with(&format!("/{keyword}"))),
            "{property}: {places:?}"
        );
    }
}

#[test]
fn names_long_or_referencing_rule_without_text() {
    let long = format!(r#"{{"not":{{"enum":["{}"]}}}}"#, "x".repeat(500));
    for rule in [&*long, r##"{"not":{"$ref":"#/properties/b"}}"##] {
        let text = format!(r#"{{"type":"object","properties":{{"a":{rule},"b":{{}}}}}}"#);
        let json = written(&text, Dialect::OpenAi);
        assert!(
            json.contains(r#""a":{"description":"a rule of `not` is checked and not shown here"}"#),
            "{json}"
        );
    }
}

fn union_of(text: &str) -> (Tagging, Vec<String>) {
    let schema = schema(text);
    let Kind::Union(union) = &schema.tree().kind else {
        panic!("{:?}", schema.tree().kind)
    };
    let names = union.variants.iter().map(|v| v.name.to_string());
    (union.tagging.clone(), names.collect())
}

#[test]
fn distinct_key_tags_closed_objects_externally() {
    let closed = r#""required":["circle"],"additionalProperties":false"#;
    let text = r#"{"type":"object","anyOf":[
        {"type":"string","enum":["empty"]},
        {"type":"object","properties":{"circle":{"type":"number"}},"required":["circle"],"additionalProperties":false},
        {"type":"object","properties":{"square":{"type":"number"}},"required":["square"],"additionalProperties":false}]}"#;
    let (tagging, names) = union_of(text);
    assert_eq!(tagging, Tagging::External);
    assert_eq!(names, ["empty", "circle", "square"]);
    // An open object may be two of them.
    let (tagging, _) = union_of(&text.replace(closed, r#""required":["circle"]"#));
    assert_eq!(tagging, Tagging::None);
    // Arguments are an object.
    let given = [
        json!("empty"),
        json!({"circle": 1}),
        json!({"circle": 1, "square": 1}),
    ];
    let takes =
        given.map(|value| read_foreign_value(&value, &schema(text), &Policy::exact()).is_ok());
    assert_eq!(takes, [false, true, false]);
}

#[test]
fn name_beside_content_tags_closed_objects_adjacently() {
    let text = r#"{"type":"object","oneOf":[
        {"type":"object","properties":{"op":{"const":"put"},"of":{"type":"string"}},"required":["op","of"],"additionalProperties":false},
        {"type":"object","properties":{"op":{"const":"get"},"of":{"type":"integer"}},"required":["op","of"],"additionalProperties":false},
        {"type":"object","properties":{"op":{"const":"end"}},"required":["op"],"additionalProperties":false}]}"#;
    let adjacent = Tagging::Adjacent {
        tag: "op".into(),
        content: "of".into(),
    };
    assert_eq!(
        union_of(text),
        (adjacent, ["put", "get", "end"].map(String::from).to_vec())
    );
    let (tagging, _) = union_of(&text.replacen(
        r#""of":{"type":"string"}},"required":["op","of"]"#,
        r#""of":{"type":"string"}},"required":["op"]"#,
        1,
    ));
    assert!(matches!(tagging, Tagging::Internal { .. }));
}

#[test]
fn shows_root_union_if_rest_describes_only_objects() {
    let flat = written(
        r#"{"type":"object","anyOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},
            {"properties":{"name":{"type":"string"}},"required":["name"]}]}"#,
        Dialect::OpenAi,
    );
    assert!(
        flat.contains(r#""id":{"type":"integer"},"name":{"type":"string"}"#),
        "{flat}"
    );
}

#[test]
fn rejects_call_envelope_around_arguments_of_open_schema() {
    let open = schema(r#"{"type":"object","properties":{"path":{"type":"string"}}}"#);
    let call = r#"{"arguments": {"path": "a"}}"#;
    let report = read_foreign_call(call, &open, &Policy::lax()).expect_err("nothing would be left");
    assert_eq!(
        report.issues[0].to_string(),
        "arguments: not a parameter; send what is in `arguments`, and nothing around it"
    );
    // If nothing is declared, every key is allowed.
    let free = schema(r#"{"type":"object"}"#);
    assert!(read_foreign_call(call, &free, &Policy::lax()).is_ok());
}

#[test]
fn rejects_items_equal_after_conversion() {
    let schema = schema(
        r#"{"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"},"uniqueItems":true}}}"#,
    );
    let read = |text: &str| read_foreign_call(text, &schema, &Policy::lax());
    assert!(read(r#"{"ids": [1, "2"]}"#).is_ok());
    let report = read(r#"{"ids": [1, "1"]}"#).expect_err("the server would refuse it");
    assert_eq!(
        report.issues[0].to_string(),
        "ids[1]: expected every item once, found the same item again"
    );
}

#[test]
fn keeps_tool_open_if_keys_are_undeclared() {
    let forms = r#""oneOf":[{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]},
        {"type":"object","properties":{"y":{"type":"integer"}},"required":["y"]}]"#;
    let base = format!(
        r#"{{"type":"object","properties":{{"id":{{"type":"string"}}}},"required":["id"],{forms}}}"#
    );
    let nested = format!(r#"{{"type":"object","properties":{{"o":{base}}},"required":["o"]}}"#);
    let all = format!(
        r#"{{"type":"object","properties":{{"id":{{"type":"string"}}}},"allOf":[{{{forms}}}]}}"#
    );
    for (text, place) in [
        (base.as_str(), "/oneOf"),
        (nested.as_str(), "/properties/o/oneOf"),
        (all.as_str(), "/allOf"),
    ] {
        let refusal = schema(text).find_refusal(Dialect::OpenAiStrict);
        let words = format!(
            "{place} names keys that only words can say, and a closed object would not take"
        );
        assert_eq!(refusal, Some(words), "{text}");
        assert_eq!(schema(text).find_refusal(Dialect::OpenAi), None);
    }
    // A rule about existing keys does not close anything.
    let rule = schema(
        r#"{"type":"object","properties":{"a":{"type":"string"}},
            "anyOf":[{"required":["a"]},{"properties":{"a":{"minLength":3}}}]}"#,
    );
    assert_eq!(rule.find_refusal(Dialect::OpenAiStrict), None);
}

#[test]
fn rejects_unevaluated_keys_under_closed_schema() {
    for (text, good, bad, issue) in [
        (
            r#"{"type":"object","allOf":[{"type":"object","properties":{"a":{"type":"string"}}}],"unevaluatedProperties":false}"#,
            r#"{"a":"x"}"#,
            r#"{"a":"x","zz":1}"#,
            "zz: not a parameter",
        ),
        (
            r#"{"type":"object","properties":{"o":{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}}],
                "properties":{"b":{"type":"integer"}},"unevaluatedProperties":false}}}"#,
            r#"{"o":{"a":"x","b":1}}"#,
            r#"{"o":{"a":"x","b":1,"zz":3}}"#,
            "o.zz: not a parameter",
        ),
        (
            r#"{"type":"object","properties":{"k":{"type":"string"}},"required":["k"],"unevaluatedProperties":{"type":"integer"},
                "anyOf":[{"properties":{"k":{"const":"a"},"p":{"type":"string"}}},{"properties":{"k":{"const":"b"},"q":{"type":"string"}}}]}"#,
            r#"{"k":"a","p":"x","n":1}"#,
            r#"{"k":"a","q":"x"}"#,
            "q: expected an integer, found \"x\"",
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"string"}],"unevaluatedItems":false}}}"#,
            r#"{"a":["x"]}"#,
            r#"{"a":["x",3]}"#,
            "a[1]: no value is accepted here",
        ),
    ] {
        let schema = schema(text);
        let read = |text: &str| read_foreign_call(text, &schema, &Policy::lax());
        assert!(read(good).is_ok(), "{text}: {:?}", read(good));
        let report = read(bad).expect_err("the server would refuse it");
        let said = report.issues[0].to_string();
        assert!(said.starts_with(issue), "{text}: {said}");
        assert!(schema.unsaid(Dialect::OpenAi).is_some(), "{text}");
    }
}

#[test]
fn nullable_arguments_are_shown_as_object() {
    let null = r#"{"type":["object","null"],"properties":{"a":{"type":"string"}}}"#;
    for dialect in [
        Dialect::OpenAi,
        Dialect::OpenAiStrict,
        Dialect::Anthropic,
        Dialect::Gemini,
    ] {
        let text = written(null, dialect);
        assert!(text.starts_with(r#"{"type":"object""#), "{dialect}: {text}");
    }
    // A client of MCP sends an object too, and takes only the schema of an object.
    for dialect in [Dialect::Mcp20251125, Dialect::Mcp20260728] {
        assert_eq!(
            written(null, dialect),
            r#"{"type":"object","properties":{"a":{"type":"string"}}}"#
        );
        let open = r#"{"properties":{"b":{},"a":{}}}"#;
        let open = format!(r#"{{"type":"object",{}"#, &open[1..]);
        assert_eq!(written(r#"{"properties":{"b":{},"a":{}}}"#, dialect), open);
        assert_eq!(written("{}", dialect), r#"{"type":"object"}"#);
    }
    // Absent arguments are an object without keys there too, and null stays null.
    let schema = schema(null);
    for (text, value) in [
        ("", json!({})),
        (" ", json!({})),
        ("null", json!(null)),
        ("{}", json!({})),
    ] {
        let read = read_foreign_call(text, &schema, &Policy::lax());
        assert_eq!(read.map(|read| read.value), Ok(value), "{text:?}");
    }
}

#[test]
fn lint_names_what_is_no_regular_expression() {
    let bad = r#"{"type":"object","properties":{"a":{"type":"string","pattern":"("},"b":{"type":"string","pattern":"a\\"}}}"#;
    for dialect in [
        Dialect::OpenAi,
        Dialect::OpenAiStrict,
        Dialect::Anthropic,
        Dialect::Bedrock,
    ] {
        let found = callpact_contract::dialect::lint("t", "Does it", bad, dialect);
        let said = |lint: &callpact_contract::dialect::Lint| {
            lint.message == "this is no regular expression"
        };
        assert_eq!(
            found.iter().filter(|lint| said(lint)).count(),
            2,
            "{dialect}"
        );
    }
}

/// A chain of conditions, written like `else if`, is read once.
#[test]
fn conditions_inside_of_conditions_take_no_time() {
    let mut chain = json!({"type": "integer"});
    for _ in 0..100 {
        chain = json!({"if": {"type": "string"}, "then": {"minLength": 3}, "else": chain});
    }
    let mut contains = json!({"type": "integer"});
    for _ in 0..100 {
        contains = json!({"type": "array", "contains": contains});
    }
    let schema = json!({"type": "object", "properties": {"a": chain, "b": contains}});
    let schema = ForeignSchema::from_value(schema).expect("a schema");
    assert!(read_foreign(r#"{"a": 5}"#, &schema, &Policy::lax()).is_ok());
    assert!(read_foreign(r#"{"a": true}"#, &schema, &Policy::lax()).is_err());
}

/// Only a reference makes a schema recursive, whatever an author writes.
#[test]
fn description_of_an_author_is_no_recursion() {
    let again = json!({"description": "the same form again"});
    let of = json!({"type": "object", "properties": {
        "a": again,
        "b": {"type": "object", "additionalProperties": again},
    }});
    let schema = ForeignSchema::from_value(of).expect("a schema");
    for dialect in [Dialect::Portable, Dialect::LlamaCpp, Dialect::Anthropic] {
        let text = schema.to_json(dialect);
        assert!(text.contains("the same form again"), "{text}");
        assert!(!text.contains("$ref"), "{text}");
    }
}
