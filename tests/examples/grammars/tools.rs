//! Twenty-four inputs of tools with dates, tuples, trees, maps, patterns and unions.
#![allow(dead_code)] // declarations

use std::collections::{BTreeMap, BTreeSet};

use callpact::{Policy, Report, Schema, ToolInput, read_str};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use schemars::{JsonSchema, schema_for};
use uuid::Uuid;

/// An input with its own schema and that of schemars.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) schema: &'static Schema,
    pub(crate) read: fn(&str, &Policy) -> Option<Report>,
    pub(crate) schemars: String,
}

macro_rules! tools {
    ($($type:ident)*) => {
        pub(crate) fn tools() -> Vec<Tool> {
            vec![$(Tool {
                name: stringify!($type),
                schema: <$type as ToolInput>::SCHEMA,
                read: reads::<$type>,
                schemars: serde_json::to_string(&schema_for!($type)).unwrap_or_default(),
            }),*]
        }
    };
}

tools! {
    BookRoom FindFlights LogWork PlotLine SetTheme RunQuery WriteFile Tag PostComment Outline Filter Menu
    MoveCamera Remind Transfer Translate Weather Resize SendMail Deploy Search Poll Invoice Cleanup
}

fn reads<T: ToolInput>(text: &str, policy: &Policy) -> Option<Report> {
    read_str::<T>(text, policy).err()
}

/// Books a room
#[derive(ToolInput, JsonSchema)]
struct BookRoom {
    /// The first night
    from: NaiveDate,
    /// The last night
    until: NaiveDate,
    #[tool_param(min = 1, max = 8)]
    #[schemars(range(min = 1, max = 8))]
    guests: u8,
    /// When the guests arrive
    arrival: Option<NaiveTime>,
}

/// Finds flights
#[derive(ToolInput, JsonSchema)]
struct FindFlights {
    #[tool_param(pattern = "^[A-Z]{3}$")]
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    from: String,
    #[tool_param(pattern = "^[A-Z]{3}$")]
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    to: String,
    day: NaiveDate,
    class: Option<Class>,
}

#[derive(ToolInput, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[tool_input(rename_all = "snake_case")]
enum Class {
    Economy,
    Business,
    First,
}

/// Records time
#[derive(ToolInput, JsonSchema)]
struct LogWork {
    id: Uuid,
    begin: DateTime<Utc>,
    end: Option<DateTime<Utc>>,
    /// What was done
    #[tool_param(min_length = 1)]
    #[schemars(length(min = 1))]
    note: String,
}

/// Draws a line
#[derive(ToolInput, JsonSchema)]
struct PlotLine {
    points: Vec<(f64, f64)>,
    color: Option<(u8, u8, u8)>,
    /// The order of the axes
    axes: (String, u8),
}

/// Sets colors
#[derive(ToolInput, JsonSchema)]
struct SetTheme {
    colors: BTreeMap<String, String>,
    sizes: BTreeMap<String, u16>,
    dark: bool,
}

/// Runs a query
#[derive(ToolInput, JsonSchema)]
struct RunQuery {
    #[tool_param(min_length = 1, max_length = 2000)]
    #[schemars(length(min = 1, max = 2000))]
    sql: String,
    parameters: Vec<Scalar>,
    #[tool_param(min = 1, max = 1000, default = 100)]
    #[schemars(range(min = 1, max = 1000), default = "hundred")]
    limit: u32,
}

fn hundred() -> u32 {
    100
}

#[derive(ToolInput, JsonSchema)]
#[tool_input(untagged)]
#[serde(untagged)]
enum Scalar {
    Flag(bool),
    Whole(i64),
    Word(String),
}

/// Writes a file
#[derive(ToolInput, JsonSchema)]
struct WriteFile {
    #[tool_param(pattern = "^/")]
    #[schemars(regex(pattern = "^/"))]
    path: String,
    #[tool_param(max_length = 100_000)]
    #[schemars(length(max = 100_000))]
    content: String,
    append: Option<bool>,
}

/// Sets tags
#[derive(ToolInput, JsonSchema)]
struct Tag {
    #[tool_param(min_items = 1)]
    #[schemars(length(min = 1))]
    tags: BTreeSet<String>,
    #[tool_param(unique_items)]
    ids: Vec<u64>,
}

/// Posts a comment
#[derive(ToolInput, JsonSchema)]
struct PostComment {
    comment: Comment,
    draft: Option<bool>,
}

#[derive(ToolInput, JsonSchema)]
struct Comment {
    text: String,
    #[tool_param(recursive)]
    replies: Option<Vec<Comment>>,
}

/// Writes an outline
#[derive(ToolInput, JsonSchema)]
struct Outline {
    title: String,
    #[tool_param(recursive)]
    sections: Option<Vec<Outline>>,
}

/// Filters rows
#[derive(ToolInput, JsonSchema)]
struct Filter {
    rule: Condition,
    page: Option<u32>,
}

