//! SHA-256 over several texts, written as hexadecimal text.

use hmac_sha256::Hash;

/// A digest in the making.
#[derive(Clone, Copy)]
pub(crate) struct Digest(Hash);

impl Digest {
    pub(crate) fn new() -> Self {
        Self(Hash::new())
    }

    /// Adds a text with its length before it, so that no two sequences of texts give the same bytes.
    pub(crate) fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text.as_bytes());
    }

    pub(crate) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Bytes as hexadecimal text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}
