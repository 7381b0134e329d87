//! No list of tools that we write makes a request fail.

use std::collections::BTreeMap;

use callpact::{
    AgentTool, Dialect, DynamicTool, Parameters, Schema, ToolCall, ToolContext, ToolResult,
    ToolSpec, Toolset,
    adapter::{Lint, Severity, StrictBudget},
};
use callpact_tests::{elsewhere::foreign_schemas, shapes};
use serde_json::{Value, json};

/// A tool with the parameters of a shape.
/// A tool that takes a shape.
pub(crate) struct Shaped(pub(crate) &'static Schema);

impl AgentTool for Shaped {
    fn name(&self) -> &'static str {
        "shaped"
    }

    fn description(&self) -> &'static str {
        "Takes a shape"
    }

    fn parameters(&self) -> Parameters<'_> {
        Parameters::Typed(self.0)
    }

    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success("")
    }
}

fn errors(spec: &ToolSpec) -> Vec<Lint> {
    let mut found = spec.lint();
    found.retain(|lint| lint.severity == Severity::Error);
    found
}

#[test]
fn provider_accepts_schema_of_every_shape() {
    let mut fallen_back = 0;
    for shape in shapes::all() {
        for dialect in Dialect::ALL {
            let spec = ToolSpec::of(&Shaped(shape.schema), dialect);
            // A value that is not an object cannot be the parameters in any dialect.
            let root: Value = serde_json::from_str(&spec.parameters).expect("JSON");
            let is_object = root["type"]
                .as_str()
                .is_some_and(|name| name.eq_ignore_ascii_case("object"));
            if !is_object {
                continue;
            }
            let mut found = errors(&spec);
            if shape.name == "Names" {
                // The names are the author's. Lint reports that no provider takes them.
                found.retain(|lint| !lint.message.starts_with("the name is not"));
            }
            assert_eq!(found, [], "{} in {dialect}", shape.name);
            if spec.dialect != dialect {
                assert_eq!(Some(spec.dialect), dialect.fallback());
                assert!(spec.fallback_reason.is_some());
                fallen_back += 1;
            }
        }
    }
    assert!(fallen_back > 0);
}

fn open_tool() -> Shaped {
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Anything {
        value: Value,
    }
    Shaped(<Anything as callpact::ToolInput>::SCHEMA)
}

#[test]
fn non_strict_tool_is_plain_and_lint_warns() {
    for dialect in Dialect::ALL
        .into_iter()
        .filter(|dialect| dialect.is_strict())
    {
        let tools = Toolset::builder().tool(open_tool()).build().expect("good");
        assert!(!tools.specs(dialect).contains("strict\":true"), "{dialect}");
        let spec = tools.spec("shaped", dialect).expect("its name");
        assert_eq!(Some(spec.dialect), dialect.fallback());
        assert_eq!(
            tools.spec_list(dialect).as_slice(),
            std::slice::from_ref(&spec)
        );
        let said: Vec<String> = spec.lint().iter().map(ToString::to_string).collect();
        assert_eq!(
            said[0],
            format!(
                "warning: shaped /: written as `{}`, because /properties/value takes any value, \
                 which strict mode cannot say",
                spec.dialect
            )
        );
    }
    let spec = ToolSpec::of(&open_tool(), Dialect::GeminiOpenApi);
    assert_eq!(spec.dialect, Dialect::Gemini);
    assert!(spec.to_json().contains("parametersJsonSchema"));
}

#[test]
fn tool_list_respects_strict_budget_of_provider() {
    let mut tools = Toolset::builder();
    for index in 0..25 {
        let tool = DynamicTool::new(format!("t{index}"), "Does it", None, |_, _| async { "" });
        tools = tools.tool(tool.expect("good"));
    }
    let tools = tools.build().expect("good");
    let most = StrictBudget::of(Dialect::AnthropicStrict).tools;
    let list = tools.specs(Dialect::AnthropicStrict);
    assert_eq!(list.matches("\"strict\":true").count(), most);
    let list = tools.specs(Dialect::OpenAiStrict);
    assert_eq!(list.matches("\"strict\":true").count(), 25);
}

#[test]
fn gemini_gets_no_empty_parameters() {
    let tool = DynamicTool::new("ping", "Answers", None, |_, _| async { "pong" }).expect("good");
    let tools = Toolset::builder().tool(tool).build().expect("good");
    assert_eq!(
        tools.specs(Dialect::GeminiOpenApi),
        r#"[{"functionDeclarations":[{"name":"ping","description":"Answers"}]}]"#
    );
    let mut spec = tools
        .spec("ping", Dialect::GeminiOpenApi)
        .expect("its name");
    assert_eq!(spec.lint(), []);
    spec.parameters =
        json!({"type": "OBJECT", "properties": {"a": {"type": "OBJECT", "properties": {}}}})
            .to_string();
    let said: Vec<String> = spec.lint().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["error: ping /properties/a: an object without properties is refused"]
    );
}

