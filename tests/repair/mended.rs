//! Repairs beyond one case of each class: text around the value, repeated keys, the limits, and the words of a fix.

use callpact::{
    FixKind, Policy, Read, Schema, ToolInput,
    input::{Path, Step, repair::clean_text},
    read_str, read_value,
};
use serde_json::{Map, Value, json};

use super::shapes::{Closed, File, Lists, Optional, Shape};

#[track_caller]
fn mended<T: ToolInput>(text: &str) -> Read<T> {
    read_str::<T>(text, &Policy::repair()).unwrap_or_else(|report| panic!("{text}: {report}"))
}

fn words<T>(read: &Read<T>) -> Vec<String> {
    read.fixes.iter().map(ToString::to_string).collect()
}

fn kinds<T>(read: &Read<T>) -> Vec<&'static str> {
    read.fixes.iter().map(|fix| fix.kind.name()).collect()
}

#[test]
fn every_text_fix_describes_original_text() {
    for (text, wanted) in [
        ("\u{feff}{\"a\": 1}", "a byte order mark, ignored"),
        ("```{\"a\": 1}```", "a markdown fence, ignored"),
        ("So: {\"a\": 1}", "the text around the object, ignored"),
        ("{\"a\": 1}{\"a\": 1}", "the same object again, ignored"),
        ("{\"a\": 1},", "an extra comma, ignored"),
        ("/* so */{\"a\": 1}", "a comment, ignored"),
        (
            "/* so */ # now\n // so\n{\"a\": 1}",
            "a comment, 3 times, ignored",
        ),
        (
            "\\n\\n{\"a\": 1}",
            "an escape between values, 2 times, ignored",
        ),
        ("\u{a0}{\"a\": 1}", "a special space, ignored"),
        ("{\\\"a\\\": 1}", "escaped JSON read as an object"),
    ] {
        let read = mended::<Map<String, Value>>(text);
        assert_eq!(words(&read), [format!("arguments: {wanted}")], "{text}");
        assert_eq!(Value::from(read.value), json!({"a": 1}), "{text}");
    }
    for (text, value, wanted) in [
        ("{'a': 1}", json!(1), "single quotes read as double quotes"),
        ("{a: 1}", json!(1), "a read as \"a\""),
        ("{\"a\": TRUE}", json!(true), "TRUE read as true"),
        (
            "{\"a\": \"\t\r\n\"}",
            json!("\t\r\n"),
            "raw control characters in the string read as the same, escaped",
        ),
        ("{\"a\": \"\\'\"}", json!("'"), "\\' read as '"),
        (
            "{\"a\": \"\\udc00\"}",
            json!("\u{fffd}"),
            "half a character read as \\ufffd",
        ),
        (
            "{\"a\": 1, \"a\": 1}",
            json!(1),
            "the same key with the same value again, ignored",
        ),
    ] {
        let read = mended::<Map<String, Value>>(text);
        assert_eq!(words(&read), [format!("a: {wanted}")], "{text}");
        assert_eq!(Value::from(read.value), json!({"a": value}), "{text}");
    }
}

#[test]
fn removes_fence_around_any_value_in_any_language() {
    for text in [
        "```json\n[1]\n```",
        "```\n[1]",
        "[1]\n```",
        "```json5 [1]```",
        "```json[1]```",
        "``` [1] ```",
    ] {
        let read = mended::<Vec<i64>>(text);
        assert_eq!(
            (kinds(&read), read.value),
            (vec!["fence"], vec![1]),
            "{text}"
        );
    }
    let read = mended::<Optional>("```json\nnull\n```");
    assert_eq!(kinds(&read), ["fence"]);
    let read = mended::<String>("```\"a\"```");
    assert_eq!((kinds(&read), &*read.value), (vec!["fence"], "a"));
}

#[test]
fn reports_surrounding_text_and_fence_separately() {
    for (text, wanted) in [
        ("{\"a\": 1}\nDone!", vec!["surrounding_text"]),
        ("Here: {\"a\": 1}", vec!["surrounding_text"]),
        (
            "Here:\n```json\n{\"a\": 1}",
            vec!["fence", "surrounding_text"],
        ),
        (
            "```json\nHere: {\"a\": 1}",
            vec!["fence", "surrounding_text"],
        ),
        ("{\"a\": 1}\n```\nDone!", vec!["fence", "surrounding_text"]),
        ("{\"a\": 1}\nDone!\n```", vec!["fence", "surrounding_text"]),
        ("{\"a\": 1}\nDone, ```thank you", vec!["surrounding_text"]),
        (
            "Here ```are the arguments: {\"a\": 1}",
            vec!["surrounding_text"],
        ),
    ] {
        let read = mended::<Map<String, Value>>(text);
        assert_eq!(kinds(&read), wanted, "{text}");
        assert_eq!(Value::from(read.value), json!({"a": 1}), "{text}");
    }
}

