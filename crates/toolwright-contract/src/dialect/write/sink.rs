//! Where the const writer puts its bytes: counted, hashed, or kept while there is room.

/// Takes bytes; with no room it only counts, and hashes where that is asked for.
///
/// One writer serves three purposes through it (length, text, fingerprint), because a const
/// function cannot be generic over a trait. Bytes are taken by the piece: the compiler interprets this
/// for every schema, and a list of tools is written for every request.
pub(super) struct Sink<'a> {
    room: &'a mut [u8],
    len: usize,
    hash: Option<u64>,
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
            hash: None,
        }
    }

    pub(super) const fn counting() -> Sink<'static> {
        Sink {
            room: &mut [],
            len: 0,
            hash: None,
        }
    }

    pub(super) const fn hashing() -> Sink<'static> {
        Sink {
            room: &mut [],
            len: 0,
            hash: Some(OFFSET),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Whether a hash was asked for.
    pub(super) const fn hashes(&self) -> bool {
        self.hash.is_some()
    }

    /// The hash of all bytes; of none, unless it was asked for.
    pub(super) const fn hash(&self) -> u64 {
        match self.hash {
            Some(hash) => hash,
            None => OFFSET,
        }
    }

    pub(super) const fn byte(&mut self, byte: u8) {
        if self.len < self.room.len() {
            self.room[self.len] = byte;
        }
        self.len += 1;
        if let Some(hash) = self.hash {
            self.hash = Some(step(hash, byte));
        }
    }

    /// A piece: all of it is kept, or nothing.
    const fn bytes(&mut self, bytes: &[u8]) {
        if self.len < self.room.len() && bytes.len() <= self.room.len() - self.len {
            copy(bytes, self.room, self.len);
        }
        self.len += bytes.len();
        if let Some(mut hash) = self.hash {
            let mut i = 0;
            while i < bytes.len() {
                hash = step(hash, bytes[i]);
                i += 1;
            }
            self.hash = Some(hash);
        }
    }

    /// Text as it is.
    pub(super) const fn raw(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Text inside a JSON string.
    pub(super) const fn escaped(&mut self, text: &str) {
        self.escape(text, false);
    }

    /// Text inside a JSON string that is itself inside of one.
    pub(super) const fn escaped_again(&mut self, text: &str) {
        self.escape(text, true);
    }

    const fn escape(&mut self, text: &str, again: bool) {
        let mark = if again { "\\\\" } else { "\\" };
        let mut rest = text.as_bytes();
        loop {
            let (plain, special) = rest.split_at(plain_start(rest));
            self.bytes(plain);
            let Some((byte, after)) = special.split_first() else {
                return;
            };
            self.raw(mark);
            match *byte {
                b'"' | b'\\' => {
                    if again {
                        self.byte(b'\\');
                    }
                    self.byte(*byte);
                }
                b'\n' => self.byte(b'n'),
                b'\t' => self.byte(b't'),
                control => {
                    self.raw("u00");
                    self.byte(HEX[(control >> 4) as usize]);
                    self.byte(HEX[(control & 15) as usize]);
                }
            }
            rest = after;
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
        let mut start = digits.len();
        // Division of 128 bits is a call, and hardly any number needs it.
        while rest > u64::MAX as u128 {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        let mut rest = rest as u64;
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let (_, shown) = digits.split_at(start);
        self.bytes(shown);
    }
}

const fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(PRIME)
}

/// Puts a piece at its place, where there is room for it.
///
/// `copy_from_slice` and what leads to it are a dozen calls, which are nothing when they run and more
/// than a loop over a few bytes when the compiler interprets them.
const fn copy(piece: &[u8], room: &mut [u8], at: usize) {
    const FEW: usize = 8;
    if piece.len() < FEW {
        let mut i = 0;
        while i < piece.len() {
            room[at + i] = piece[i];
            i += 1;
        }
    } else {
        let (_, free) = room.split_at_mut(at);
        let (place, _) = free.split_at_mut(piece.len());
        place.copy_from_slice(piece);
    }
}

/// How many bytes at the start stand in a JSON string as they are.
///
/// Without calls, for the compiler that interprets it; and by blocks without a way out, which a program
/// does at once.
const fn plain_start(bytes: &[u8]) -> usize {
    const BLOCK: usize = 8;
    let mut i = 0;
    while bytes.len() - i >= BLOCK {
        let mut special = false;
        let mut j = 0;
        while j < BLOCK {
            let byte = bytes[i + j];
            special |= byte < 0x20 || byte == b'"' || byte == b'\\';
            j += 1;
        }
        if special {
            break;
        }
        i += BLOCK;
    }
    while i < bytes.len() && bytes[i] >= 0x20 && bytes[i] != b'"' && bytes[i] != b'\\' {
        i += 1;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::{Sink, plain_start};

    #[test]
    fn a_piece_is_escaped_wherever_its_special_bytes_stand() {
        let specials = [
            "\"", "\\", "\n", "\t", "\u{0}", "\u{1f}", "\u{7f}", " ", "!", "é", "\u{80}",
        ];
        for special in specials {
            for before in 0..20 {
                for after in 0..20 {
                    let text = format!("{}{special}{}", "ö".repeat(before), "[".repeat(after));
                    let mut room = [0; 200];
                    let mut sink = Sink::into(&mut room);
                    sink.string(&text);
                    let len = sink.len();
                    let json = room
                        .get(..len)
                        .and_then(|json| std::str::from_utf8(json).ok());
                    let theirs = serde_json::to_string(&text).ok();
                    assert_eq!(json, theirs.as_deref());
                }
            }
        }
    }

    #[test]
    fn a_byte_is_plain_alone_as_it_is_among_eight() {
        for byte in 0..=u8::MAX {
            let special = byte < 0x20 || byte == b'"' || byte == b'\\';
            for place in 0..8 {
                let mut eight = [b'~'; 8];
                if let Some(there) = eight.get_mut(place) {
                    *there = byte;
                }
                assert_eq!(plain_start(&eight), if special { place } else { 8 });
            }
        }
    }

    #[test]
    fn without_room_bytes_are_only_counted() {
        let mut room = [b'.'; 4];
        let mut sink = Sink::into(&mut room);
        sink.raw("abc");
        sink.raw("de");
        sink.byte(b'f');
        assert_eq!(sink.len(), 6);
        assert_eq!(&room, b"abc.");
    }
}
