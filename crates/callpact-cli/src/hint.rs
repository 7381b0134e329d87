//! Commands that the program tells its user to run. They can be pasted into a shell unchanged.

use std::{ffi::OsStr, fmt::Write, path::Path};

use callpact::review::visible;

/// The command that acts on a call in a file.
pub(crate) fn on_call(command: &str, id: &str, file: &Path) -> String {
    let (store, id_word) = (option("store", file.as_os_str()), quote(id.as_ref()));
    if id.starts_with('-') {
        format!("callpact {command} {store} -- {id_word}")
    } else {
        format!("callpact {command} {id_word} {store}")
    }
}

/// An option with its value.
pub(crate) fn option(name: &str, value: &OsStr) -> String {
    let is_like_option = value.as_encoded_bytes().starts_with(b"-");
    let between = if is_like_option { '=' } else { ' ' };
    format!("--{name}{between}{}", quote(value))
}

/// A word, quoted for a shell.
fn quote(word: &OsStr) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:,@%+".contains(byte);
    let bytes = word.as_encoded_bytes();
    match word.to_str() {
        Some(text) if !text.is_empty() && bytes.iter().all(is_plain) => text.to_owned(),
        Some(text) if visible(text) == text => format!("'{}'", text.replace('\'', r"'\''")),
        _ => {
            let mut quoted = "$'".to_owned();
            for byte in bytes {
                match byte {
                    b' '..=b'~' if !b"'\\".contains(byte) => quoted.push(char::from(*byte)),
                    // Writing to a String does not fail.
                    _ => _ = write!(quoted, "\\x{byte:02x}"),
                }
            }
            quoted + "'"
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{on_call, option, quote};
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path, process::Command};

    #[test]
    fn a_shell_reads_a_word_as_it_was() {
        for word in [
            "calls.db",
            "",
            "a b",
            "it's",
            "$HOME `id` \"x\" \\ ; *",
            "a\u{1b}[2Jb",
            "a\nb",
            "tab\there 'and' \\",
            "\u{202e}bd",
            "\u{e4}\u{4e2d}",
            r"\u{1b}",
            "~",
            "#",
        ] {
            let script = format!("printf %s {}", quote(word.as_ref()));
            let Ok(output) = Command::new("bash").args(["-c", &script]).output() else {
                return;
            };
            assert_eq!(String::from_utf8_lossy(&output.stdout), word, "{script}");
            let shown = quote(word.as_ref());
            assert_eq!(crate::screen::write_out(&shown), shown);
        }
        let bytes = OsStr::from_bytes(b"a\xff");
        assert_eq!(quote(bytes), r"$'a\xff'");
    }

    #[test]
    fn what_begins_with_a_dash_is_no_option() {
        assert_eq!(
            on_call("forget", "-7", Path::new("-a b")),
            "callpact forget --store='-a b' -- -7"
        );
        assert_eq!(
            on_call("forget", "7", Path::new("-a")),
            "callpact forget 7 --store=-a"
        );
        assert_eq!(option("root", "a b".as_ref()), "--root 'a b'");
    }
}
