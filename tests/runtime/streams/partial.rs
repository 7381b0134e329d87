//! Values that grow.

use callpact::stream::{TurnAssembler, partial_value};
use serde_json::{Value, json};

use callpact_tests::turns::Random;

/// Whether a value is the start of another.
fn is_start(partial: &Value, whole: &Value) -> bool {
    match (partial, whole) {
        (Value::String(start), Value::String(whole)) => whole.starts_with(start.as_str()),
        (Value::Array(start), Value::Array(whole)) => {
            start.len() <= whole.len()
                && start
                    .iter()
                    .zip(whole)
                    .all(|(start, whole)| is_start(start, whole))
        }
        (Value::Object(start), Value::Object(whole)) => start
            .iter()
            .all(|(key, value)| whole.get(key).is_some_and(|whole| is_start(value, whole))),
        _ => partial == whole,
    }
}

#[test]
fn partial_value_is_prefix_of_whole() {
    for round in 0..1000 {
        let mut random = Random::new(round);
        for call in random.calls() {
            // Both ways of writing a string, and with white space.
            let texts = [call.arguments.to_string(), format!("{:#}", call.arguments)];
            let escaped = texts[0]
                .replace('ä', "\\u00e4")
                .replace('日', "\\ud83d\\ude00");
            for text in texts.iter().chain([&escaped]) {
                let whole: Value = serde_json::from_str(text).unwrap();
                for (end, _) in text.char_indices() {
                    let partial = partial_value(&text[..end]);
                    assert!(
                        partial.as_ref().is_none_or(|it| is_start(it, &whole)),
                        "{}: {partial:?}",
                        &text[..end]
                    );
                    assert!(partial.is_some() || end == 0, "{}", &text[..end]);
                }
                assert_eq!(partial_value(text), Some(whole), "{text}");
            }
        }
    }
}

#[test]
fn turn_call_exposes_partial_value() {
    let mut turn = TurnAssembler::new();
    let chunk = |text: &str| {
        json!({"choices": [{"delta": {"tool_calls": [
            {"index": 0, "id": "a", "function": {"name": "mail", "arguments": text}},
        ]}}]})
    };
    turn.push(&chunk("{\"to\": \"Ada\", \"text\": \"Dear A"));
    assert_eq!(
        turn.partial(0),
        Some(json!({"to": "Ada", "text": "Dear A"}))
    );
    turn.push(&chunk("da\", \"copies\": 1"));
    assert_eq!(
        turn.partial(0),
        Some(json!({"to": "Ada", "text": "Dear Ada"}))
    );
    assert_eq!(turn.partial(1), None);
}
