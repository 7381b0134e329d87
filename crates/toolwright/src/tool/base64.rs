//! The standard alphabet with padding, which every provider and MCP want. It is written here because
//! the default tree of crates is to stay small.

const ALPHABET: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes in base64.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let sextet = (bits >> (18 - 6 * at)) & 63;
            let letter = usize::try_from(sextet).ok().and_then(|i| ALPHABET.get(i));
            out.push(match letter {
                Some(letter) if at <= chunk.len() => char::from(*letter),
                _ => '=',
            });
        }
    }
    out
}

/// How many bytes a text in base64 stands for; nothing where it is none.
pub(super) fn decoded_len(text: &str) -> Option<usize> {
    let letters = text.trim_end_matches('=').len();
    let padding = text.len() - letters;
    let plain = text
        .bytes()
        .take(letters)
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
    (plain && padding <= 2 && text.len().is_multiple_of(4)).then_some(letters * 3 / 4)
}

#[cfg(test)]
mod tests {
    use super::{decoded_len, encode};

    #[test]
    fn the_vectors_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decoded_len(text), Some(bytes.len()), "{text}");
        }
        assert_eq!(encode(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn what_is_no_base64_is_found() {
        for text in ["Zg", "Zg=", "Z===", "Zm9=v", "Zm 9", "Zm_v", "Zmö"] {
            assert_eq!(decoded_len(text), None, "{text}");
        }
    }
}