#[test]
fn lint_reports_only_what_is_no_expression() {
    let warnings = |pattern: &str| {
        let mut spec = ToolSpec::of(&open_tool(), Dialect::OpenAi);
        let node = json!({"type": "string", "pattern": pattern});
        spec.parameters = json!({"type": "object", "properties": {"a": node}}).to_string();
        let said = spec.lint();
        said.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for pattern in ["^(?!/etc)/", r"^\p{L}+$", r"^(\d)\1$"] {
        assert!(warnings(pattern).is_empty(), "{pattern}");
    }
    assert!(warnings(r"^\d{2,}[a-z]?$").is_empty());
    assert_eq!(
        warnings("^("),
        ["error: shaped /properties/a/pattern: this is no regular expression"]
    );
}

/// Lint reports an error where a provider would answer 400, whoever wrote the schema.
#[test]
fn lint_reports_values_rejected_by_provider() {
    use Dialect::{AnthropicStrict, BedrockStrict, GeminiOpenApi, OpenAi, OpenAiStrict, Vllm};
    for (dialect, node, line) in [
        (
            OpenAiStrict,
            json!({"type": "string", "format": "uri"}),
            "a/format: this format is refused",
        ),
        (
            OpenAiStrict,
            json!({"type": "string", "pattern": "(?=a)"}),
            "a/pattern: this pattern is refused",
        ),
        (
            OpenAiStrict,
            json!({"$ref": "#/$defs/x", "description": "x"}),
            "a: no other keyword may stand beside `$ref`",
        ),
        (
            AnthropicStrict,
            json!({"type": "string", "pattern": r"\bfoo\b"}),
            "a/pattern: this pattern is refused",
        ),
        (
            AnthropicStrict,
            json!({"type": "array", "items": {"type": "string"}, "minItems": 2}),
            "a/minItems: more than 1 is refused",
        ),
        (
            BedrockStrict,
            json!({}),
            "a: takes any value, which strict mode cannot say",
        ),
        (
            GeminiOpenApi,
            json!(true),
            "a: takes any value, which `parameters` cannot say",
        ),
        (
            Vllm,
            json!({"type": "string", "pattern": "a"}),
            "a/pattern: compilers of grammars read this pattern in another way",
        ),
    ] {
        let mut spec = ToolSpec::of(&open_tool(), OpenAi);
        let mut root = json!({"type": "object", "properties": {"a": node}, "required": ["a"]});
        if dialect.is_strict() {
            root["additionalProperties"] = false.into();
        }
        spec.parameters = root.to_string();
        spec.dialect = dialect;
        let said: Vec<String> = errors(&spec).iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [format!("error: shaped /properties/{line}")],
            "{dialect}"
        );
    }
    let mut spec = ToolSpec::of(&open_tool(), Dialect::Gemini);
    spec.name = "3d".to_owned();
    assert_eq!(errors(&spec).len(), 1);
}

/// Limits that a grammar cannot hold are in the description. As keywords, they are errors of lint.
#[test]
fn llama_cpp_omits_rules_beyond_grammar() {
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Long {
        #[tool_param(max_length = 10_000)]
        text: String,
        #[tool_param(pattern = "\\S", max_length = 80)]
        word: String,
        #[tool_param(max_items = 5_000)]
        list: Vec<u8>,
        nothing: Nothing,
    }
    #[derive(callpact::ToolInput)]
    #[tool_input(unknown = "deny")]
    struct Nothing {}
    let dialect = Dialect::LlamaCpp;
    let spec = ToolSpec::of(&Shaped(<Long as callpact::ToolInput>::SCHEMA), dialect);
    assert_eq!(errors(&spec), []);
    assert_eq!(
        spec.parameters,
        r#"{"type":"object","properties":{"text":{"type":"string","description":"maximum length: 10000"},"word":{"type":"string","description":"pattern: \\S","maxLength":80},"list":{"type":"array","description":"maximum items: 5000","items":{"type":"integer","minimum":0,"maximum":255}},"nothing":{"type":"object","description":"no other keys"}},"required":["text","word","list","nothing"],"additionalProperties":false}"#
    );
    let tool = DynamicTool::new("ping", "Answers", None, |_, _| async { "pong" }).expect("good");
    let mut spec = ToolSpec::of(&tool, dialect);
    assert_eq!(spec.parameters, r#"{"type":"object"}"#);
    assert_eq!(spec.lint(), []);
    for (parameters, line) in [
        (
            json!({"type": "object", "properties": {}}),
            "error: ping /: an empty object is refused; it may have its type alone",
        ),
        (
            json!({"type": "object", "additionalProperties": false}),
            "error: ping /: an empty object is refused; it may have its type alone",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 10_000}}}),
            "error: ping /properties/a/maxLength: more than 1999 is refused",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string", "pattern": r"\S"}}}),
            "error: ping /properties/a/pattern: compilers of grammars read this pattern in another way",
        ),
    ] {
        spec.parameters = parameters.to_string();
        let said: Vec<String> = spec.lint().iter().map(ToString::to_string).collect();
        assert_eq!(said, [line]);
    }
}

