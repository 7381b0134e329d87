//! What a text of one form means to the rows of the others, and what models add to a form.

use callpact::stream::{Ended, KnownTools, TextReader, TextTurn};
use serde_json::{Value, json};

use super::{cases::tools, rows::ROWS};

fn read_as(family: Option<&str>, text: &str) -> TextTurn {
    let tools = tools();
    let mut reader = TextReader::new(&tools.known_tools());
    if let Some(family) = family {
        reader = reader.with_family(family).expect("known");
    }
    reader.push(text);
    reader.finish(Ended::Stopped)
}

/// The good calls of a turn, with their arguments.
fn good(turn: &TextTurn) -> Vec<(String, Value)> {
    let calls = turn.calls.iter();
    let calls = calls.filter(|call| call.fault.is_none() && !call.cut_off);
    calls
        .map(|call| {
            let arguments = serde_json::from_str(&call.arguments).expect("JSON");
            (call.name.clone(), arguments)
        })
        .collect()
}

/// A row may take the text of another, since a form has variants, but no text has two meanings.
#[test]
fn no_text_has_two_readings() {
    let names: Vec<String> = TextReader::new(&KnownTools::any())
        .forms()
        .map(str::to_owned)
        .collect();
    let turns = [
        vec![("lamp", json!({"note": "two words", "level": 3}))],
        vec![("lamp", json!({"note": "true", "on": true, "tags": ["a"]}))],
        vec![
            ("lamp", json!({"at": {"x": 1}})),
            ("dim", json!({"level": 0.5})),
        ],
        vec![("lamp", json!({}))],
    ];
    let mut taken = 0;
    for row in ROWS {
        for turn in &turns {
            if row.form == "gigachat-3" && turn.len() > 1 {
                continue;
            }
            let text = row.write(turn);
            let made: Vec<(String, Value)> = turn
                .iter()
                .map(|(name, arguments)| ((*name).to_owned(), arguments.clone()))
                .collect();
            let own = row.is_named().then_some(row.form);
            assert_eq!(good(&read_as(own, &text)), made, "{}: {text}", row.form);
            for name in &names {
                let read = good(&read_as(Some(name), &text));
                taken += usize::from(read == made);
                assert!(
                    read.is_empty() || read == made,
                    "{} as {name}: {text}\n{read:?}",
                    row.form
                );
            }
        }
    }
    // Each row takes its own texts, and few take those of another.
    assert!(taken >= ROWS.len(), "{taken}");
}

#[test]
fn a_repeated_body_is_no_second_call() {
    let call = "<|tool_call_start|>[lamp(on=True)]<|tool_call_end|>";
    let whole = format!("I do it.{call}[lamp(on=True)]<|tool_call_end|>");
    for ending in ["", "\nDone."] {
        let text = format!("{whole}{ending}");
        for cut in 0..=text.len() {
            let tools = tools();
            let mut reader = TextReader::new(&tools.known_tools());
            reader.push(&text[..cut]);
            reader.push(&text[cut..]);
            let read = reader.finish(Ended::Stopped);
            assert_eq!(
                good(&read),
                [("lamp".to_owned(), json!({"on": true}))],
                "{cut}"
            );
            assert_eq!(read.text, format!("I do it.{ending}"), "{cut}");
        }
    }
    // Other words behind a call stay.
    let read = read_as(None, &format!("{call}Done.<|tool_call_end|>"));
    assert_eq!((read.calls.len(), &*read.text), (1, "Done."));
    let json = "<|tool_call_start|>[{\"name\": \"lamp\", \"arguments\": {}}]<|tool_call_end|>";
    let again = json.replace("<|tool_call_start|>", "");
    let read = read_as(None, &format!("{json}{again}"));
    assert_eq!((read.calls.len(), &*read.text), (1, ""));
}

#[test]
fn a_family_s_frame_is_no_answer() {
    let text = "<response>\nI do it.\n</response>\n<tool_call>{\"name\": \"lamp\", \"arguments\": {}}</tool_call>";
    let read = read_as(Some("ernie-4.5"), text);
    assert_eq!((read.calls.len(), read.text.trim()), (1, "I do it."));
    // To other models it is a tag.
    let read = read_as(None, "<response>200</response>");
    assert_eq!(read.text, "<response>200</response>");
    let text = "[BEGIN FINAL RESPONSE]\nI do it.\n<tool_calls>[{\"name\": \"lamp\", \"arguments\": {}, \"id\": \"call_9\"}]\
                </tool_calls>\n[END FINAL RESPONSE]<|end|>";
    let read = read_as(Some("apriel-1.6"), text);
    assert_eq!(
        (read.text.trim(), &*read.calls[0].id),
        ("I do it.", "call_9")
    );
    // The form of older templates is not read, and not silent.
    let read = read_as(
        None,
        "<tool_calls>\n- name: lamp\n  arguments:\n    on: true\n</tool_calls>",
    );
    assert!(read.calls.is_empty() && read.hint.is_some(), "{read:?}");
}

#[test]
fn thoughts_of_solar_open_are_no_answer() {
    let text = "<|think|>I look. <|end|><|begin|>assistant<|content|>It is on.<|end|>";
    let read = read_as(None, text);
    assert_eq!((&*read.thoughts, &*read.text), ("I look. ", "It is on."));
    assert!(read.calls.is_empty() && read.hint.is_none(), "{read:?}");
}

#[test]
fn reads_dotted_name_of_built_in_tool() {
    let read = read_as(
        Some("llama-3.1"),
        "<|python_tag|>brave_search.call(query=\"x\")",
    );
    assert_eq!(
        good(&read),
        [("brave_search.call".to_owned(), json!({"query": "x"}))]
    );
}
