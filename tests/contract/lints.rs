//! Lints name everything that a provider would refuse or drop.

use callpact::{AgentTool, Dialect, ToolContext, ToolResult, ToolSpec, adapter::Severity};
use serde_json::{Value, json};

struct Tool;

impl AgentTool for Tool {
    fn name(&self) -> &'static str {
        "tool"
    }

    fn description(&self) -> &'static str {
        "Does it"
    }

    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success("")
    }
}

fn spec(dialect: Dialect, parameters: &Value) -> ToolSpec {
    let mut spec = ToolSpec::of(&Tool, dialect);
    spec.parameters = parameters.to_string();
    spec
}

/// The lines about a tool's parameters.
fn lines(dialect: Dialect, parameters: &Value) -> Vec<String> {
    spec(dialect, parameters)
        .lint()
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// An object with one property `a` that every provider accepts.
fn of(a: &Value) -> Value {
    json!({"type": "object", "properties": {"a": a}, "required": ["a"], "additionalProperties": false})
}

const STRICT: [Dialect; 2] = [Dialect::OpenAiStrict, Dialect::OpenAiResponsesStrict];

#[test]
fn names_and_descriptions() {
    let good = of(&json!({"type": "string"}));
    for dialect in STRICT {
        let mut spec = spec(dialect, &good);
        assert_eq!(spec.lint(), []);
        spec.description = "é".repeat(1024);
        assert_eq!(spec.lint(), []);
        for (name, description, line) in [
            (
                "",
                "Does it",
                "error:  /: the name is not 1 to 64 letters, digits, `_` and `-`",
            ),
            (
                "a.b",
                "Does it",
                "error: a.b /: the name is not 1 to 64 letters, digits, `_` and `-`",
            ),
            ("tool", " \n ", "error: tool /: the description is empty"),
            (
                "tool",
                &"é".repeat(1025),
                "warning: tool /: the description is longer than 1024 characters",
            ),
        ] {
            spec.name = name.to_owned();
            spec.description = description.to_owned();
            let said: Vec<String> = spec.lint().iter().map(ToString::to_string).collect();
            assert_eq!(said, [line]);
        }
    }
}

#[test]
fn what_are_no_parameters() {
    for text in ["", "{", "null", "[]", "\"object\"", "true"] {
        let mut spec = spec(Dialect::OpenAi, &json!({}));
        spec.parameters = text.to_owned();
        let said: Vec<String> = spec.lint().iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            ["error: tool /: the parameters are not a JSON object"],
            "{text}"
        );
    }
}

#[test]
fn the_root() {
    let mut open = json!({"type": "object", "properties": {}});
    for keyword in ["anyOf", "oneOf", "allOf", "enum", "not"] {
        let mut root = open.clone();
        root[keyword] = if keyword == "not" {
            json!({})
        } else {
            json!([])
        };
        let line = format!("error: tool /{keyword}: not allowed at the root");
        assert!(lines(Dialect::OpenAi, &root).contains(&line), "{keyword}");
        assert!(
            lines(Dialect::GeminiOpenApi, &root).contains(&line),
            "{keyword}"
        );
        // A contract between programs states every rule.
        for dialect in [Dialect::Mcp20251125, Dialect::Mcp20260728] {
            assert_eq!(lines(dialect, &root), [""; 0], "{keyword}");
        }
    }
    for name in [json!("string"), json!(null), json!(["object"])] {
        open["type"] = name;
        let said = lines(Dialect::Mcp20260728, &open);
        assert!(
            said.contains(&"error: tool /: the root must be of type object".to_owned()),
            "{said:?}"
        );
    }
    // Type names may be in capitals.
    open["type"] = json!("OBJECT");
    assert_eq!(lines(Dialect::GeminiOpenApi, &open), [""; 0]);
}

