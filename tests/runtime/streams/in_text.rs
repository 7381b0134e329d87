//! Chat streams of local servers, whose text holds the calls.

use callpact::{
    ToolContext, Toolset,
    stream::{AssembledTurn, Ended, TextReader, TurnAssembler, TurnEvent},
    tool,
};
use serde_json::{Value, json};

/// Looks up a word
#[tool(read_only)]
fn look_up(word: String, times: Option<u32>) -> String {
    format!("{word} {times:?}")
}

fn tools() -> Toolset {
    Toolset::builder().tool(LookUp).build().unwrap()
}

fn content(text: &str) -> Value {
    json!({"choices": [{"delta": {"content": text}}]})
}

fn end(reason: &str) -> Value {
    json!({"choices": [{"delta": {}, "finish_reason": reason}]})
}

const TEXT: &str = "I look.\n<tool_call>\n<function=look_up>\n<parameter=word>\n7\n</parameter>\n\
                    <parameter=times>\n3\n</parameter>\n</function>\n</tool_call>\n\
                    <tool_call>{\"name\": \"look_up\", \"arguments\": {\"word\": \"b\"}}</tool_call>";

/// The turn of these events, and what was reported of it.
fn read(events: &[Value]) -> (AssembledTurn, Vec<TurnEvent>) {
    let tools = tools();
    let reader = TextReader::new(&tools.known_tools());
    let mut turn = TurnAssembler::new().with_text_calls(reader);
    let reported = events.iter().flat_map(|event| turn.push(event)).collect();
    (turn.finish(), reported)
}

fn pieces(text: &str, size: usize) -> Vec<Value> {
    let letters: Vec<char> = text.chars().collect();
    let pieces = letters.chunks(size);
    pieces
        .map(|piece| content(&piece.iter().collect::<String>()))
        .collect()
}

#[tokio::test]
async fn calls_in_text_are_calls_of_the_turn() {
    for size in 1..40 {
        let mut events = pieces(TEXT, size);
        events.push(end("stop"));
        let (turn, reported) = read(&events);
        assert_eq!(
            (&*turn.text, turn.ended),
            ("I look.\n", Ended::Stopped),
            "{size}"
        );
        let arguments: Vec<&str> = turn.calls.iter().map(|call| &*call.arguments).collect();
        assert_eq!(
            arguments,
            [r#"{"word":"7","times":3}"#, r#"{"word": "b"}"#],
            "{size}"
        );
        let words: String = reported
            .iter()
            .filter_map(|event| match event {
                TurnEvent::Text(text) => Some(&**text),
                _ => None,
            })
            .collect();
        assert_eq!(words.trim(), "I look.", "{size}");
        let begun = reported
            .iter()
            .filter(|it| matches!(it, TurnEvent::CallStarted { .. }));
        assert_eq!(begun.count(), 2, "{size}");
        for reply in tools().call_all(&turn.calls, &ToolContext::new()).await {
            assert!(reply.unwrap().result.is_success());
        }
    }
}

#[test]
fn a_cut_text_gives_no_whole_call() {
    for (cut, _) in TEXT.char_indices() {
        for reason in [Some("length"), None] {
            let mut events = pieces(&TEXT[..cut], 5);
            events.extend(reason.map(end));
            let (turn, _) = read(&events);
            let whole: Vec<_> = turn.calls.iter().filter(|call| !call.cut_off).collect();
            let first = TEXT.find("</tool_call>").unwrap() + "</tool_call>".len();
            assert!(
                whole.len() <= usize::from(cut >= first),
                "{cut} {:?}",
                turn.calls
            );
        }
    }
}

#[test]
fn calls_of_the_server_make_text_a_quotation() {
    let mut events = pieces(TEXT, 7);
    events.push(json!({"choices": [{"delta": {"tool_calls": [
        {"index": 0, "id": "a", "function": {"name": "look_up", "arguments": "{\"word\": \"x\"}"}},
    ]}}]}));
    events.push(end("tool_calls"));
    let (turn, _) = read(&events);
    assert_eq!(turn.calls.len(), 1);
    assert_eq!((&*turn.calls[0].id, &*turn.text), ("a", TEXT));
}

#[test]
fn a_turn_that_begins_anew_forgets_its_text() {
    let ollama = json!({"type": "message_start", "message": {"content": []}});
    let mut events = pieces(&TEXT[..60], 7);
    events.push(ollama);
    events.extend(pieces(TEXT, 9));
    events.push(end("stop"));
    let (turn, _) = read(&events);
    assert_eq!((turn.calls.len(), &*turn.text), (2, "I look.\n"));
}

#[test]
fn thoughts_of_both_kinds_are_kept() {
    let (turn, _) = read(&[
        json!({"choices": [{"delta": {"reasoning_content": "one "}}]}),
        content("<think>two</think>Hello"),
        end("stop"),
    ]);
    assert_eq!((&*turn.thoughts, &*turn.text), ("one two", "Hello"));
    assert!(turn.calls.is_empty() && turn.hint.is_none());
}

#[test]
fn an_unread_form_gets_a_hint() {
    let good = "<tool_call>{\"name\": \"look_up\", \"arguments\": {\"word\": \"b\"}}</tool_call>";
    for unread in [
        "<tool_call>what is this?</tool_call>",
        "<tool_call>\nlook up b\n</tool_call>",
        "<tool_call> look up b </tool_call>",
        "<tool_call>look up b",
        "<tool_calls>\n\nlook up b\n</tool_calls>",
        "<function_calls>\nlook up b\n</function_calls>",
        "<function=look_up> b </function>",
    ] {
        for (text, calls) in [
            (unread.to_owned(), 0),
            (format!("I look.\n{unread}"), 0),
            (format!("{good}\n{unread}"), 1),
        ] {
            let (turn, _) = read(&[content(&text), end("stop")]);
            let whole = turn.calls.iter().filter(|call| call.fault.is_none());
            assert_eq!(whole.count(), calls, "{text}: {turn:?}");
            assert!(
                turn.hint.is_some() || turn.calls.iter().any(|call| call.fault.is_some()),
                "{text}: {turn:?}"
            );
        }
    }
    for words in [
        "A model writes <tool_call> before a call.",
        "Close it with `</tool_call>`, and open it with `<tool_call>`.",
        "(see <tool_call>)",
    ] {
        for text in [words.to_owned(), format!("{good}\n{words}")] {
            let (turn, _) = read(&[content(&text), end("stop")]);
            assert_eq!(turn.hint, None, "{text}");
        }
    }
}

#[test]
fn white_space_between_calls_is_no_text() {
    let call = "<tool_call>{\"name\": \"look_up\", \"arguments\": {\"word\": \"b\"}}</tool_call>";
    for (text, words, calls) in [
        (format!("{call}\n\n {call}"), "", 2),
        (format!("a\n{call}\n{call}\n b"), "a\n\n b", 2),
        (format!("a\n{call}\n. \n{call}"), "a\n\n. \n", 2),
        (format!("a {call} "), "a  ", 1),
    ] {
        for size in [1, 3, 1000] {
            let mut events = pieces(&text, size);
            events.push(end("stop"));
            let (turn, reported) = read(&events);
            assert_eq!((turn.calls.len(), &*turn.text), (calls, words), "{text}");
            let shown: String = reported
                .iter()
                .filter_map(|event| match event {
                    TurnEvent::Text(text) => Some(&**text),
                    _ => None,
                })
                .collect();
            // The white space at the end is not shown: a call may follow it.
            assert_eq!(shown.trim_end(), words.trim_end(), "{text}");
        }
    }
}
