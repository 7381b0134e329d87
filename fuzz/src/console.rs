//! Text for a person who approves: nothing in it acts or hides, and no two texts look alike.

use callpact::review::{Visible, is_hidden, visible};

use super::text_of;

/// Shows a text, looks for forbidden characters, and reads it back.
pub fn check(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    let shown = visible(text);
    for c in shown.chars() {
        assert!(
            !c.is_control() && !acts(c),
            "U+{:04X} of {text:?}",
            u32::from(c)
        );
        assert!(!is_hidden(c), "U+{:04X} of {text:?}", u32::from(c));
    }
    assert_eq!(read_back(&shown), text);
    assert_eq!(Visible(text).to_string(), shown);
}

/// Characters that turn, hide or break lines, listed independently of the code under test.
fn acts(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Recovers the shown text. Backslashes directly before `u{` come in pairs; one more stands for a
/// character that is written out.
fn read_back(shown: &str) -> String {
    let mut out = String::new();
    let mut rest = shown;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = rest[at..].trim_start_matches('\\');
        let run = rest.len() - at - after.len();
        if !after.starts_with("u{") {
            out.push_str(&rest[at..at + run]);
            rest = after;
            continue;
        }
        out.push_str(&"\\".repeat(run / 2));
        rest = after;
        if run % 2 == 1 {
            let (digits, behind) = after[2..].split_once('}').expect("written out to its end");
            let code = u32::from_str_radix(digits, 16).expect("hexadecimal");
            out.push(char::from_u32(code).expect("a character"));
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}
