//! Numbers and booleans inside strings.

/// The boolean that a text means.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Reads `5`, `-5` or `5.0` as JSON writes it, without a plus sign, spaces or separators.
pub(crate) fn whole_number(text: &str) -> Option<i128> {
    let (digits, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let json = !unsigned.is_empty()
        && unsigned.bytes().all(|b| b.is_ascii_digit())
        && (unsigned == "0" || !unsigned.starts_with('0'))
        && !fraction.is_empty()
        && fraction.bytes().all(|b| b == b'0');
    if json { digits.parse().ok() } else { None }
}

/// A number in JSON's own grammar.
pub(crate) fn json_number(text: &str) -> Option<f64> {
    let digit = |b: &u8| b.is_ascii_digit();
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'));
    let ends = text.as_bytes().last().is_some_and(digit);
    if !plain || !ends {
        return None;
    }
    serde_json::from_str::<f64>(text).ok()
}
