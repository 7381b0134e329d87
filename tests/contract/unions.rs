//! Unknown variants, and the keys that a union keeps, drops and refuses.

use serde_json::json;

use callpact::{
    Dialect, FixKind, IssueKind, Policy, Read, Report, ToolInput, input::read_foreign, read_str,
    read_value, schema::ForeignSchema,
};

#[derive(ToolInput, Debug, PartialEq)]
enum Named {
    Circle(f64),
    Square(f64),
}

#[derive(ToolInput)]
#[tool_input(tag = "kind")]
#[allow(dead_code)] // a declaration
enum Tagged {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Shown<T> {
    it: T,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Secret<T> {
    #[tool_param(secret)]
    it: T,
}

fn line<T: ToolInput>(text: &str) -> String {
    let mut lines = [Policy::lax(), Policy::repair()].map(|policy| {
        let Err(report) = read_str::<T>(text, &policy) else {
            panic!("accepted: {text}")
        };
        assert_eq!(report.issues.len(), 1, "{report}");
        report.issues[0].to_string()
    });
    assert_eq!(lines[0], lines[1], "{text}");
    std::mem::take(&mut lines[0])
}

#[test]
fn suggests_similar_name_unless_secret() {
    let plain = r#"{"it": "squaer"}"#;
    let tagged = r#"{"it": {"kind": "squaer", "side": 2.0}}"#;
    for shown in [line::<Shown<Plain>>(plain), line::<Shown<Tagged>>(tagged)] {
        assert!(
            shown.ends_with("found \"squaer\"; did you mean \"Square\"?"),
            "{shown}"
        );
    }
    for hidden in [line::<Secret<Plain>>(plain), line::<Secret<Tagged>>(tagged)] {
        assert!(hidden.ends_with("found a string (not shown)"), "{hidden}");
    }
    // The right name alone would still be a fault, so there is no hint.
    let named = line::<Shown<Named>>(plain);
    assert!(named.ends_with("found \"squaer\""), "{named}");
    let named = line::<Shown<Named>>(r#"{"it": {"squaer": 2.0}}"#);
    assert!(named.ends_with("did you mean `Square`?"), "{named}");
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
enum Plain {
    Round,
    Square,
}

/// A name in quotes is another name, but the report says which one was meant.
#[test]
fn a_name_in_quotes() {
    for given in [r#"\"squaer\""#, r#"\"Square\""#, r#" \"square"#, "'Square'"] {
        let text = format!("{{\"it\": \"{given}\"}}");
        let tagged = format!("{{\"it\": {{\"kind\": \"{given}\", \"side\": 2.0}}}}");
        for (shown, hidden) in [
            (line::<Shown<Plain>>(&text), line::<Secret<Plain>>(&text)),
            (
                line::<Shown<Tagged>>(&tagged),
                line::<Secret<Tagged>>(&tagged),
            ),
        ] {
            assert!(
                shown.ends_with(&format!("found \"{given}\"; did you mean \"Square\"?")),
                "{shown}"
            );
            assert!(hidden.ends_with("found a string (not shown)"), "{hidden}");
        }
    }
    // The arguments may be an object inside a string. This string does not contain one.
    let root = line::<Plain>(r#""\"squaer\"""#);
    assert!(root.ends_with("did you mean \"Square\"?"), "{root}");
    let inside = read_str::<Named>(r#""\"{\\\"Square\\\": 2}\"""#, &Policy::repair());
    let inside = inside
        .map(|read| read.value)
        .map_err(|report| report.to_string());
    assert_eq!(inside, Ok(Named::Square(2.0)));
}

/// A content that does not fit is not also reported as missing.
#[test]
fn a_content_that_does_not_fit() {
    #[derive(ToolInput)]
    #[tool_input(tag = "kind", content = "size")]
    #[allow(dead_code)] // a declaration
    enum Sized {
        Circle(f64),
    }
    for text in [
        r#"{"kind": "Circle", "size": "x"}"#,
        r#"{"size": "x", "kind": "Circle"}"#,
    ] {
        assert_eq!(line::<Sized>(text), "size: expected a number, found \"x\"");
    }
    assert_eq!(
        line::<Sized>(r#"{"kind": "Circle"}"#),
        "size: missing; expected a number"
    );
}

/// A value in place of a name is shown as JSON.
#[test]
fn a_tag_that_is_no_name() {
    for (given, found) in [
        ("5", "5"),
        ("9007199254740993", "9007199254740993"),
        ("0.5", "0.5"),
        ("true", "true"),
        ("null", "null"),
        ("[1]", "an array"),
        ("{}", "an object"),
    ] {
        let text = format!("{{\"it\": {{\"kind\": {given}}}}}");
        assert_eq!(
            line::<Shown<Tagged>>(&text),
            format!("it.kind: expected one of \"Circle\", \"Square\", found {found}")
        );
    }
    let hidden = line::<Secret<Tagged>>(r#"{"it": {"kind": 1234}}"#);
    assert!(hidden.ends_with("found a number (not shown)"), "{hidden}");
}

/// The second key is one too many, whatever its value is.
#[test]
fn two_keys_are_one_fault() {
    let said = line::<Shown<Named>>(r#"{"it": {"Circle": 1, "Square": "x"}}"#);
    assert!(said.ends_with("found an object of 2 keys"), "{said}");
    let root = r#"{"Circle": 1, "Square": 2}"#;
    for policy in [Policy::exact(), Policy::lax()] {
        assert!(read_str::<Named>(root, &policy).is_err(), "{policy:?}");
    }
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(tag = "kind")]
enum Deep {
    Outer {
        #[tool_param(alias = "inside")]
        inner: Inner,
        other: Option<u8>,
    },
    Bare {
        other: Option<u8>,
    },
    Nothing,
}

#[derive(ToolInput, Debug, PartialEq)]
struct Inner {
    x: u8,
}

/// A doubled key is reported on either side of the tag.
#[test]
fn a_key_twice_inside() {
    for text in [
        r#"{"kind": "Outer", "inner": {"x": 1, "x": 2}}"#,
        r#"{"inner": {"x": 1, "x": 2}, "kind": "Outer"}"#,
    ] {
        for policy in [Policy::exact(), Policy::lax()] {
            let report = read_str::<Deep>(text, &policy).unwrap_err();
            assert_eq!(report.issues[0].kind, IssueKind::DuplicateKey, "{text}");
        }
    }
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(untagged)]
enum Any {
    Id(u8),
    Word(String),
    ByName { name: String, pages: Option<u8> },
    ByRange { from: u8, to: u8, step: u8 },
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(untagged)]
enum Number {
    Id(u8),
    ById { id: u8 },
}

#[derive(ToolInput, Debug, PartialEq)]
struct Maybe {
    it: Option<Number>,
    word: Option<Any>,
    #[tool_param(keep_empty)]
    kept: Option<Any>,
}

fn both<T: ToolInput + std::fmt::Debug + PartialEq>(
    text: &str,
    policy: &Policy,
) -> Result<Read<T>, Report> {
    let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let read = read_str::<T>(text, policy);
    assert_eq!(read, read_value::<T>(&value, policy), "{text}");
    read
}

fn fixes<T>(read: &Read<T>) -> Vec<String> {
    read.fixes.iter().map(ToString::to_string).collect()
}

/// Null and an empty text mean an absent value; any other text does not.
#[test]
fn an_absent_form() {
    let word = |text: &str| Some(Any::Word(text.to_owned()));
    for (text, maybe, said) in [
        (
            r#"{"it": null}"#,
            Maybe {
                it: None,
                word: None,
                kept: None,
            },
            &["it: null read as absent"][..],
        ),
        (
            r#"{"word": ""}"#,
            Maybe {
                it: None,
                word: None,
                kept: None,
            },
            &["word: \"\" read as absent"],
        ),
        (
            r#"{"word": "a", "kept": ""}"#,
            Maybe {
                it: None,
                word: word("a"),
                kept: word(""),
            },
            &[],
        ),
    ] {
        let read = both::<Maybe>(text, &Policy::lax()).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(read.value, maybe, "{text}");
        assert_eq!(fixes(&read), said, "{text}");
    }
}

/// Null is a value of a variant that takes it, even if the field may be left out.
#[test]
fn null_of_a_variant() {
    #[derive(Debug, PartialEq, ToolInput)]
    #[tool_input(untagged)]
    enum Inner {
        Flag(Option<bool>),
        Number(u8),
    }

    #[derive(Debug, PartialEq, ToolInput)]
    #[tool_input(untagged)]
    enum Outer {
        Word(String),
        Inner(Inner),
    }

    #[derive(Debug, PartialEq, ToolInput)]
    struct Holder {
        inner: Option<Inner>,
        outer: Option<Outer>,
    }

    let null = Inner::Flag(None);
    for policy in [Policy::exact(), Policy::lax()] {
        let read = both::<Holder>(r#"{"inner": null, "outer": null}"#, &policy)
            .unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(read.value.inner.as_ref(), Some(&null));
        assert_eq!(read.value.outer, Some(Outer::Inner(Inner::Flag(None))));
        assert_eq!(fixes(&read), [""; 0]);
        let read = both::<Holder>("{}", &policy).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(
            read.value,
            Holder {
                inner: None,
                outer: None
            }
        );
    }
}

/// Dropped keys and conversions inside a form are reported, or refused, as anywhere else.
#[test]
fn fixes_inside_of_a_form() {
    let text = r#"{"it": {"id": 1, "colour": 2}}"#;
    for policy in [Policy::exact(), Policy::lax()] {
        let read = both::<Maybe>(text, &policy).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(fixes(&read), ["it.colour: not a parameter, ignored"]);
    }
    let report = both::<Maybe>(text, &Policy::lax().refusing(FixKind::UnknownDropped)).unwrap_err();
    assert_eq!(report.issues[0].kind, IssueKind::UnknownKey);
    // As many fixes are kept as issues.
    let many = json!(vec!["5"; 100]).to_string();
    let read =
        both::<Vec<Number>>(&many, &Policy::lax()).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!((read.value.len(), read.fixes.len()), (100, 32));
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(untagged)]
enum Nested {
    Number {
        #[tool_param(recursive)]
        inner: Option<Box<Nested>>,
        size: u8,
    },
    Text {
        #[tool_param(recursive)]
        inner: Option<Box<Nested>>,
        size: String,
    },
}

/// A fault inside several unions is reported at its place, whichever variants are nearest.
#[test]
fn a_fault_inside_of_unions_is_told() {
    let mut text = r#"{"size": []}"#.to_owned();
    let mut path = "size".to_owned();
    for size in ["1", "\"a\"", "\"b\"", "2"] {
        text = format!(r#"{{"inner": {text}, "size": {size}}}"#);
        path = format!("inner.{path}");
        let report = both::<Nested>(&text, &Policy::lax()).unwrap_err();
        let around = path.trim_end_matches(".size");
        let line = format!(
            "{path}: expected an integer from 0 to 255, found an array; send one, or leave out `{around}`"
        );
        assert_eq!(report.issues.len(), 1, "{text}: {report}");
        assert_eq!(report.issues[0].to_string(), line, "{text}");
    }
}

/// A conversion deep inside is found, is reported once, and does not change the variants around it.
#[test]
fn a_conversion_inside_of_unions_is_told_once() {
    #[derive(ToolInput, Debug, PartialEq)]
    #[tool_input(untagged)]
    enum Sized {
        Number {
            #[tool_param(recursive)]
            inner: Option<Box<Sized>>,
            size: u8,
        },
        Flag {
            #[tool_param(recursive)]
            inner: Option<Box<Sized>>,
            size: bool,
        },
    }
    let mut text = r#"{"size": "5"}"#.to_owned();
    let mut path = "size".to_owned();
    let mut value = Sized::Number {
        inner: None,
        size: 5,
    };
    for size in [None, Some(true), Some(false), None] {
        let inner = Some(Box::new(value));
        (text, value) = match size {
            Some(size) => (
                format!(r#"{{"inner": {text}, "size": {size}}}"#),
                Sized::Flag { inner, size },
            ),
            None => (
                format!(r#"{{"inner": {text}, "size": 1}}"#),
                Sized::Number { inner, size: 1 },
            ),
        };
        path = format!("inner.{path}");
        let read = both::<Sized>(&text, &Policy::lax()).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(read.value, value, "{text}");
        assert_eq!(fixes(&read), [format!("{path}: \"5\" read as 5")]);
    }
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(untagged)]
enum One {
    ByRange { from: u8, to: u8, step: u8 },
}

/// The nearest form of the same kind says what is wrong, and its faults are counted.
#[test]
fn the_nearest_form_speaks() {
    let step = "step: missing; expected an integer from 0 to 255";
    let name = "name: missing; expected a string";
    for (text, told) in [
        (r#"{"pages": 1}"#, &[name][..]),
        (r#"{"pages": "x", "from": 1, "to": 2}"#, &[step]),
        // A form that declares the keys is nearer than one that would drop them.
        (r#"{"from": 1, "to": 2}"#, &[step]),
        // Of two equally near forms, the first.
        (
            r#"{"pages": "x", "from": 1}"#,
            &[
                "pages: expected an integer from 0 to 255, found \"x\"",
                name,
            ],
        ),
    ] {
        let report = both::<Any>(text, &Policy::lax()).unwrap_err();
        let lines: Vec<String> = report.issues.iter().map(ToString::to_string).collect();
        assert_eq!(lines, told, "{text}");
    }
    let policy = Policy::lax().with_max_issues(1);
    let report = both::<Vec<One>>("[{}]", &policy).unwrap_err();
    assert_eq!((report.issues.len(), report.count()), (1, 3));
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(untagged, unknown = "deny")]
enum Closed {
    ByName { name: String },
}

/// A fault counts even if the report has no room for it.
#[test]
fn a_fault_without_room() {
    let policy = Policy::lax().with_max_issues(0);
    assert!(both::<Closed>(r#"{"name": "a"}"#, &policy).is_ok());
    assert!(both::<Closed>(r#"{"name": "a", "x": 1}"#, &policy).is_err());
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(tag = "t", content = "c")]
enum Beside {
    Nothing,
    Number(u8),
}

/// Checks the value of a text. Returns the fixes under the lax and under the exact policy.
fn told<T: ToolInput + std::fmt::Debug + PartialEq>(
    text: &str,
    value: &T,
) -> (Vec<String>, Vec<String>) {
    let [lax, exact] = [Policy::lax(), Policy::exact()].map(|policy| {
        let read = both::<T>(text, &policy).unwrap_or_else(|report| panic!("{text}: {report}"));
        assert_eq!(&read.value, value, "{text}");
        fixes(&read)
    });
    (lax, exact)
}

/// A model that must write every key of every variant writes null at the keys of other variants. Such a key is not a
/// fault and not unknown. With any other value it is unknown.
#[test]
fn nulls_of_other_variants_at_the_root() {
    let said = |key: &str, what: &str| vec![format!("{key}: {what}")];
    let (absent, ignored) = ("null read as absent", "not a parameter, ignored");
    let bare = Deep::Bare { other: Some(3) };
    for key in ["inner", "inside"] {
        for text in [
            format!(r#"{{"kind": "Bare", "{key}": null, "other": 3}}"#),
            format!(r#"{{"{key}": null, "other": 3, "kind": "Bare"}}"#),
        ] {
            assert_eq!(told(&text, &bare), (said(key, absent), said(key, ignored)));
        }
    }
    for (key, value) in [("inner", r#"{"x": 1}"#), ("unknown", "null")] {
        let text = format!(r#"{{"kind": "Bare", "other": 3, "{key}": {value}}}"#);
        assert_eq!(told(&text, &bare), (said(key, ignored), said(key, ignored)));
    }
    let text = r#"{"kind": "Nothing", "inner": null}"#;
    assert_eq!(
        told(text, &Deep::Nothing),
        (said("inner", absent), said("inner", ignored))
    );

    for text in [
        r#"{"t": "Nothing", "c": null}"#,
        r#"{"c": null, "t": "Nothing"}"#,
    ] {
        let fixes = (said("c", absent), said("c", ignored));
        assert_eq!(told(text, &Beside::Nothing), fixes, "{text}");
    }
    for text in [r#"{"t": "Nothing", "c": 1}"#, r#"{"c": 1, "t": "Nothing"}"#] {
        let fixes = (said("c", ignored), said("c", ignored));
        assert_eq!(told(text, &Beside::Nothing), fixes, "{text}");
    }

    for text in [
        r#"{"Circle": 1, "Square": null}"#,
        r#"{"Square": null, "Circle": 1}"#,
    ] {
        let read =
            read_str::<Named>(text, &Policy::lax()).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(read.value, Named::Circle(1.0));
        assert_eq!(fixes(&read), said("Square", absent));
        assert!(read_str::<Named>(text, &Policy::exact()).is_err(), "{text}");
    }
    // The only key names the meant variant, even with null.
    let report = both::<Named>(r#"{"Square": null}"#, &Policy::lax()).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "Square: expected a number, found null"
    );
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(tag = "op")]
enum Op {
    Put { value: u8 },
    Drop,
}

/// What is taken out of an envelope must have a place for every key, also in a variant without content.
#[test]
fn keeps_envelope_with_unknown_key_inside() {
    let whole = r#"{"arguments": {"it": {"op": "Drop"}}}"#;
    let spare = r#"{"arguments": {"it": {"op": "Drop", "z": {"arguments": 3}}}}"#;
    let (type_schema, policy) = (<Shown<Op> as ToolInput>::SCHEMA, Policy::repair());
    let schema =
        ForeignSchema::parse(&type_schema.to_json(Dialect::Mcp20260728)).expect("a schema");
    assert!(read_str::<Shown<Op>>(whole, &policy).is_ok());
    assert!(read_foreign(whole, &schema, &policy).is_ok());
    let typed = read_str::<Shown<Op>>(spare, &policy)
        .err()
        .expect("a key without a place");
    let at_run_time = read_foreign(spare, &schema, &policy).unwrap_err();
    assert_eq!(typed.to_string(), at_run_time.to_string());
}
