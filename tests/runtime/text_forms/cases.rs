//! The same cases for every form.

use callpact::{
    Toolset,
    stream::{Ended, KnownTools, TextForm, TextReader, TextTurn},
    tool,
};
use callpact_tests::rng::Rng;
use serde_json::{Value, json};

use super::rows::{ROWS, Row};

/// A place
#[derive(callpact::ToolInput)]
struct Place {
    x: i64,
    name: Option<String>,
}

/// Sets a lamp
#[tool(write)]
fn lamp(
    note: Option<String>,
    level: Option<i64>,
    ratio: Option<f64>,
    on: Option<bool>,
    tags: Option<Vec<String>>,
    at: Option<Place>,
) -> String {
    let at = at.map(|at| (at.x, at.name));
    format!("{note:?} {level:?} {ratio:?} {on:?} {tags:?} {at:?}")
}

/// Dims
#[tool(write)]
fn dim(level: f64) -> String {
    level.to_string()
}

pub(super) fn tools() -> Toolset {
    Toolset::builder()
        .tool(Lamp)
        .tool(Dim)
        .build()
        .expect("nothing conflicts")
}

/// A reader of the texts of a row.
pub(super) fn reader<'t>(row: &Row, tools: &KnownTools<'t>) -> TextReader<'t> {
    let reader = TextReader::new(tools);
    if row.is_named() {
        reader.with_family(row.form).expect("known")
    } else {
        reader
    }
}

fn read(row: &Row, text: &str, ended: Ended) -> TextTurn {
    let tools = tools();
    let mut reader = reader(row, &tools.known_tools());
    reader.push(text);
    reader.finish(ended)
}

/// The calls of a turn, if all are good.
fn good(turn: &TextTurn) -> Option<Vec<(&str, Value)>> {
    let calls = turn.calls.iter();
    calls
        .map(|call| {
            let is_good = call.fault.is_none() && !call.cut_off;
            is_good.then_some(())?;
            Some((&*call.name, serde_json::from_str(&call.arguments).ok()?))
        })
        .collect()
}

/// Turns that every form can write.
fn turns(row: &Row) -> Vec<Vec<(&'static str, Value)>> {
    let lamp = |arguments: Value| vec![("lamp", arguments)];
    let mut turns = vec![
        lamp(json!({"on": true})),
        lamp(json!({})),
        vec![
            ("lamp", json!({"level": 3})),
            ("dim", json!({"level": 0.5})),
        ],
        lamp(json!({"note": "two words", "level": -1})),
        lamp(json!({"at": {"x": 1, "name": "hall"}, "tags": ["a", "b"]})),
        lamp(json!({"note": "3"})),
        lamp(json!({"note": "true", "ratio": 1.5})),
        lamp(json!({"note": "ä 日本 🙂"})),
        lamp(json!({"note": "a } b ] c ) d, \"e\" and 'f'"})),
        lamp(json!({"note": "line\nbreak\ttab \\ back"})),
        lamp(json!({"note": "<b>bold</b> & <tag"})),
    ];
    // Gemma's strings and the rest can hold their own end only where it is not the end.
    if row.call.contains("{X}") {
        let (_, tail) = row.parameter;
        turns.push(lamp(json!({"note": format!("a {} b", tail.trim())})));
    }
    if !row.is_markup() {
        turns.push(lamp(
            json!({"note": format!("a {} b {} c", row.close, row.call.split('{').next().unwrap())}),
        ));
    }
    turns
}

fn is_bare(row: &Row) -> bool {
    let text = row.write(&[("lamp", json!({}))]);
    text.starts_with(['{', 'f', 'l']) && row.form != "functools"
        || text.starts_with("[{")
        || text.starts_with("[l")
}

#[test]
fn reads_every_form() {
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for row in ROWS {
        let before = all;
        for turn in turns(row) {
            let one = row.form == "gigachat-3" && turn.len() > 1;
            if one {
                continue;
            }
            let text = row.write(&turn);
            let mut texts = vec![(text.clone(), "")];
            if !is_bare(row) {
                texts.push((format!("I will look.\n{text}"), "I will look.\n"));
            }
            texts.push((format!("<think>\nhm {text}\n</think>\n\n{text}"), ""));
            for (text, words) in texts {
                all += 1;
                let read = read(row, &text, Ended::Stopped);
                if good(&read).as_ref() == Some(&turn) && read.text.trim() == words.trim() {
                    right += 1;
                } else {
                    wrong.push(format!("{}: {text}\n    {turn:?}\n    {read:?}", row.form));
                }
            }
        }
        assert!(all - before >= 12, "{}", row.form);
    }
    assert!(wrong.is_empty(), "{right} of {all}\n{}", wrong.join("\n"));
}

