//! Variants of every form.
use toolwright::{Dialect, Policy, ToolInput, read_str, schema_json};

/* The doc comment below is a block. */
/**
 * Several lines
 * of text.
 *
 * And a paragraph.
 */
#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(rename_all = "snake_case", rename_all_fields = "camelCase", validate = Form::fine)]
enum Form {
    /// With `Self` inside
    BigTree {
        the_name: String,
        #[tool_param(recursive)]
        the_children: Vec<Self>,
    },
    Parens(),
    Braces {},
    Wrapped(#[tool_param(max = 5, description = "a small one")] u8),
    Converted(#[tool_param(with = Vec<u8>)] Bytes),
    Quoted(#[tool_param(with = "Vec<u8>")] Bytes),
    #[tool_param(skip)]
    #[allow(dead_code)]
    Hidden(std::rc::Rc<u8>),
}

impl Form {
    fn fine(&self) -> Result<(), String> {
        match self {
            Self::BigTree { the_name, .. } if the_name == "no" => Err("not that".to_owned()),
            _ => Ok(()),
        }
    }
}

#[derive(Debug, PartialEq)]
struct Bytes(usize);

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.len())
    }
}

#[derive(Debug, PartialEq, ToolInput)]
enum Only {
    One,
}

fn read<T: ToolInput + std::fmt::Debug>(text: &str) -> Result<T, String> {
    read_str(text, &Policy::exact())
        .map(|read| read.value)
        .map_err(|report| report.to_string())
}

fn main() {
    let schema = schema_json!(Form, Dialect::Portable);
    assert!(
        schema.contains(r#""Several lines of text.\n\nAnd a paragraph.""#),
        "{schema}"
    );
    assert!(
        schema.contains("theChildren") && schema.contains("a small one"),
        "{schema}"
    );
    assert!(!schema.contains("hidden"), "{schema}");
    let tree = r#"{"big_tree":{"theName":"a","theChildren":[{"big_tree":{"theName":"b","theChildren":["parens"]}}]}}"#;
    assert!(read::<Form>(tree).is_ok());
    assert_eq!(read(r#""parens""#), Ok(Form::Parens()));
    assert_eq!(read(r#"{"braces":{}}"#), Ok(Form::Braces {}));
    assert_eq!(read(r#"{"wrapped":5}"#), Ok(Form::Wrapped(5)));
    assert!(read::<Form>(r#"{"wrapped":6}"#).is_err());
    assert_eq!(
        read(r#"{"converted":[1,2]}"#),
        Ok(Form::Converted(Bytes(2)))
    );
    assert_eq!(read(r#"{"quoted":[1,2]}"#), Ok(Form::Quoted(Bytes(2))));
    let refused = read::<Form>(r#"{"big_tree":{"theName":"no","theChildren":[]}}"#);
    assert!(
        refused
            .as_ref()
            .is_err_and(|text| text.contains("not that")),
        "{refused:?}"
    );
    assert_eq!(read(r#""One""#), Ok(Only::One));
}
