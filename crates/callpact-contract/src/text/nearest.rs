//! Did you mean: the nearest name in a list.

use super::meaning::{is_separator, is_short_for, is_typing_error, turn_meaning, words};

/// The name nearest to `given`, if one is near enough.
///
/// Names that differ only in case and separators are always near. Names below four letters, digits,
/// and words with opposite meanings never count as typing errors.
///
/// ```
/// # use callpact::input::nearest;
/// assert_eq!(nearest("filePath", ["file_path", "content"]), Some("file_path"));
/// assert_eq!(nearest("colour", ["size", "weight"]), None);
/// assert_eq!(nearest("import", ["export"]), None);
/// ```
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name from the model may be a megabyte long; nothing that long is a typing error.
    if given.len() > 128 {
        return None;
    }
    let length = folded_length(given);
    let mut folded = None;
    let mut best: Option<(usize, &str)> = None;
    let mut several = false;
    for name in names {
        // Far too short, even before the names are folded: a character has at least one byte.
        if name.len() + (length / 3).max(1) < length {
            continue;
        }
        let other_length = folded_length(name);
        let limit = (length.max(other_length) / 3).max(1);
        let limit = best.map_or(limit, |(least, _)| limit.min(least));
        // The distance is at least the difference of the lengths.
        if length.abs_diff(other_length) > limit {
            continue;
        }
        let folded: &String = folded.get_or_insert_with(|| fold(given).collect());
        let other: String = fold(name).collect();
        let distance = strsim::osa_distance(folded, &other);
        if distance == 0 && other_length > 0 {
            return Some(name);
        }
        if distance <= limit && distance < other_length && is_typing_error(given, name) {
            several = best.is_some_and(|(least, _)| least == distance);
            best = Some((distance, name));
        }
    }
    // If two are equally near, choosing one would be a guess.
    best.filter(|_| !several).map(|(_, name)| name)
}

/// The names nearest to `given`, the nearest first: those with the most words in common, then those with the
/// fewest different letters. It returns as many as requested, however far they are.
///
/// ```
/// # use callpact::input::nearest_of;
/// let names = ["move_file", "send_mail", "read_mail", "read_file"];
/// assert_eq!(nearest_of("file_read", names, 2), ["read_file", "move_file"]);
/// ```
pub fn nearest_of<'a>(
    given: &str,
    names: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let given: String = given.chars().take(128).collect();
    let folded: String = fold(&given).collect();
    let given = words(&given);
    let far = |name: &str| {
        let common = words(name)
            .iter()
            .filter(|word| given.contains(word))
            .count();
        let other: String = fold(name).collect();
        (
            given.len() - common.min(given.len()),
            strsim::osa_distance(&folded, &other),
        )
    };
    let mut ranked: Vec<_> = names.into_iter().map(|name| (far(name), name)).collect();
    // Equally distant names stay in the order of the list.
    ranked.sort_by_key(|(far, _)| *far);
    ranked.truncate(most);
    ranked.into_iter().map(|(_, name)| name).collect()
}

/// The name that `given` is nearest to, or the only one whose words it shares.
pub(crate) fn meant_by<'a>(
    given: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    nearest(given, names.clone()).or_else(|| {
        let mut like = names.into_iter().filter(|name| shares_words(given, name));
        like.next().filter(|_| like.next().is_none())
    })
}

/// Whether `given` may mean `name`: a third of its letters may be wrong, or one name has the words of the other,
/// perhaps cut short or in another order, such as `write_mode` for `mode`. This is wider than [near](nearest), since
/// no name is suggested.
pub(crate) fn resembles(given: &str, name: &str) -> bool {
    let longer = given.len().max(name.len());
    let (given_letters, name_letters) = (letters(given), letters(name));
    // A typing error changes at most a third of the letters, and each change affects at most two kinds of letters. Beyond
    // ASCII, another case may be another kind.
    let is_ascii = (given_letters | name_letters) & BEYOND_ASCII == 0;
    let most = longer / 3 * 2 + if is_ascii { 0 } else { 2 };
    let apart = (given_letters ^ name_letters).count_ones() as usize;
    let may_be_near = given.len() <= 128 && apart <= most;
    may_be_near && are_near(given, name) || shares_words(given, name)
}