/// The words must name the limits, and not just contain the same numbers.
#[test]
fn omits_bound_only_if_description_states_range() {
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Pages {
        /// Page to show; every page holds 10 results
        #[tool_param(min = 1, max = 10)]
        page: u8,
        /// Results, 1 to 10
        #[tool_param(min = 1, max = 10)]
        results: u8,
        /// Years, 1 to 100 or 11 to 10
        #[tool_param(min = 1, max = 10)]
        years: u8,
        count: u32,
    }
    let schema = <Pages as callpact::ToolInput>::SCHEMA;
    for dialect in [Dialect::AnthropicStrict, Dialect::Ollama] {
        let said: Value = serde_json::from_str(&schema.to_json(dialect)).expect("JSON");
        let words = |name: &str| said["properties"][name]["description"].clone();
        assert_eq!(
            words("page"),
            "Page to show; every page holds 10 results (minimum: 1; maximum: 10)"
        );
        assert_eq!(words("results"), "Results, 1 to 10");
        assert_eq!(
            words("years"),
            "Years, 1 to 100 or 11 to 10 (minimum: 1; maximum: 10)"
        );
        assert_eq!(words("count"), "minimum: 0; maximum: 4294967295");
    }
}

#[test]
fn sends_description_shared_with_parameters_once() {
    /// Takes a shape
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Same {
        a: bool,
    }
    let tool = Shaped(<Same as callpact::ToolInput>::SCHEMA);
    for dialect in Dialect::ALL {
        let json = ToolSpec::of(&tool, dialect).to_json();
        assert_eq!(
            json.matches("Takes a shape").count(),
            1,
            "{dialect}: {json}"
        );
    }
}

#[test]
fn describes_assertion_pattern_rejected_by_strict_mode() {
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Word {
        #[tool_param(pattern = r"\bfoo\b")]
        word: String,
        #[tool_param(pattern = "^[a-z]+$", max_length = 9)]
        name: String,
    }
    let written = |dialect| {
        let schema = <Word as callpact::ToolInput>::SCHEMA.to_json(dialect);
        serde_json::from_str::<Value>(&schema).expect("JSON")["properties"].clone()
    };
    assert_eq!(
        written(Dialect::AnthropicStrict)["word"],
        json!({"type": "string", "description": r"pattern: \bfoo\b"})
    );
    assert_eq!(
        written(Dialect::AnthropicStrict)["name"]["pattern"],
        "^[a-z]+$"
    );
    assert_eq!(
        written(Dialect::Vllm)["name"],
        json!({"type": "string", "description": "maximum length: 9", "pattern": "^(?:[a-z]+)$"})
    );
}

/// Schemas as servers and generators write them, with parts that providers refuse.
#[test]
fn provider_accepts_every_lowered_foreign_schema() {
    let schemas = foreign_schemas();
    assert_eq!(schemas.len(), 80);
    for schema in schemas {
        let made = DynamicTool::new("t", "Does it", Some(&schema.to_string()), |_, _| async {
            ""
        });
        let tool = made.unwrap_or_else(|fault| panic!("{schema}: {fault}"));
        for dialect in Dialect::ALL {
            let spec = ToolSpec::of(&tool, dialect);
            assert_eq!(
                errors(&spec),
                [],
                "{schema} in {dialect}: {}",
                spec.parameters
            );
        }
    }
}

