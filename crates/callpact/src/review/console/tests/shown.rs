use super::*;
use crate::review::escape::tests::assert_harmless;

/// Everything hostile that the issue names, and a fake of our own lines.
pub(super) fn hostile() -> String {
    let fake = prompt::question(&ReviewRequest::new("x"));
    format!(
        "\x1b[2J\x1b[1A\x1b[K\x1b]0;title\x07\x1b]8;;http://x\x1b\\\x1b]52;c;cm0=\x07safe\rrm \x08\x7f\u{9b}2J\
         \u{202e}\u{2066}\u{200b}\u{feff}\0\u{e0041}\u{2028}\n{fake}y\nContinue? > y\n\
         -- {} {fake}",
        " ".repeat(57)
    )
}

#[test]
fn nothing_hostile_reaches_the_screen_from_any_field() {
    let text = hostile();
    let request = ReviewRequest::new(&text)
        .output(&text)
        .prompt(&text)
        .required_role(&text)
        .tool(&text)
        .call_id(&text)
        .page(&text)
        .action(&text)
        .changes([&text])
        .preview(&*text)
        .digest(&text);
    let body = prompt::body(&request);
    assert_harmless(&body);
    let ours = ["", "== Review required (during execution) ", "----"];
    for line in body.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        let gutter = matches!(line.get(8..10), Some("| " | ": "));
        assert!(
            gutter || ours[1..].iter().any(|start| line.starts_with(start)) || line.is_empty(),
            "{line}"
        );
    }
    for escape in [
        r"\u{1b}[2J",
        r"\u{d}rm",
        r"\u{8}\u{7f}\u{9b}2J",
        r"\u{202e}\u{2066}\u{200b}\u{feff}\u{0}",
    ] {
        let flat = body.replace("\n        : ", "");
        assert_eq!(flat.matches(escape).count(), 11, "{escape}");
    }
}

#[test]
fn random_text_is_shown_completely_and_harmlessly() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..300 {
        let text: String = (0..next() % 200)
            .filter_map(|_| {
                let range =
                    [0x80, 0x300, 0x3000, 0x11_0000][usize::try_from(next() % 4).expect("small")];
                char::from_u32(u32::try_from(next() % range).expect("small"))
            })
            .collect();
        let body = prompt::body(&ReviewRequest::new("work").action(&text));
        assert_harmless(&body);
        assert!(!body.contains("not shown"));
        if text.chars().all(|c| !is_hidden(c)) && text.is_ascii() && !text.is_empty() {
            assert!(body.replace("\n        : ", "").contains(&text), "{text:?}");
        }
    }
}

#[test]
fn wraps_wide_line_behind_gutter_with_escaped_mark() {
    let text = format!("{}\u{301}b", "a".repeat(66));
    let body = prompt::body(&ReviewRequest::new("work").action(&text));
    let expected = format!("Action  | {}\n        : \\u{{301}}b\n", "a".repeat(66));
    assert!(body.contains(&expected), "{body}");
    let body = prompt::body(&ReviewRequest::new("work").action("one\n\ntwo\n"));
    assert!(
        body.contains("Action  | one\n        | \n        | two\n        | \n"),
        "{body}"
    );
}

#[test]
fn shows_whole_megabyte_with_length_and_digest() {
    let text = format!("HEAD{}TAIL", "\u{202e}x\n".repeat(1 << 18));
    let request = ReviewRequest::new("work")
        .action(&text)
        .digest("sha256:abc");
    let body = prompt::body(&request);
    assert_harmless(&body);
    assert!(body.contains("| HEAD") && body.contains("TAIL\n"));
    assert_eq!(body.matches(r"\u{202e}x").count(), 1 << 18);
    assert!(body.contains(&format!("Size    | {} bytes\n", text.len())));
    assert!(body.contains("Digest  | sha256:abc\n"));

    let wide = "long line ".repeat(100_000);
    let body = prompt::body(&ReviewRequest::new("work").action(&wide));
    assert!(body.lines().all(|line| line.len() <= 80));
    assert!(body.replace("\n        : ", "").contains(&wide));
}

