//! SHA-256 over several texts, written as hexadecimal text.

use std::fmt;

use hmac_sha256::Hash;

/// SHA-256 over several texts.
///
/// ```
/// use callpact::digest::Digest;
///
/// let mut digest = Digest::new();
/// digest.add("a tool");
/// digest.add("its arguments");
/// let whole = digest.finish();
/// assert_eq!(whole.len(), 64);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Digest(Hash);

impl Digest {
    /// A digest of no text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text with its length before it, so that no two sequences of texts give the same bytes.
    pub fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text.as_bytes());
    }

    /// The digest as 64 hexadecimal digits.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Digest").finish_non_exhaustive()
    }
}

/// Bytes as hexadecimal text, two digits a byte.
///
/// ```
/// assert_eq!(callpact::digest::hex(&[0, 10, 255]), "000aff");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}

/// Reads 64 hexadecimal digits, in either case.
pub(crate) fn read_hex(text: &str) -> Option<[u8; 32]> {
    let is_hex = text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..64).step_by(2).map(byte).collect();
    bytes.filter(|_| is_hex)?.try_into().ok()
}