/// Tools of servers that the project does not know: each is one tool of a request.
fn hostile_schemas() -> Vec<(&'static str, Value)> {
    let object = |property: Value| json!({"type": "object", "properties": {"a": property}, "required": ["a"]});
    let names = ["größe", "a b", "$x", "", "9", "x-y", "a.b", "filter[id]"];
    let texts = names.map(|name| (name.to_owned(), json!({"type": "string"})));
    let mut properties: serde_json::Map<String, Value> = texts.into_iter().collect();
    properties.insert("n".repeat(65), json!({"type": "integer"}));
    let values: Vec<String> = (0..1_200).map(|number| format!("v{number}")).collect();
    let long: Vec<String> = (0..300)
        .map(|number| format!("{number}{}", "x".repeat(60)))
        .collect();
    vec![
        (
            "names",
            json!({"type": "object", "properties": properties, "required": ["größe", ""]}),
        ),
        (
            "nested names",
            object(json!({"type": "object", "properties": properties, "required": ["$x"]})),
        ),
        (
            "tag",
            object(json!({"oneOf": [
                {"type": "object", "properties": {"@type": {"const": "a"}, "x y": {"type": "string"}}, "required": ["@type"]},
                {"type": "object", "properties": {"@type": {"const": "b"}, "z": {"type": "string"}}, "required": ["@type"]},
            ]})),
        ),
        (
            "many values",
            object(json!({"type": "string", "enum": values})),
        ),
        (
            "long values",
            object(json!({"type": "string", "enum": long})),
        ),
        ("open root", json!({"type": "object"})),
        ("open root without a type", json!({})),
        (
            "open object",
            object(json!({"type": "object", "properties": {}, "additionalProperties": true})),
        ),
        (
            "further keys",
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}),
        ),
        (
            "only names",
            object(
                json!({"type": "object", "propertyNames": {"enum": ["a b", "c"]}, "additionalProperties": {"type": "string"}}),
            ),
        ),
    ]
}

/// Those that no strict dialect can express without a loss.
const NOT_STRICT: [&str; 6] = [
    "many values",
    "long values",
    "open root",
    "open root without a type",
    "open object",
    "further keys",
];

#[test]
fn one_foreign_tool_never_makes_a_request_fail() {
    for (name, schema) in hostile_schemas() {
        let schema = schema.to_string();
        let tool = DynamicTool::new("t", "Does it", Some(&schema), |_, _| async { "" });
        let tools = Toolset::single(tool.expect("a tool")).expect("a list");
        for dialect in Dialect::ALL {
            let spec = tools.spec("t", dialect).expect("it is there");
            let found = errors(&spec);
            let plain = spec.dialect != dialect;
            assert_eq!(found, [], "{name} in {dialect}: {}", spec.parameters);
            // Only OpenAI counts values.
            let counted = name.ends_with("values");
            let is_openai = dialect.name().starts_with("openai");
            if dialect.is_strict() && (is_openai || !counted) {
                assert_eq!(plain, NOT_STRICT.contains(&name), "{name} in {dialect}");
            }
            if plain {
                assert!(spec.fallback_reason.is_some(), "{name} in {dialect}");
            }
        }
    }
}

/// The model sends the names that it was shown; the server gets its own names.
#[tokio::test]
async fn names_that_a_provider_refuses_are_turned_back() {
    let properties = json!({
        "größe": {"type": "integer"}, "a b": {"type": "string"}, "a_b": {"type": "string"},
        "$x": {"type": "object", "properties": {"": {"type": "boolean"}}, "required": [""]},
        "n".repeat(70): {"type": "string"},
    });
    let schema = json!({"type": "object", "properties": properties, "required": ["größe", "$x"]});
    let echo = |arguments: Value, _| async move { ToolResult::success(arguments.to_string()) };
    let schema = schema.to_string();
    let tool = DynamicTool::new("t", "Does it", Some(&schema), echo);
    let tools = Toolset::single(tool.expect("a tool")).expect("a list");
    let given = json!({"größe": 1, "a b": "x", "a_b": "y", "$x": {"": true}, "n".repeat(70): "z"});
    let values = [json!(1), json!("x"), json!("y")];
    for dialect in Dialect::ALL {
        let spec = tools.spec("t", dialect).expect("it is there");
        let written: Value = serde_json::from_str(&spec.parameters).expect("JSON");
        let shown = |place: &Value| -> Vec<String> {
            let properties = place["properties"].as_object().expect("properties");
            properties.keys().cloned().collect()
        };
        // Compared by type, since the order is that of `serde_json`.
        let mut sent = serde_json::Map::new();
        for key in shown(&written) {
            let value = match &*key {
                "gr__e" | "größe" => values[0].clone(),
                "a_b" => values[2].clone(),
                key if key.starts_with("nnn") => json!("z"),
                key if key == "a b" || key.starts_with("a_b_") => values[1].clone(),
                "_x" | "$x" => {
                    let inner = shown(&written["properties"][&key]).remove(0);
                    assert!(inner == "_" || inner.is_empty(), "{dialect}: {inner}");
                    json!({inner: true})
                }
                other => panic!("{dialect}: {other}"),
            };
            sent.insert(key, value);
        }
        let call = ToolCall::new("1", "t", Value::Object(sent).to_string());
        let reply = tools
            .call(&call, &ToolContext::new())
            .await
            .expect("it runs");
        let got: Value = serde_json::from_str(&reply.to_model()).expect("JSON");
        assert_eq!(got, given, "{dialect}: {}", spec.parameters);
    }
    // Both names at once give one parameter twice.
    let twice = r#"{"größe":1,"gr__e":2,"$x":{"":true}}"#;
    let reply = tools
        .call(&ToolCall::new("1", "t", twice), &ToolContext::new())
        .await;
    let reply = reply.expect("it is refused");
    let said = reply.to_model();
    assert!(
        said.contains("expected once, found `größe` and `gr__e`"),
        "{said}"
    );
}