#[test]
fn no_prefix_of_a_text_is_another_call() {
    for row in ROWS {
        for turn in turns(row) {
            if row.form == "gigachat-3" && turn.len() > 1 {
                continue;
            }
            let text = row.write(&turn);
            for (end, _) in text.char_indices() {
                for ended in [Ended::Cut, Ended::Stopped] {
                    let read = read(row, &text[..end], ended);
                    for (call, made) in read.calls.iter().zip(&turn) {
                        if call.cut_off || call.fault.is_some() {
                            continue;
                        }
                        let arguments: Value = serde_json::from_str(&call.arguments).expect("JSON");
                        assert_eq!(
                            (&*call.name, &arguments),
                            (made.0, &made.1),
                            "{}: {}",
                            row.form,
                            &text[..end]
                        );
                    }
                    assert!(
                        read.calls.len() <= turn.len(),
                        "{}: {}",
                        row.form,
                        &text[..end]
                    );
                }
            }
        }
    }
}

/// A form whose last mark may be missing: what is left of it behind a whole call.
fn is_optional(row: &Row, rest: &str) -> bool {
    matches!(row.form, "harmony" | "harmony-recipient") && "<|call|>".ends_with(rest)
}

#[test]
fn a_cut_prefix_has_no_whole_call() {
    for row in ROWS {
        for turn in turns(row) {
            let text = row.write(&turn);
            if turn.len() > 1 {
                continue;
            }
            for (end, _) in text.char_indices() {
                if is_optional(row, &text[end..]) {
                    continue;
                }
                for ended in [Ended::Cut, Ended::Unknown] {
                    let read = read(row, &text[..end], ended);
                    let mut calls = read.calls.iter();
                    assert!(
                        calls.all(|call| call.cut_off || call.fault.is_some()),
                        "{}: {}\n{read:?}",
                        row.form,
                        &text[..end]
                    );
                }
            }
        }
    }
}

/// How many random splits of each text are tried. `CALLPACT_ROUNDS` sets another number.
fn rounds() -> usize {
    let rounds = std::env::var("CALLPACT_ROUNDS").ok();
    rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(6)
}

#[test]
fn pieces_are_read_like_the_whole() {
    let mut rng = Rng::new(1);
    let tools = tools();
    for row in ROWS {
        for turn in turns(row) {
            let text = format!(
                "{} {}",
                row.write(&turn),
                ["", "and words", "```\ncode\n```"][rng.below(3)]
            );
            let whole = read(row, &text, Ended::Stopped);
            for _ in 0..rounds() {
                let mut reader = reader(row, &tools.known_tools());
                let mut piece = String::new();
                let most = [2, 5, 40][rng.below(3)];
                for letter in text.chars() {
                    piece.push(letter);
                    if rng.one_in(most) {
                        reader.push(&std::mem::take(&mut piece));
                    }
                }
                reader.push(&piece);
                let read = reader.finish(Ended::Stopped);
                assert_eq!(
                    format!("{read:?}"),
                    format!("{whole:?}"),
                    "{}: {text}",
                    row.form
                );
            }
        }
    }
}