/// Whether one of two names has all words of the other, and none that reverses the meaning.
pub(crate) fn shares_words(given: &str, name: &str) -> bool {
    let (given_letters, name_letters) = (letters(given), letters(name));
    let shared = given_letters & name_letters;
    // A name from the model may be a megabyte long, and a call may have a million of them.
    let is_near =
        shared == given_letters || shared == name_letters || is_plural(given) || is_plural(name);
    given.len() <= 128 && is_near && {
        let (given, name) = (words(given), words(name));
        has_words_of(&given, &name) && !turn_meaning(&given, &name)
    }
}

/// Parts of a name that a name which resembles it mostly has too: its ends, and the beginning of each word.
pub(crate) fn landmarks(name: &str) -> Vec<String> {
    let folded: Vec<char> = fold(name).take(128).collect();
    let ends = [
        folded.get(..2),
        folded
            .len()
            .checked_sub(2)
            .and_then(|start| folded.get(start..)),
    ];
    let ends = ends.into_iter().flatten().zip(['^', '$']);
    let mut all: Vec<String> = ends
        .map(|(part, end)| part.iter().chain([&end]).collect())
        .collect();
    let name: String = name.chars().take(128).collect();
    all.extend(
        words(&name)
            .iter()
            .map(|word| word.chars().take(3).collect()),
    );
    all
}

fn are_near(given: &str, name: &str) -> bool {
    let (one, other): (String, String) = (fold(given).collect(), fold(name).collect());
    let length = one.chars().count().max(other.chars().count());
    one == other
        || length >= 4
            && strsim::osa_distance(&one, &other) <= length / 3
            && !turn_meaning(&words(given), &words(name))
}

/// The bit of all characters beyond ASCII among the [letters] of a name.
const BEYOND_ASCII: u32 = 1 << 26;

/// A bit for each letter in a name, and one for all characters beyond ASCII.
fn letters(name: &str) -> u32 {
    name.bytes().fold(0, |letters, byte| match byte {
        b'a'..=b'z' => letters | 1 << (byte - b'a'),
        b'A'..=b'Z' => letters | 1 << (byte - b'A'),
        0x80.. => letters | BEYOND_ASCII,
        _ => letters,
    })
}

/// Whether one of two names has all words of the other.
fn has_words_of(one: &[String], other: &[String]) -> bool {
    let (few, many) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let length = |words: &[String]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    if length(few) < 3 && few != ["id"] {
        return false;
    }
    if let ([word], [compound]) = (few, many) {
        let (short, long) = if word.len() < compound.len() {
            (word, compound)
        } else {
            (compound, word)
        };
        let is_end = short.chars().count() >= 4 && long.ends_with(&**short);
        return is_short_for(short, long) || is_end || is_plural_of(long, short);
    }
    let mut rest: Vec<&String> = many.iter().collect();
    for word in few {
        let same = |other: &&String| {
            is_short_for(word, other)
                || is_short_for(other, word)
                || is_plural_of(word, other)
                || is_plural_of(other, word)
        };
        let Some(found) = rest.iter().position(same) else {
            return false;
        };
        rest.remove(found);
    }
    true
}

/// Whether a name ends in a plural with other letters than its singular.
fn is_plural(name: &str) -> bool {
    name.ends_with("ies")
}

/// Whether a word is such a plural of another one, as `retries` is of `retry`.
fn is_plural_of(word: &str, other: &str) -> bool {
    let stem = word.strip_suffix("ies");
    stem.is_some_and(|stem| other.strip_suffix('y') == Some(stem))
}

/// Case, separators and quotes do not tell names apart; a name may have been encoded twice.
fn fold(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|c| !is_separator(*c))
        .flat_map(char::to_lowercase)
}

/// One for each byte that [`fold`] leaves out.
static SEPARATORS: [u8; 256] = {
    let mut separators = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let is_one = matches!(byte, b'_' | b'-' | b' ' | b'.' | b'"' | b'\'' | b'`');
        separators[byte as usize] = is_one as u8;
        byte += 1;
    }
    separators
};

