//! A schema that a person writes may not be misspelt.

use callpact::DynamicTool;

/// The faults of a tool's schema, a line each; empty if the tool is made.
fn faults(schema: &str) -> Vec<String> {
    match DynamicTool::new("t", "Does it", Some(schema), |_, _| async { "" }) {
        Ok(_) => Vec::new(),
        Err(error) => error
            .to_string()
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect(),
    }
}

#[test]
fn names_the_keyword_that_was_meant() {
    for (misspelt, meant) in [
        ("propertys", "properties"),
        ("descripton", "description"),
        ("minLenght", "minLength"),
        ("additionalProperty", "additionalProperties"),
        ("Required", "required"),
        ("any_of", "anyOf"),
    ] {
        let line = |place: &str| {
            format!("- {place}: `{misspelt}`: this is no keyword; did you mean `{meant}`?")
        };
        let root = format!(r#"{{"type": "object", "{misspelt}": 1}}"#);
        assert_eq!(faults(&root), [line("the root")]);
        let inside = format!(
            r#"{{"type": "object", "properties": {{"a": {{"anyOf": [{{"{misspelt}": 1}}]}}}}}}"#
        );
        assert_eq!(faults(&inside), [line("/properties/a/anyOf/0")]);
    }
}

#[test]
fn takes_annotations_and_names_of_properties() {
    for schema in [
        r#"{"type": "object", "x-minLenght": 1, "markdownDescription": "a", "errorMessage": "b", "ui:order": 2}"#,
        r#"{"type": "object", "properties": {"propertys": {"type": "string"}}, "required": ["propertys"]}"#,
        r#"{"type": "object", "default": {"minLenght": 1}, "examples": [{"propertys": 1}]}"#,
    ] {
        assert_eq!(faults(schema), [""; 0], "{schema}");
    }
}

#[test]
fn refuses_a_required_name_of_no_property() {
    let line = |place: &str| format!("- {place}: `required`: `b` is no property");
    for (schema, place) in [
        (r#"{"type": "object", "required": ["b"]}"#, "the root"),
        (
            r#"{"type": "object", "properties": {"aaaa": {}}, "required": ["b"]}"#,
            "the root",
        ),
        (
            r#"{"type": "object", "properties": {"o": {"type": "object", "properties": {"n": {}}, "required": ["b"]}, "b": {}}}"#,
            "/properties/o",
        ),
        (
            r#"{"type": "object", "properties": {"aaaa": {}}, "anyOf": [{"required": ["aaaa"]}, {"required": ["b"]}]}"#,
            "/anyOf/1",
        ),
    ] {
        assert_eq!(faults(schema), [line(place)], "{schema}");
    }
    for schema in [
        r#"{"type": "object", "properties": {"b": {}}, "anyOf": [{"required": ["b"]}, {"properties": {"c": {}}, "required": ["b", "c"]}]}"#,
        r##"{"type": "object", "allOf": [{"$ref": "#/$defs/b"}], "required": ["b"], "$defs": {"b": {"properties": {"b": {}}}}}"##,
        r#"{"type": "object", "additionalProperties": {"type": "integer"}, "required": ["b"]}"#,
        r#"{"type": "object", "patternProperties": {"^b": {"type": "integer"}}, "required": ["b"]}"#,
        r#"{"type": "object", "properties": {"b": {}}, "if": {"required": ["b"]}, "then": {"properties": {"c": {}}, "required": ["c"]}}"#,
    ] {
        assert_eq!(faults(schema), [""; 0], "{schema}");
    }
}

#[test]
fn refuses_schema_whose_values_never_end() {
    let endless =
        r##"{"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}"##;
    assert_eq!(faults(endless), ["- the root: no value is accepted"]);
    let ending = r##"{"type": "object", "properties": {"next": {"$ref": "#"}}}"##;
    assert_eq!(faults(ending), [""; 0]);
    let impossible = r#"{"type": "object", "properties": {"n": {"minimum": 2, "maximum": 1, "type": "integer"}}, "required": ["n"]}"#;
    assert_eq!(faults(impossible), ["- the root: no value is accepted"]);
}

#[test]
fn refuses_a_root_that_takes_no_object() {
    for schema in [
        r#"{"type": "string"}"#,
        r#"{"type": ["array", "null"], "items": {}}"#,
    ] {
        let line = "- the root: `type`: the arguments of a tool are an object: write `\"type\": \"object\"`";
        assert_eq!(faults(schema), [line], "{schema}");
    }
    for schema in [
        "{}",
        r#"{"type": ["object", "null"]}"#,
        r#"{"properties": {"a": {}}}"#,
    ] {
        assert_eq!(faults(schema), [""; 0], "{schema}");
    }
}
