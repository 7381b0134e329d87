//! Every part of the contract in one value.
use callpact::{Policy, ToolInput, read_str};
use std::collections::{BTreeMap, HashMap};

#[derive(ToolInput, Debug, PartialEq)]
enum Method {
    Get,
    #[tool_param(alias = "Send")]
    Post,
}

/// Parameters for an HTTP request
#[derive(ToolInput, Debug, PartialEq)]
struct HttpRequest {
    /// The URL to request
    #[tool_param(min_length = 1)]
    url: String,
    #[tool_param(description = "HTTP method")]
    method: Method,
    #[tool_param(required = false)]
    body: Option<String>,
    #[tool_param(min = 1, max = 60_000, default = 30_000)]
    timeout_ms: u32,
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(tag = "type")]
enum Form {
    Circle { radius: f64 },
    Square(Square),
    Nothing,
}
#[derive(ToolInput, Debug, PartialEq)]
struct Square {
    side: f64,
}
#[derive(ToolInput, Debug, PartialEq)]
enum Ext {
    Circle { radius: f64 },
    Pair(u8, String),
    Nothing,
}
#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(tag = "t", content = "c")]
enum Adj {
    Circle { radius: f64 },
    One(u8),
    Nothing,
}
#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(untagged)]
enum Un {
    Num(u8),
    Text(String),
    Circle { radius: f64 },
}
#[derive(ToolInput, Debug, PartialEq)]
struct Flat {
    a: u8,
    #[tool_param(flatten)]
    s: Square,
    b: Option<bool>,
    #[tool_param(flatten)]
    rest: BTreeMap<String, u8>,
}
#[derive(ToolInput, Debug, PartialEq)]
struct Port(#[tool_param(min = 1)] u16);
#[derive(ToolInput, Debug, PartialEq)]
struct Page<T> {
    items: Vec<T>,
    port: Port,
    m: HashMap<String, i64>,
    t: (u8, bool),
    forms: Vec<Form>,
    e: Ext,
    a: Option<Adj>,
    u: Un,
    oo: Option<Option<u8>>,
    #[tool_param(required)]
    n: Option<u8>,
}
#[derive(ToolInput, Debug, PartialEq)]
struct Tree {
    name: String,
    #[tool_param(recursive)]
    children: Vec<Tree>,
}

/// A value that uses every form.
const PAGE: &str = r#"{"items":[{"a":1,"side":2,"x":5,"y":6}],"port":5,"m":{"k":1},"t":[1,true],"forms":[{"type":"Nothing"},{"radius":1,"type":"Circle"},{"type":"Square","side":2}],"e":{"Pair":[1,"b"]},"a":{"c":3,"t":"One"},"u":"v","oo":null,"n":null}"#;

#[test]
fn every_form_at_once_is_read() {
    let page = read_str::<Page<Flat>>(PAGE, &Policy::exact())
        .unwrap()
        .value;
    assert_eq!(
        page.forms,
        [
            Form::Nothing,
            Form::Circle { radius: 1.0 },
            Form::Square(Square { side: 2.0 })
        ]
    );
    assert_eq!(
        (page.e, page.a),
        (Ext::Pair(1, "b".into()), Some(Adj::One(3)))
    );
    assert_eq!(
        (page.u, page.oo, page.n),
        (Un::Text("v".into()), Some(None), None)
    );
    assert_eq!(
        page.items[0].rest,
        BTreeMap::from([("x".to_owned(), 5), ("y".to_owned(), 6)])
    );
    let tree = r#"{"name":"a","children":[{"name":"b","children":[{"name":"c","children":[]}]}]}"#;
    let tree = read_str::<Tree>(tree, &Policy::exact()).unwrap().value;
    assert_eq!(tree.children[0].children[0].name, "c");
    let request = r#"{"url":"x","method":"Send","timeout_ms":"5","body":""}"#;
    let request = read_str::<HttpRequest>(request, &Policy::lax()).unwrap();
    assert_eq!(
        (
            request.value.method,
            request.value.timeout_ms,
            request.fixes.len()
        ),
        (Method::Post, 5, 3)
    );
}

#[test]
fn a_page_cut_anywhere_is_no_value() {
    for end in (1..PAGE.len()).filter(|end| PAGE.is_char_boundary(*end)) {
        assert!(read_str::<Page<Flat>>(&PAGE[..end], &Policy::lax()).is_err());
    }
}

#[test]
fn every_variant_fault_has_exact_place() {
    let text = r#"{"items":[{"a":300,"side":"q","x":-5}],"port":0,"m":{"k":1.5},"t":[1],"forms":[{"type":"nothing"},{"radius":"x","type":"Circle"},{}],"e":{"Pear":[1,"b"]},"a":{"c":300,"t":"One"},"u":[],"n":""}"#;
    let report = read_str::<Page<Flat>>(text, &Policy::exact()).unwrap_err();
    let paths: Vec<String> = report
        .issues
        .iter()
        .map(|issue| issue.path.to_string())
        .collect();
    assert_eq!(
        paths,
        [
            "items[0].a",
            "items[0].side",
            "items[0].x",
            "port",
            "m.k",
            "t",
            "forms[0].type",
            "forms[1].radius",
            "forms[2].type",
            "e.Pear",
            "a.c",
            "u",
            "n",
        ]
    );
}

/// The value that serde gives a skipped field if the struct has a default.
#[test]
fn skipped_field_uses_struct_default_like_serde() {
    #[derive(Debug, PartialEq, serde::Deserialize, ToolInput)]
    #[serde(default)]
    struct Call {
        attempts: u8,
        #[serde(skip)]
        origin: Origin,
        #[serde(skip, default)]
        zero: u8,
    }

    /// A type without a default.
    #[derive(Debug, PartialEq)]
    enum Origin {
        Model,
    }

    impl Default for Call {
        fn default() -> Self {
            Self {
                attempts: 3,
                origin: Origin::Model,
                zero: 7,
            }
        }
    }

    #[derive(Debug, PartialEq, serde::Deserialize, ToolInput)]
    #[serde(default = "with_four")]
    struct Other {
        #[serde(skip)]
        attempts: u8,
        #[tool_param(skip, default = 5)]
        #[serde(skip)]
        own: u8,
    }

    fn with_four() -> Other {
        Other {
            attempts: 4,
            own: 9,
        }
    }

    let read = read_str::<Call>("{}", &Policy::exact()).unwrap().value;
    assert_eq!(read, serde_json::from_str("{}").unwrap());
    assert_eq!(
        read,
        Call {
            zero: 0,
            ..Call::default()
        }
    );
    let read = read_str::<Other>("{}", &Policy::exact()).unwrap().value;
    assert_eq!(
        read.attempts,
        serde_json::from_str::<Other>("{}").unwrap().attempts
    );
    assert_eq!(
        read,
        Other {
            attempts: 4,
            own: 5
        }
    );
}

/// A default or an example in a description is valid JSON, whatever it contains.
#[test]
fn literals_in_a_description_are_json() {
    use callpact::{Dialect, schema_json};
    use serde_json::Value;

    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Args {
        /// Words
        #[tool_param(default = "q\"q\\", example = "a\n\t\u{1}\u{e9}")]
        text: String,
        #[tool_param(default = ["a\"b", "\\"])]
        list: Vec<String>,
    }

    let schema: Value = serde_json::from_str(schema_json!(Args, Dialect::Portable)).expect("JSON");
    let said = |name: &str| {
        let text = schema.pointer(&format!("/properties/{name}/description"));
        text.and_then(Value::as_str).expect("a text").to_owned()
    };
    assert_eq!(
        said("text"),
        r#"Words (default: "q\"q\\"; example: "a\n\t\u0001é")"#
    );
    assert_eq!(said("list"), r#"default: ["a\"b", "\\"]"#);
}
