//! Random numbers that are the same on every machine, and the words that they choose.

/// A generator of random numbers with a fixed seed.
pub struct Draw(u64);

const WORDS: [&str; 24] = [
    "search", "the", "report", "of", "last", "week", "for", "every", "customer", "in", "a",
    "region", "and", "write", "summary", "with", "links", "to", "sources", "that", "were", "found",
    "before", "noon",
];

impl Draw {
    /// A generator that starts from this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Sixty-four random bits, by splitmix64.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let index = usize::try_from(self.below(all.len() as u64)).unwrap_or_default();
        all.get(index).unwrap_or(&all[0])
    }

    /// So many words with spaces between them.
    pub fn words(&mut self, count: u64) -> String {
        let words: Vec<&str> = (0..count).map(|_| *self.one_of(&WORDS)).collect();
        words.join(" ")
    }

    /// Puts these into a random order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            let other = usize::try_from(self.below(last as u64 + 1)).unwrap_or_default();
            all.swap(last, other);
        }
    }
}
