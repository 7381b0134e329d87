//! Redaction finds a secret in every promised encoding, wherever the text is cut.

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use callpact::secret::{Redactor, ResolvedSecrets, SecretRef, SecretValue};
use serde_json::{Value, json};

use super::{text_of, two_texts};

const PLACEHOLDER: &str = "<secret_ref:key>";

/// The first byte says where the stream is cut, the first line is the secret, and the rest
/// surrounds it.
pub fn check(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let Some((secret, around)) = two_texts(rest) else {
        return;
    };
    let (Ok(name), Some(_)) = (SecretRef::new("key"), text_of(rest)) else {
        return;
    };
    // A secret that is too short or too long is refused, so there is nothing to find.
    let Ok(resolved) = ResolvedSecrets::new([(name, SecretValue::new(secret))]) else {
        return;
    };
    let redactor = resolved.redactor();
    let cut = usize::from(*first);
    gone(&redactor, secret, around, cut);
    for form in forms(secret) {
        // A quote ends every encoding, so the text before it is separate. Without a quote, as in
        // `%` followed by base64, the text may have another meaning.
        if around.contains(&form) {
            continue;
        }
        let text = format!("{around}\"{form}\"{around}");
        gone(&redactor, &form, &text, cut);
        gone(&redactor, secret, &text, cut);
    }
    let value = json!({"a": [secret, around], secret: around});
    let shown = redactor.redact_value(&value);
    none_holds(&shown, secret);
}

/// Nothing of the secret's form is left in the text, in one piece or in two.
fn gone(redactor: &Redactor, form: &str, text: &str, cut: usize) {
    let shown = redactor.redact(text);
    if !joins(form) {
        assert!(!shown.contains(form), "{form:?} in {shown:?} of {text:?}");
    }
    let mut stream = redactor.stream();
    let (one, other) = text.as_bytes().split_at(cut.min(text.len()));
    let mut pieces = stream.push_bytes(one);
    pieces.extend(stream.push_bytes(other));
    pieces.extend(stream.finish_bytes());
    assert_eq!(String::from_utf8_lossy(&pieces), shown, "cut at {cut}");
}

fn none_holds(value: &Value, secret: &str) {
    match value {
        Value::String(text) => assert!(joins(secret) || !text.contains(secret), "{text:?}"),
        Value::Array(items) => items.iter().for_each(|item| none_holds(item, secret)),
        Value::Object(map) => {
            for (key, value) in map {
                assert!(joins(secret) || !key.contains(secret), "{key:?}");
                none_holds(value, secret);
            }
        }
        _ => {}
    }
}

/// Whether the letters of the placeholder, alone or with their neighbours, can spell the form.
fn joins(form: &str) -> bool {
    let ends = |one: &str, other: &str| {
        (1..=one.len())
            .filter(|at| one.is_char_boundary(*at))
            .any(|at| other.ends_with(&one[..at]))
    };
    PLACEHOLDER.contains(form)
        || form.contains(PLACEHOLDER)
        || ends(form, PLACEHOLDER)
        || ends(PLACEHOLDER, form)
}

/// The encodings that the documentation promises.
fn forms(secret: &str) -> Vec<String> {
    let bytes = secret.as_bytes();
    let json = |text: &str| {
        let quoted = json!(text).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let units = |write: fn(u16) -> String| secret.encode_utf16().map(write).collect::<String>();
    let each = |write: fn(&u8) -> String| bytes.iter().map(write).collect::<Vec<_>>();
    let percent = each(|byte| format!("%{byte:02X}")).concat();
    let form = secret
        .bytes()
        .map(|byte| match byte {
            b' ' => "+".to_owned(),
            b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
            b => format!("%{b:02x}"),
        })
        .collect();
    vec![
        secret.to_owned(),
        json(secret),
        json(&json(secret)),
        units(|unit| format!("\\u{unit:04x}")),
        units(|unit| format!("\\u{unit:04X}")),
        json(&percent),
        percent,
        form,
        STANDARD.encode(bytes),
        STANDARD_NO_PAD.encode(bytes),
        URL_SAFE.encode(bytes),
        URL_SAFE_NO_PAD.encode(bytes),
        // Inside a longer text, at another alignment.
        STANDARD.encode([b"x", bytes, b"yz"].concat()),
        each(|byte| format!("{byte:02x}")).concat(),
        each(|byte| format!("{byte:02X}")).join(":"),
    ]
}