#[test]
fn pages_fit_a_screen_and_lose_no_line() {
    for lines in [1, 14, 15, 16, 480, 481, 1000] {
        let text = (1..=lines)
            .map(|n| format!("{n:04}"))
            .collect::<Vec<_>>()
            .join("\n");
        let request = ReviewRequest::new("work").action(&text);
        let body = prompt::body(&request);
        let pages = prompt::pages(&body);
        assert_eq!(pages.concat(), body);
        for page in &pages {
            assert!(page.lines().count() <= 20, "{page}");
        }
        for n in 1..=lines {
            assert!(body.contains(&format!("| {n:04}\n")), "{n}");
        }
    }
}

#[test]
fn every_question_shows_digest_of_content() {
    let digest = |request: &ReviewRequest| {
        let body = prompt::body(request);
        let (_, digest) = body.split_once("Digest  | ").expect("a digest");
        digest.lines().next().expect("a line").to_owned()
    };
    let request = ReviewRequest::new("work").action("a");
    let plain = digest(&request);
    assert_eq!(plain.len(), 64);
    assert_eq!(digest(&request), plain);
    for other in [
        ReviewRequest::new("work").action("b"),
        ReviewRequest::new("works").action("a"),
        request.clone().changes(["x: 1 by default"]),
        request.clone().preview("x"),
        request.clone().prompt("x"),
    ] {
        assert_ne!(digest(&other), plain);
    }
    assert_eq!(digest(&request.digest("d")), "d");
}

#[test]
fn changes_and_the_preview_are_shown() {
    let request = ReviewRequest::new("work")
        .action(r#"{"a":1}"#)
        .changes(["a: \"1\" read as 1", "b: \u{202e}"])
        .preview("- old\n+ new");
    let body = prompt::body(&request);
    let expected =
        "Changed | a: \"1\" read as 1\nChanged | b: \\u{202e}\nPreview | - old\n        | + new\n";
    assert!(body.contains(expected), "{body}");
}

#[test]
fn the_question_says_what_silence_means() {
    let request = ReviewRequest::new("work");
    assert!(prompt::question(&request).contains("no answer within 5:00 exits early"));
    let request = request
        .timeout(Duration::from_millis(61_500))
        .on_timeout(OnTimeout::Continue);
    assert!(prompt::question(&request).contains("no answer within 1:02 continues"));
    assert!(!prompt::question(&request.timeout(None)).contains("no answer"));
}

#[test]
fn wraps_wide_characters_by_display_columns() {
    let action = |text: &str| {
        let body = prompt::body(&ReviewRequest::new("work").action(text));
        let (_, shown) = body.split_once("Action  | ").expect("the action");
        let (shown, _) = shown.split_once("\nSize").expect("what comes after it");
        shown.to_owned()
    };
    let next = "\n        : ";
    let a = "a".repeat(66);
    assert_eq!(action(&a), a);
    assert_eq!(action(&format!("{a}b")), format!("{a}{next}b"));
    // Two columns each, so 33 in a line.
    let wide = "日".repeat(33);
    assert_eq!(action(&wide), wide);
    assert_eq!(action(&format!("{wide}日b")), format!("{wide}{next}日b"));
    // A doubled backslash takes two columns, a written-out character at most ten.
    let (a, b) = ("a".repeat(65), "b".repeat(56));
    assert_eq!(
        action(&format!(r"{a}\u{{1}}")),
        format!(r"{a}{next}\\u{{1}}")
    );
    assert_eq!(
        action(&format!("{b}\u{10ffff}")),
        format!(r"{b}\u{{10ffff}}")
    );
    assert_eq!(
        action(&format!("{b}b\u{10ffff}")),
        format!(r"{b}b{next}\u{{10ffff}}")
    );
}
