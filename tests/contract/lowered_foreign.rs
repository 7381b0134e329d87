//! Schemas that were made at run time are written for each provider like derived ones.

use callpact::{
    AgentTool, Dialect, DynamicTool, Parameters, Policy, Schema, ToolCall, ToolContext, ToolResult,
    ToolSpec, Toolset,
    adapter::Severity,
    input::{Step, read_foreign},
    schema::ForeignSchema,
};
use callpact_tests::{
    elsewhere::foreign_schemas,
    generate::{Generator, same},
    rng::Rng,
    shapes,
};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::{
    lowering::{
        encode::{Encoder, Node, compiled},
        inlined, without_open_api,
    },
    spread::over,
};

/// A tool with the parameters of a shape.
struct Shaped(&'static Schema);

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

fn dynamic(text: &str) -> DynamicTool {
    let echo = |arguments: Value, _| async move { ToolResult::success(arguments.to_string()) };
    // Not all shapes are the arguments of a tool.
    let schema = ForeignSchema::parse(text).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    DynamicTool::with_schema("shaped", "Takes a shape", Some(schema), echo)
        .unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// The places that a provider refuses.
fn refused(spec: &ToolSpec) -> Vec<String> {
    let errors = spec.lint().into_iter();
    let errors = errors.filter(|lint| lint.severity == Severity::Error);
    errors.map(|lint| lint.path).collect()
}

#[test]
fn parses_every_lowered_shape_in_every_dialect() {
    for shape in shapes::all() {
        for dialect in Dialect::ALL {
            dynamic(&shape.schema.to_json(dialect));
        }
    }
}

#[test]
fn provider_accepts_foreign_form_of_accepted_derived_schema() {
    let mut compared = 0;
    for shape in shapes::all() {
        let foreign = dynamic(shape.whole);
        for dialect in Dialect::ALL {
            let derived = refused(&ToolSpec::of(&Shaped(shape.schema), dialect));
            let lowered = refused(&ToolSpec::of(&foreign, dialect));
            if derived.is_empty() {
                compared += 1;
                assert_eq!(lowered, derived, "{} {dialect}", shape.name);
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[tokio::test]
async fn server_receives_declared_form_for_strict_dialect_input() {
    let schema = r#"{"type":"object","properties":{
        "parent":{"type":["string","null"]},
        "labels":{"type":"object","additionalProperties":{"type":"integer"}},
        "text":{"type":"string"}
    },"required":["parent"]}"#;
    let tools = Toolset::builder().tool(dynamic(schema)).build().unwrap();
    let sent = r#"{"parent":null,"labels":[{"key":"a","value":1}],"text":""}"#;
    let reply = tools
        .call(&ToolCall::new("1", "shaped", sent), &ToolContext::new())
        .await
        .unwrap();
    let got: Value = serde_json::from_str(&reply.to_model()).unwrap();
    assert_eq!(got, json!({"parent": null, "labels": {"a": 1}, "text": ""}));
}

/// The keys of objects in the order in which a text has them.
fn keys_of(text: &str, names: &[&str]) -> Vec<String> {
    let mut found: Vec<(usize, String)> = names
        .iter()
        .filter_map(|name| Some((text.find(&format!("\"{name}\":"))?, (*name).to_owned())))
        .collect();
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

#[tokio::test]
async fn variant_tag_keeps_position_declared_by_server() {
    let schema = r#"{"type":"object","properties":{
        "step":{"anyOf":[
            {"type":"object","properties":{
                "thought":{"type":"string"},"kind":{"const":"search"},"query":{"type":"string"}
            },"required":["thought","kind","query"]},
            {"type":"object","properties":{
                "answer":{"type":"string"},"kind":{"const":"done"}
            },"required":["answer","kind"]}
        ]},
        "beside":{"anyOf":[
            {"type":"object","properties":{"value":{"type":"integer"},"unit":{"const":"m"}},
             "required":["value","unit"],"additionalProperties":false},
            {"type":"object","properties":{"value":{"type":"string"},"unit":{"const":"text"}},
             "required":["value","unit"],"additionalProperties":false}
        ]}
    },"required":["step"]}"#;
    let tool = dynamic(schema);
    for dialect in Dialect::ALL {
        let written = ToolSpec::of(&tool, dialect).parameters;
        let written = written.split("\"properties\":").skip(2).collect::<Vec<_>>();
        let [search, done, beside, ..] = &written[..] else {
            panic!("{dialect}: {written:?}");
        };
        assert_eq!(
            keys_of(search, &["thought", "kind", "query"]),
            ["thought", "kind", "query"],
            "{dialect}"
        );
        assert_eq!(
            keys_of(done, &["answer", "kind"]),
            ["answer", "kind"],
            "{dialect}"
        );
        assert_eq!(
            keys_of(beside, &["value", "unit"]),
            ["value", "unit"],
            "{dialect}"
        );
    }
    // The server gets the keys in the order of the model.
    let sent = r#"{"beside":{"unit":"m","value":1},"step":{"kind":"search","query":"a","thought":"b","more":1}}"#;
    let tools = Toolset::single(tool).unwrap();
    let reply = tools
        .call(&ToolCall::new("1", "shaped", sent), &ToolContext::new())
        .await
        .unwrap();
    let got = reply.to_model();
    let got = got.split("\n\n").next().unwrap_or_default();
    assert_eq!(got, sent);
}

#[test]
fn an_unreadable_schema_is_still_refused() {
    assert!(ForeignSchema::parse(r#"{"type": "strin"}"#).is_err());
    let made = DynamicTool::new("a", "b", Some(r#"{"type": 3}"#), |_, _| async { "" });
    assert!(made.is_err());
}

/// Makes declarations like those in data sets of function calls.
struct Declarations(Rng);

impl Declarations {
    fn node(&mut self, depth: usize) -> Value {
        let mut node = match self.0.below(if depth == 0 { 6 } else { 9 }) {
            0 => json!({"type": "string"}),
            1 => json!({"type": "string", "enum": ["celsius", "fahrenheit", "kelvin"]}),
            2 => json!({"type": "integer", "minimum": 1, "maximum": 100}),
            3 => json!({"type": "integer", "default": 10}),
            4 => json!({"type": "number"}),
            5 => json!({"type": "boolean", "default": false}),
            6 => json!({"type": "array", "items": self.node(depth - 1)}),
            7 => json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
            _ => self.object(depth - 1),
        };
        if self.0.one_in(2) {
            node["description"] = json!("What is wanted, e.g. \"San Francisco, CA\"");
        }
        node
    }

    fn object(&mut self, depth: usize) -> Value {
        let names = ["city", "unit", "start_date", "filters", "options", "query"];
        let turn = self.0.below(names.len());
        let count = 1 + self.0.below(4);
        let mut properties = serde_json::Map::new();
        let mut required = Vec::new();
        for name in names.iter().cycle().skip(turn).take(count) {
            properties.insert((*name).to_owned(), self.node(depth));
            if self.0.one_in(2) {
                required.push(*name);
            }
        }
        json!({"type": "object", "properties": properties, "required": required})
    }
}

/// The form that a strict dialect requires: null for absent values.
fn filled(value: &Value, schema: &Value) -> Value {
    match (value, schema["properties"].as_object()) {
        (Value::Object(given), Some(properties)) => properties
            .iter()
            .map(|(name, schema)| {
                let value = given.get(name).map(|value| filled(value, schema));
                (name.clone(), value.unwrap_or_default())
            })
            .collect(),
        (Value::Array(items), _) => items
            .iter()
            .map(|item| filled(item, &schema["items"]))
            .collect(),
        _ => value.clone(),
    }
}

#[test]
fn function_declarations_reach_server_in_every_dialect() {
    const DECLARATIONS: u64 = 2_499;
    let seeds: Vec<u64> = (0..DECLARATIONS).collect();
    let reached: usize = over(&seeds, |_, seed| {
        let declared = Declarations(Rng::new(*seed)).object(2);
        let tool = dynamic(&declared.to_string());
        for dialect in Dialect::ALL {
            let spec = ToolSpec::of(&tool, dialect);
            assert_eq!(
                refused(&spec),
                Vec::<String>::new(),
                "{dialect}: {declared}"
            );
        }
        let schema = ForeignSchema::from_value(declared.clone()).expect("a schema");
        let server = compiled(&declared);
        let mut generator = Generator::new(*seed);
        for _ in 0..4 {
            let value = generator.valid(schema.tree());
            let sent = filled(&value, &declared);
            let read = read_foreign(&sent.to_string(), &schema, &Policy::exact().lowered());
            let read = read.unwrap_or_else(|report| panic!("{report}\n{sent}\n{declared}"));
            assert!(
                server.is_valid(&read.value),
                "{} of {sent}\n{declared}",
                read.value
            );
            assert!(
                same(&filled(&read.value, &declared), &sent),
                "{} of {sent}",
                read.value
            );
        }
        4
    })
    .into_iter()
    .sum();
    assert_eq!(reached, 4 * seeds.len());
}

/// Schemas whose objects describe other keys.
fn open_schemas() -> Vec<Value> {
    let values = [
        json!(true),
        json!({}),
        json!({"type": "integer"}),
        json!({"type": ["string", "null"]}),
    ];
    let mut schemas = Vec::new();
    for rest in values {
        let object = json!({"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": rest});
        let map = json!({"type": "object", "additionalProperties": rest});
        let tagged = |name: &str| {
            let mut form = object.clone();
            form["properties"]["kind"] = json!({"const": name});
            form["required"] = json!(["kind"]);
            form
        };
        for part in [
            object.clone(),
            map.clone(),
            json!({"anyOf": [tagged("x"), tagged("y")]}),
            json!({"allOf": [object, {"type": "object", "properties": {"c": {"type": "boolean"}}}]}),
            json!({"allOf": [{"type": "object", "properties": {"c": {"type": "boolean"}}}, map]}),
        ] {
            schemas.push(json!({"type": "object", "properties": {"a": part}, "required": ["a"]}));
            schemas.push(
                json!({"type": "object", "properties": {"a": {"type": "array", "items": part}}}),
            );
            let mut root = part;
            root["type"] = "object".into();
            schemas.push(root);
        }
    }
    schemas
}

/// Whether a schema says that the object at a place takes other keys.
fn keeps_open(schema: &Value, place: &[Step]) -> bool {
    let mut nodes = with_forms(vec![schema]);
    for step in place {
        let inside = nodes.into_iter().filter_map(|node| match step {
            Step::Key(key) => {
                let own = node["properties"].get(key);
                own.or_else(|| node.get("additionalProperties"))
            }
            Step::Index(_) => node.get("items"),
        });
        nodes = with_forms(inside.collect());
    }
    let opens = |node: &Value, key| node.get(key).is_some_and(|rest| *rest != false);
    let mut nodes = nodes.into_iter();
    nodes.any(|node| {
        let keywords = [
            "additionalProperties",
            "patternProperties",
            "unevaluatedProperties",
        ];
        keywords.into_iter().any(|key| opens(node, key))
    })
}

/// Schemas, with all their forms.
fn with_forms(mut nodes: Vec<&Value>) -> Vec<&Value> {
    let mut at = 0;
    while let Some(node) = nodes.get(at).copied() {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            nodes.extend(node[keyword].as_array().into_iter().flatten());
        }
        at += 1;
    }
    nodes
}

/// The value without its nulls, which mean absent in some forms.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let given = map.iter().filter(|(_, value)| !value.is_null());
            given
                .map(|(key, value)| (key.clone(), without_nulls(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

/// The JSON Schema of the arguments that the provider of a dialect gets.
fn told(spec: &ToolSpec) -> Value {
    let written = serde_json::from_str(&spec.parameters).expect("JSON");
    if spec.dialect != Dialect::GeminiOpenApi {
        return written;
    }
    let request: Value = serde_json::from_str(&spec.to_json()).expect("JSON");
    match request.get("parameters") {
        Some(_) => without_open_api(written),
        // For a tool without parameters there is none.
        None => json!({"type": "object", "additionalProperties": false}),
    }
}

/// The reason why a value does not survive the form of a dialect, and whether that form has no place for it.
fn torn(
    (declared, schema): (&Value, &ForeignSchema),
    server: &Validator,
    (node, rng): (&Node, &mut Rng),
    value: &Value,
) -> Result<bool, String> {
    let mut encoder = Encoder::new(rng, false);
    let written = encoder.write(node, value);
    for place in &encoder.dropped {
        // An object that declares keys and does not mention others is closed.
        let around = place.split_last().map_or(&[][..], |(_, around)| around);
        if keeps_open(declared, around) {
            return Err(format!("left out: {written}"));
        }
    }
    if !encoder.dropped.is_empty() {
        return Ok(true);
    }
    match read_foreign(&written.to_string(), schema, &Policy::exact().lowered()) {
        Err(report) => Err(format!("{written} refused: {report}")),
        Ok(read) if !server.is_valid(&read.value) => Err(format!("{} is sent", read.value)),
        Ok(read) if !same(&without_nulls(&read.value), &without_nulls(value)) => {
            Err(format!("{written} read as {}", read.value))
        }
        Ok(_) => Ok(false),
    }
}

/// A value in the form of a dialect is read back as the intended value, or the tool is in another form.
#[test]
fn lowered_form_never_drops_server_values_silently() {
    let mut schemas = foreign_schemas();
    schemas.extend(open_schemas());
    let (mut compared, mut left_out, mut torn_apart) = (0, 0, Vec::new());
    for (index, declared) in schemas.iter().enumerate() {
        let tool = dynamic(&declared.to_string());
        let schema = ForeignSchema::from_value(declared.clone()).expect("a schema");
        let server = compiled(declared);
        let mut generator = Generator::new(0x0A1 + index as u64);
        let mut values: Vec<Value> = (0..40).map(|_| generator.valid(schema.tree())).collect();
        values.retain(|value| server.is_valid(value));
        for dialect in Dialect::ALL {
            let told = told(&ToolSpec::of(&tool, dialect));
            let node = Node::of(&inlined(&told, &told, 4));
            for value in &values {
                compared += 1;
                let form = (&node, &mut generator.rng);
                match torn((declared, &schema), &server, form, value) {
                    Ok(has_no_place) => left_out += usize::from(has_no_place),
                    Err(why) => {
                        torn_apart.push(format!("{dialect}: {value} {why}\n{declared}\n{told}"));
                    }
                }
            }
        }
    }
    let first: Vec<&String> = torn_apart
        .iter()
        .step_by(1 + torn_apart.len() / 10)
        .collect();
    assert!(
        first.is_empty(),
        "{} torn apart: {first:#?}",
        torn_apart.len()
    );
    assert!(
        compared > 20_000 && left_out < compared / 10,
        "{compared}, {left_out}"
    );
}
