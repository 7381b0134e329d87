//! Did you mean: the nearest name in a list.

/// The name nearest to `given`, if one is near enough to be meant.
///
/// ```
/// # use toolwright::input::nearest;
/// assert_eq!(nearest("filePath", ["file_path", "content"]), Some("file_path"));
/// assert_eq!(nearest("colour", ["size", "weight"]), None);
/// ```
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name from the model may be a megabyte long; nothing that long is a typing error.
    if given.len() > 128 {
        return None;
    }
    let folded: String = fold(given).collect();
    let length = folded.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        let other_length = folded_length(name);
        let limit = (length.max(other_length) / 3).max(1);
        // The distance is at least the difference of the lengths.
        if length.abs_diff(other_length) > limit {
            continue;
        }
        let other: String = fold(name).collect();
        let distance = strsim::osa_distance(&folded, &other);
        let near = distance <= limit && distance < other_length.max(1);
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Case and separators do not tell names apart.
fn fold(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' ' | '.'))
        .flat_map(char::to_lowercase)
}

/// How many characters [`fold`] leaves, without folding those of ASCII.
fn folded_length(name: &str) -> usize {
    if name.is_ascii() {
        let separators = name.bytes().filter(|byte| b"_- .".contains(byte));
        return name.len() - separators.count();
    }
    fold(name).count()
}
