//! The last line of a report: the form of the faulty parameters, for every kind of schema.

use std::collections::BTreeMap;

use callpact::{Policy, ToolInput, read_str};
use expect_test::{Expect, expect};
use serde_json::Value;

use super::shapes::{Item, Shape};

#[derive(ToolInput)]
#[allow(dead_code)]
enum Edit {
    Undo,
    Insert { at: u64, text: String },
    Delete(Vec<u64>),
}

#[derive(ToolInput)]
#[allow(dead_code)]
#[tool_input(tag = "kind", content = "of")]
enum Step {
    Wait,
    Go(i8),
}

#[derive(ToolInput)]
#[allow(dead_code)]
#[tool_input(untagged)]
enum Id {
    Number(u32),
    Item(Item),
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Bounds {
    #[tool_param(min = 1)]
    from: i64,
    #[tool_param(max = 9)]
    to: i64,
    on: bool,
    other: Value,
}

#[derive(ToolInput)]
#[allow(dead_code)]
enum Letter {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
}

type Cube = Vec<Vec<Vec<u8>>>;

#[derive(ToolInput)]
#[allow(dead_code)]
struct Forms {
    edit: Option<Edit>,
    shape: Option<Shape>,
    step: Option<Step>,
    id: Option<Id>,
    pair: Option<(u8, bool)>,
    labels: Option<BTreeMap<String, Option<u8>>>,
    bounds: Option<Vec<Bounds>>,
    letters: Option<Vec<Letter>>,
    deep: Option<Vec<Vec<Cube>>>,
}

#[track_caller]
fn shows(arguments: &str, form: &Expect) {
    let report = read_str::<Forms>(arguments, &Policy::exact())
        .map(|_| ())
        .expect_err("no array and no object");
    let text = report.with_excerpt(Forms::SCHEMA);
    form.assert_eq(text.rsplit('\n').next().expect("a last line"));
}

#[test]
fn every_kind_has_a_form() {
    shows(
        r#"{"edit": 5}"#,
        &expect![[
            r#"Expected: {"edit"?: "Undo" | {"Insert": {"at": integer >= 0, "text": string}} | {"Delete": [integer >= 0]}}"#
        ]],
    );
    shows(
        r#"{"shape": 5}"#,
        &expect![[
            r#"Expected: {"shape"?: {"kind": "circle", "radius": number} | {"kind": "square", "side": number}}"#
        ]],
    );
    shows(
        r#"{"step": 5}"#,
        &expect![[
            r#"Expected: {"step"?: {"kind": "Wait"} | {"kind": "Go", "of": integer -128..127}}"#
        ]],
    );
    shows(
        r#"{"id": true}"#,
        &expect![[
            r#"Expected: {"id"?: integer 0..4294967295 | {"name": string, "weight"?: number}}"#
        ]],
    );
    shows(
        r#"{"pair": 5}"#,
        &expect![[r#"Expected: {"pair"?: [integer 0..255, boolean]}"#]],
    );
    shows(
        r#"{"labels": 5}"#,
        &expect![[r#"Expected: {"labels"?: {key: integer 0..255 | null}}"#]],
    );
    shows(
        r#"{"bounds": 5}"#,
        &expect![[
            r#"Expected: {"bounds"?: [{"from": integer >= 1, "to": integer <= 9, "on": boolean, "other": any}]}"#
        ]],
    );
}

#[test]
fn what_is_long_or_deep_is_cut() {
    shows(
        r#"{"letters": 5}"#,
        &expect![[
            r#"Expected: {"letters"?: ["A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I"]}"#
        ]],
    );
    shows(
        r#"{"deep": 5}"#,
        &expect![[r#"Expected: {"deep"?: [[[[…]]]]}"#]],
    );
    shows(
        r#"{"edit": 5, "shape": 5, "step": 5, "id": true, "pair": 5, "labels": 5}"#,
        &expect![[
            r#"Expected: {"edit"?: "Undo" | {"Insert": {"at": integer >= 0, "text": string}} | {"Delete": [integer >= 0]}, "shape"?: {"kind": "circle", "radius": number} | {"kind": "square", "side": number}, "step"?: {"kind": "Wait"} | {"kind": "Go", "of": integer -128..127}, "id"?: integer 0..4294967295 | {"name": string, "weight"?: number}, "pair"?: [integer 0..255, boolean], "labels"?: {key: integer 0..255 | null}}"#
        ]],
    );
}
