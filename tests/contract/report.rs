//! The report for a model: one line for each class of issue, bounded, escaped, without secrets.

use callpact::{IssueKind, Policy, Report, ToolInput, read_str, read_value};
use callpact_testing::Rng;
use callpact_tests::{
    generate::Generator,
    shapes::{all, attributes::*, lists::*, maps::*, numbers::*, structs::*, text::*, unions::*},
};
use serde_json::{Value, json};

use crate::schema_and_reader::text_of;

fn report<T: ToolInput>(text: &str) -> Report {
    match read_str::<T>(text, &Policy::lax()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(report) => report,
    }
}

/// A required map.
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct NamedMap {
    names: std::collections::BTreeMap<String, String>,
}

/// A required map beside the fields of another struct.
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct FlatAndMap {
    #[tool_param(flatten)]
    flat: FlatX,
    names: std::collections::BTreeMap<String, String>,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct FlatX {
    x: i64,
}

/// The only issue of a text, as one line.
fn line<T: ToolInput>(text: &str, kind: IssueKind) -> String {
    let report = report::<T>(text);
    assert_eq!(report.issues.len(), 1, "{report}");
    assert_eq!(report.issues[0].kind, kind, "{report}");
    report.issues[0].to_string()
}

#[test]
fn one_line_for_each_kind() {
    use IssueKind as Kind;
    assert_eq!(
        line::<Point>("{}", Kind::Missing),
        "x: missing; expected an integer from -2147483648 to 2147483647"
    );
    assert_eq!(
        line::<Vec<bool>>("[true,5]", Kind::WrongType),
        "[1]: expected true or false, found 5"
    );
    assert_eq!(
        line::<Vec<String>>("[5]", Kind::WrongType),
        "[0]: expected a string, found 5; put it in quotes"
    );
    assert_eq!(
        line::<Vec<String>>("[true]", Kind::WrongType),
        "[0]: expected a string, found true; put it in quotes"
    );
    assert_eq!(
        line::<Vec<String>>("[null]", Kind::WrongType),
        "[0]: expected a string, found null"
    );
    for (text, names) in [
        (line::<NamedMap>("{}", Kind::Missing), "names"),
        (
            line::<FlatAndMap>(r#"{"x":1}"#, Kind::Missing),
            "flat fields and names",
        ),
    ] {
        assert_eq!(text, "names: missing; expected an object", "{names}");
    }
    assert_eq!(
        line::<u8>("300", Kind::OutOfRange),
        "arguments: expected an integer from 0 to 255, found 300"
    );
    assert_eq!(
        line::<Multiples>(r#"{"five":6,"seven":7}"#, Kind::OutOfRange),
        "five: expected an integer from 0 to 4294967295, a multiple of 5, found 6"
    );
    assert_eq!(
        line::<FloatBounds>(r#"{"closed":0,"open":2.5}"#, Kind::OutOfRange),
        "open: expected a number above -1.5 and below 2.5, found 2.5"
    );
    assert_eq!(
        line::<Lengths>(r#"{"some":"","short":"a"}"#, Kind::Length),
        "some: expected a string of at least 1 character, found \"\""
    );
    assert_eq!(
        line::<Lengths>(r#"{"some":"a","short":"abcd"}"#, Kind::Length),
        "short: expected a string of at most 3 characters, found \"abcd\"; it has 4 characters"
    );
    assert_eq!(
        line::<Patterns>(r#"{"word":"A","phone":"555-1234"}"#, Kind::Pattern),
        "word: expected a string matching ^[a-z]+$, found \"A\""
    );
    assert_eq!(
        line::<Vec<std::net::Ipv4Addr>>(r#"["home"]"#, Kind::Pattern),
        "[0]: expected an IPv4 address such as 192.0.2.1, found \"home\""
    );
    assert_eq!(
        line::<Vec<Color>>(r#"["red"]"#, Kind::NotAChoice),
        "[0]: expected one of \"Red\", \"dark-green\", \"Blue\", found \"red\"; did you mean \"Red\"?"
    );
    assert_eq!(
        line::<Closed>(r#"{"a":1,"iner":{"c":true}}"#, Kind::UnknownKey),
        "iner: not a parameter; did you mean `inner`?"
    );
    assert_eq!(
        line::<Point>(r#"{"x":1,"x":2}"#, Kind::DuplicateKey),
        "x: expected once, found more than once"
    );
    assert_eq!(
        line::<(u8, u8)>("[1]", Kind::ItemCount),
        "arguments: expected an array of exactly 2 items, found 1 item"
    );
    assert_eq!(
        line::<ItemRules>(r#"{"some":[1],"few":["a","b","c"]}"#, Kind::ItemCount),
        "few: expected an array of at most 2 items, found 3 items"
    );
    assert_eq!(
        line::<UniqueItems>(
            r#"{"texts":["a","b","a"],"numbers":[]}"#,
            Kind::DuplicateItem
        ),
        "texts[2]: expected every item once, found the same item again"
    );
    assert_eq!(
        line::<ClosedExternal>(r#"{"Circle":{"radius":1},"Nothing":1}"#, Kind::NoVariant),
        "arguments: expected one of \"Nothing\", \"Circle\", those with content as an object's single key, found an object of 2 keys"
    );
    assert_eq!(
        line::<Range>(r#"{"from":3,"to":2}"#, Kind::Invalid),
        "arguments: from 3 is above to 2"
    );
    assert_eq!(
        line::<Converted>(r#"{"even":3}"#, Kind::Invalid),
        "even: 3 is odd"
    );
    assert_eq!(
        line::<Point>("[1]", Kind::NotAnObject),
        "arguments: expected an object, found an array"
    );
    assert_eq!(
        line::<Point>("\"x\"", Kind::NotAnObject),
        "arguments: expected an object, found \"x\""
    );
    assert_eq!(
        line::<Point>("call({\"x\":1})", Kind::NotJson),
        "arguments: expected JSON, found \"call({\\\"x\\\":1})\" at line 1, column 1; send the arguments as a JSON object, and nothing else"
    );
    assert_eq!(
        line::<Point>("{\"x\":1", Kind::CutOff),
        "arguments: expected complete JSON, found a text cut off after \"{\\\"x\\\":1\"; send the whole call again"
    );
    assert_eq!(
        line::<Point>("{\"x\":1} ok?", Kind::TrailingText),
        "arguments: expected one JSON value, found \"ok?\" at line 1, column 9; send nothing after it"
    );
    assert_eq!(
        line::<Value>(&"[".repeat(200), Kind::TooDeep)
            .rsplit(": ")
            .next(),
        Some("expected at most 127 levels of nesting")
    );
    let long = Policy::lax().with_max_bytes(5);
    let report = read_str::<Point>("{\"x\":1}", &long).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "arguments: expected at most 5 bytes, found 7 bytes"
    );
    assert_eq!(report.issues[0].kind, Kind::TooLarge);
}

#[test]
fn the_whole_report() {
    let report =
        report::<Nested>(r#"{"list":[{"x":"a"},{"y":1.5},5],"maybe":[],"point":{"x":1e30}}"#);
    assert_eq!(
        report.to_string(),
        "Invalid arguments, 6 problems:\n\
        - list[0].x: expected integer -2147483648..2147483647, found \"a\"\n\
        - list[1].y: expected integer -2147483648..2147483647, found 1.5\n\
        - list[1].x: missing; expected integer -2147483648..2147483647\n\
        - list[2]: expected object, found 5\n\
        - maybe: expected object, found an array; send one, or leave it out\n\
        - point.x: expected integer -2147483648..2147483647, found 1e+30"
    );
    assert_eq!(
        report.to_json()["issues"][0],
        json!({
            "path": "list[0].x",
            "kind": "wrong_type",
            "expected": "an integer from -2147483648 to 2147483647",
            "found": "\"a\"",
        })
    );
    assert_eq!(report.to_json()["omitted"], 0);
    // A second run has the same order and words.
    for _ in 0..5 {
        let again = self::report::<Nested>(
            r#"{"list":[{"x":"a"},{"y":1.5},5],"maybe":[],"point":{"x":1e30}}"#,
        );
        assert_eq!(again, report);
    }
}

#[test]
fn a_thousand_faults_are_counted() {
    let text = format!("[{}]", vec!["\"x\""; 1000].join(","));
    let report = report::<Vec<u8>>(&text);
    assert_eq!(
        (report.issues.len(), report.omitted, report.count()),
        (32, 968, 1000)
    );
    let words = report.to_string();
    assert!(words.chars().count() <= 4_200, "{}", words.len());
    assert!(words.starts_with("Invalid arguments, 1000 problems:\n"));
    assert!(words.ends_with("\n- and 968 more"), "{words}");
    // Long lines leave room for fewer.
    let item = format!("\"{}\"", "é".repeat(100));
    let text = format!(r#"{{"x":[{}]}}"#, vec![item; 100].join(","));
    let words = self::report::<std::collections::BTreeMap<String, Vec<Color>>>(&text).to_string();
    assert!(
        words.chars().count() < 4_200 && words.contains("- and "),
        "{}",
        words.chars().count()
    );
}

/// The number of problems in a report: those of its lines, such as three for `[0..1, 3][2]`, and those that the last
/// line counts.
fn told(words: &str) -> usize {
    let run = |run: &str| match run.split_once("..") {
        Some((from, to)) => to.parse::<usize>().unwrap() - from.parse::<usize>().unwrap() + 1,
        None => 1,
    };
    let lines = words.lines().skip(1).map(|line| {
        if let Some(more) = line.strip_prefix("- and ") {
            return more
                .strip_suffix(" more")
                .unwrap()
                .parse::<usize>()
                .unwrap();
        }
        let (path, _) = line.split_once(": ").unwrap();
        let indexes = path.split('[').filter_map(|step| step.strip_suffix(']'));
        indexes
            .map(|indexes| indexes.split(", ").map(run).sum::<usize>())
            .product()
    });
    lines.sum()
}

#[test]
fn ambiguously_grouped_lines_report_each_problem_once() {
    let mut rng = Rng::new(20);
    for _ in 0..4_000 {
        let items = |rng: &mut Rng| {
            let items: Vec<&str> = (0..rng.below(5))
                .map(|_| if rng.one_in(2) { "true" } else { "1" })
                .collect();
            format!("[{}]", items.join(","))
        };
        let rows: Vec<String> = (0..=rng.below(5)).map(|_| items(&mut rng)).collect();
        let text = format!("[{}]", rows.join(","));
        let wrong = text.matches("true").count();
        match read_str::<Vec<Vec<u8>>>(&text, &Policy::lax()) {
            Ok(_) => assert_eq!(wrong, 0, "{text}"),
            Err(report) => {
                assert_eq!(
                    (report.count(), told(&report.to_string())),
                    (wrong, wrong),
                    "{report}"
                );
            }
        }
    }
}

#[test]
fn long_and_invisible_texts_are_cut_and_escaped() {
    let megabyte = "é".repeat(500_000);
    for text in [
        format!("[\"{megabyte}\"]"),
        format!("[{{\"{megabyte}\":1}}]"),
    ] {
        let words = report::<Vec<Color>>(&text).to_string();
        assert!(words.chars().count() < 400, "{}", words.len());
    }
    for text in [
        format!(r#"{{"a":1,"{megabyte}":1}}"#),
        format!(r#"{{"a":"{megabyte}"}}"#),
        format!(r#"{{"a":1}} {megabyte}"#),
        format!(r#"{{"a":1,"x":"{megabyte}"#),
    ] {
        let words = report::<Closed>(&text).to_string();
        assert!(words.chars().count() < 400, "{}", words.len());
        assert!(words.len() < 700);
    }
    let json = report::<Vec<Color>>(&format!("[\"{megabyte}\"]"))
        .to_json()
        .to_string();
    assert!(json.len() < 700, "{}", json.len());
    let words = line::<Vec<Color>>(
        r#"["\u0000\n\u202eder\u200b\ufeff\"\\"]"#,
        IssueKind::NotAChoice,
    );
    assert!(
        words.contains(r#"found "\u{0}\n\u{202e}der\u{200b}\u{feff}\"\\""#),
        "{words}"
    );
    for hidden in ["\u{202e}", "\u{7}", "\u{200b}", "\u{e0041}", "\r", "\u{85}"] {
        let text = json!({ "a": 1, format!("k{hidden}"): 1 }).to_string();
        let words = report::<Closed>(&text).to_string();
        assert!(!words.contains(hidden) && words.contains("\\u{"), "{words}");
        for text in [
            format!("{hidden}x"),
            format!("{{}}{hidden}{hidden}"),
            format!("{{\"{hidden}"),
        ] {
            let words = report::<Closed>(&text).to_string();
            assert!(!words.contains(hidden), "{words}");
        }
    }
}

/// An author's words are cut if they are too long; the data keep them.
#[test]
fn words_of_an_author_are_cut() {
    #[derive(ToolInput)]
    #[tool_input(validate = wordy)]
    struct Wordy {
        number: u8,
    }
    fn said(number: u8) -> String {
        format!("{number} {}", "is not good ".repeat(60))
    }
    fn wordy(wordy: &Wordy) -> Result<(), String> {
        Err(said(wordy.number))
    }
    for count in 1..=7_u8 {
        let calls: Vec<Value> = (0..count)
            .map(|number| json!({ "number": number }))
            .collect();
        let report = report::<Vec<Wordy>>(&json!(calls).to_string());
        let text = report.to_string();
        // Each message has at most 600 characters.
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(615), "{text}");
        assert_eq!(
            text.lines()
                .filter(|line| line.contains(" is not good"))
                .count(),
            usize::from(count)
        );
        assert_eq!(report.to_json()["issues"][0]["expected"], said(0));
    }
}

/// An `f32` does not take the largest numbers, and does not show three hundred digits of them either.
#[test]
fn shows_large_number_in_json_notation() {
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Numbers {
        open: f32,
        #[tool_param(secret)]
        hidden: f32,
    }
    let report = report::<Numbers>(r#"{"open": 1e300, "hidden": -1e300}"#);
    assert_eq!(
        report.to_string(),
        "Invalid arguments, 2 problems:\n\
         - open: expected a number of single precision, found 1e+300\n\
         - hidden: expected a number of single precision, found a number (not shown)"
    );
}

/// No issue and no fix shows a secret, whatever is wrong with it.
#[test]
fn secrets_are_never_echoed() {
    const SECRET: &str = "hunter2hunter2";
    let texts = [
        json!({"token": SECRET}),
        json!({"token": [SECRET]}),
        json!({"token": {SECRET: SECRET}}),
        json!({"token": "long enough", "number": SECRET}),
        json!({"token": "abc", "login": {"user": SECRET, "pin": SECRET, "color": SECRET}}),
        json!({"token": "abc", "login": {"user": SECRET.to_uppercase(), "pin": 1, "color": "Red"}}),
        json!({"token": "abc", "login": SECRET}),
        json!({"token": "abc", "list": [SECRET]}),
    ];
    for text in texts {
        for policy in [Policy::lax(), Policy::exact()] {
            let report = read_value::<Secrets>(&text, &policy).unwrap_err();
            let all = format!("{report} {} {report:?}", report.to_json()).to_lowercase();
            assert!(!all.contains(SECRET), "{all}");
        }
    }
    let report = report::<Secrets>(
        r#"{"token":"ab","number":777,"list":[300],"login":{"user":"A","pin":199,"color":"Rad"}}"#,
    );
    let words = report.to_string();
    for shown in ["ab\"", "777", "300", "\"A\"", "199", "Rad", "did you mean"] {
        assert!(!words.contains(shown), "{shown} in {words}");
    }
    let token = report.issues[0].to_string();
    assert_eq!(
        token,
        "token: expected a string of 3 to 8 characters, found a string (not shown)"
    );
    let read = read_str::<Secrets>(
        r#"{"token":"abc","number":"77","list":["55",66.0]}"#,
        &Policy::lax(),
    )
    .expect("accepted");
    let fixes = format!("{:?}", read.fixes);
    assert_eq!(read.fixes.len(), 3);
    for shown in ["77", "55", "66"] {
        assert!(!fixes.contains(shown), "{fixes}");
    }
}

/// No report names a Rust type, whatever the fault.
#[test]
fn no_rust_in_the_words() {
    let words = [
        "::", "u8", "u16", "u32", "u64", "i32", "i64", "f64", "usize", "struct", "Option", "Vec<",
        "variant", "enum", "tuple", "visitor",
    ];
    for (i, shape) in all().iter().enumerate() {
        let mut generator = Generator::new(0xF00D + i as u64);
        for _ in 0..200 {
            let case = generator.case(shape.schema);
            let mut text = String::new();
            text_of(&case.value, &mut generator.rng, &mut text);
            let Err(report) = (shape.read)(&case.value, &text, &Policy::lax()) else {
                continue;
            };
            for issue in &report.issues {
                // The part after `found` is the model's own text.
                let hint = issue.hint.clone().unwrap_or_default();
                let said = format!("{} {hint}", issue.expected)
                    .replace("2001:db8::1", "")
                    .replace("`tuples`", "");
                for word in words {
                    assert!(!said.contains(word), "{}: {word} in {issue}", shape.name);
                }
                assert!(issue.to_string().chars().count() < 700, "{issue}");
                assert!(!issue.to_string().contains('\n'), "{issue}");
            }
        }
    }
}

const SAMPLE: &str = r#"{"one":{"Circle":{"radius":1.25,"center":{"x":-3}}}, "list":["Nothing",{"Pair":[7,"ü\u00e9\n"]}], "null":null, "more":{"true":true}}"#;

#[test]
fn rejects_text_with_early_end() {
    assert!(read_str::<Externals>(SAMPLE, &Policy::exact()).is_ok());
    for end in (1..SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
        for policy in [Policy::exact(), Policy::lax()] {
            let report = read_str::<Externals>(&SAMPLE[..end], &policy).unwrap_err();
            let last = report.issues.last().expect("an issue");
            assert!(
                matches!(last.kind, IssueKind::CutOff | IssueKind::NotJson),
                "{end}: {report}"
            );
        }
    }
    // A number at the end of the text may have lost digits, but the text is complete.
    assert!(read_str::<u32>("12", &Policy::exact()).is_ok());
}

#[test]
fn around_the_json() {
    for text in [
        "{\"x\":1}x",
        "{\"x\":1}{\"x\":1}",
        "{\"x\":1},",
        "{\"x\":1}]",
        "{\"x\":1}\u{0}",
    ] {
        assert_eq!(
            report::<Point>(text).issues[0].kind,
            IssueKind::TrailingText,
            "{text}"
        );
    }
    assert!(read_str::<Point>(" \n\t{\"x\":1}\r\n ", &Policy::exact()).is_ok());
    for text in [
        "\u{feff}{\"x\":1}",
        "{x:1}",
        "{'x':1}",
        "{\"x\":01}",
        "{\"x\":1,}",
        "```json\n{\"x\":1}\n```",
        "{\"x\":NaN}",
        "{\"x\":.5}",
        "// no\n{}",
        "{\"x\":\"\\ud800\"}",
        "{\"x\":\"\u{1}\"}",
    ] {
        let report = report::<Point>(text);
        assert_eq!(
            report.issues.last().map(|issue| issue.kind),
            Some(IssueKind::NotJson),
            "{text}\n{report}"
        );
    }
    for text in ["", " ", "null"] {
        assert_eq!(
            report::<Point>(text).issues[0].kind,
            IssueKind::Missing,
            "{text}"
        );
        assert!(read_str::<Empty>(text, &Policy::lax()).is_ok());
    }
    for text in ["[]", "5", "\"\"", "true", "\"{}\"", "[{\"x\":1}]"] {
        assert_eq!(
            report::<Point>(text).issues[0].kind,
            IssueKind::NotAnObject,
            "{text}"
        );
    }
    assert_eq!(
        report::<u8>("").issues[0].to_string(),
        "arguments: expected an integer from 0 to 255, found an empty text"
    );
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for levels in [128, 129, 1000] {
        let values = [
            format!(r#"{{"value":{}}}"#, nested(levels)),
            format!(r#"{{"values":[{}]}}"#, nested(levels)),
        ];
        for text in values {
            let report = report::<OpenJson>(&text);
            let deep = report
                .issues
                .iter()
                .any(|issue| issue.kind == IssueKind::TooDeep);
            assert!(deep, "{levels}: {report}");
        }
        // A skipped value may have any depth.
        assert_eq!(
            report::<Point>(&nested(levels)).issues[0].kind,
            IssueKind::NotAnObject
        );
        let text = format!(r#"{{"x":1,"nobody":{}}}"#, nested(levels));
        assert!(read_str::<Point>(&text, &Policy::exact()).is_ok());
    }
    // These texts of 10 MiB would not end either if each level were searched again for every other level.
    let policy = Policy::lax().with_max_bytes(11 << 20);
    for open in ["[", "{\"a\":"] {
        let text = open.repeat((10 << 20) / open.len());
        assert!(read_str::<Value>(&text, &policy).is_err());
        assert!(read_str::<Point>(&text, &policy).is_err());
        assert!(read_str::<Untagged>(&text, &policy).is_err());
    }
    // A value this deep comes from a program, not from a text.
    let deep = (0..5_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    assert!(read_value::<Value>(&deep, &Policy::lax()).is_err());
    assert!(read_value::<Point>(&deep, &Policy::lax()).is_err());
    // Dropping it would recurse as deeply.
    std::mem::forget(deep);
}

#[test]
fn a_million_keys_are_bounded() {
    // The test needs no clock: work that grew with the square of this many keys would not end.
    for (key, unknown) in [("x", false), ("zzz", true)] {
        let text = format!("{{\"x\":1{}}}", format!(",\"{key}\":1").repeat(1_000_000));
        match read_str::<Point>(&text, &Policy::lax()) {
            Ok(read) => assert!(unknown && read.fixes.len() <= 32),
            Err(report) => {
                assert!(!unknown);
                assert_eq!(report.count(), 1_000_000);
                assert!(report.issues.len() <= 32 && report.to_string().len() < 5_000);
            }
        }
    }
    let text = format!("{{\"a\":1{}}}", ",\"zzz\":1".repeat(1_000_000));
    let report = report::<Closed>(&text);
    assert!(
        report.count() >= 1_000_000 && report.issues.len() <= 32,
        "{}",
        report.count()
    );
}

#[test]
fn issues_of_a_union_stand_where_they_are() {
    assert_eq!(
        report::<Internals>(r#"{"one":{"radius":"x","type":"circle"}}"#).issues[0].to_string(),
        "one.radius: expected a number, found \"x\""
    );
    assert_eq!(
        report::<Internals>(r#"{"one":{"radius":1}}"#).issues[0].to_string(),
        "one.type: missing; expected one of \"nothing\", \"circle\", \"spot\", \"rect\"; the fields are those of \"circle\""
    );
    assert_eq!(
        report::<Internals>(r#"{"one":{"type":"nothing","type":"circle"}}"#).issues[0].to_string(),
        "one.type: expected once, found more than once"
    );
    assert_eq!(
        report::<Internals>(r#"{"one":{"radius":1,"radius":2,"type":"circle"}}"#).issues[0]
            .to_string(),
        "one.radius: expected once, found more than once"
    );
    assert_eq!(
        report::<Adjacents>(r#"{"one":{"c":[1,"Rad"],"t":"Pair"}}"#).to_string(),
        "Invalid arguments, 2 problems:\n\
        - one.c[0]: expected true or false, found 1\n\
        - one.c[1]: expected one of \"Red\", \"dark-green\", \"Blue\", found \"Rad\""
    );
    assert_eq!(
        report::<Adjacents>(r#"{"one":{"t":"Number"}}"#).issues[0].to_string(),
        "one.c: missing; expected an integer from 0 to 9"
    );
    assert_eq!(
        report::<Untaggeds>(r#"{"one":{"radius":"x"},"null":null}"#).issues[0].to_string(),
        "one.radius: expected a number, found \"x\""
    );
    assert_eq!(
        report::<Tuples>(r#"{"single":[1],"pair":[1,2]}"#).issues[0].to_string(),
        "pair[1]: expected a string, found 2; put it in quotes"
    );
}

/// A type that holds itself.
#[derive(ToolInput, Debug)]
#[allow(dead_code)] // a declaration
struct Tree {
    name: String,
    #[tool_param(recursive)]
    children: Vec<Tree>,
    #[tool_param(secret)]
    token: Option<String>,
}

#[test]
fn nested_recursive_type_has_same_corrections() {
    let text = r#"{"name": "a", "children": [{"name": 5, "children": [{"nmae": "b", "children": {"name": "c", "children": []}}]}]}"#;
    assert_eq!(
        report::<Tree>(text).to_string(),
        "Invalid arguments, 3 problems:\n\
         - children[0].name: expected a string, found 5; put it in quotes\n\
         - children[0].children[0].children: expected an array, found an object; send it as the only item of a list\n\
         - children[0].children[0].name: missing; expected a string; `nmae` was given: rename it to `name`"
    );
    // And the same secrets.
    let text = r#"{"name": "a", "children": [{"name": "b", "children": [], "token": {"k": "v"}}]}"#;
    let said = report::<Tree>(text).to_string();
    assert_eq!(
        said,
        "Invalid arguments, 1 problem:\n- children[0].token: expected a string, found an object"
    );
}