#[test]
fn keeps_name_chosen_by_author_as_lint_error() {
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Query {
        #[tool_param(rename = "$filter", any_name)]
        filter: Option<String>,
    }
    let spec = ToolSpec::of(
        &Shaped(<Query as callpact::ToolInput>::SCHEMA),
        Dialect::OpenAi,
    );
    assert!(
        spec.parameters.contains("\"$filter\""),
        "{}",
        spec.parameters
    );
    assert_eq!(errors(&spec).len(), 1);

    let tool = DynamicTool::new("3d", "Draws", None, |_, _| async { "" }).expect("good");
    let tools = Toolset::single(tool).expect("other providers take the name");
    let spec = |dialect| tools.spec("3d", dialect).expect("it is there");
    assert_eq!(errors(&spec(Dialect::Gemini)).len(), 1);
    assert_eq!(errors(&spec(Dialect::OpenAi)), []);
}

#[test]
fn lint_says_what_only_words_can_say() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},
        "anyOf":[{"required":["a"]},{"required":["b"]}]}"#;
    let tool = DynamicTool::new("t", "Does it", Some(schema), |_, _| async { "" });
    let tools = Toolset::single(tool.expect("a tool")).expect("a list");
    for dialect in Dialect::ALL {
        let spec = tools.spec("t", dialect).expect("it is there");
        let said = spec.lint().into_iter().any(|lint| {
            lint.to_string() == "warning: t /anyOf: only words can say it; the reader checks it"
        });
        let is_own = dialect.name().starts_with("mcp");
        assert_eq!(said, !is_own, "{dialect}");
        let told = "at least one of these is given: `a`, or `b`";
        assert_eq!(
            spec.parameters.contains(told),
            !is_own,
            "{dialect}: {}",
            spec.parameters
        );
    }
}