/// A keyword and its fate in each dialect: refused, dropped or accepted.
#[test]
fn keywords() {
    use Dialect::{
        AnthropicStrict, BedrockStrict, Gemini, GeminiOpenApi, Ollama, OpenAi,
        OpenAiFineTunedStrict, Portable, Vllm,
    };
    for (keyword, value, refused, dropped, taken) in [
        (
            "minLength",
            json!(1),
            &[OpenAiFineTunedStrict, AnthropicStrict][..],
            &[Gemini, Ollama][..],
            &[
                OpenAi,
                STRICT[0],
                STRICT[1],
                BedrockStrict,
                GeminiOpenApi,
                Vllm,
                Portable,
            ][..],
        ),
        (
            "multipleOf",
            json!(2),
            &[AnthropicStrict, BedrockStrict, GeminiOpenApi],
            &[Gemini, Ollama],
            &[OpenAi, STRICT[0], Vllm, Portable],
        ),
        (
            "default",
            json!("a"),
            &[STRICT[0], STRICT[1], Portable],
            &[Gemini, Ollama],
            &[OpenAi, AnthropicStrict, BedrockStrict, GeminiOpenApi, Vllm],
        ),
        (
            "title",
            json!("A"),
            &[GeminiOpenApi, Portable],
            &[Ollama],
            &[OpenAi, STRICT[0], AnthropicStrict, Gemini, Vllm],
        ),
        (
            "$schema",
            json!("x"),
            &[Gemini, GeminiOpenApi, Portable],
            &[],
            &[OpenAi, STRICT[0], AnthropicStrict, Ollama, Vllm],
        ),
    ] {
        let a = json!({"type": "string", keyword: value});
        let of = |dialect| {
            let mut root = of(&a);
            if dialect == GeminiOpenApi || dialect == Ollama {
                root.as_object_mut()
                    .map(|root| root.remove("additionalProperties"));
            }
            lines(dialect, &root)
        };
        let at = format!("tool /properties/a/{keyword}");
        for dialect in refused {
            assert_eq!(
                of(*dialect),
                [format!("error: {at}: this keyword is refused")],
                "{dialect}"
            );
        }
        for dialect in dropped {
            assert_eq!(
                of(*dialect),
                [format!(
                    "warning: {at}: this keyword is dropped without a word"
                )],
                "{dialect}"
            );
        }
        for dialect in taken {
            assert_eq!(of(*dialect), [""; 0], "{keyword} in {dialect}");
        }
    }
}

#[test]
fn types() {
    let listed = of(&json!({"type": ["string", "null"]}));
    let line = "error: tool /properties/a/type: a list of types is refused".to_owned();
    assert_eq!(lines(Dialect::Portable, &listed), [line]);
    assert_eq!(lines(Dialect::OpenAiStrict, &listed), [""; 0]);

    let line = "warning: tool /properties/a: a node without a type takes anything";
    for a in [json!({}), json!({"description": "x"})] {
        assert_eq!(lines(Dialect::OpenAi, &of(&a)), [line], "{a}");
    }
    // A rule in the description counts as stated.
    for a in [
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"allOf": [{"type": "string"}]}),
        json!({"$ref": "#/$defs/a"}),
        json!({"enum": ["a", 1]}),
        json!({"const": "a"}),
    ] {
        assert_eq!(lines(Dialect::OpenAi, &of(&a)), [""; 0], "{a}");
    }
    // This dialect takes only strings in `enum`.
    let line = "error: tool /properties/a/enum: only strings are allowed in an enum";
    let mut root = of(&json!({"type": "integer", "enum": [1, 2]}));
    assert_eq!(lines(Dialect::Gemini, &root), [""; 0]);
    root.as_object_mut()
        .map(|root| root.remove("additionalProperties"));
    assert_eq!(lines(Dialect::GeminiOpenApi, &root), [line]);
}

#[test]
fn arrays() {
    let line = "error: tool /properties/a: an array needs `items`";
    for a in [
        json!({"type": "array"}),
        json!({"type": "ARRAY", "items": true}),
        json!({"type": ["null", "array"], "items": false}),
    ] {
        assert_eq!(lines(Dialect::OpenAi, &of(&a)), [line], "{a}");
        // A client of MCP takes all of JSON Schema.
        assert_eq!(lines(Dialect::Mcp20260728, &of(&a)), [""; 0], "{a}");
    }
    for a in [
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}),
    ] {
        assert_eq!(lines(Dialect::OpenAi, &of(&a)), [""; 0], "{a}");
    }
    let inside = of(&json!({"type": "array", "items": {"type": "array", "items": {}}}));
    let line = "warning: tool /properties/a/items/items: a node without a type takes anything";
    assert_eq!(lines(Dialect::OpenAi, &inside), [line]);
}