#[test]
fn unescapes_line_breaks_of_fully_escaped_text() {
    for text in [
        r#"{\"a\":\t1,\r\n\"b\": \"c\\d\\n\/\"}"#,
        r#"{\n  \"a\": 1,\n  \"b\": \"c\\d\\n\/\"\n}\n"#,
    ] {
        // Its content is not JSON, since `\d` is not an escape.
        assert!(read_str::<Map<String, Value>>(text, &Policy::repair()).is_err());
        let text = text.replace("\\\\d", "\\\\\\\\d");
        let read = mended::<Map<String, Value>>(&text);
        assert_eq!(kinds(&read), ["double_encoded"], "{text}");
        assert_eq!(
            Value::from(read.value),
            json!({"a": 1, "b": "c\\d\n/"}),
            "{text}"
        );
    }
}

#[test]
fn drops_repeated_equal_keys_at_any_position() {
    let read = mended::<Map<String, Value>>(
        r#"{"x": 0, "a": 1, "b": {"c": 2, "d": 3, "c": 2}, "a": 1, "e": 4, "x": 0, "a": 1, "f": 5}"#,
    );
    assert_eq!(
        Value::from(read.value.clone()),
        json!({"x": 0, "a": 1, "b": {"c": 2, "d": 3}, "e": 4, "f": 5})
    );
    let again = |path: &str| format!("{path}: the same key with the same value again, ignored");
    assert_eq!(
        words(&read),
        [again("b.c"), again("a"), again("x"), again("a")]
    );
    // Keys with a quote or a backslash in them are whole keys too.
    let read = mended::<Map<String, Value>>(r#"{"a\"b": 1, "a\"b": 1, "c\\": 2, "c\\": 2}"#);
    assert_eq!(Value::from(read.value), json!({"a\"b": 1, "c\\": 2}));
    let keys = ["a\"b", "c\\"].map(|key| Path::from_iter([Step::Key(key.to_owned())]));
    assert_eq!(
        [&read.fixes[0].path, &read.fixes[1].path],
        [&keys[0], &keys[1]]
    );
    // However many there are.
    let keys: Vec<String> = (0..200).map(|n| format!("\"key {n}\": {n}")).collect();
    let text = format!("{{{0}, {0},}}", keys.join(", "));
    let clean = clean_text(&text, &Policy::repair()).expect("each of them twice");
    assert_eq!(
        serde_json::from_str::<Value>(&clean).unwrap(),
        serde_json::from_str::<Value>(&format!("{{{}}}", keys.join(","))).unwrap()
    );
    assert_eq!(clean.matches("key").count(), 200);
}

#[test]
fn reads_all_forms_of_numbers_and_words() {
    for (text, number) in [
        ("0", 0.0),
        ("-0.5", -0.5),
        ("10", 10.0),
        ("1.25", 1.25),
        ("1e2", 100.0),
        ("1E2", 100.0),
        ("1e+2", 100.0),
        ("1.5E-1", 0.15),
    ] {
        let read = mended::<Vec<f64>>(&format!("[{text},]"));
        assert_eq!(read.value, [number], "{text}");
        let read = mended::<f64>(&format!("/* so */ {text}"));
        assert!((read.value - number).abs() < f64::EPSILON, "{text}");
        assert_eq!(kinds(&read), ["comment"]);
    }
}

#[test]
fn ignores_special_spaces_only_outside_strings() {
    for space in [
        "\u{a0}", "\u{3000}", "\u{2028}", "\u{200b}", "\u{2060}", "\u{feff}",
    ] {
        let read = mended::<Map<String, Value>>(&format!("{{\"a\":{space}\"x{space}\"}}"));
        assert_eq!(words(&read), ["a: a special space, ignored"]);
        assert_eq!(Value::from(read.value), json!({"a": format!("x{space}")}));
    }
}

#[test]
fn as_many_fixes_are_kept_as_issues() {
    let text = "{path: 'a', content: 'b', /* so */}";
    for most in [0, 1, 3, 6] {
        let policy = Policy::repair().with_max_issues(most);
        let read = read_str::<File>(text, &policy).expect("mended");
        assert_eq!(read.fixes.len(), most);
        assert_eq!(read.value.content, "b");
    }
}

#[test]
fn repairs_text_with_more_issues_than_limit() {
    let policy = Policy::repair().with_max_issues(1);
    let text = r#"{"tags": "new", "counts": 5,}"#;
    let read = read_str::<Lists>(text, &policy).expect("two lists of one, and a comma");
    assert_eq!(read.value.counts, Some(vec![5]));
    assert_eq!(kinds(&read), ["extra_comma"]);
}

#[test]
fn cleaned_text_obeys_policy_and_is_readable() {
    let text = "{a: 1}";
    let clean = |text, policy: &Policy| clean_text(text, policy);
    let most = Policy::repair().with_max_bytes(text.len());
    assert_eq!(clean(text, &most).as_deref(), Some(r#"{"a":1}"#));
    let most = Policy::repair().with_max_bytes(text.len() - 1);
    assert_eq!(clean(text, &most), None);
    let without = Policy::repair().refusing(FixKind::UnquotedKey);
    assert_eq!(clean(text, &without), None);
    assert_eq!(clean("{a: 1e999}", &Policy::repair()), None);
    // Already clean, however many there are side by side.
    let many = format!("{{\"a\": [{}[]]}}", "[],".repeat(200));
    assert_eq!(clean(&many, &Policy::repair()), None);
}

#[test]
fn strings_are_looked_into_twice_and_no_further() {
    #[derive(ToolInput, Debug)]
    struct Cube {
        cube: Vec<Vec<Vec<i64>>>,
    }
    let inside = |value: Value| json!([value.to_string()]);
    let two = json!({"cube": inside(inside(json!([1]))), "more": 0});
    let read = mended::<Cube>(&two.to_string());
    assert_eq!(read.value.cube, [[[1]]]);
    let beside = json!({"cube": [["[1]", "[2]"], "[[3]]", "[\"[4]\"]"]});
    let read = mended::<Cube>(&beside.to_string());
    assert_eq!(
        read.value.cube,
        [vec![vec![1], vec![2]], vec![vec![3]], vec![vec![4]]]
    );
    let three = json!({"cube": inside(inside(json!([1]))).to_string()});
    let report = read_str::<Cube>(&three.to_string(), &Policy::repair()).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "cube[0][0]: expected an array, found \"[1]\"; send it without the quotes around it"
    );
}

#[test]
fn reads_single_tagged_value_as_list() {
    #[derive(ToolInput, Debug)]
    struct Shapes {
        shapes: Vec<Shape>,
    }
    let circle = json!({"kind": "circle", "radius": 1});
    for shapes in [circle.clone(), Value::from(circle.to_string())] {
        let text = json!({"shapes": shapes}).to_string();
        let read = mended::<Shapes>(&text);
        assert_eq!(read.value.shapes, [Shape::Circle { radius: 1.0 }]);
        assert!(kinds(&read).contains(&"list_from_single"), "{text}");
    }
}

#[test]
fn a_name_in_another_case_has_a_bound() {
    let key = |length: usize| format!("{{\"L{}IMIT\": 5}}", "_".repeat(length - 5));
    let read = mended::<Optional>(&key(256));
    assert_eq!(
        (kinds(&read), read.value.limit),
        (vec!["key_case"], Some(5))
    );
    let read = mended::<Optional>(&key(257));
    assert_eq!(
        (kinds(&read), read.value.limit),
        (vec!["unknown_dropped"], None)
    );
}

#[test]
fn names_and_removes_wrapper_around_value() {
    let policy = Policy::repair();
    for key in ["arguments", "parameters", "input"] {
        let inside = json!({"file_path": "a"});
        for value in [
            json!({ key: inside }),
            json!({ key: inside, "name": "file" }),
            json!({ key: inside.to_string() }),
        ] {
            let read = read_value::<Optional>(&value, &policy).unwrap();
            let of_text = mended::<Optional>(&value.to_string());
            assert_eq!(words(&read), words(&of_text));
            assert_eq!(
                words(&read),
                [format!(
                    "arguments: an object in `{key}` read as the arguments"
                )]
            );
            assert_eq!(read.value.file_path.as_deref(), Some("a"));
            assert_eq!(of_text.value, read.value);
        }
    }
}

/// A call as it appears in a response.
#[test]
fn a_whole_call_around_the_arguments_comes_off() {
    let inside = json!({"limit": 5});
    for (value, way) in [
        (
            json!({"function": {"name": "file", "arguments": inside}}),
            "function.arguments",
        ),
        (
            json!({"id": "1", "type": "function", "function": {"name": "file", "arguments": inside.to_string()}}),
            "function.arguments",
        ),
        (
            json!({"id": "1", "type": "tool_use", "name": "file", "input": inside}),
            "input",
        ),
    ] {
        let read = mended::<Optional>(&value.to_string());
        assert_eq!(read.value.limit, Some(5), "{value}");
        let of_value = read_value::<Optional>(&value, &Policy::repair()).unwrap();
        assert_eq!(of_value, read, "{value}");
        assert_eq!(
            words(&read),
            [format!(
                "arguments: an object in `{way}` read as the arguments"
            )]
        );
        // If it is not taken off, the call does not run without its content.
        let key = way.split('.').next().unwrap();
        for report in [
            read_str::<Optional>(&value.to_string(), &Policy::lax()).unwrap_err(),
            read_value::<Optional>(&value, &Policy::lax()).unwrap_err(),
        ] {
            assert_eq!(
                report.to_string(),
                format!(
                    "Invalid arguments, 1 problem:\n- {key}: not a parameter; \
                     send what is in `{way}`, and nothing around it"
                )
            );
        }
        // The exact policy takes what the schema takes.
        assert!(read_value::<Optional>(&value, &Policy::exact()).is_ok());
    }
    let call = json!({"function": {"name": "file", "arguments": {"path": "a", "content": "b"}}});
    let report = read_value::<File>(&call, &Policy::lax())
        .map(drop)
        .unwrap_err();
    assert_eq!(
        report.issues[0].hint.as_deref(),
        Some("send what is in `function.arguments`, and nothing around it")
    );
}

#[test]
fn a_reader_of_its_own_is_unwrapped_too() {
    #[derive(Debug)]
    struct Named(File);

    impl ToolInput for Named {
        const SCHEMA: &'static Schema = File::SCHEMA;

        fn from_json(json: &str) -> Result<Self, String> {
            let map: Value = serde_json::from_str(json).map_err(|why| why.to_string())?;
            let text = |key: &str| Some(map.get(key)?.as_str()?.to_owned());
            let file = text("path").zip(text("content"));
            let (path, content) = file.ok_or("not a file")?;
            Ok(Self(File { path, content }))
        }
    }

    let value = json!({"arguments": {"path": "a", "content": "b"}});
    let read = read_value::<Named>(&value, &Policy::repair()).expect("unwrapped");
    assert_eq!(
        (kinds(&read), &*read.value.0.content),
        (vec!["wrapped"], "b")
    );
    let read = mended::<Named>(&value.to_string());
    assert_eq!((kinds(&read), &*read.value.0.path), (vec!["wrapped"], "a"));
}

#[test]
fn what_is_no_wrapper_is_not_taken_off() {
    let inside = json!({"file_path": "a"});
    for value in [
        // Another key next to it, or another kind of name.
        json!({"arguments": inside, "tool": "file"}),
        json!({"tool": "file", "zarguments": 1, "input": inside}),
        json!({"arguments": inside, "name": 5}),
        json!({"arguments": inside, "name": "file", "tool": 1}),
        // Two of them.
        json!({"input": inside, "arguments": {"id": 5}}),
        // A list around it, or two objects.
        json!({"arguments": [inside]}),
        json!({"call": {"tool": {"with": inside}}}),
    ] {
        let text = value.to_string();
        let report = read_str::<Optional>(&text, &Policy::repair()).expect_err(&text);
        assert_eq!(report.issues.len(), 1, "{report}");
        let hint = report.issues[0].hint.as_deref();
        assert_eq!(hint, Some("take `file_path` out of it"), "{text}");
        let borrowed = read_value::<Optional>(&value, &Policy::repair()).expect_err(&text);
        assert_eq!(borrowed, report, "{text}");
    }
    // No object in it.
    for value in [
        json!({"arguments": "null"}),
        json!({"arguments": "{'file_path': 'a'}"}),
        json!({"name": "file"}),
    ] {
        let read = mended::<Optional>(&value.to_string());
        let borrowed = read_value::<Optional>(&value, &Policy::repair()).unwrap();
        assert_eq!(read, borrowed, "{value}");
        assert_eq!(
            (read.value.file_path, read.value.limit),
            (None, None),
            "{value}"
        );
        assert!(
            read.fixes
                .iter()
                .all(|fix| fix.kind == FixKind::UnknownDropped),
            "{value}"
        );
    }
}

#[test]
fn stream_delays_events_inside_wrapper() {
    use callpact::input::stream::{Event, StreamReader};

    let events = |text: &str| {
        let mut reader = StreamReader::<Closed>::new(&Policy::repair());
        let events = reader.push(text);
        let issues = events
            .iter()
            .filter(|event| matches!(event, Event::Issue(_)))
            .count();
        (issues, reader.finish().map(|read| read.value.a_b).ok())
    };
    for key in ["arguments", "parameters", "input"] {
        let text = format!(r#"{{"name": "closed", "{key}": {{"a_b": 1}}}}"#);
        assert_eq!(events(&text), (0, Some(1)), "{key}");
    }
    assert_eq!(events(r#"{"other": {"a_b": 1}}"#), (1, None));
}
