//! The attributes of schemars mean what those of `tool_param` mean.

use callpact::{Dialect, Policy, ToolInput, ToolOutput, read_str, schema_json};

/// What to look for
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
#[tool_input(rename_all = "camelCase", unknown = "deny")]
struct Ours {
    #[tool_param(min_length = 1, pattern = "^a", description = "The words")]
    some_words: String,
    #[tool_param(min = 1, max = 9, default, example = 5)]
    page: u8,
    #[tool_param(min_items = 2, max_items = 2)]
    tags: Option<Vec<String>>,
    #[tool_param(with = String)]
    code: Code,
    #[tool_param(rename = "kind", required)]
    form: Option<Form>,
}

/// What to look for
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
#[schemars(
    rename_all = "camelCase",
    deny_unknown_fields,
    crate = "schemars",
    inline
)]
struct Theirs {
    #[schemars(length(min = 1), regex(pattern = "^a"), description = "The words")]
    some_words: String,
    #[schemars(range(min = 1, max = 9), default, example = 5)]
    page: u8,
    #[schemars(length(equal = 2))]
    tags: Option<Vec<String>>,
    #[schemars(with = "String")]
    code: Code,
    #[serde(rename = "hidden")]
    #[schemars(rename = "kind", required)]
    form: Option<Form>,
}

#[allow(dead_code)] // a declaration
struct Code(String);

impl TryFrom<String> for Code {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(Self(text))
    }
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
#[schemars(rename_all = "lowercase")]
enum Form {
    Round,
    #[schemars(rename = "box", title = "A box", description = "With corners")]
    Square,
}

#[test]
fn schemars_attributes_make_the_same_schema() {
    assert_eq!(
        schema_json!(Theirs, Dialect::Portable),
        schema_json!(Ours, Dialect::Portable)
    );
}

#[test]
fn schemars_rules_are_enforced() {
    let sent =
        r#"{"someWords": "b", "page": 10, "tags": ["x"], "code": "c", "kind": "box", "no": 1}"#;
    let ours = read_str::<Ours>(sent, &Policy::exact()).map(|_| ());
    let theirs = read_str::<Theirs>(sent, &Policy::exact()).map(|_| ());
    let theirs = theirs.unwrap_err().to_string();
    assert_eq!(theirs, ours.unwrap_err().to_string());
    assert!(theirs.contains("4 problems"), "{theirs}");
}

#[test]
fn title_is_first_paragraph_of_description() {
    assert!(
        schema_json!(Form, Dialect::Portable).contains(r"A box\n\nWith corners"),
        "{}",
        schema_json!(Form, Dialect::Portable)
    );
}

#[derive(serde::Serialize, ToolOutput)]
#[allow(dead_code)] // a declaration
struct Found {
    #[schemars(description = "Where it is", range(min = 1))]
    line: u32,
}

#[test]
fn output_shows_description_of_schemars() {
    let schema = <Found as ToolOutput>::SCHEMA.to_json(Dialect::Portable);
    assert!(schema.contains("Where it is"), "{schema}");
}
