//! A first look at every part of the contract.
use std::collections::{BTreeMap, HashMap};
use toolwright::{Dialect, Policy, ToolInput, read_str, schema_json};

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

#[test]
fn look() {
    println!("{}", schema_json!(HttpRequest, Dialect::Portable));
    println!("{}", schema_json!(Page<Flat>, Dialect::Portable));
    println!("{}", schema_json!(Page<Flat>, Dialect::OpenAiStrict));
    println!("{}", schema_json!(Form, Dialect::Portable));
    println!("{}", schema_json!(Tree, Dialect::Portable));
    let r = read_str::<HttpRequest>(
        r#"{"url":"", "method":"get","timeout_ms":"0","bdy":1, "url":3}"#,
        &Policy::lax(),
    );
    println!("{}", r.unwrap_err());
    let r = read_str::<HttpRequest>(
        r#"{"url":"x","method":"Send","timeout_ms":"5","body":""}"#,
        &Policy::lax(),
    );
    println!("{r:#?}");
    let t = r#"{"items":[{"a":1,"side":2,"x":5,"y":6}],"port":5,"m":{"k":1},"t":[1,true],"forms":[{"type":"Nothing"},{"radius":1,"type":"Circle"},{"type":"Square","side":2}],"e":{"Pair":[1,"b"]},"a":{"c":3,"t":"One"},"u":"v","oo":null,"n":null}"#;
    let r = read_str::<Page<Flat>>(t, &Policy::exact()).unwrap();
    println!("{r:?}");
    for i in 1..t.len() {
        if t.is_char_boundary(i) {
            assert!(read_str::<Page<Flat>>(&t[..i], &Policy::lax()).is_err());
        }
    }
    println!(
        "{}",
        read_str::<Page<Flat>>(&t[..100], &Policy::lax()).unwrap_err()
    );
    let r = read_str::<Page<Flat>>(r#"{"items":[{"a":300,"side":"q","x":-5}],"port":0,"m":{"k":1.5},"t":[1],"forms":[{"type":"nothing"},{"radius":"x","type":"Circle"},{}],"e":{"Pear":[1,"b"]},"a":{"c":300,"t":"One"},"u":[],"n":""}"#, &Policy::exact()).unwrap_err();
    println!("{r}");
    println!(
        "{:?}",
        read_str::<Tree>(
            r#"{"name":"a","children":[{"name":"b","children":[{"name":"b","children":[]}]}]}"#,
            &Policy::exact()
        )
    );
}
