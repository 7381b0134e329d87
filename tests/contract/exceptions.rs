//! A test for each documented difference between schema and reader, and for the cases next to it.

use std::collections::BTreeMap;

use callpact::{Dialect, IssueKind, Policy, Schema, ToolInput, read_str, read_value};
use callpact_tests::{
    exception::{NamedException as Named, exceptions},
    shapes::{Shape, all, attributes::*, maps::*, numbers::*, structs::*, unions::*},
};
use serde_json::Value;

use crate::schema_and_reader::compile;

/// Whether the schema accepts a text, and whether the reader does.
fn sides<T: ToolInput>(text: &str, dialect: Dialect) -> (bool, bool) {
    let schema: &Schema = T::SCHEMA;
    let value: Value = serde_json::from_str(text).expect("JSON");
    let valid = compile(&schema.to_json(dialect)).is_valid(&value);
    (valid, read_str::<T>(text, &Policy::exact()).is_ok())
}

/// The schema accepts these texts and the reader refuses them.
fn reader_refuses<T: ToolInput>(texts: &[&str]) {
    for text in texts {
        assert_eq!(
            sides::<T>(text, Dialect::Mcp20260728),
            (true, false),
            "{text}"
        );
    }
}

/// Schema and reader agree on these texts.
fn agree<T: ToolInput>(texts: &[&str]) {
    for text in texts {
        let (schema, reader) = sides::<T>(text, Dialect::Mcp20260728);
        assert_eq!(schema, reader, "{text}");
    }
}

fn shape(name: &str) -> Shape {
    all()
        .into_iter()
        .find(|shape| shape.name == name)
        .expect("a shape of this name")
}

/// The names that the harness gives to the differences.
fn named(name: &str, dialect: Dialect, text: &str) -> Vec<Named> {
    let shape = shape(name);
    let validator = compile(&shape.schema.to_json(dialect));
    let value = serde_json::from_str(text).expect("JSON");
    exceptions(&shape, dialect, &value, &|value| validator.is_valid(value))
}

const WHOLE: Dialect = Dialect::Mcp20260728;
const PORTABLE: Dialect = Dialect::Portable;

#[test]
fn far_end_of_integer() {
    reader_refuses::<i64>(&["9223372036854775808", "18446744073709551615"]);
    reader_refuses::<isize>(&["9223372036854775808"]);
    reader_refuses::<std::num::NonZeroI64>(&["9223372036854775808"]);
    agree::<i64>(&[
        "9223372036854775807",
        "-9223372036854775808",
        "0",
        "1.5",
        "\"1\"",
    ]);
    agree::<u64>(&["18446744073709551615", "0", "-1"]);
    agree::<u128>(&["18446744073709551615", "9223372036854775808", "-1"]);
    agree::<i128>(&["18446744073709551615", "9223372036854775808", "-1"]);
    // The schema has every bound that the author wrote.
    agree::<BigBounds>(&[
        r#"{"safe":1,"whole":9223372036854775808}"#,
        r#"{"safe":1,"whole":9223372036854775807}"#,
        r#"{"safe":9007199254740992}"#,
    ]);
    // The schema always has the bounds of up to 32 bits and the zero of an unsigned integer.
    agree::<(i8,)>(&["[127]", "[128]", "[-128]", "[-129]"]);
    agree::<u32>(&["4294967295", "4294967296", "-1"]);
    let text = r#"{"a":1,"b":1,"c":1,"d":9223372036854775808}"#;
    assert_eq!(named("Signed", WHOLE, text), [Named::FarEndOfInteger]);
}

