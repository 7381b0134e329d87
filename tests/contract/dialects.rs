//! One example tool in every dialect, compared with the golden files in `tests/data/dialects`.

use std::collections::BTreeMap;

use callpact::{Dialect, Permission, ToolContext, ToolInput, Toolset, TypedAgentTool};
use serde_json::Value;

#[derive(ToolInput)]
#[allow(dead_code)] // only its schema is looked at
struct Search {
    /// Search text
    query: String,
    /// Max results, 1 to 50
    #[tool_param(min = 1, max = 50)]
    limit: Option<u32>,
    /// Search mode
    mode: Mode,
    /// Filters
    filters: Vec<Filter>,
    /// Free-form labels
    labels: BTreeMap<String, String>,
}

#[derive(ToolInput)]
#[tool_input(rename_all = "lowercase")]
enum Mode {
    Fast,
    Deep,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Filter {
    field: String,
    value: String,
}

struct SearchCatalogue;

impl TypedAgentTool for SearchCatalogue {
    type Input = Search;
    type Output = &'static str;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "search_catalogue"
    }

    fn description(&self) -> &'static str {
        "Search the catalogue"
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    async fn execute(&self, _: Search, _: &ToolContext) -> &'static str {
        ""
    }
}

/// The golden file of a dialect.
#[allow(clippy::match_same_arms)] // equal files today, and each is held on its own
fn golden(dialect: Dialect) -> Option<&'static str> {
    Some(match dialect {
        Dialect::OpenAi => include_str!("../data/dialects/openai-chat-nonstrict.json"),
        Dialect::OpenAiStrict => include_str!("../data/dialects/openai-chat-strict.json"),
        Dialect::OpenAiResponsesStrict => {
            include_str!("../data/dialects/openai-responses-strict.json")
        }
        Dialect::Anthropic => include_str!("../data/dialects/anthropic.json"),
        Dialect::AnthropicStrict => include_str!("../data/dialects/anthropic-strict.json"),
        Dialect::Gemini => include_str!("../data/dialects/gemini-parametersJsonSchema.json"),
        Dialect::GeminiOpenApi => include_str!("../data/dialects/gemini-parameters-openapi.json"),
        Dialect::Bedrock => include_str!("../data/dialects/bedrock-converse.json"),
        Dialect::BedrockStrict => include_str!("../data/dialects/bedrock-converse-strict.json"),
        Dialect::Mistral => include_str!("../data/dialects/mistral.json"),
        Dialect::Ollama => include_str!("../data/dialects/ollama.json"),
        Dialect::Vllm => include_str!("../data/dialects/vllm.json"),
        Dialect::Mcp20260728 => include_str!("../data/dialects/mcp-2026-07-28.json"),
        _ => return None,
    })
}

/// The parts of the golden files that are not part of the contract; see `docs/decisions.md`.
fn without_extras(mut tool: Value) -> Value {
    if let Some(map) = tool.as_object_mut() {
        // Parts of the request or the server.
        for key in [
            "input_examples",
            "cache_control",
            "title",
            "icons",
            "_meta",
            "outputSchema",
        ] {
            map.remove(key);
        }
        map.remove("annotations");
    }
    tool
}

/// The golden files of Gemini and MCP close only the root. Our schema is open unless the author
/// denies unknown parameters, and then closed everywhere.
fn open_root(mut tool: Value, path: &str) -> Value {
    if let Some(Value::Object(schema)) = tool.pointer_mut(path) {
        schema.remove("additionalProperties");
    }
    tool
}

