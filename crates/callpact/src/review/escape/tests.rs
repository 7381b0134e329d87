use super::*;

/// Every format character (general category Cf) of Unicode 16, written down independently of std.
pub(in crate::review) const FORMAT: &[(u32, u32)] = &[
    (0xad, 0xad),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x180e, 0x180e),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x2064),
    (0x2066, 0x206f),
    (0xfeff, 0xfeff),
    (0xfff9, 0xfffb),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x1343f),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0001, 0xe0001),
    (0xe0020, 0xe007f),
];

/// The rule for anything printed: our own newlines and nothing else that acts or hides.
pub(in crate::review) fn assert_harmless(printed: &str) {
    for c in printed.chars() {
        let code = u32::from(c);
        assert!(code >= 0x20 || c == '\n', "control U+{code:04X}");
        assert!(!(0x7f..=0x9f).contains(&code), "control U+{code:04X}");
        assert!(
            !FORMAT
                .iter()
                .any(|&(low, high)| (low..=high).contains(&code)),
            "format U+{code:04X}"
        );
        assert!(!matches!(code, 0x2028 | 0x2029), "separator U+{code:04X}");
    }
}

#[test]
fn every_code_point_comes_out_harmless_and_distinct() {
    for c in char::MIN..=char::MAX {
        let shown = visible(c.encode_utf8(&mut [0; 4]));
        assert_harmless(&shown);
        assert!(!shown.contains('\n'));
        assert!(
            shown == String::from(c) || shown == format!("\\u{{{:x}}}", u32::from(c)),
            "{shown}"
        );
    }
}

#[test]
fn hostile_characters_are_written_out_not_deleted() {
    for (text, expected) in [
        ("\x1b[2J", r"\u{1b}[2J"),
        ("\x1b[1A\x1b[K", r"\u{1b}[1A\u{1b}[K"),
        ("\x1b]52;c;cm0=\x07", r"\u{1b}]52;c;cm0=\u{7}"),
        ("safe\rrm", r"safe\u{d}rm"),
        ("a\x08b", r"a\u{8}b"),
        ("\u{9b}2J", r"\u{9b}2J"),
        ("\u{202e}\u{2066}", r"\u{202e}\u{2066}"),
        ("a\u{200b}b\u{feff}", r"a\u{200b}b\u{feff}"),
        ("\0\x7f", r"\u{0}\u{7f}"),
        ("\u{e0041}\u{e007f}", r"\u{e0041}\u{e007f}"),
        ("a\nb\tc", r"a\u{a}b\u{9}c"),
        ("\u{2028}\u{a0}\u{3000}", r"\u{2028}\u{a0}\u{3000}"),
        ("\u{e000}\u{378}", r"\u{e000}\u{378}"),
        ("x\u{fe0f}\u{3164}\u{34f}", r"x\u{fe0f}\u{3164}\u{34f}"),
    ] {
        assert_eq!(visible(text), expected);
    }
}

#[test]
fn ordinary_text_of_many_scripts_is_left_alone() {
    for text in [
        "plain ~!",
        "naïve café",
        "e\u{301}",
        "日本語",
        "שלום",
        "สวัสดี",
        "नमस्ते",
        "🙂",
        "−≤",
    ] {
        assert_eq!(visible(text), text);
    }
}

#[test]
fn escapes_marks_without_base_or_in_stack() {
    assert_eq!(visible("\u{301}a"), "\\u{301}a");
    assert_eq!(visible("\n\u{301}"), "\\u{a}\\u{301}");
    let tower = format!("a{}", "\u{301}".repeat(5));
    assert_eq!(visible(&tower), "a\u{301}\u{301}\u{301}\\u{301}\\u{301}");
}

#[test]
fn two_texts_never_look_the_same() {
    let texts = [
        "\u{202e}",
        r"\u{202e}",
        "\\\u{202e}",
        r"\\u{202e}",
        "\\\\\u{202e}",
        r"\\\u{202e}",
        "\n",
        r"\n",
        "\\\n",
        r"\u{a}",
        r"\",
        r"\\",
    ];
    for (i, one) in texts.iter().enumerate() {
        for other in &texts[i + 1..] {
            assert_ne!(visible(one), visible(other), "{one:?} {other:?}");
        }
    }
}

#[test]
fn escapes_backslash_run_by_following_text() {
    assert_eq!(visible(r"\a\u{1}\b"), r"\a\\u{1}\b");
    assert_eq!(visible("\\\\u{1}\\a\\\n"), r"\\\\u{1}\a\\\u{a}");
}

#[test]
fn a_long_run_of_backslashes_is_linear() {
    let text = "\\".repeat(1 << 20) + "u{";
    assert_eq!(visible(&text).len(), (1 << 21) + 2);
    let json = r#"{"path":"C:\\temp","text":"a\nb\u0041"}"#;
    assert_eq!(visible(json), json);
}
