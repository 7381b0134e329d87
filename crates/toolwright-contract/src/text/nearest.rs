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

/// Case and separators do not tell names apart, nor do quotes: a name may have been encoded twice.
fn fold(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' ' | '.' | '"' | '\'' | '`'))
        .flat_map(char::to_lowercase)
}

/// How many characters [`fold`] leaves, without folding those of ASCII.
fn folded_length(name: &str) -> usize {
    if name.is_ascii() {
        let left_out = |byte: &u8| matches!(byte, b'_' | b'-' | b' ' | b'.' | b'"' | b'\'' | b'`');
        return name.len() - name.bytes().filter(left_out).count();
    }
    fold(name).count()
}

/// A name without its case and separators.
fn without_case(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
}

/// The only name that differs in case and separators alone.
pub(crate) fn only_by_case<'a>(
    given: &str,
    names: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    // A name from the model may be a megabyte long.
    if given.len() > 256 || without_case(given).next().is_none() {
        return None;
    }
    let mut found = None;
    for name in names.filter(|name| without_case(name).eq(without_case(given))) {
        if found.is_some_and(|found| found != name) {
            return None;
        }
        found = Some(name);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_third_of_a_name_may_be_wrong() {
        for (given, name) in [
            // Of three characters one, of six two, of nine three.
            ("abc", "abx"),
            ("abcdef", "abcdxy"),
            ("abcdefghi", "abcdefxyz"),
            // Left out, or too much.
            ("abcdefghij", "abcdefg"),
            ("abcdefg", "abcdefghi"),
            // One may always be wrong, but not all.
            ("ab", "ax"),
            // The longer of the two counts, without what parts words.
            ("abc", "a_b_x"),
            ("a_b_c", "abx"),
            ("a_b_c_d_e_f_g_h", "abcdefgh"),
            ("abcdefgh", "a.b-c d_e_f_g_h"),
            ("Übergröße", "uber-grose"),
            // Encoded twice, or quoted as in a shell.
            ("\"sqaure\"", "square"),
            ("'Übergröße'", "uber-grose"),
            ("`a`", "a"),
        ] {
            assert_eq!(nearest(given, [name]), Some(name), "{given}");
        }
        for (given, name) in [
            ("abc", "axy"),
            ("abcde", "abcxy"),
            ("abcdef", "abcxyz"),
            ("abcdefgh", "abcdexyz"),
            ("abcdefghij", "abcdef"),
            ("abcd", "abcdefg"),
            ("a", "b"),
            ("a__b", "c__d"),
        ] {
            assert_eq!(nearest(given, [name]), None, "{given}");
        }
    }

    #[test]
    fn the_nearest_of_several_and_then_the_first() {
        for (given, names, best) in [
            ("abcdef", ["abcdxy", "abcdex"], "abcdex"),
            ("abcdef", ["abcdex", "abcdxy"], "abcdex"),
            ("abcdef", ["abcdex", "abcdey"], "abcdex"),
            ("abcdef", ["abcdex", "ABC_DEF"], "ABC_DEF"),
            ("abcdef", ["ABC_DEF", "abcdef"], "ABC_DEF"),
        ] {
            assert_eq!(nearest(given, names), Some(best), "{given} of {names:?}");
        }
    }

    #[test]
    fn a_very_long_name_is_no_typing_error() {
        let name = "a".repeat(127);
        let given = |length: usize| "a".repeat(length);
        for near in [127, 128] {
            assert_eq!(nearest(&given(near), [&*name]), Some(&*name));
        }
        for far in [129, 1_000_000] {
            assert_eq!(nearest(&given(far), [&*name]), None);
        }
    }
}