/// How many characters [`fold`] keeps, without folding ASCII.
fn folded_length(name: &str) -> usize {
    if name.is_ascii() {
        let left_out = |byte| {
            SEPARATORS
                .get(usize::from(byte))
                .copied()
                .unwrap_or_default()
        };
        return name.len()
            - name
                .bytes()
                .map(|byte| usize::from(left_out(byte)))
                .sum::<usize>();
    }
    fold(name).count()
}

/// A name without its case and separators.
fn without_case(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
}

/// A name without its case and separators, for a table of names.
pub(crate) fn fold_case(name: &str) -> String {
    without_case(name).collect()
}

/// A bit for the first letter of a name in either case. Two names without a common bit differ in more than case and
/// separators; a name that begins with anything else has all bits.
#[inline]
pub(crate) const fn initial(name: &str) -> u32 {
    match name.as_bytes() {
        [first, ..] => INITIALS[*first as usize],
        [] => u32::MAX,
    }
}

/// By the first byte.
static INITIALS: [u32; 256] = {
    let mut bits = [u32::MAX; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            bits[byte as usize] = 1 << (byte & 31);
        }
        byte += 1;
    }
    bits
};

/// Whether two names differ only in case and separators, or not at all.
fn differ_by_case(one: &str, other: &str) -> bool {
    let plain = |byte: &u8| !matches!(byte, b'_' | b'-' | b' ');
    if initial(one) & initial(other) == 0 {
        return false;
    }
    let mut bytes = one.bytes().filter(plain);
    let mut others = other.bytes().filter(plain);
    loop {
        match (bytes.next(), others.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if !a.is_ascii() || !b.is_ascii() => {
                return without_case(one).eq(without_case(other));
            }
            (Some(a), Some(b)) if a.eq_ignore_ascii_case(&b) => {}
            _ => return false,
        }
    }
}

