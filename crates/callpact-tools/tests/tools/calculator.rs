//! Row 1.10 of the calculator; where the original was wrong, the right answer.

use callpact::{AgentTool, Outcome, ToolCall, ToolContext, Toolset};
use callpact_tools::{Calculator, DateTime};
use serde_json::json;

use crate::bench::{said, set};

async fn all(rows: &[(&str, &str)]) {
    let tools = set(Calculator::new());
    for (expression, expected) in rows {
        let found = said(&tools, "calculator", json!({ "input": expression })).await;
        assert_eq!(&found, expected, "{expression}");
    }
}

#[tokio::test]
async fn rejects_text_in_wrong_parameter_with_hint() {
    let reply = said(
        &set(Calculator::new()),
        "calculator",
        json!({ "expression": "2 + 3" }),
    )
    .await;
    let expected =
        r#"Error: This tool takes one text: send it as `input`, such as {"input": "2 + 3"}"#;
    assert_eq!(reply, expected);
    let reply = said(
        &set(DateTime::new()),
        "datetime",
        json!({ "command": "now" }),
    )
    .await;
    assert!(
        reply.starts_with("Error: This tool takes one text: send it as `input`"),
        "{reply}"
    );
}

#[tokio::test]
async fn calculator_answers() {
    all(&[
        ("2 + 3 * 4", "14"),
        ("7/2", "3.5"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("2^-1", "0.5"),
        ("0^0", "1"),
        ("-7%3", "-1"),
        ("(1+2)*(3-4)", "-3"),
        ("+5", "5"),
        ("0.1+0.2", "0.3"),
    ])
    .await;
}

#[tokio::test]
async fn calculator_errors() {
    all(&[
        ("1/0", "Error: Division by zero"),
        ("1%0", "Error: Modulo by zero"),
        (" ", "Error: Expression must not be blank"),
        (
            "1+",
            "Error: Invalid expression: Unexpected end of expression",
        ),
        (
            "(1",
            "Error: Invalid expression: Missing closing parenthesis",
        ),
        ("1.2.3", "Error: Invalid expression: Invalid number: 1.2.3"),
        (
            "2x",
            "Error: Invalid expression: Unexpected character 'x' at position 1",
        ),
    ])
    .await;
}

#[tokio::test]
async fn calculator_large_results_can_be_read_back() {
    all(&[
        ("10^15", "1000000000000000"),
        ("1e5", "100000"),
        ("9007199254740993", "9007199254740993"),
    ])
    .await;
}

#[tokio::test]
async fn calculator_no_infinity_and_no_nan() {
    let tools = set(Calculator::new());
    for expression in ["10^400", "10.0^400", "(-8)^(1/3)", "1e999", "0^-1"] {
        let found = said(&tools, "calculator", json!({ "input": expression })).await;
        assert!(found.starts_with("Error: "), "{expression}: {found}");
    }
}

#[tokio::test]
async fn calculator_depth_is_bounded() {
    let tools = set(Calculator::new());
    for expression in ["(".repeat(20_000), "-".repeat(100_000), "(".repeat(1_000)] {
        let found = said(&tools, "calculator", json!({ "input": expression })).await;
        assert!(found.starts_with("Error: Invalid expression: "), "{found}");
    }
}

#[tokio::test]
async fn treats_text_without_object_as_input() {
    let tool = Calculator::new();
    assert_eq!(
        tool.execute("6 * 7", &ToolContext::new()).await.output(),
        "42"
    );
}

/// A text that the tool would refuse is refused by a look at the call as well.
#[tokio::test]
async fn check_reports_same_faults_as_call() {
    let tools = Toolset::builder()
        .tool(Calculator::new())
        .tool(DateTime::new());
    let tools = tools.build().unwrap();
    let cx = ToolContext::new();
    for (tool, good) in [
        ("calculator", "1 + 1"),
        ("datetime", "2024-01-31 + 1 month"),
    ] {
        for arguments in [
            "{}",
            "",
            r#"{"input": ""}"#,
            r#"{"expression": "1 + 1"}"#,
            "?",
        ] {
            let call = ToolCall::new("1", tool, arguments);
            let checked = tools.check(&call, &cx);
            let called = tools.call(&call, &cx).await.unwrap();
            assert_eq!(called.outcome, Outcome::Refused, "{tool} {arguments}");
            assert_eq!(
                (checked.outcome, checked.to_model()),
                (called.outcome, called.to_model())
            );
        }
        let call = ToolCall::new("1", tool, json!({ "input": good }).to_string());
        assert!(tools.check(&call, &cx).is_success());
        assert!(tools.call(&call, &cx).await.unwrap().is_success());
    }
}
