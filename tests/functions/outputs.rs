//! The results of tools.

use std::fmt;

use callpact::{
    AgentTool, Content, Dialect, IntoToolResult, Json, ToolContext, ToolError, ToolInput,
    ToolOutput, ToolResult, tool,
};
use serde::Serialize;
use serde_json::json;

#[derive(Serialize, ToolInput, ToolOutput)]
struct Weather {
    /// Degrees Celsius
    temperature: f64,
    #[serde(rename = "windSpeed")]
    wind: u8,
}

#[derive(Serialize, ToolInput, ToolOutput)]
#[tool_output(display)]
struct Point {
    x: i8,
    y: i8,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.x, self.y)
    }
}

#[derive(Serialize, ToolInput, ToolOutput)]
struct Page<T> {
    items: Vec<T>,
}

/// The weather
#[tool(read_only, struct = WeatherTool)]
async fn weather(city: String) -> Result<Weather, ToolError> {
    let temperature: f64 = city.parse()?;
    Ok(Weather {
        temperature,
        wind: 3,
    })
}

/// A point
#[tool(read_only, struct = PointTool)]
fn point() -> Point {
    Point { x: 1, y: -1 }
}

/// A page
#[tool(read_only, struct = PageTool)]
fn page() -> Page<u8> {
    Page { items: vec![1, 2] }
}

/// A chart
#[tool(read_only)]
fn chart() -> ToolResult {
    ToolResult::success("a chart")
        .with_content(Content::image("image/png", "AAAA"))
        .with_content(Content::resource("file:///a.csv", "text/csv", "a,b"))
}

#[tokio::test]
async fn structured_output() {
    let cx = ToolContext::new();
    let result = WeatherTool.execute(r#"{"city":"21.5"}"#, &cx).await;
    assert_eq!(result.output(), r#"{"temperature":21.5,"windSpeed":3}"#);
    assert_eq!(
        result.structured(),
        Some(&json!({"temperature": 21.5, "windSpeed": 3}))
    );
    let schema = WeatherTool
        .output_schema()
        .map(|schema| schema.to_json(Dialect::Portable));
    assert_eq!(
        schema.as_deref(),
        Some(
            r#"{"type":"object","properties":{"temperature":{"description":"Degrees Celsius","anyOf":[{"type":"number"},{"type":"null"}]},"windSpeed":{"type":"integer","minimum":0,"maximum":255}},"required":["temperature","windSpeed"]}"#
        )
    );
    let failed = WeatherTool.execute(r#"{"city":"x"}"#, &cx).await;
    assert_eq!(failed.to_model(), "Error: invalid float literal");
}

#[tokio::test]
async fn text_of_its_own() {
    let result = PointTool.execute("{}", &ToolContext::new()).await;
    assert_eq!(
        (result.output(), result.structured()),
        ("1/-1", Some(&json!({"x": 1, "y": -1})))
    );
}

#[tokio::test]
async fn generic_outputs_and_json() {
    let result = PageTool.execute("{}", &ToolContext::new()).await;
    assert_eq!(result.output(), r#"{"items":[1,2]}"#);
    assert!(PageTool.output_schema().is_some());
    assert!(<Json<Page<u8>> as IntoToolResult>::output_schema().is_none());
}

#[tokio::test]
async fn content_blocks() {
    let result = Chart.execute("{}", &ToolContext::new()).await;
    assert_eq!(
        serde_json::to_value(result.content()).unwrap(),
        json!([
            {"type": "image", "mime": "image/png", "data": "AAAA"},
            {"type": "resource", "uri": "file:///a.csv", "mime": "text/csv", "text": "a,b"},
        ])
    );
    assert_eq!(result.to_model(), "a chart");
}

/// A text in any form that owns it.
#[tokio::test]
#[allow(clippy::unnecessary_wraps)] // the types are what is looked at
async fn shared_and_boxed_texts() {
    use std::{borrow::Cow, sync::Arc};

    /// Says it
    #[tool(read_only)]
    fn shared() -> Arc<str> {
        "shared".into()
    }

    /// Says it
    #[tool(read_only)]
    fn boxed() -> Result<Box<str>, Arc<str>> {
        Ok("boxed".into())
    }

    /// Says it
    #[tool(read_only)]
    fn perhaps() -> Option<Cow<'static, str>> {
        Some("cow".into())
    }

    let cx = ToolContext::new();
    assert_eq!(
        AgentTool::execute(&Shared, "", &cx).await.output(),
        "shared"
    );
    assert_eq!(AgentTool::execute(&Boxed, "", &cx).await.output(), "boxed");
    assert_eq!(AgentTool::execute(&Perhaps, "", &cx).await.output(), "cow");
    assert_eq!(ToolResult::success(Arc::<str>::from("a")).output(), "a");
    assert_eq!(
        ToolResult::failure(Box::<str>::from("b")).to_model(),
        "Error: b"
    );
}

/// Clients throw away a whole result whose structured output does not fit the schema.
#[test]
fn serde_output_fits_schema_shown_to_hosts() {
    #[derive(Serialize, ToolInput, ToolOutput)]
    struct Found {
        next: Option<u32>,
        #[tool_param(max = 1.0)]
        score: f64,
        took: std::time::Duration,
        #[tool_param(max_length = 2, pattern = "^a")]
        name: String,
        nested: Vec<Inner>,
    }
    #[derive(Serialize, ToolInput, ToolOutput)]
    struct Inner {
        #[tool_param(default = 5)]
        many: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        maybe: Option<String>,
    }
    /// Finds
    #[tool(read_only, struct = FindTool)]
    fn find() -> Found {
        Found {
            next: None,
            score: f64::NAN,
            took: std::time::Duration::from_millis(1500),
            name: "long".to_owned(),
            nested: vec![Inner {
                many: 1,
                maybe: None,
            }],
        }
    }
    let spec = callpact::ToolSpec::of(&FindTool, Dialect::Mcp20260728);
    let schema = serde_json::from_str(&spec.output.expect("a schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let result = find().into_tool_result();
    let written = result.structured().expect("structured output");
    assert!(validator.is_valid(written), "{written}\n{schema}");
    assert!(!validator.is_valid(&json!({"next": "x"})));
    // `None` has no structured output, so there is no schema to break.
    assert!(<Option<Found> as IntoToolResult>::output_schema().is_none());
}
