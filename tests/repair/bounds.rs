//! Time grows as the text does, up to ten MiB.

use std::{
    env, fs,
    sync::OnceLock,
    time::{Duration, Instant},
};

use callpact::{Policy, input::repair::clean_text, read_str};
use serde_json::Value;

use super::shapes::{File, Lists};

fn texts(length: usize) -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(length / piece.len());
    vec![
        (
            "one long string",
            format!("{{'path': 'a', 'content': '{}',}}", fill("it is ")),
        ),
        (
            "line breaks",
            format!("{{\"path\": \"a\", \"content\": \"{}\"}}", fill("x\n")),
        ),
        ("numbers", format!("{{tags: [], counts: [{}]}}", fill("1,"))),
        ("commas", format!("{{a: [{}]}}", fill(","))),
        ("comments", format!("{{a: 1 {}}}", fill("/**/"))),
        ("the same key", format!("{{{}}}", fill("key: 'value',"))),
        ("the same object", fill("{\"a\": 1}")),
        ("words in front", format!("{} {{a: 1}}", fill("words "))),
        ("fences", fill("``` ")),
        ("braces", fill("{")),
        ("opened", fill("{a:[")),
        ("slashes", format!("{{a: '{}", fill("\\"))),
        (
            "markup",
            format!(
                "{{'path': 'a', 'content': '{}'}}",
                fill("<parameter name=\\\"x\\\">")
            ),
        ),
        ("half comments", fill("/*")),
        ("escapes", fill("\\n")),
        ("quotes", fill("\"")),
        (
            "closing markup",
            format!("{{'path': 'a', 'content': '{}'}}", fill("</parameter>")),
        ),
    ]
}

/// The processor time of this thread, which is more reliable than a clock on a busy machine. Only Linux gives it
/// without a library; elsewhere this is the clock.
fn worked() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanos.map_or_else(
        || START.get_or_init(Instant::now).elapsed(),
        Duration::from_nanos,
    )
}

fn read(text: &str) -> Duration {
    let policy = Policy::repair();
    let start = worked();
    drop(clean_text(text, &policy));
    drop(read_str::<File>(text, &policy));
    drop(read_str::<Lists>(text, &policy));
    drop(read_str::<Value>(text, &policy));
    worked().saturating_sub(start)
}

#[test]
fn time_is_linear_up_to_ten_mebibytes() {
    // The ordinary run takes a sixteenth of the text, which shows the same growth.
    let length = env::var("CALLPACT_LENGTH").ok();
    let unit = length.map_or(64 << 10, |length| length.parse().expect("a number"));
    for ((name, short), (_, long)) in texts(unit).into_iter().zip(texts(10 * unit)) {
        let short = (0..3).map(|_| read(&short)).min().unwrap_or_default();
        let long = (0..2).map(|_| read(&long)).min().unwrap_or_default();
        println!("{name}: {short:?} for one, {long:?} for ten");
        // Ten times the text; three times that for a machine that does other things too.
        let most = short * 30 + Duration::from_millis(200);
        assert!(long < most, "{name}: {short:?} for one, {long:?} for ten");
    }
}
