//! Where the const writer puts its bytes: counted, hashed, and kept as far as there is room.

/// Takes bytes; with no room it only counts and hashes.
///
/// One writer serves three purposes through it (length, text, fingerprint), because a const
/// function cannot be generic over a trait.
pub(super) struct Sink<'a> {
    room: &'a mut [u8],
    len: usize,
    hash: u64,
}

/// FNV-1a, 64 bits.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
const HEX: &[u8; 16] = b"0123456789abcdef";

impl<'a> Sink<'a> {
    pub(super) const fn into(room: &'a mut [u8]) -> Self {
        Self {
            room,
            len: 0,
            hash: OFFSET,
        }
    }

    pub(super) const fn counting() -> Sink<'static> {
        Sink {
            room: &mut [],
            len: 0,
            hash: OFFSET,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn hash(&self) -> u64 {
        self.hash
    }

    pub(super) const fn byte(&mut self, byte: u8) {
        if self.len < self.room.len() {
            self.room[self.len] = byte;
        }
        self.len += 1;
        self.hash = (self.hash ^ byte as u64).wrapping_mul(PRIME);
    }

    /// Text as it is.
    pub(super) const fn raw(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            self.byte(bytes[i]);
            i += 1;
        }
    }

    /// Text inside a JSON string.
    pub(super) const fn escaped(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            match bytes[i] {
                b'"' => self.raw("\\\""),
                b'\\' => self.raw("\\\\"),
                b'\n' => self.raw("\\n"),
                b'\t' => self.raw("\\t"),
                control @ 0..0x20 => {
                    self.raw("\\u00");
                    self.byte(HEX[(control >> 4) as usize]);
                    self.byte(HEX[(control & 15) as usize]);
                }
                other => self.byte(other),
            }
            i += 1;
        }
    }

    /// A JSON string.
    pub(super) const fn string(&mut self, text: &str) {
        self.byte(b'"');
        self.escaped(text);
        self.byte(b'"');
    }

    #[allow(clippy::cast_possible_truncation)] // a digit fits a byte
    pub(super) const fn integer(&mut self, value: i128) {
        if value < 0 {
            self.byte(b'-');
        }
        let mut digits = [0u8; 40];
        let mut rest = value.unsigned_abs();
        let mut n = 0;
        loop {
            digits[n] = b'0' + (rest % 10) as u8;
            rest /= 10;
            n += 1;
            if rest == 0 {
                break;
            }
        }
        while n > 0 {
            n -= 1;
            self.byte(digits[n]);
        }
    }
}
