//! Plans, memory, people and machines.
#![allow(dead_code)] // declarations that a reader fills

use std::collections::BTreeSet;

use callpact::ToolInput;
use schemars::JsonSchema;
use serde::Deserialize;

use super::moved;

moved! {
    WritePlan: r#"{"steps": [{"step": "a", "status": "in_progress"}]}"#,
    Remember: r#"{"facts": ["a"], "importance": 0.5}"#,
    AskUser: r#"{"question": "a?", "options": ["b", "c"]}"#,
    Delegate: r#"{"agent": "tester", "task": "a", "budget": {"tokens": 5}}"#,
    Finish: r#"{"result": {"ok": {"summary": "a"}}}"#,
    SetLight: r#"{"room": "hall", "state": {"on": true}, "level": 50}"#,
    Drive: r#"{"waypoints": [{"x": 1.0, "y": 2.0}], "speed": "slow"}"#,
    ExtractInvoice: r#"{"number": "1", "lines": [{"text": "a", "count": 2, "price": 1.5}], "currency": "EUR"}"#,
    Classify: r#"{"label": "spam", "confidence": 0.5}"#,
    Page: r#"{"items": ["a"], "next": 2}"#,
    UpdateUser: r#"{"id": 7, "name": null, "tags": ["a"]}"#,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "snake_case")]
enum StepStatus {
    Pending,
    InProgress,
    Done,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct PlanStep {
    step: String,
    status: StepStatus,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct WritePlan {
    #[schemars(title = "The steps", length(min = 1))]
    steps: Vec<PlanStep>,
    #[serde(default)]
    explanation: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Remember {
    #[schemars(length(min = 1))]
    facts: BTreeSet<String>,
    #[schemars(range(min = 0.0, max = 1.0))]
    importance: f32,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct AskUser {
    question: String,
    #[serde(default)]
    #[schemars(length(max = 4))]
    options: Vec<String>,
    #[serde(skip)]
    asked_at: u64,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(default)]
struct Budget {
    tokens: u32,
    seconds: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            tokens: 1000,
            seconds: 60,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Delegate {
    agent: String,
    task: String,
    #[serde(default)]
    budget: Budget,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "snake_case")]
enum FinishResult {
    Ok { summary: String },
    Failed { reason: String, retry: bool },
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Finish {
    result: FinishResult,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "snake_case")]
enum LightState {
    On(bool),
    Scene(String),
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct SetLight {
    #[schemars(example = &"hall")]
    room: String,
    state: LightState,
    #[schemars(range(max = 100))]
    level: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Waypoint {
    x: f64,
    y: f64,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Speed {
    Slow,
    Fast,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Drive {
    #[schemars(length(min = 1, max = 9))]
    waypoints: Vec<Waypoint>,
    speed: Speed,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct InvoiceLine {
    text: String,
    count: u32,
    price: f64,
}

/// Puts what an invoice says into fields
#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[schemars(title = "Invoice")]
struct ExtractInvoice {
    number: String,
    lines: Vec<InvoiceLine>,
    #[schemars(length(equal = 3), regex(pattern = "^[A-Z]+$"))]
    currency: String,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Label {
    Spam,
    Ham,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Classify {
    label: Label,
    #[schemars(range(min = 0.0, max = 1.0))]
    confidence: f64,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct PageOf<T> {
    items: Vec<T>,
    next: Option<u32>,
}

type Page = PageOf<String>;

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct UpdateUser {
    id: u64,
    name: Option<String>,
    tags: Option<Vec<String>>,
}
