//! The names that an object declares, found by the first bytes of a key.

use super::string::plain_part;

/// Names by number, and the number of each name by a hash of its first sixteen bytes.
#[derive(Clone, Copy)]
pub struct NameTable {
    pub(crate) names: &'static [&'static str],
    /// The number of each name at the place of its hash, or behind it if that place was taken; [`FREE`] elsewhere.
    pub(crate) places: &'static [u16],
}

/// A place without a name.
const FREE: u16 = u16::MAX;

impl NameTable {
    #[inline]
    pub(crate) fn name(&self, number: usize) -> Option<&'static str> {
        self.names.get(number).copied()
    }

    /// The number of the name that a key is, which begins these bytes and for which `is_it` holds.
    #[inline]
    pub(super) fn find_start(
        &self,
        key: &[u8],
        mut is_it: impl FnMut(&'static str) -> bool,
    ) -> Option<usize> {
        let mut place = hash(key) & (self.places.len().wrapping_sub(1));
        loop {
            let number = usize::from(*self.places.get(place)?);
            // No name has the number of a free place.
            if is_it(self.names.get(number)?) {
                return Some(number);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
    }

    /// The number of the name that is this key.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.find_start(key.as_bytes(), |name| name == key)
    }
}

/// The places of names in a table of `N` places, a power of two and more than there are names.
pub(crate) const fn places<const N: usize>(names: &[&str], count: usize) -> [u16; N] {
    assert!(N.is_power_of_two() && count < N && N <= FREE as usize);
    let mut places = [FREE; N];
    let mut number = 0;
    while number < count {
        let mut place = hash(names[number].as_bytes()) & (N - 1);
        while places[place] != FREE {
            place = (place + 1) & (N - 1);
        }
        #[allow(clippy::cast_possible_truncation)] // below N
        {
            places[place] = number as u16;
        }
        number += 1;
    }
    places
}

/// A hash of the first sixteen bytes, up to one that a string cannot contain as it is. A name and a text that begins
/// with it and a quote have the same hash.
#[inline]
const fn hash(bytes: &[u8]) -> usize {
    let (first, is_whole) = plain_part(word(bytes));
    let second = match bytes.split_at_checked(8) {
        Some((_, rest)) if is_whole => plain_part(word(rest)).0,
        _ => 0,
    };
    let product = (first ^ second.rotate_left(32)) as u128 * 0x9E37_79B9_7F4A_7C15;
    #[allow(clippy::cast_possible_truncation)] // the halves are mixed
    {
        ((product >> 64) ^ product) as usize
    }
}

/// The first eight bytes, with zeros behind the end.
#[inline]
const fn word(bytes: &[u8]) -> u64 {
    if let Some(word) = bytes.first_chunk() {
        return u64::from_le_bytes(*word);
    }
    let mut word = [0; 8];
    let mut i = 0;
    while i < bytes.len() {
        word[i] = bytes[i];
        i += 1;
    }
    u64::from_le_bytes(word)
}