#[test]
fn far_end_of_integer_key() {
    reader_refuses::<BTreeMap<i64, u8>>(&[
        r#"{"9223372036854775808":1}"#,
        r#"{"-9999999999999999999":1}"#,
    ]);
    agree::<BTreeMap<i64, u8>>(&[
        r#"{"-9223372036854775808":1}"#,
        r#"{"12345678901234567890":1}"#,
    ]);
    agree::<BTreeMap<u32, u8>>(&[r#"{"4294967295":1}"#, r#"{"4294967296":1}"#, r#"{"x":1}"#]);
    let text = r#"{"small":{},"whole":{"9999999999999999999":1}}"#;
    assert_eq!(named("NumberedKeys", WHOLE, text), [Named::IntegerKey]);
    let text = r#"{"small":{"x":"a"}}"#;
    assert_eq!(named("NumberedKeys", PORTABLE, text), [Named::IntegerKey]);
    assert_eq!(named("NumberedKeys", WHOLE, text), []);
}

#[test]
fn far_end_of_single() {
    reader_refuses::<f32>(&["1e39", "-3.5e38"]);
    agree::<f32>(&["3.4e38", "-3.4e38", "1e-50", "0.1"]);
    agree::<f64>(&["1e39", "1.7e308"]);
    let text = r#"{"double":0,"single":1e39}"#;
    assert_eq!(named("Floats", WHOLE, text), [Named::FarEndOfSingle]);
}

#[test]
fn rounded_integer() {
    reader_refuses::<i64>(&[
        "9007199254740992.0",
        // Its float is 2^53, which is another number.
        "9007199254740993.0",
        "-9007199254740993.0",
        "1e18",
        "1e30",
        "-1e16",
        "18446744073709551616",
    ]);
    reader_refuses::<u128>(&["18446744073709551616"]);
    agree::<i64>(&[
        "9007199254740991.0",
        "-9007199254740991.0",
        "9007199254740994",
        "1e3",
        "5.0",
    ]);
    agree::<u32>(&["1e30", "9007199254740994.0"]);
    agree::<f64>(&["9007199254740994.0", "1e30"]);
    let text = r#"{"a":1,"b":1,"c":1,"e":1e30}"#;
    assert_eq!(named("Signed", WHOLE, text), [Named::RoundedInteger]);
}

#[test]
fn rounded_multiple() {
    // The value is 3 * 3623e25, but the nearest float is not a multiple of 3.
    let text = r#"{"five":5,"seven":7,"three":1.0869e29}"#;
    assert_eq!(sides::<Multiples>(text, WHOLE), (false, true));
    assert_eq!(named("Multiples", WHOLE, text), [Named::RoundedMultiple]);
    for number in [
        "9007199254740992",
        "9007199254740993",
        "9007199254740992.0",
        "3e15",
        "-3",
        "0.3",
    ] {
        agree::<Multiples>(&[&format!(r#"{{"five":5,"seven":7,"three":{number}}}"#)]);
        agree::<Multiples>(&[&format!(r#"{{"five":5,"seven":7,"tenth":{number}}}"#)]);
    }
}

#[test]
fn text_form() {
    reader_refuses::<std::net::IpAddr>(&["\"\"", "\"localhost\"", "\"1.2.3\"", "\"1.2.3.4:5\""]);
    reader_refuses::<std::net::SocketAddr>(&["\"1.2.3.4\""]);
    reader_refuses::<std::time::Duration>(&["\"\"", "\"5\"", "\"1m1h\"", "\"-1s\""]);
    agree::<std::net::IpAddr>(&["\"1.2.3.4\"", "\"::1\"", "5", "null", "[]"]);
    agree::<std::time::Duration>(&["\"1h30m\"", "90", "{}"]);
    // A path takes any text.
    agree::<std::path::PathBuf>(&["\"\"", "\"a\\u0000\"", "5"]);
    // A form with a name in JSON Schema is stated.
    agree::<std::net::Ipv4Addr>(&["\"1.2.3.4\"", "\"1.2.3\"", "\"\""]);
    agree::<std::net::Ipv6Addr>(&["\"::1\"", "\"1.2.3.4\"", "\"\""]);
    let text = r#"{"any":"nowhere","wait":"90s","waits":[]}"#;
    assert_eq!(named("Forms", WHOLE, text), [Named::TextForm]);
}

#[test]
fn author_rule() {
    reader_refuses::<Converted>(&[r#"{"even":3}"#, r#"{"even":2,"maybe":5.0}"#]);
    reader_refuses::<Range>(&[r#"{"from":3,"to":2}"#]);
    agree::<Converted>(&[
        r#"{"even":2}"#,
        r#"{"even":102}"#,
        r#"{"even":-2}"#,
        r#"{"even":2,"maybe":4}"#,
    ]);
    agree::<Range>(&[
        r#"{"from":2,"to":2}"#,
        r#"{"from":2,"to":10}"#,
        r#"{"from":2}"#,
    ]);
    assert_eq!(
        named("Range", WHOLE, r#"{"from":3,"to":2}"#),
        [Named::AuthorRule]
    );
    assert_eq!(named("Range", WHOLE, r#"{"from":2,"to":3}"#), []);
}

#[test]
fn recursion() {
    // A dialect without references ends at the first level.
    for text in [
        r#"{"name":"a","children":[{}]}"#,
        r#"{"name":"a","children":[{"name":"b","children":[{"name":5,"children":[]}]}]}"#,
    ] {
        assert_eq!(sides::<Tree>(text, PORTABLE), (true, false), "{text}");
        assert_eq!(sides::<Tree>(text, WHOLE), (false, false), "{text}");
    }
    agree::<Tree>(&[
        r#"{"name":"a","children":[{"name":"b","children":[]}]}"#,
        r#"{"name":"a","children":[5]}"#,
        r#"{"name":"a","children":{}}"#,
        r#"{"name":"a"}"#,
    ]);
    agree::<Chain>(&[
        r#"{"value":1,"next":{"value":2}}"#,
        r#"{"value":1,"next":5}"#,
        r#"{"value":1,"next":{}}"#,
        r#"{"value":1,"named":{"a":{"value":-1}}}"#,
        r#"{"value":1,"named":5}"#,
    ]);
    let text = r#"{"name":"a","children":[{"name":"b","children":[{}]}]}"#;
    assert_eq!(named("Tree", PORTABLE, text), [Named::Recursion]);
}

/// A type of any form may contain itself. The open place in the schema admits no value that the
/// reader refuses.
#[allow(dead_code)] // only the verdict counts
mod again {
    use std::collections::{BTreeMap, BTreeSet};

    use callpact::{Dialect, ToolInput};
    use callpact_testing::assert_contract;

    use super::sides;

    #[derive(ToolInput)]
    struct Form<T> {
        form: T,
    }

    #[derive(ToolInput)]
    enum Names {
        Empty,
        #[tool_param(rename = "not")]
        Not(#[tool_param(recursive)] Box<Names>),
        All(#[tool_param(recursive)] Vec<Self>),
    }

    #[derive(ToolInput)]
    enum Keys {
        Has(String),
        Not(#[tool_param(recursive)] Box<Keys>),
    }

    #[derive(ToolInput)]
    #[tool_input(untagged)]
    enum Untagged {
        Number(f64),
        List(#[tool_param(recursive)] Vec<Untagged>),
    }

    #[derive(ToolInput)]
    #[tool_input(untagged)]
    enum Objects {
        Leaf {
            leaf: u8,
        },
        Pair {
            #[tool_param(recursive)]
            left: Box<Objects>,
        },
    }

    #[derive(ToolInput)]
    #[tool_input(tag = "op", content = "of")]
    enum Adjacent {
        Any,
        Not(#[tool_param(recursive)] Box<Adjacent>),
    }

    #[derive(ToolInput)]
    struct Nest(#[tool_param(recursive)] Vec<Nest>);

    /// Recursion through another type, a map, a set, a tuple and a type alias.
    #[derive(ToolInput, PartialEq, Eq, PartialOrd, Ord)]
    struct Item {
        #[tool_param(default = 1, example = 2)]
        size: u8,
        #[tool_param(recursive)]
        parts: Parts,
        #[tool_param(recursive)]
        named: Option<BTreeMap<String, Part>>,
        #[tool_param(recursive)]
        set: Option<BTreeSet<Item>>,
        /// The one that it is a part of
        #[tool_param(recursive)]
        whole: Option<Box<Item>>,
        #[tool_param(recursive)]
        counted: Option<(u8, Box<Part>)>,
    }

    type Parts = Vec<Item>;

    #[derive(ToolInput, PartialEq, Eq, PartialOrd, Ord)]
    enum Part {
        None,
        Some(Item),
    }

    fn both_take<T: ToolInput>(dialects: &[Dialect], texts: &[&str]) {
        assert_contract::<T>();
        for text in texts {
            for dialect in dialects {
                assert_eq!(
                    sides::<T>(text, *dialect),
                    (true, true),
                    "{dialect}: {text}"
                );
            }
        }
    }

    const OPEN: [Dialect; 4] = [
        Dialect::Portable,
        Dialect::OpenAi,
        Dialect::Ollama,
        Dialect::Mcp20260728,
    ];

    #[test]
    fn in_every_form() {
        let all = [
            &OPEN[..],
            &[Dialect::OpenAiStrict, Dialect::AnthropicStrict],
        ]
        .concat();
        both_take::<Form<Names>>(
            &all,
            &[
                r#"{"form":{"not":"Empty"}}"#,
                r#"{"form":{"All":["Empty",{"not":{"All":[]}}]}}"#,
            ],
        );
        both_take::<Form<Keys>>(&all, &[r#"{"form":{"Not":{"Has":"a"}}}"#]);
        both_take::<Form<Untagged>>(&all, &[r#"{"form":[1,[2,[]]]}"#]);
        both_take::<Form<Objects>>(&all, &[r#"{"form":{"left":{"left":{"leaf":1}}}}"#]);
        both_take::<Form<Adjacent>>(
            &all,
            &[r#"{"form":{"op":"Not","of":{"op":"Not","of":{"op":"Any"}}}}"#],
        );
        both_take::<Form<Nest>>(&all, &[r#"{"form":[[],[[]]]}"#]);
        both_take::<Item>(
            &OPEN,
            &[
                r#"{"size":1,"parts":[{"size":2,"parts":[]}],"set":[{"size":1,"parts":[]}]}"#,
                r#"{"size":1,"parts":[],"named":{"a":"None","b":{"Some":{"size":1,"parts":[]}}}}"#,
                r#"{"size":1,"parts":[],"whole":{"size":1,"parts":[]},"counted":[1,"None"]}"#,
            ],
        );
    }

    #[test]
    fn what_is_no_form_of_it() {
        let neither = |text| {
            assert_eq!(
                sides::<Form<Names>>(text, Dialect::Portable),
                (false, false)
            );
        };
        neither(r#"{"form":{"not":"Other"}}"#);
        neither(r#"{"form":{"All":[5]}}"#);
        assert_eq!(
            sides::<Form<Keys>>(r#"{"form":{"Not":"Has"}}"#, Dialect::Portable),
            (false, false)
        );
        assert_eq!(
            sides::<Item>(
                r#"{"size":1,"parts":[],"counted":["a","None"]}"#,
                Dialect::Mcp20260728
            ),
            (false, false)
        );
    }

    #[test]
    fn the_words_of_the_author_stay() {
        let text = Item::SCHEMA.to_json(Dialect::Portable);
        assert!(
            text.contains(
                r#""whole":{"type":"object","description":"The one that it is a part of (the same form again)"}"#
            ),
            "{text}"
        );
    }
}

/// An enum denies other keys, except those that the map of a variant collects, in the schema and in the reader.
#[test]
fn denied_but_collected() {
    #[derive(ToolInput)]
    #[tool_input(tag = "kind", unknown = "deny")]
    #[allow(dead_code)] // only the verdict counts
    enum Form {
        Open {
            #[tool_param(flatten)]
            rest: std::collections::BTreeMap<String, u8>,
        },
        Closed {
            a: u8,
        },
    }

    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Holder {
        form: Form,
    }

    for dialect in [WHOLE, PORTABLE] {
        let form = |text| sides::<Holder>(text, dialect);
        assert_eq!(form(r#"{"form":{"kind":"Open","b":2}}"#), (true, true));
        assert_eq!(form(r#"{"form":{"kind":"Open","b":"2"}}"#), (false, false));
        assert_eq!(
            form(r#"{"form":{"kind":"Closed","a":1,"b":2}}"#),
            (false, false)
        );
    }
    let text = Holder::SCHEMA.to_json(Dialect::Ollama);
    assert!(!text.contains("no other keys"), "{text}");
}

#[test]
fn tuple_position() {
    type Pair = (u8, String);
    for text in [r#"["a",1]"#, "[1,1]", r#"["a","a"]"#] {
        assert_eq!(sides::<Pair>(text, PORTABLE), (true, false), "{text}");
        assert_eq!(sides::<Pair>(text, WHOLE), (false, false), "{text}");
    }
    for text in [r#"[1,"a"]"#, "[1]", r#"[1,"a",2]"#, "[true,1]", "{}"] {
        for dialect in [PORTABLE, WHOLE] {
            let (schema, reader) = sides::<Pair>(text, dialect);
            assert_eq!(schema, reader, "{text}");
        }
    }
    let text = r#"{"single":[1],"pair":["a",1]}"#;
    assert_eq!(named("Tuples", PORTABLE, text), [Named::TuplePosition]);
    assert_eq!(named("Tuples", WHOLE, text), []);
    // One item has one position.
    assert_eq!(sides::<(u8,)>(r#"["a"]"#, PORTABLE), (false, false));
}

#[test]
fn flat_root() {
    for text in [
        r#"{"type":"circle"}"#,
        r#"{"type":"nothing"}"#,
        r#"{"type":"rect","radius":1}"#,
    ] {
        let (schema, reader) = sides::<Internal>(text, PORTABLE);
        assert!(schema, "{text}");
        assert_eq!(reader, text.contains("nothing"), "{text}");
        let (schema, reader) = sides::<Internal>(text, WHOLE);
        assert_eq!(schema, reader, "{text}");
    }
    for text in [
        "{}",
        r#"{"type":"square"}"#,
        r#"{"type":5}"#,
        r#"{"type":"circle","radius":"1"}"#,
    ] {
        assert_eq!(sides::<Internal>(text, PORTABLE), (false, false), "{text}");
    }
    assert_eq!(
        sides::<Adjacent>(r#"{"t":"Number","c":true}"#, PORTABLE),
        (false, false)
    );
    assert_eq!(
        sides::<Adjacent>(r#"{"t":"Number","c":[true,"Red"]}"#, PORTABLE),
        (true, false)
    );
    let text = r#"{"type":"circle"}"#;
    assert_eq!(named("Internal", PORTABLE, text), [Named::FlatRoot]);
    assert_eq!(named("Internal", WHOLE, text), []);
    // Inside a struct it is an `anyOf`, as anywhere else.
    let text = r#"{"one":{"type":"circle"}}"#;
    assert_eq!(sides::<Internals>(text, PORTABLE), (false, false));
}

#[test]
fn flat_root_key() {
    let text = r#"{"type":"nothing","radius":"wide"}"#;
    assert_eq!(sides::<Internal>(text, PORTABLE), (false, true));
    assert_eq!(sides::<Internal>(text, WHOLE), (true, true));
    assert_eq!(
        named("Internal", PORTABLE, text),
        [Named::FlatRoot, Named::FlatRootKey]
    );
    let text = r#"{"t":"Nothing","c":"wide"}"#;
    assert_eq!(sides::<Adjacent>(text, PORTABLE), (false, true));
    assert_eq!(sides::<Adjacent>(text, WHOLE), (true, true));
    for text in [
        r#"{"type":"nothing","other":"wide"}"#,
        r#"{"type":"nothing","radius":5}"#,
    ] {
        assert_eq!(sides::<Internal>(text, PORTABLE), (true, true), "{text}");
    }
}

#[test]
fn root_name() {
    for dialect in [PORTABLE, WHOLE] {
        assert_eq!(sides::<External>("\"Nothing\"", dialect), (false, true));
        assert_eq!(sides::<External>("\"Circle\"", dialect), (false, false));
        assert_eq!(sides::<External>("5", dialect), (false, false));
    }
    assert_eq!(sides::<External>(r#"{"Number":5}"#, WHOLE), (true, true));
    assert_eq!(named("External", WHOLE, "\"Nothing\""), [Named::RootName]);
    // Below the root the name is a value like any other.
    assert_eq!(
        sides::<Externals>(r#"{"one":"Nothing","null":null}"#, WHOLE),
        (true, true)
    );
}

#[test]
fn no_arguments() {
    assert_eq!(sides::<Empty>("null", WHOLE), (false, true));
    assert_eq!(sides::<Defaults>("null", WHOLE), (false, true));
    assert_eq!(sides::<Point>("null", WHOLE), (false, false));
    for text in ["", " ", "\n\t", "null", " null "] {
        assert!(
            read_str::<Empty>(text, &Policy::exact()).is_ok(),
            "{text:?}"
        );
        let report = read_str::<Point>(text, &Policy::exact()).unwrap_err();
        assert_eq!(
            report.to_string(),
            "Invalid arguments, 1 problem:\n- x: missing; expected an integer from -2147483648 to 2147483647"
        );
        assert!(read_str::<u8>(text, &Policy::exact()).is_err());
        assert!(read_str::<Internal>(text, &Policy::exact()).is_err());
    }
    // A form feed is no white space of JSON.
    assert!(read_str::<Empty>("null\u{c}", &Policy::exact()).is_err());
    assert!(read_value::<Empty>(&Value::Null, &Policy::exact()).is_ok());
    assert_eq!(named("Empty", WHOLE, "null"), [Named::NoArguments]);
    // Below the root null is null.
    assert_eq!(
        sides::<Nested>(r#"{"point":null,"list":[]}"#, WHOLE),
        (false, false)
    );
    assert_eq!(sides::<Empty>("[]", WHOLE), (false, false));
    assert_eq!(sides::<Empty>("\"\"", WHOLE), (false, false));
}

#[test]
fn other_form() {
    use callpact_tests::shapes::unions::UntaggedObjects;
    reader_refuses::<UntaggedObjects>(&[
        r#"{"name":"a","id":1}"#,
        r#"{"name":"a","exact":true,"id":1}"#,
        r#"{"id":1,"exact":true}"#,
        // Only one variant fits, and it would drop a key of the other.
        r#"{"name":5,"id":1}"#,
    ]);
    assert_eq!(
        named("UntaggedObjects", WHOLE, r#"{"name":"a","id":1}"#),
        [Named::OtherForm]
    );
    reader_refuses::<Untaggeds>(&[r#"{"one":{"radius":1,"x":1},"null":null}"#]);
    agree::<UntaggedObjects>(&[
        r#"{"name":"a","exact":true}"#,
        r#"{"id":1}"#,
        r#"{"id":1,"else":2}"#,
        r#"{"name":5}"#,
    ]);
}

#[test]
fn duplicate_key() {
    reader_refuses::<Point>(&[
        r#"{"x":1,"x":2}"#,
        r#"{"x":1,"x":1}"#,
        r#"{"x":1,"y":1,"y":2}"#,
    ]);
    reader_refuses::<Nested>(&[r#"{"point":{"x":1,"x":1},"list":[]}"#]);
    reader_refuses::<Maps>(&[r#"{"hash":{"a":1,"a":2},"tree":{}}"#]);
    reader_refuses::<EnumKeys>(&[r#"{"weights":{"Red":1,"Red":2}}"#]);
    reader_refuses::<OpenJson>(&[
        r#"{"value":{"a":1,"a":2},"map":{},"null":null}"#,
        r#"{"value":1,"map":{"a":1,"a":2},"null":null}"#,
    ]);
    reader_refuses::<Externals>(&[r#"{"one":{"Number":1,"Number":2},"null":null}"#]);
    reader_refuses::<Internals>(&[r#"{"one":{"type":"nothing","type":"nothing"}}"#]);
    reader_refuses::<Adjacents>(&[
        r#"{"one":{"t":"Number","c":1,"c":2}}"#,
        r#"{"one":{"t":"Number","t":"Number","c":2}}"#,
    ]);
    reader_refuses::<Untaggeds>(&[r#"{"one":{"radius":1,"radius":2},"null":null}"#]);
    reader_refuses::<callpact_tests::shapes::flat::FlatMap>(&[
        r#"{"a":1,"k":1,"k":2}"#,
        r#"{"a":1,"a":1}"#,
    ]);
    // A key that is dropped anyway is dropped twice.
    agree::<Point>(&[r#"{"x":1,"z":1,"z":2}"#, r#"{"x":1,"z":{"a":1,"a":2}}"#]);
    let report = read_str::<Point>(r#"{"x":1,"x":2}"#, &Policy::exact()).unwrap_err();
    assert_eq!(report.issues[0].kind, IssueKind::DuplicateKey);
}

#[test]
fn overflow() {
    // No validator sees these: serde_json refuses the text, unless it keeps all digits.
    let keeps_digits = serde_json::from_str::<serde_json::Number>("1e999").is_ok();
    for text in ["1e999", "-1e999", "[1e999]"] {
        assert_eq!(serde_json::from_str::<Value>(text).is_ok(), keeps_digits);
        assert!(read_str::<Value>(text, &Policy::exact()).is_err());
        assert!(read_str::<f64>(text, &Policy::exact()).is_err());
        assert!(read_str::<i64>(text, &Policy::lax()).is_err());
    }
    agree::<f64>(&["1e308", "1e-999"]);
}

#[test]
fn depth() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    // The arguments themselves are the first of 127 levels.
    for (levels, reads) in [
        (100, true),
        (126, true),
        (127, true),
        (128, false),
        (200, false),
    ] {
        assert_eq!(
            read_str::<Value>(&nested(levels), &Policy::exact()).is_ok(),
            reads,
            "{levels}"
        );
        let value = (1..levels).fold(serde_json::json!([]), |inner, _| Value::Array(vec![inner]));
        assert_eq!(
            read_value::<Value>(&value, &Policy::exact()).is_ok(),
            reads,
            "{levels}"
        );
        assert!(compile(&Value::SCHEMA.to_json(WHOLE)).is_valid(&value));
    }
}
