//! The memory that the tolerant reader takes; alone in its program, since it counts every allocation.

use std::fmt::Write as _;

use callpact::{Policy, input::repair::clean_text};
use peak_alloc::PeakAlloc;

#[global_allocator]
static COUNTING: PeakAlloc = PeakAlloc;

/// Texts of about this length that are hard on a reader, each broken so that it must be repaired.
fn texts(length: usize) -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(length / piece.len());
    let keys = |end: &str| {
        let mut text = String::from("{");
        let mut n = 0;
        while text.len() < length {
            let _ = write!(text, "k{n}{end}");
            n += 1;
        }
        text.push('}');
        text
    };
    vec![
        ("one long string", format!("{{'a': '{}',}}", fill("word "))),
        ("line breaks", format!("{{\"a\": \"{}\"}}", fill("\n"))),
        (
            "double quotes in single ones",
            format!("{{'a': '{}'}}", fill("\"")),
        ),
        ("small numbers", format!("{{a: [{}]}}", fill("1,"))),
        ("empty arrays", format!("{{a: [{}]}}", fill("[],"))),
        ("commas", format!("{{a: [{}]}}", fill(","))),
        ("comments", format!("{{a: 1 {}}}", fill("/**/"))),
        ("short keys", keys(":1,")),
        ("the same key", format!("{{{}}}", fill("key: 'value',"))),
        ("the same short key", format!("{{{}}}", fill("a:1,"))),
        (
            "short keys, then line breaks",
            format!(
                "{{{}z:\"{}\"}}",
                "k:1,".repeat(length / 16),
                "\n".repeat(length / 4 * 3)
            ),
        ),
        (
            "wide keys, then line breaks",
            format!(
                "{{a:[{}],z:\"{}\"}}",
                "{k:0},".repeat(length / 10),
                "\n".repeat(length / 5 * 2)
            ),
        ),
        ("objects", format!("{{a: [{}]}}", fill("{b:1,c:2},"))),
        ("the same object", fill("{\"a\": 1}")),
        ("words in front", format!("{} {{a: 1}}", fill("words "))),
        ("never closed", fill("{a:[")),
        ("never ended", format!("{{a: '{}", fill("x"))),
        ("surrogates", format!("{{\"a\": \"{}\"}}", fill("\\ud83d"))),
        (
            "escaped",
            format!("{{\\\"a\\\": \\\"{}\\\"}}", fill("word ")),
        ),
    ]
}

#[test]
fn memory_stays_below_four_times_the_text() {
    let policy = Policy::repair();
    let mut worst = (0.0, "");
    for length in [64 << 10, 10 << 20] {
        for (name, text) in texts(length) {
            COUNTING.reset_peak_usage();
            let before = COUNTING.current_usage();
            let clean = clean_text(&text, &policy);
            let peak = COUNTING.peak_usage().saturating_sub(before);
            #[allow(clippy::cast_precision_loss)] // a ratio to be shown
            let times = peak as f64 / text.len() as f64;
            println!(
                "{name}, {} bytes: {times:.2} times, {}",
                text.len(),
                clean.is_some()
            );
            if times > worst.0 {
                worst = (times, name);
            }
        }
    }
    println!("worst: {worst:?}");
    assert!(worst.0 <= 4.0, "{worst:?}");
}
