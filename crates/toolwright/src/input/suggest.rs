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
    let length = folded_length(given);
    let mut folded = None;
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        // Far too short before anything is folded: no character has less than a byte.
        if name.len() + (length / 3).max(1) < length {
            continue;
        }
        let other_length = folded_length(name);
        let limit = (length.max(other_length) / 3).max(1);
        let limit = best.map_or(limit, |(least, _)| limit.min(least - 1));
        // The distance is at least the difference of the lengths.
        if length.abs_diff(other_length) > limit {
            continue;
        }
        let folded: &String = folded.get_or_insert_with(|| fold(given).collect());
        let other: String = fold(name).collect();
        let distance = strsim::osa_distance(folded, &other);
        if distance <= limit && distance < other_length.max(1) {
            best = Some((distance, name));
            if distance == 0 {
                break;
            }
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
        let separator = |byte: &u8| matches!(byte, b'_' | b'-' | b' ' | b'.');
        return name.len() - name.bytes().filter(separator).count();
    }
    fold(name).count()
}
