//! Where the const writer puts its bytes: counted, hashed, or kept while there is room.

/// Takes bytes; with no room it only counts, and hashes where that is asked for.
///
/// One writer serves three purposes through it (length, text, fingerprint), because a const
/// function cannot be generic over a trait. Bytes are taken by the piece: the compiler interprets this
/// for every schema, and a list of tools is written for every request.
pub(super) struct Sink<'a> {
    /// The room behind what is written.
    free: &'a mut [u8],
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
            free: room,
            len: 0,
            hash: None,
        }
    }

    pub(super) const fn counting() -> Sink<'static> {
        Sink {
            free: &mut [],
            len: 0,
            hash: None,
        }
    }

    pub(super) const fn hashing() -> Sink<'static> {
        Sink {
            free: &mut [],
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

    /// A piece: all of it is kept, or nothing, and then nothing more.
    pub(super) const fn bytes(&mut self, piece: &[u8]) {
        #[allow(clippy::mem_replace_with_default)] // `take` is not const
        let free = std::mem::replace(&mut self.free, &mut []);
        self.free = if piece.len() <= free.len() {
            copy(piece, free)
        } else {
            &mut []
        };
        self.len += piece.len();
        if let Some(mut hash) = self.hash {
            let mut i = 0;
            while i < piece.len() {
                hash = step(hash, piece[i]);
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
            let start = plain_start(rest);
            if start == rest.len() {
                self.bytes(rest);
                return;
            }
            let (plain, special) = rest.split_at(start);
            self.bytes(plain);
            let [byte, after @ ..] = special else { return };
            self.raw(mark);
            match *byte {
                b'"' if again => self.raw("\\\""),
                b'\\' if again => self.raw("\\\\"),
                b'"' => self.raw("\""),
                b'\\' => self.raw("\\"),
                b'\n' => self.raw("n"),
                b'\t' => self.raw("t"),
                control => {
                    let digits = [HEX[(control >> 4) as usize], HEX[(control & 15) as usize]];
                    self.raw("u00");
                    self.bytes(&digits);
                }
            }
            rest = after;
        }
    }

    /// A JSON string.
    pub(super) const fn string(&mut self, text: &str) {
        self.raw("\"");
        self.escaped(text);
        self.raw("\"");
    }

    #[allow(clippy::cast_possible_truncation)] // a digit fits a byte
    pub(super) const fn integer(&mut self, value: i128) {
        if value < 0 {
            self.raw("-");
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

/// From here on a call costs the compiler less than the blocks of [`copy`].
const LONG: usize = 64;

/// Copies a piece to the start of the room, which has place for it; the room that is left.
///
/// By patterns, since the compiler interprets a call, or an index, in the time of many of them.
const fn copy<'a>(mut piece: &[u8], mut free: &'a mut [u8]) -> &'a mut [u8] {
    if piece.len() >= LONG {
        let (place, free) = free.split_at_mut(piece.len());
        place.copy_from_slice(piece);
        return free;
    }
    macro_rules! block {
        ($when:tt $($from:ident $to:ident)*) => {
            $when let [$($from,)* rest @ ..] = piece
                && let [$($to,)* left @ ..] = free
            {
                $(*$to = *$from;)*
                piece = rest;
                free = left;
            }
        };
    }
    block!(while a0 b0 a1 b1 a2 b2 a3 b3 a4 b4 a5 b5 a6 b6 a7 b7
        a8 b8 a9 b9 a10 b10 a11 b11 a12 b12 a13 b13 a14 b14 a15 b15);
    block!(if a0 b0 a1 b1 a2 b2 a3 b3 a4 b4 a5 b5 a6 b6 a7 b7);
    block!(if a0 b0 a1 b1 a2 b2 a3 b3);
    block!(if a0 b0 a1 b1);
    if let [byte] = piece
        && let [to, left @ ..] = free
    {
        *to = *byte;
        free = left;
    }
    free
}

/// Whether eight bytes stand in a JSON string as they are.
const fn is_plain(eight: u64) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    // In each byte the highest bit is set where the rest is not the byte, or not below the space.
    let rest = eight & !HIGH;
    let not_quote = (rest ^ (ONES * 0x22)) + ONES * 0x7f;
    let not_backslash = (rest ^ (ONES * 0x5c)) + ONES * 0x7f;
    let not_control = rest + ONES * 0x60;
    (not_quote & not_backslash & not_control | eight) & HIGH == HIGH
}

/// How many bytes at the start stand in a JSON string as they are.
const fn plain_start(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let [b0, b1, b2, b3, b4, b5, b6, b7, behind @ ..] = rest
        && is_plain(u64::from_ne_bytes([*b0, *b1, *b2, *b3, *b4, *b5, *b6, *b7]))
    {
        rest = behind;
    }
    while let [byte, behind @ ..] = rest
        && *byte >= 0x20
        && *byte != b'"'
        && *byte != b'\\'
    {
        rest = behind;
    }
    bytes.len() - rest.len()
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
        sink.raw("f");
        assert_eq!(sink.len(), 6);
        assert_eq!(&room, b"abc.");
    }
}
