//! Variants of every form.
use callpact::{Dialect, Policy, ToolInput, read_str, schema_json};

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

/// Holds itself as the content of a variant, in every way of telling variants apart that can.
#[derive(Debug, PartialEq, ToolInput)]
enum Filter {
    Not(#[tool_param(recursive)] Box<Filter>),
    All(#[tool_param(recursive)] Vec<Self>),
    Both(#[tool_param(recursive)] Box<Self>, u8),
    Has(String),
    Any,
}

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(tag = "op", content = "of")]
enum Adjacent {
    Not(#[tool_param(recursive)] Box<Adjacent>),
    All(#[tool_param(recursive)] Vec<Self>),
    Any,
}

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(untagged)]
enum Untagged {
    Number(u8),
    List(#[tool_param(recursive)] Vec<Untagged>),
    Maybe { maybe: Inside },
}

#[derive(Debug, PartialEq, ToolInput)]
struct Inside(#[tool_param(recursive)] Option<Box<Untagged>>);

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(tag = "op")]
enum Internal {
    Not(Held),
    All {
        #[tool_param(recursive)]
        of: Vec<Self>,
    },
    Any,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Held {
    #[tool_param(recursive)]
    held: Box<Internal>,
}

fn read<T: ToolInput + std::fmt::Debug>(text: &str) -> Result<T, String> {
    read_str(text, &Policy::exact())
        .map(|read| read.value)
        .map_err(|report| report.to_string())
}

fn main() {
    let schema = schema_json!(Form, Dialect::Portable);
    assert!(
        schema.contains(
            r#""Several lines of text.\n\nAnd a paragraph. (exactly one of these keys)""#
        ),
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
    assert_eq!(
        read(r#"{"Not":{"All":[{"Has":"a"},{"Both":["Any",1]}]}}"#),
        Ok(Filter::Not(Box::new(Filter::All(vec![
            Filter::Has("a".to_owned()),
            Filter::Both(Box::new(Filter::Any), 1),
        ]))))
    );
    assert_eq!(
        read(r#"{"of":{"op":"All","of":[{"op":"Any"}]},"op":"Not"}"#),
        Ok(Adjacent::Not(Box::new(Adjacent::All(vec![Adjacent::Any]))))
    );
    assert_eq!(
        read(r#"[1,[2],{"maybe":3}]"#),
        Ok(Untagged::List(vec![
            Untagged::Number(1),
            Untagged::List(vec![Untagged::Number(2)]),
            Untagged::Maybe {
                maybe: Inside(Some(Box::new(Untagged::Number(3)))),
            },
        ]))
    );
    assert_eq!(
        read(r#"{"held":{"of":[{"op":"Any"}],"op":"All"},"op":"Not"}"#),
        Ok(Internal::Not(Held {
            held: Box::new(Internal::All {
                of: vec![Internal::Any],
            }),
        }))
    );
}