/// A server of draft 7 requires them, so a call that it would refuse is not sent.
#[tokio::test]
async fn describes_and_enforces_dependencies_of_older_drafts() {
    let schema = r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
        "properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependencies":{"a":["b"]}}"#;
    let tool = DynamicTool::new("t", "Does it", Some(schema), |_, _| async { "sent" });
    let tools = Toolset::single(tool.expect("a tool")).expect("a list");
    for dialect in Dialect::ALL {
        let spec = tools.spec("t", dialect).expect("it is there");
        let is_own = dialect.name().starts_with("mcp");
        let faults = spec.unsaid.iter().flat_map(|unsaid| &unsaid.faults);
        let unsaid: Vec<&str> = faults.map(|fault| &*fault.keyword).collect();
        assert_eq!(unsaid.contains(&"dependencies"), !is_own, "{dialect}");
        let told = "`a` needs `b`";
        assert_eq!(spec.parameters.contains(told), !is_own, "{dialect}");
        let line = "warning: t /dependencies: only words can say it; the reader checks it";
        let is_linted = spec.lint().iter().any(|lint| lint.to_string() == line);
        assert_eq!(is_linted, !is_own, "{dialect}");
    }
    for (arguments, answer) in [
        (r#"{"a":"x","b":"y"}"#, "sent"),
        (r#"{"b":"y"}"#, "sent"),
        (
            r#"{"a":"x"}"#,
            "Error: Invalid arguments, 1 problem:\n- b: missing; expected a string",
        ),
    ] {
        let call = ToolCall::new("1", "t", arguments);
        let reply = tools
            .call(&call, &ToolContext::new())
            .await
            .expect("a reply");
        assert_eq!(reply.to_model(), answer);
    }
    let old = r#"{"$schema":"http://json-schema.org/draft-03/schema#","type":"object"}"#;
    let refused = DynamicTool::new("t", "Does it", Some(old), |_, _| async { "" });
    assert_eq!(
        refused.expect_err("draft 3").to_string(),
        "the schema has 1 fault:\n- the root: `$schema`: this draft is not understood; write the schema in draft 4, 6, 7, 2019-09 or 2020-12"
    );
}

/// A strict list would close the object, and the model could not give the keys that the words name.
#[test]
fn tool_with_undeclared_union_keys_is_always_plain() {
    let schema = r#"{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],
        "oneOf":[{"properties":{"x":{"type":"integer"}},"required":["x"]},
        {"properties":{"y":{"type":"integer"}},"required":["y"]}]}"#;
    let tool = DynamicTool::new("t", "Does it", Some(schema), |_, _| async { "" });
    let tool = tool.expect("a tool");
    let tools = Toolset::single(tool.clone()).expect("a list");
    let why = "/oneOf names keys that only words can say, and a closed object would not take";
    for dialect in Dialect::ALL {
        let alone = ToolSpec::of(&tool, dialect);
        assert_eq!(
            tools.spec_list(dialect).as_slice(),
            std::slice::from_ref(&alone),
            "{dialect}"
        );
        assert!(
            !alone.parameters.contains(r#""additionalProperties":false"#),
            "{dialect}"
        );
        let closes = dialect.is_strict();
        assert_eq!(
            alone.fallback_reason.as_deref(),
            closes.then_some(why),
            "{dialect}"
        );
        if !closes {
            continue;
        }
        assert_eq!(Some(alone.dialect), dialect.fallback());
        let plan = tools.plan_strict(dialect, &StrictBudget::of(dialect));
        assert_eq!(plan.to_string(), format!("t: plain, because {why}"));
        assert!(plan.choices[0].reason.is_some() && !plan.to_json().contains(r#""strict":true"#));
        let warning = format!(
            "warning: t /: written as `{}`, because {why}",
            alone.dialect
        );
        assert_eq!(alone.lint()[0].to_string(), warning);
    }
}

/// An object of a server that declares no keys takes any: if only another dialect can express that, the reason quotes
/// the server's schema. A closed object takes none, and has no parameters.
#[test]
fn open_tool_uses_dialect_allowing_any_keys() {
    let spec = |schema: &str, dialect| {
        let tool = DynamicTool::new("ping", "Pings", Some(schema), |_, _| async { "" });
        ToolSpec::of(&tool.expect("a tool"), dialect)
    };
    let open = r#"{"type":"object","properties":{}}"#;
    for (dialect, why) in [
        (
            Dialect::GeminiOpenApi,
            "/ takes any keys, which `parameters` cannot say",
        ),
        (
            Dialect::OpenAiStrict,
            "/ takes any keys, which strict mode cannot say",
        ),
        (
            Dialect::AnthropicStrict,
            "/ takes any keys, which strict mode cannot say",
        ),
    ] {
        let written = spec(open, dialect);
        assert_eq!(Some(written.dialect), dialect.fallback());
        assert_eq!(written.fallback_reason.as_deref(), Some(why), "{dialect}");
        let lints = written.lint();
        let is_error = |lint: &&Lint| lint.severity == Severity::Error;
        assert_eq!(lints.iter().find(is_error), None, "{dialect}");
    }
    let closed = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    let written = spec(closed, Dialect::GeminiOpenApi);
    assert_eq!(
        written.to_json(),
        r#"{"name":"ping","description":"Pings"}"#
    );
}

/// The same for a type and for its schema as JSON: a closed object would take no other keys.
#[test]
fn tool_collecting_extra_keys_is_plain_with_reason() {
    use std::collections::BTreeMap;

    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Find {
        query: String,
        #[tool_param(flatten)]
        rest: BTreeMap<String, i64>,
    }
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)]
    struct Anything {
        #[tool_param(flatten)]
        rest: serde_json::Map<String, Value>,
    }
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)]
    struct Around {
        #[tool_param(flatten)]
        find: Find,
        own: bool,
    }
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)]
    struct Nested {
        filters: Vec<Find>,
    }
    #[derive(callpact::ToolInput)]
    #[tool_input(tag = "kind")]
    #[allow(dead_code)]
    enum Either {
        Find(Find),
        Nothing,
    }
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)]
    struct Inside {
        either: Either,
    }
    for (schema, place) in [
        (<Find as callpact::ToolInput>::SCHEMA, "/"),
        (<Anything as callpact::ToolInput>::SCHEMA, "/"),
        (<Around as callpact::ToolInput>::SCHEMA, "/"),
        (
            <Nested as callpact::ToolInput>::SCHEMA,
            "/properties/filters/items",
        ),
        (<Either as callpact::ToolInput>::SCHEMA, "/"),
        (
            <Inside as callpact::ToolInput>::SCHEMA,
            "/properties/either/anyOf/0",
        ),
    ] {
        let json = schema.to_json(Dialect::Mcp20260728);
        let foreign = DynamicTool::new("shaped", "Takes a shape", Some(&json), |_, _| async { "" });
        let foreign = foreign.expect("a tool");
        for dialect in Dialect::ALL {
            let spec = ToolSpec::of(&Shaped(schema), dialect);
            if !dialect.is_strict() {
                continue;
            }
            let why = format!("{place} takes any keys, which strict mode cannot say");
            assert_eq!(Some(spec.dialect), dialect.fallback(), "{json}");
            assert_eq!(spec.fallback_reason.as_ref(), Some(&why), "{json}");
            let lint = format!(
                "warning: shaped /: written as `{}`, because {why}",
                spec.dialect
            );
            assert_eq!(spec.lint()[0].to_string(), lint);
            let tools = Toolset::single(Shaped(schema)).expect("a list");
            let plan = tools.plan_strict(dialect, &StrictBudget::of(dialect));
            assert_eq!(plan.to_string(), format!("shaped: plain, because {why}"));
            assert_eq!(tools.specs(dialect), plan.to_json());
            let twin = ToolSpec::of(&foreign, dialect);
            assert_eq!(twin.dialect, spec.dialect, "{json}");
            // If keys may have any value, the reason for a foreign schema names the keyword.
            let says_any = json.contains(r#""additionalProperties":true"#);
            let twin_says = twin.fallback_reason.expect("a reason");
            assert!(
                twin_says == why
                    || says_any && twin_says.contains("/additionalProperties takes any keys"),
                "{twin_says}"
            );
        }
    }
}