/// The only name that differs just in case and separators.
pub(crate) fn only_by_case<'a>(
    given: &str,
    names: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    // A name from the model may be a megabyte long.
    if given.len() > 256 || given.bytes().all(|byte| matches!(byte, b'_' | b'-' | b' ')) {
        return None;
    }
    let mut found = None;
    for name in names.filter(|name| differ_by_case(name, given)) {
        if found.is_some_and(|found| found != name) {
            return None;
        }
        found = Some(name);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{differ_by_case, initial, nearest, resembles};

    #[test]
    fn case_variants_share_initial() {
        let alike = ["file_path", "FilePath", "_filePath", "-FILE-PATH"];
        for (one, other) in alike.iter().flat_map(|one| alike.map(|other| (one, other))) {
            assert!(differ_by_case(one, other), "{one} {other}");
            assert_ne!(initial(one) & initial(other), 0, "{one} {other}");
        }
        // The lower case of the Kelvin sign is the letter k.
        assert!(differ_by_case("\u{212a}elvin", "kelvin"));
        assert_eq!(initial("path") & initial("Query"), 0);
        assert_eq!(initial(""), u32::MAX);
    }

    #[test]
    fn a_third_of_a_name_may_be_wrong() {
        for (given, name) in [
            // One wrong of four characters, two of six, three of nine.
            ("abcd", "abcx"),
            ("abcdef", "abcdxy"),
            ("abcdefghi", "abcdefxyz"),
            // A part is missing, or there is too much.
            ("abcdefghij", "abcdefg"),
            ("abcdefg", "abcdefghi"),
            // The longer name counts, without its separators.
            ("abcd", "a_b_c_x"),
            ("a_b_c_d", "abcx"),
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
    fn another_word_is_no_typing_error() {
        for (given, name) in [
            ("UK", "US"),
            ("le", "ne"),
            ("m", "km"),
            ("eur", "euro2"),
            ("import", "export"),
            ("increase", "decrease"),
            ("encrypt", "decrypt"),
            ("inactive", "active"),
            ("unlock", "lock"),
            ("attach", "detach"),
            ("unlock_door", "lock_door"),
            ("payer", "payee"),
            ("payer_id", "payee_id"),
            ("min_price", "max_price"),
            ("minPrice", "max_price"),
            ("line1", "line2"),
            ("from_date", "to_date"),
            ("hire", "fire"),
        ] {
            assert_eq!(nearest(given, [name]), None, "{given}");
            assert_eq!(nearest(name, [given]), None, "{name}");
        }
        for (given, name) in [
            ("enable_cache", "disable_cache"),
            ("enabled", "disabled"),
            ("included_tags", "exclude_tags"),
            ("with_hidden", "without_hidden"),
            ("minresult", "max_results"),
            ("minprice", "maxprice"),
            ("encryptfile", "decrypt_file"),
            ("lastname", "firstname"),
            ("last_name", "first_name"),
            ("input", "output"),
            ("ascending", "descending"),
            ("careful", "careless"),
            ("upgrade", "downgrade"),
        ] {
            for (given, name) in [(given, name), (name, given)] {
                assert_eq!(nearest(given, [name]), None, "{given}");
                assert!(!resembles(given, name), "{given} {name}");
            }
        }
        for (given, name) in [
            ("file_pth", "file_path"),
            ("qeury", "query"),
            ("max_row", "max_rows"),
            ("lokc_door", "lock_door"),
            ("UnLock", "unlock"),
            ("ID", "id"),
        ] {
            assert_eq!(nearest(given, [name]), Some(name), "{given}");
        }
    }

    #[test]
    fn names_resemble_by_letters_or_words() {
        for (given, name) in [
            ("dry_rum", "dry_run"),
            ("dryRun", "dry_run"),
            ("write_mode", "mode"),
            ("filepath", "path"),
            ("desc", "description"),
            ("max_temp", "max_temperature"),
            ("run_dry", "dry_run"),
            ("user_id", "id"),
            ("units", "unit"),
            ("timeout_ms", "timeout"),
            // A typing error in a word that reverses the meaning, or another form of it.
            ("satrt_line", "start_line"),
            ("strat_line", "start_line"),
            ("star_line", "start_line"),
            ("strtline", "start_line"),
            ("edn_line", "end_line"),
            ("ed_line", "end_line"),
            ("ot_date", "to_date"),
            ("form_date", "from_date"),
            ("mx_results", "max_results"),
            ("mxresults", "max_results"),
            ("maxresult", "max_results"),
            ("maximum_results", "max_results"),
            ("incldue_hidden", "include_hidden"),
            ("incl_hidden", "include_hidden"),
            ("disbale_cache", "disable_cache"),
            ("enable", "enabled"),
            ("befor", "before"),
            ("beofre", "before"),
            // Not every beginning is the opposite of every other.
            ("discription", "description"),
            ("imput", "input"),
            ("unstall", "install"),
            ("adviser", "advisor"),
            ("change_rate", "exchange_rate"),
        ] {
            assert!(resembles(given, name), "{given} {name}");
            assert!(resembles(name, given), "{name} {given}");
        }
        for (given, name) in [
            ("reason", "season_id"),
            ("no_timeout", "timeout"),
            ("min_price", "max_price"),
            ("min_price", "price"),
            ("line1", "line2"),
            ("item_2", "item"),
            ("from_date", "to_date"),
            ("payer", "payee"),
            ("x", "x_label"),
            ("lat", "lng"),
            ("other", "speed"),
            ("mid_price", "min_price"),
            ("net_price", "new_price"),
            ("odd_value", "old_value"),
            ("mx_results", "min_results"),
            ("disbale_cache", "enable_cache"),
            ("in_price", "min_price"),
        ] {
            assert!(!resembles(given, name), "{given} {name}");
            assert!(!resembles(name, given), "{name} {given}");
        }
        assert!(!resembles(&"a".repeat(129), "aaaa"));
    }

    #[test]
    fn picks_nearest_name_and_rejects_ties() {
        assert_eq!(nearest("abcdef", ["abcdex", "abcdey"]), None);
        assert_eq!(nearest("abcdef", ["abcdxy", "abcdex", "abcdey"]), None);
        for (given, names, best) in [
            ("abcdef", ["abcdxy", "abcdex"], "abcdex"),
            ("abcdef", ["abcdex", "abcdxy"], "abcdex"),
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