#[test]
fn objects() {
    for dialect in [
        STRICT[0],
        STRICT[1],
        Dialect::AnthropicStrict,
        Dialect::BedrockStrict,
    ] {
        for rest in [json!(null), json!(true), json!({"type": "string"})] {
            let mut a = json!({"type": "object", "properties": {}});
            if !rest.is_null() {
                a["additionalProperties"] = rest;
            }
            let line =
                "error: tool /properties/a: an object must have `additionalProperties: false`";
            assert_eq!(lines(dialect, &of(&a)), [line], "{dialect}");
            assert_eq!(lines(Dialect::OpenAi, &of(&a)), [""; 0]);
        }
    }
    let mut optional = of(&json!({"type": "string"}));
    optional["required"] = json!([]);
    for dialect in STRICT {
        let line = "error: tool /properties/a: every property must be required";
        assert_eq!(lines(dialect, &optional), [line], "{dialect}");
    }
    assert_eq!(lines(Dialect::AnthropicStrict, &optional), [""; 0]);

    let line = "warning: tool /: an object without `properties` is refused by some clients";
    assert_eq!(lines(Dialect::OpenAi, &json!({"type": "object"})), [line]);
    // Inside, this is how a map of any values is written.
    assert_eq!(
        lines(Dialect::OpenAi, &of(&json!({"type": "object"}))),
        [""; 0]
    );
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    assert_eq!(lines(Dialect::OpenAi, &of(&map)), [""; 0]);

    let mut missing = of(&json!({"type": "string"}));
    missing["required"] = json!(["a", "b"]);
    assert_eq!(
        lines(Dialect::OpenAi, &missing),
        ["error: tool /required: `b` is not a property"]
    );
    // Bad parameter names, and the pointer to each.
    let long = "a".repeat(65);
    for (name, pointer) in [
        ("", ""),
        ("a b", "a b"),
        ("größe", "größe"),
        (&*long, &*long),
        ("a/b~c", "a~1b~0c"),
    ] {
        let root = json!({"type": "object", "properties": {name: {"type": "string"}}});
        let line = format!(
            "error: tool /properties/{pointer}: the name is not 1 to 64 letters, digits, `_`, `.` and `-`"
        );
        assert_eq!(lines(Dialect::OpenAi, &root), [line]);
    }
    let root = json!({"type": "object", "properties": {"A.b-c_9": {"type": "string"}}});
    assert_eq!(lines(Dialect::OpenAi, &root), [""; 0]);
}

/// A fault is found at every depth.
#[test]
fn inside() {
    let bad = json!({"type": "string", "minLength": 1});
    for (a, place) in [
        (json!({"type": "array", "items": bad}), "items"),
        (json!({"anyOf": [{"type": "null"}, bad]}), "anyOf/1"),
        (of(&bad), "properties/a"),
        (json!({"$ref": "#/$defs/x", "$defs": {"x": bad}}), "$defs/x"),
        (
            json!({"$ref": "#/definitions/x~y", "definitions": {"x~y": bad}}),
            "definitions/x~0y",
        ),
    ] {
        let line = format!("error: tool /properties/a/{place}/minLength: this keyword is refused");
        assert_eq!(
            lines(Dialect::OpenAiFineTunedStrict, &of(&a)),
            [line],
            "{a}"
        );
    }
    let map =
        of(&json!({"type": "object", "additionalProperties": {"type": "string", "pattern": "a"}}));
    assert_eq!(
        lines(Dialect::Gemini, &map),
        [
            "warning: tool /properties/a/additionalProperties/pattern: this keyword is dropped without a word"
        ]
    );
    // Definitions at the root, as generators write them.
    let mut root = of(&json!({"$ref": "#/$defs/x"}));
    root["$defs"] = json!({"x": {"type": "object", "properties": {}}});
    assert_eq!(
        lines(Dialect::OpenAiStrict, &root),
        ["error: tool /$defs/x: an object must have `additionalProperties: false`"]
    );
}

/// Limits that some deployments set on a request.
#[test]
fn how_much() {
    let many = |count: usize| {
        let properties: serde_json::Map<String, Value> = (0..count)
            .map(|index| (format!("a{index}"), json!({"type": "string"})))
            .collect();
        let required: Vec<_> = properties.keys().cloned().collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let listed = |count: usize| {
        let values: Vec<String> = (0..count).map(|index| index.to_string()).collect();
        of(&json!({"type": "string", "enum": values}))
    };
    let deep = |levels: usize| (1..levels).fold(json!({"type": "string"}), |inner, _| of(&inner));
    for dialect in STRICT {
        for (most, more, line) in [
            (
                many(100),
                many(101),
                "warning: tool /: 101 properties; some deployments take 100",
            ),
            (
                listed(500),
                listed(501),
                "warning: tool /: 501 enum values; some deployments take 500",
            ),
            (
                deep(5),
                deep(6),
                "warning: tool /properties/a/properties/a/properties/a/properties/a/properties/a: nested deeper \
                 than 5 levels, which some deployments refuse",
            ),
        ] {
            assert_eq!(lines(dialect, &most), [""; 0]);
            assert_eq!(lines(dialect, &more), [line]);
            assert_eq!(lines(Dialect::OpenAi, &more), [""; 0]);
        }
        let lint = &spec(dialect, &many(101)).lint()[0];
        assert_eq!(
            (lint.severity, &*lint.path, &*lint.tool),
            (Severity::Warning, "", "tool")
        );
    }
    // No depth of a schema crashes the lint.
    let mut text = "{\"type\":\"array\",\"items\":".repeat(60);
    text.push_str("{}");
    text.push_str(&"}".repeat(60));
    let mut spec = spec(Dialect::OpenAi, &json!({}));
    spec.parameters = format!("{{\"type\":\"object\",\"properties\":{{\"a\":{text}}}}}");
    assert!(
        spec.lint()
            .iter()
            .all(|lint| lint.severity == Severity::Warning)
    );
}