#[test]
fn the_worked_example_equals_its_golden_files() {
    let tools = Toolset::builder()
        .tool(SearchCatalogue)
        .build()
        .expect("one good tool");
    let mut compared = 0;
    for dialect in Dialect::ALL {
        let ours: Value = serde_json::from_str(&tools.specs(dialect)).expect("JSON");
        let Some(golden) = golden(dialect) else {
            continue;
        };
        let mut golden = without_extras(serde_json::from_str(golden).expect("JSON"));
        match dialect {
            Dialect::Gemini => {
                golden = open_root(golden, "/functionDeclarations/0/parametersJsonSchema");
            }
            Dialect::Mcp20260728 => golden = open_root(golden, "/inputSchema"),
            _ => {}
        }
        assert_eq!(without_extras(ours[0].clone()), golden, "{dialect}");
        compared += 1;
    }
    assert_eq!(compared, 13);
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Weights {
    weights: BTreeMap<String, f64>,
}

#[test]
fn map_without_description_describes_form() {
    for dialect in Dialect::ALL {
        let schema: Value = serde_json::from_str(&Weights::SCHEMA.to_json(dialect)).unwrap();
        let map = &schema["properties"]["weights"];
        let said = map["description"].as_str();
        if map.get("additionalProperties").is_some() {
            assert_eq!(said, None, "{dialect}");
        } else if map.get("items").is_some() {
            assert_eq!(said, Some("as key/value pairs"), "{dialect}");
        } else {
            let form = "an object whose values are all numbers";
            assert_eq!(said, Some(form), "{dialect}");
        }
    }
}

#[derive(ToolInput)]
#[allow(dead_code)] // only its schema is looked at
struct Rules {
    #[tool_param(min_length = 1, max_length = 9)]
    word: String,
    #[tool_param(pattern = "^/")]
    path: String,
    whole: i64,
    number: f64,
    #[tool_param(min = 0)]
    above: f64,
    place: (String, u8),
}

fn rules_in(dialect: Dialect) -> Value {
    let schema = Rules::SCHEMA.to_json(dialect);
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    schema["properties"].clone()
}

#[test]
fn only_fine_tuned_strict_models_take_no_lengths() {
    for dialect in [Dialect::OpenAiStrict, Dialect::OpenAiResponsesStrict] {
        let word = &rules_in(dialect)["word"];
        assert_eq!(
            (&word["minLength"], &word["maxLength"]),
            (&1.into(), &9.into())
        );
    }
    for dialect in [
        Dialect::OpenAiFineTunedStrict,
        Dialect::OpenAiResponsesFineTunedStrict,
    ] {
        assert!(dialect.is_strict());
        let word = &rules_in(dialect)["word"];
        assert!(word.get("minLength").is_none() && word.get("maxLength").is_none());
        assert_eq!(word["description"], "minimum length: 1; maximum length: 9");
    }
}

#[test]
fn llguidance_keeps_lengths_and_bounds_numbers() {
    let rules = rules_in(Dialect::Llguidance);
    assert_eq!(rules["word"]["maxLength"], 9);
    assert_eq!(rules["path"]["pattern"], "^/");
    let ends = |name: &str| (&rules[name]["minimum"], &rules[name]["maximum"]);
    assert_eq!(ends("number"), (&(-1e18).into(), &1e18.into()));
    assert_eq!(ends("above"), (&0.into(), &1e18.into()));
    let end = i64::MAX - 1_023;
    assert_eq!(ends("whole"), (&(-end).into(), &end.into()));
    // xgrammar, which servers of vLLM use too, would forbid right calls.
    let rules = rules_in(Dialect::Vllm);
    for (name, keyword) in [
        ("word", "maxLength"),
        ("path", "pattern"),
        ("number", "maximum"),
    ] {
        assert!(rules[name].get(keyword).is_none(), "{name}");
    }
}

#[test]
fn tuples_have_a_schema_for_each_place() {
    for dialect in [
        Dialect::Anthropic,
        Dialect::Gemini,
        Dialect::Vllm,
        Dialect::Llguidance,
        Dialect::LlamaCpp,
        Dialect::Mcp20260728,
    ] {
        let place = &rules_in(dialect)["place"];
        assert_eq!(place["prefixItems"][1]["type"], "integer", "{dialect}");
        assert_eq!(
            (&place["minItems"], &place["maxItems"]),
            (&2.into(), &2.into())
        );
        assert!(place.get("items").is_none(), "{dialect}");
    }
}

#[test]
fn grammars_end_where_whole_numbers_end() {
    for grammar in [
        <i64 as ToolInput>::SCHEMA.to_gbnf(),
        <i64 as ToolInput>::SCHEMA.to_lark(),
    ] {
        assert!(!grammar.contains("[0-9]+"), "{grammar}");
    }
    assert!(
        <i64 as ToolInput>::SCHEMA
            .to_gbnf()
            .contains(r#""8" "0" [0-7]"#)
    );
    let free = <i128 as ToolInput>::SCHEMA.to_gbnf();
    assert!(free.contains("[0-9]+"), "{free}");
}