/// The part of a foreign schema that a closed object would lose.
#[test]
fn never_closes_object_kept_open_by_server() {
    let named = "names keys that only words can say, and a closed object would not take";
    for (schema, why) in [
        (
            json!({"properties": {"a": {"type": "string"}}, "additionalProperties": true}),
            "/additionalProperties takes any keys, and a closed object would not take".to_owned(),
        ),
        (
            json!({"properties": {"a": {"type": "string"}}, "patternProperties": {"^x-": {"type": "string"}}}),
            format!("/patternProperties {named}"),
        ),
        (
            json!({"properties": {"a": {"type": "string"}}, "additionalProperties": false,
                "patternProperties": {"^x-": {"type": "string"}, "^y-": {"type": "string"}}}),
            format!("/patternProperties {named}"),
        ),
        (
            json!({"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": {"type": "integer"}}),
            format!("/unevaluatedProperties {named}"),
        ),
        (
            json!({"allOf": [
                {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}},
                {"properties": {"b": {"type": "string"}}},
            ]}),
            "/ takes any keys, which strict mode cannot say".to_owned(),
        ),
        (
            json!({"allOf": [
                {"type": "object", "additionalProperties": {"type": "string"}},
                {"properties": {"b": {"type": "string"}}},
            ]}),
            "/ takes any keys, which strict mode cannot say".to_owned(),
        ),
        (
            json!({"oneOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false},
                {"type": "object", "additionalProperties": {"type": "integer"}},
            ]}),
            "/ takes any keys, which strict mode cannot say".to_owned(),
        ),
    ] {
        let mut schema = schema;
        schema["type"] = "object".into();
        let tool = DynamicTool::new("t", "Does it", Some(&schema.to_string()), |_, _| async {
            ""
        });
        let tool = tool.expect("a tool");
        for dialect in Dialect::ALL {
            let spec = ToolSpec::of(&tool, dialect);
            let reason = dialect.is_strict().then(|| why.clone());
            if dialect == Dialect::GeminiOpenApi {
                continue;
            }
            assert_eq!(
                spec.fallback_reason, reason,
                "{schema} in {dialect}: {}",
                spec.parameters
            );
            assert_eq!(errors(&spec), [], "{schema} in {dialect}");
        }
    }
}

#[test]
fn gemini_receives_map_only_parameters_as_json_schema() {
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    struct Set {
        #[tool_param(flatten)]
        values: std::collections::BTreeMap<String, i64>,
    }
    let json = r#"{"type":"object","additionalProperties":{"type":"integer"}}"#;
    let foreign = DynamicTool::new("shaped", "Takes a shape", Some(json), |_, _| async { "" });
    let typed = Shaped(<Set as callpact::ToolInput>::SCHEMA);
    let dialect = Dialect::GeminiOpenApi;
    let why = "/ takes any keys, which `parameters` cannot say";
    for spec in [
        ToolSpec::of(&foreign.expect("a tool"), dialect),
        ToolSpec::of(&typed, dialect),
    ] {
        assert_eq!(spec.fallback_reason.as_deref(), Some(why));
        assert_eq!(
            spec.to_json(),
            r#"{"name":"shaped","description":"Takes a shape","parametersJsonSchema":{"type":"object","properties":{},"additionalProperties":{"type":"integer"}}}"#
        );
    }
}