#[test]
fn a_bad_block_leaves_the_good_one() {
    for row in ROWS {
        // A list is one value of JSON or Python.
        if row.open.ends_with('[')
            || is_bare(row)
            || row.form == "gigachat-3"
            || row.form == "minimax-m1"
            || row.form == "olmo-3"
        {
            continue;
        }
        let good_call = row.write_call("dim", &json!({"level": 0.5}));
        let bad_call = row.write_call("lamp", &json!({"note": "x", "level": 1}));
        // A quote or a bracket too few.
        let bad = if row.is_markup() {
            bad_call.replacen("level", "note", 1)
        } else {
            bad_call
                .replacen(":\"x\"", ":\"x", 1)
                .replacen("='x'", "='x", 1)
        };
        assert_ne!(bad, bad_call, "{}", row.form);
        if row.form == "minimax-m3" {
            continue;
        }
        for calls in [[&bad, &good_call], [&good_call, &bad]] {
            let text = format!(
                "{}{}{}{}{}",
                row.open, calls[0], row.between, calls[1], row.close
            );
            let read = read(row, &text, Ended::Stopped);
            let good = read
                .calls
                .iter()
                .filter(|call| call.fault.is_none() && !call.cut_off);
            let good: Vec<(&str, &str)> =
                good.map(|call| (&*call.name, &*call.arguments)).collect();
            assert_eq!(
                good,
                [("dim", r#"{"level":0.5}"#)],
                "{}: {text}\n{read:?}",
                row.form
            );
            assert_eq!(read.calls.len(), 2, "{}: {text}\n{read:?}", row.form);
        }
    }
}

/// A list is one block: what is wrong in it is a fault, and no other value comes of it.
#[test]
fn a_bad_list_is_a_fault() {
    for row in ROWS.iter().filter(|row| row.open.ends_with('[')) {
        let good = row.write_call("dim", &json!({"level": 0.5}));
        let bad = row.write_call("lamp", &json!({"note": "x", "level": 1}));
        let broken = bad.replacen(":\"x\"", ":\"x", 1).replacen("='x'", "='x", 1);
        assert_ne!(bad, broken, "{}", row.form);
        let text = format!("{}{good}{}{broken}{}", row.open, row.between, row.close);
        let read = read(row, &text, Ended::Stopped);
        assert!(
            read.calls
                .iter()
                .all(|call| call.fault.is_some() || call.cut_off),
            "{}: {text}\n{read:?}",
            row.form
        );
        assert!(
            !read.calls.is_empty() || read.hint.is_some(),
            "{}: {text}\n{read:?}",
            row.form
        );
    }
}

#[test]
fn hints_at_quoted_call_in_code() {
    for row in ROWS {
        let text = row.write(&[("lamp", json!({"on": true}))]);
        for quoted in [
            format!("Write it so:\n```\n{text}\n```\nand wait."),
            format!("```\n{text}\n```\nThis is how."),
        ] {
            // A form with a fence of its own ends the block.
            if row.form == "deepseek-v3" {
                continue;
            }
            let read = read(row, &quoted, Ended::Stopped);
            assert!(read.calls.is_empty(), "{}: {quoted}\n{read:?}", row.form);
        }
    }
}

#[test]
fn unread_call_has_hint() {
    let nothing = KnownTools::from_iter([]);
    for row in ROWS {
        let text = row.write(&[("lamp", json!({"on": true}))]);
        for text in [text.clone(), format!("<think>I call it. {text}")] {
            let mut reader = TextReader::new(&nothing);
            reader.push(&text);
            let read = reader.finish(Ended::Stopped);
            let is_noticed = !read.calls.is_empty() || read.hint.is_some();
            // Nothing is left of its marks, and the name is not known.
            let is_plain = row.form == "mistral-without-tokens";
            assert_eq!(is_noticed, !is_plain, "{}: {text}\n{read:?}", row.form);
        }
    }
}

#[test]
fn plain_answers_are_no_calls() {
    let tools = tools();
    for text in [
        "",
        "done",
        "Set the lamp (on=True) and go.",
        "lamp is on",
        "[1, 2]",
        "{\"name\": \"Ada\"}",
        "a < b and c > d, `x` and \"y\"",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "Use functools.partial for that.",
        "func(x) <- f",
    ] {
        let mut reader = TextReader::new(&tools.known_tools());
        reader.push(text);
        let read = reader.finish(Ended::Stopped);
        assert!(
            read.calls.is_empty() && read.hint.is_none(),
            "{text}: {read:?}"
        );
        assert_eq!(read.text, text);
    }
}

#[test]
fn every_form_names_one_row() {
    // The rows that write a text are those that are read, and every row of the table is written.
    let names: Vec<String> = TextReader::new(&KnownTools::any())
        .forms()
        .map(str::to_owned)
        .collect();
    for name in &names {
        // The row of GLM is written in two ways.
        let name = if name == "glm" { "glm-4.5" } else { name };
        let is_tested = ROWS.iter().any(|row| row.form == name);
        assert!(is_tested, "no text is made for {name}");
    }
    let mut reader = TextReader::new(&KnownTools::any())
        .with_form(TextForm::new("own", []).call("<own>", "</own>"));
    reader.push("<own>{\"name\": \"lamp\"}</own>");
    assert_eq!(reader.finish(Ended::Stopped).calls.len(), 1);
}

#[test]
fn searches_open_thought_for_families_calling_there() {
    let tools = tools();
    for family in ["qwen3-coder", "glm", "kimi-k2", "gemma-4", "deepseek-v3.2"] {
        let form = if family == "glm" { "glm-4.5" } else { family };
        let row = ROWS.iter().find(|row| row.form == form).expect("a row");
        let call = row.write(&[("lamp", json!({"level": 3}))]);
        for (text, calls) in [
            (format!("<think>I call it.\n{call}"), 1),
            (format!("<think>{call}</think>no"), 0),
        ] {
            let mut reader = TextReader::new(&tools.known_tools())
                .with_family(family)
                .expect("known");
            reader.push(&text);
            let read = reader.finish(Ended::Stopped);
            assert_eq!(read.calls.len(), calls, "{family}: {text}\n{read:?}");
        }
    }
    assert!(
        TextReader::new(&tools.known_tools())
            .with_family("none")
            .is_err()
    );
}
