//! Lists of words as one text.

/// The words of a list, which have a space between them.
pub(crate) fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split_ascii_whitespace()
}

/// Whether a list has a word.
pub(crate) fn has_word(list: &str, word: &str) -> bool {
    words(list).any(|one| one == word)
}