/// Whether a tool is refused by itself does not depend on the tools before it.
#[test]
fn tool_beyond_budget_is_strict_by_itself() {
    let mut list = Toolset::builder();
    for index in 0..25 {
        let tool = DynamicTool::new(format!("t{index}"), "Does it", None, |_, _| async { "" });
        list = list.tool(tool.expect("good"));
    }
    let tools = list.build().expect("good");
    let most = StrictBudget::of(Dialect::AnthropicStrict).tools;
    let in_list = tools.spec_list(Dialect::AnthropicStrict);
    let beyond = &in_list[most];
    assert_eq!(beyond.dialect, Dialect::Anthropic);
    let reason = beyond.fallback_reason.as_deref().expect("a reason");
    assert!(reason.starts_with("the request would have"), "{reason}");
    let alone = tools
        .spec(&beyond.name, Dialect::AnthropicStrict)
        .expect("its name");
    assert_eq!(
        (alone.dialect, alone.fallback_reason),
        (Dialect::AnthropicStrict, None)
    );
    // A tool that exceeds the limit of a request is refused alone, too.
    let optional: serde_json::Map<String, Value> = (0..40)
        .map(|index| (format!("p{index}"), json!({"type": "string"})))
        .collect();
    let wide = json!({"type": "object", "properties": optional}).to_string();
    let wide = DynamicTool::new("wide", "Does it", Some(&wide), |_, _| async { "" });
    let alone = ToolSpec::of(&wide.expect("a tool"), Dialect::AnthropicStrict);
    let reason = alone.fallback_reason.expect("a reason");
    assert!(
        reason.starts_with("it has 40 optional parameters"),
        "{reason}"
    );
}

#[test]
fn lint_reports_contradictory_rules_and_lists_omit_rules() {
    let schema = r#"{"type":"object","properties":{
        "s":{"type":"string","minLength":5,"maxLength":2},"n":{"type":"integer"}}}"#;
    let tool = DynamicTool::new("t", "Does it", Some(schema), |_, _| async { "" });
    let tools = Toolset::single(tool.expect("a tool")).expect("a list");
    for dialect in Dialect::ALL {
        let spec = tools.spec("t", dialect).expect("it is there");
        let said: Vec<String> = errors(&spec).iter().map(ToString::to_string).collect();
        let error = "error: t /properties/s: its rules exclude each other";
        assert_eq!(said, [error], "{dialect}");
        if !matches!(
            dialect,
            Dialect::Mcp20251125 | Dialect::Mcp20260728 | Dialect::Portable
        ) {
            let written: Value = serde_json::from_str(&spec.parameters).expect("JSON");
            assert!(
                written["properties"].get("s").is_none(),
                "{dialect}: {written}"
            );
        }
    }
}

/// The author of a map does not know that a dialect writes it as pairs.
#[test]
fn fallback_reason_names_place_in_author_schema() {
    #[derive(callpact::ToolInput)]
    #[allow(dead_code)]
    struct Keeps {
        of_lists: Vec<BTreeMap<String, Vec<Value>>>,
    }
    let reasons = |tool: &dyn Fn(Dialect) -> ToolSpec| {
        [Dialect::OpenAiStrict, Dialect::AnthropicStrict]
            .map(|dialect| tool(dialect).fallback_reason)
    };
    let why = |place: &str| {
        Some(format!(
            "{place} takes any value, which strict mode cannot say"
        ))
    };
    let place = "/properties/of_lists/items/additionalProperties/items";
    let schema = <Keeps as callpact::ToolInput>::SCHEMA;
    let derived = reasons(&|dialect| ToolSpec::of(&Shaped(schema), dialect));
    assert_eq!(derived, [why(place), why(place)]);
    // A list of pairs that the author wrote stays one.
    let json = r#"{"type":"object","properties":{"o":{"type":"array","items":
        {"type":"object","properties":{"key":{"type":"string"},"value":{}}}}}}"#;
    let tool = DynamicTool::new("shaped", "Takes a shape", Some(json), |_, _| async { "" });
    let tool = tool.expect("a tool");
    let place = "/properties/o/items/properties/value";
    assert_eq!(
        reasons(&|dialect| ToolSpec::of(&tool, dialect)),
        [why(place), why(place)]
    );
}