#[derive(ToolInput, JsonSchema)]
#[tool_input(tag = "kind", rename_all = "snake_case")]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Condition {
    Equals {
        column: String,
        value: String,
    },
    Range {
        column: String,
        low: Option<i32>,
        high: Option<i32>,
    },
    Either {
        #[tool_param(recursive)]
        of: Vec<Condition>,
    },
}

/// Orders food
#[derive(ToolInput, JsonSchema)]
struct Menu {
    dishes: Vec<Dish>,
    table: Option<u8>,
    note: Option<String>,
}

#[derive(ToolInput, JsonSchema)]
struct Dish {
    name: String,
    #[tool_param(min = 1)]
    #[schemars(range(min = 1))]
    count: u16,
    price: Option<f64>,
}

/// Moves the camera
#[derive(ToolInput, JsonSchema)]
struct MoveCamera {
    to: (f64, f64, f64),
    #[tool_param(min = -180, max = 180)]
    #[schemars(range(min = -180, max = 180))]
    yaw: f64,
    #[tool_param(exclusive_min = 0, max = 10)]
    seconds: Option<f32>,
}

/// Reminds of something
#[derive(ToolInput, JsonSchema)]
struct Remind {
    at: NaiveDateTime,
    repeat: Option<NaiveTime>,
    text: String,
}

/// Transfers money
#[derive(ToolInput, JsonSchema)]
struct Transfer {
    #[tool_param(pattern = "^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$")]
    #[schemars(regex(pattern = "^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$"))]
    to: String,
    #[tool_param(min = 1)]
    #[schemars(range(min = 1))]
    cents: u64,
    on: Option<NaiveDate>,
}

/// Translates words
#[derive(ToolInput, JsonSchema)]
struct Translate {
    #[tool_param(max_length = 500)]
    #[schemars(length(max = 500))]
    text: String,
    terms: BTreeMap<String, String>,
    #[tool_param(one_of = ["de", "en", "fr"])]
    language: String,
}

/// Tells the weather
#[derive(ToolInput, JsonSchema)]
struct Weather {
    #[tool_param(min = -90, max = 90)]
    #[schemars(range(min = -90, max = 90))]
    latitude: f64,
    #[tool_param(min = -180, max = 180)]
    #[schemars(range(min = -180, max = 180))]
    longitude: f64,
    days: Option<u8>,
}

/// Resizes a picture
#[derive(ToolInput, JsonSchema)]
struct Resize {
    #[tool_param(multiple_of = 8)]
    width: u32,
    #[tool_param(multiple_of = 8)]
    height: u32,
    file: String,
}

/// Sends mail
#[derive(ToolInput, JsonSchema)]
struct SendMail {
    #[tool_param(min_items = 1, max_items = 20)]
    #[schemars(length(min = 1, max = 20))]
    to: Vec<String>,
    #[tool_param(min_length = 1, max_length = 200)]
    #[schemars(length(min = 1, max = 200))]
    subject: String,
    body: String,
    at: Option<DateTime<Utc>>,
}

/// Deploys a service
#[derive(ToolInput, JsonSchema)]
struct Deploy {
    #[tool_param(pattern = r"^\d+\.\d+\.\d+$")]
    #[schemars(regex(pattern = r"^\d+\.\d+\.\d+$"))]
    version: String,
    target: Target,
    environment: BTreeMap<String, Option<String>>,
}

#[derive(ToolInput, JsonSchema)]
#[tool_input(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
enum Target {
    Local,
    Host { name: String, port: u16 },
    Region(String),
}

/// Searches
#[derive(ToolInput, JsonSchema)]
struct Search {
    #[tool_param(min_length = 1)]
    #[schemars(length(min = 1))]
    query: String,
    #[tool_param(min = 1, max = 50)]
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    since: Option<NaiveDate>,
    #[allow(clippy::option_option)] // absent and null differ
    author: Option<Option<String>>,
}

/// Makes a poll
#[derive(ToolInput, JsonSchema)]
struct Poll {
    question: String,
    #[tool_param(min_items = 2, max_items = 10)]
    #[schemars(length(min = 2, max = 10))]
    answers: Vec<Answer>,
    closes: DateTime<Utc>,
}

#[derive(ToolInput, JsonSchema)]
#[tool_input(tag = "type", content = "value")]
#[serde(tag = "type", content = "value")]
enum Answer {
    Text(String),
    Picture { url: String, width: u16 },
    Other,
}

/// Writes an invoice
#[derive(ToolInput, JsonSchema)]
struct Invoice {
    number: u32,
    lines: Vec<(String, u32, f64)>,
    due: NaiveDate,
    vat: Option<Rate>,
}

#[derive(ToolInput, JsonSchema)]
enum Rate {
    Full,
    Reduced,
    None,
}

/// Deletes old files
#[derive(ToolInput, JsonSchema)]
struct Cleanup {
    folder: String,
    older_than_days: i64,
    keep: Option<Vec<String>>,
    dry_run: bool,
}
