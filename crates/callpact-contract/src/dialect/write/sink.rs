//! The target of the const writer: bytes are counted, hashed, or kept while there is room.

use super::definitions::NotedDefinitions;

/// Takes bytes. Without room it only counts them, and hashes them if asked to.
///
/// One writer serves three purposes through it (length, text, fingerprint), because a const function cannot be
/// generic over a trait. The compiler interprets this for every schema, and a call costs as much as ten steps.
/// So pieces are held, and many are copied in one loop.
pub(super) struct ByteSink<'a> {
    /// Pieces that are still to be copied.
    pieces: [(&'a [u8], usize); HELD],
    held: usize,
    /// The room after the copied bytes.
    free: &'a mut [u8],
    len: usize,
    hash: Option<u64>,
    /// The length from which a piece is copied by a call.
    long: usize,
    pub(super) definitions: NotedDefinitions<'a>,
}

/// How many pieces are held.
const HELD: usize = 64;

/// FNV-1a, 64 bits.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
const DIGITS: &[&[u8]; 16] = &[
    b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9", b"a", b"b", b"c", b"d", b"e", b"f",
];

impl<'a> ByteSink<'a> {
    /// Writes into a room, which is complete after [`flush`](Self::flush).
    pub(super) const fn into(room: &'a mut [u8]) -> Self {
        Self {
            pieces: [(&[], 0); HELD],
            held: 0,
            free: room,
            len: 0,
            hash: None,
            long: LONG,
            definitions: NotedDefinitions::NONE,
        }
    }

    /// Writes into a room like [`into`](Self::into), at run time.
    pub(super) fn at_run_time(room: &'a mut [u8]) -> Self {
        Self {
            long: 8,
            ..Self::into(room)
        }
    }

    pub(super) const fn hashing() -> Self {
        let mut sink = Self::into(&mut []);
        sink.hash = Some(OFFSET);
        sink
    }

    /// Hashes a text that is only compared with other texts.
    pub(super) const fn comparing() -> Self {
        let mut sink = Self::hashing();
        sink.definitions = NotedDefinitions::COMPARED;
        sink
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

    /// Adds a piece; one that does not fit ends the kept text.
    pub(super) const fn bytes(&mut self, piece: &'a [u8]) {
        let len = piece.len();
        self.len += len;
        if let Some(hash) = self.hash {
            self.hash = Some(hashed(hash, piece));
            return;
        }
        if self.held == HELD {
            self.flush();
        }
        self.pieces[self.held] = (piece, len);
        self.held += 1;
    }

    /// Adds a temporary piece.
    pub(super) const fn at_once(&mut self, piece: &[u8]) {
        self.len += piece.len();
        if let Some(hash) = self.hash {
            self.hash = Some(hashed(hash, piece));
            return;
        }
        self.flush();
        #[allow(clippy::mem_replace_with_default)] // `take` is not const
        let free = std::mem::replace(&mut self.free, &mut []);
        self.free = copy(&[(piece, piece.len())], free, self.long);
    }

    /// Copies the pieces that are held.
    pub(super) const fn flush(&mut self) {
        #[allow(clippy::mem_replace_with_default)] // `take` is not const
        let free = std::mem::replace(&mut self.free, &mut []);
        let (pieces, _) = self.pieces.split_at(self.held);
        self.free = copy(pieces, free, self.long);
        self.held = 0;
    }

    /// Text without escapes.
    pub(super) const fn raw(&mut self, text: &'a str) {
        self.bytes(text.as_bytes());
    }

    /// Text inside a JSON string.
    pub(super) const fn escaped(&mut self, text: &'a str) {
        let bytes = text.as_bytes();
        match special_in(bytes) {
            [] => self.bytes(bytes),
            special => self.escape(bytes, special, false),
        }
    }

    /// Text inside a JSON string that is inside another one.
    pub(super) const fn escaped_again(&mut self, text: &'a str) {
        let bytes = text.as_bytes();
        self.escape(bytes, special_in(bytes), true);
    }

    /// Escapes a text. The bytes before the special ones are copied unchanged.
    const fn escape(&mut self, mut rest: &'a [u8], mut special: &'a [u8], again: bool) {
        let mark: &[u8] = if again { b"\\\\" } else { b"\\" };
        loop {
            let (plain, _) = rest.split_at(rest.len() - special.len());
            self.bytes(plain);
            let [byte, after @ ..] = special else { return };
            self.bytes(mark);
            match *byte {
                b'"' if again => self.bytes(b"\\\""),
                b'\\' if again => self.bytes(b"\\\\"),
                b'"' => self.bytes(b"\""),
                b'\\' => self.bytes(b"\\"),
                b'\n' => self.bytes(b"n"),
                b'\t' => self.bytes(b"t"),
                control => {
                    self.bytes(b"u00");
                    self.bytes(DIGITS[(control >> 4) as usize]);
                    self.bytes(DIGITS[(control & 15) as usize]);
                }
            }
            rest = after;
            special = special_in(rest);
        }
    }

    /// A JSON string.
    pub(super) const fn string(&mut self, text: &'a str) {
        self.bytes(b"\"");
        self.escaped(text);
        self.bytes(b"\"");
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a digit fits a byte
    pub(super) const fn integer(&mut self, value: i128) {
        if 0 <= value && value < 10 {
            return self.bytes(DIGITS[value as usize]);
        }
        if value < 0 {
            self.bytes(b"-");
        }
        let mut digits = [0u8; 40];
        let mut rest = value.unsigned_abs();
        let mut start = digits.len();
        // Division of 128 bits is a call, and very few numbers need it.
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
        self.at_once(shown);
    }
}

const fn hashed(mut hash: u64, piece: &[u8]) -> u64 {
    let mut rest = piece;
    while let [byte, behind @ ..] = rest {
        hash = (hash ^ *byte as u64).wrapping_mul(PRIME);
        rest = behind;
    }
    hash
}

/// From this length on, a call costs the compiler less than the blocks of [`copy`].
const LONG: usize = 64;

/// Copies pieces to the start of the room. Returns the remaining room, which is empty once a piece did not fit.
///
/// Uses patterns, since the compiler needs as long for one call or index as for many of them.
const fn copy<'a>(
    mut pieces: &[(&[u8], usize)],
    mut free: &'a mut [u8],
    long: usize,
) -> &'a mut [u8] {
    while let [(piece, len), others @ ..] = pieces {
        let mut piece = *piece;
        pieces = others;
        if *len >= long {
            let Some((place, left)) = free.split_at_mut_checked(*len) else {
                return &mut [];
            };
            place.copy_from_slice(piece);
            free = left;
            continue;
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
        match (piece, free) {
            ([], left) => free = left,
            ([byte], [to, left @ ..]) => {
                *to = *byte;
                free = left;
            }
            _ => return &mut [],
        }
    }
    free
}

macro_rules! is_plain {
    ($(#[$doc:meta])* $name:ident $word:ident) => {
        $(#[$doc])*
        const fn $name(bytes: $word) -> bool {
            const ONES: $word = $word::MAX / 255;
            const HIGH: $word = ONES << 7;
            // In each byte, the highest bit is set if the rest is not the searched byte, or not below the space.
            let rest = bytes & !HIGH;
            let not_quote = (rest ^ (ONES * 0x22)) + ONES * 0x7f;
            let not_backslash = (rest ^ (ONES * 0x5c)) + ONES * 0x7f;
            let not_control = rest + ONES * 0x60;
            (not_quote & not_backslash & not_control | bytes) & HIGH == HIGH
        }
    };
}
is_plain!(
    /// Whether sixteen bytes need no escape in a JSON string.
    sixteen_are_plain u128
);
is_plain!(
    /// Whether eight bytes need no escape in a JSON string.
    eight_are_plain u64
);

/// The rest from the first byte that needs an escape in a JSON string.
const fn special_in(mut rest: &[u8]) -> &[u8] {
    while let Some((block, behind)) = rest.split_first_chunk()
        && sixteen_are_plain(u128::from_ne_bytes(*block))
    {
        rest = behind;
    }
    // The first and the last bytes of a shorter text, which may overlap.
    if let Some(first) = rest.first_chunk()
        && let Some(last) = rest.last_chunk()
        && rest.len() <= 16
    {
        if eight_are_plain(u64::from_ne_bytes(*first)) && eight_are_plain(u64::from_ne_bytes(*last))
        {
            return &[];
        }
    } else if let Some(first) = rest.first_chunk()
        && let Some(last) = rest.last_chunk()
        && rest.len() < 8
    {
        let first = u32::from_ne_bytes(*first) as u64;
        if eight_are_plain(first << 32 | u32::from_ne_bytes(*last) as u64) {
            return &[];
        }
    }
    while let &[byte, ref behind @ ..] = rest
        && byte >= 0x20
        && byte != b'"'
        && byte != b'\\'
    {
        rest = behind;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{ByteSink, special_in};

    #[test]
    fn escapes_special_bytes_at_every_position() {
        let specials = [
            "\"", "\\", "\n", "\t", "\u{0}", "\u{1f}", "\u{7f}", " ", "!", "é", "\u{80}",
        ];
        for special in specials {
            for before in 0..20 {
                for after in 0..20 {
                    let text = format!("{}{special}{}", "ö".repeat(before), "[".repeat(after));
                    let mut room = [0; 200];
                    let mut sink = ByteSink::into(&mut room);
                    sink.string(&text);
                    sink.flush();
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
    fn finds_special_byte_at_every_position() {
        const LENGTH: usize = 27;
        for byte in 0..=u8::MAX {
            let special = byte < 0x20 || byte == b'"' || byte == b'\\';
            for place in 0..LENGTH {
                let mut many = [b'~'; LENGTH];
                if let Some(there) = many.get_mut(place) {
                    *there = byte;
                }
                let special = if special { &many[place..] } else { &[] };
                assert_eq!(special_in(&many), special);
            }
        }
    }

    #[test]
    fn without_room_bytes_are_only_counted() {
        let mut room = [b'.'; 4];
        let mut sink = ByteSink::into(&mut room);
        sink.raw("abc");
        sink.raw("de");
        sink.raw("f");
        sink.flush();
        assert_eq!(sink.len(), 6);
        assert_eq!(&room, b"abc.");
    }
}
