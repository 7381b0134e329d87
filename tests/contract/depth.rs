//! Recursive types in deep values: a reader that tried a value twice for each level would not end.

use callpact::{Policy, ToolInput, read_str, read_value};
use serde_json::{Value, json};

const POLICIES: [Policy; 3] = [Policy::exact(), Policy::lax(), Policy::repair()];
/// Close to the deepest level that is read.
const DEPTH: usize = 120;

#[derive(ToolInput)]
#[tool_input(untagged)]
#[allow(dead_code)] // a declaration
enum Expr {
    Num(f64),
    Text(String),
    List(#[tool_param(recursive)] Vec<Expr>),
}

/// Two variants of one form.
#[derive(ToolInput)]
#[tool_input(untagged)]
#[allow(dead_code)] // a declaration
enum Twins {
    One(#[tool_param(recursive)] Vec<Twins>),
    Other(#[tool_param(recursive)] Vec<Twins>),
    Num(f64),
}

#[derive(ToolInput)]
#[tool_input(untagged)]
#[allow(dead_code)] // a declaration
enum Filter {
    And {
        #[tool_param(recursive)]
        and: Vec<Filter>,
    },
    Or {
        #[tool_param(recursive)]
        or: Vec<Filter>,
    },
    Not {
        #[tool_param(recursive)]
        not: Box<Filter>,
    },
    Leaf {
        field: String,
        at: u8,
    },
}

/// The inner value comes first, and what tells the variants apart behind it.
#[derive(ToolInput)]
#[tool_input(untagged)]
#[allow(dead_code)] // a declaration
enum Told {
    ByNumber {
        #[tool_param(recursive)]
        a: Option<Box<Told>>,
        b: u8,
    },
    ByText {
        #[tool_param(recursive)]
        a: Option<Box<Told>>,
        b: String,
    },
}

#[derive(ToolInput)]
#[tool_input(tag = "kind")]
#[allow(dead_code)] // a declaration
enum Tagged {
    Leaf {
        size: u8,
    },
    Node {
        #[tool_param(recursive)]
        inner: Box<Tagged>,
    },
}

#[derive(ToolInput)]
#[tool_input(tag = "t", content = "c")]
#[allow(dead_code)] // a declaration
enum Beside {
    Leaf(u8),
    Node(#[tool_param(recursive)] Box<Beside>),
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
enum External {
    Leaf(u8),
    Node(#[tool_param(recursive)] Vec<External>),
}

/// A text with this many levels, from the inside out.
fn nested(leaf: &str, levels: usize, around: impl Fn(&str) -> String) -> String {
    (0..levels).fold(leaf.to_owned(), |inner, _| around(&inner))
}

/// Reads a text and its value under all policies; which of them accept it, the same for both.
fn accepted<T: ToolInput>(text: &str) -> [bool; 3] {
    let value: Value = serde_json::from_str(text).expect("JSON");
    POLICIES.map(|policy| {
        let read = read_str::<T>(text, &policy).is_ok();
        assert_eq!(read, read_value::<T>(&value, &policy).is_ok(), "{policy:?}");
        read
    })
}

#[test]
fn lists_in_an_untagged_enum_end() {
    let list = |leaf: &str| nested(leaf, DEPTH, |inner| format!("[1, {inner}, \"a\"]"));
    assert_eq!(accepted::<Expr>(&list("2")), [true; 3]);
    assert_eq!(accepted::<Expr>(&list("true")), [false; 3]);
    assert_eq!(accepted::<Expr>(&list("{}")), [false; 3]);
}

#[test]
fn variants_of_one_form_end() {
    let list = |leaf: &str| nested(leaf, DEPTH, |inner| format!("[1, {inner}]"));
    assert_eq!(accepted::<Twins>(&list("2")), [true; 3]);
    assert_eq!(accepted::<Twins>(&list("\"a\"")), [false; 3]);
    // With a conversion both fit.
    assert_eq!(accepted::<Twins>(&list("\"2\"")), [false; 3]);
}

#[test]
fn filters_end() {
    let filter = |leaf: &str| {
        nested(leaf, DEPTH / 5, |inner| {
            format!(r#"{{"and": [{{"not": {{"or": [{inner}]}}}}]}}"#)
        })
    };
    let deep = |leaf: &str| filter(leaf).replace(' ', "");
    assert_eq!(
        accepted::<Filter>(&deep(r#"{"field": "a", "at": 1}"#)),
        [true; 3]
    );
    let fix = r#"{"field": "a", "at": "1"}"#;
    let few = nested(fix, 10, |inner| {
        format!(r#"{{"and": [{{"not": {inner}}}]}}"#)
    });
    assert_eq!(accepted::<Filter>(&few), [false, true, true]);
    assert_eq!(accepted::<Filter>(&filter(fix)), [false, true, true]);
    assert_eq!(
        accepted::<Filter>(&filter(r#"{"field": "a", "at": 300}"#)),
        [false; 3]
    );
}

#[test]
fn what_tells_variants_apart_may_come_last() {
    let told = |leaf: &str| {
        nested(leaf, DEPTH, |inner| {
            format!(r#"{{"a": {inner}, "b": "x"}}"#)
        })
    };
    assert_eq!(accepted::<Told>(&told(r#"{"b": 1}"#)), [true; 3]);
    assert_eq!(accepted::<Told>(&told(r#"{"b": true}"#)), [false; 3]);
}

#[test]
fn tags_behind_their_content_end() {
    let tagged = |leaf: &str| {
        nested(leaf, DEPTH, |inner| {
            format!(r#"{{"inner": {inner}, "kind": "Node"}}"#)
        })
    };
    assert_eq!(
        accepted::<Tagged>(&tagged(r#"{"size": 1, "kind": "Leaf"}"#)),
        [true; 3]
    );
    assert_eq!(
        accepted::<Tagged>(&tagged(r#"{"size": 300, "kind": "Leaf"}"#)),
        [false; 3]
    );
    assert_eq!(
        accepted::<Tagged>(&tagged(r#"{"kind": "Stem"}"#)),
        [false; 3]
    );
    let beside = |leaf: &str| {
        nested(leaf, DEPTH, |inner| {
            format!(r#"{{"c": {inner}, "t": "Node"}}"#)
        })
    };
    assert_eq!(
        accepted::<Beside>(&beside(r#"{"c": 1, "t": "Leaf"}"#)),
        [true; 3]
    );
    assert_eq!(
        accepted::<Beside>(&beside(r#"{"c": 300, "t": "Leaf"}"#)),
        [false; 3]
    );
    let external =
        |leaf: &str| nested(leaf, DEPTH / 2, |inner| format!(r#"{{"Node": [{inner}]}}"#));
    assert_eq!(accepted::<External>(&external(r#"{"Leaf": 1}"#)), [true; 3]);
    assert_eq!(
        accepted::<External>(&external(r#"{"Leaf": 300}"#)),
        [false; 3]
    );
}

/// Every fault is reported, in any order of the keys.
#[test]
fn an_unknown_variant_hides_no_fault() {
    let lines = |text: &str| {
        let report = read_str::<External>(text, &Policy::lax()).map(drop);
        let mut lines: Vec<String> = report
            .expect_err("two faults")
            .issues
            .iter()
            .map(ToString::to_string)
            .collect();
        lines.sort();
        lines
    };
    let both = lines(r#"{"zz": 1, "Leaf": 300}"#);
    assert_eq!(both.len(), 2, "{both:?}");
    assert_eq!(both, lines(r#"{"Leaf": 300, "zz": 1}"#));
}

/// An item in place of a list, of a type that may be null.
#[test]
fn wraps_single_nullable_item_in_list() {
    #[derive(ToolInput, Debug, PartialEq)]
    struct Flags {
        d: Vec<Option<bool>>,
    }
    let value = json!({"d": true});
    let read = read_value::<Flags>(&value, &Policy::repair()).expect("a list");
    assert_eq!(read.value.d, [Some(true)]);
    let text = read_str::<Flags>(&value.to_string(), &Policy::repair()).expect("a list");
    assert_eq!((text.value, text.fixes), (read.value, read.fixes));
}
