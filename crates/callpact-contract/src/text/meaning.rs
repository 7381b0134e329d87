//! The words of a name: which of them reverse its meaning, and which are misspelt.

/// Words that reverse the meaning of a name, alone or with others.
const TURNS: [&str; 24] = [
    "after", "before", "disable", "enable", "end", "ex", "exclude", "first", "from", "in",
    "include", "last", "max", "min", "new", "no", "non", "not", "old", "out", "skip", "start",
    "to", "without",
];

/// Beginnings of words with opposite meanings.
const BEGINNINGS: [(&str, &[&str]); 16] = [
    (
        "",
        &[
            "as", "at", "de", "des", "dis", "down", "en", "im", "in", "ir", "max", "min", "non",
            "off", "on", "out", "over", "un", "under", "up",
        ],
    ),
    ("as", &["de", "des", "dis"]),
    ("at", &["de"]),
    ("de", &["en", "in", "up"]),
    ("dis", &["en"]),
    ("down", &["up"]),
    ("en", &["un"]),
    ("ex", &["im", "in"]),
    ("first", &["last"]),
    ("in", &["out"]),
    ("max", &["min"]),
    ("new", &["old"]),
    ("non", &["un"]),
    ("off", &["on"]),
    ("over", &["under"]),
    ("with", &["without"]),
];

/// Ends of words with opposite meanings.
const ENDS: [(&str, &[&str]); 6] = [
    ("ee", &["er", "ing", "or"]),
    ("er", &["ing"]),
    ("ful", &["less"]),
    ("in", &["out"]),
    ("ing", &["or"]),
    ("max", &["min"]),
];

/// Whether the differing words of two names change the meaning, such as `min` and `max`, or an additional `no`.
pub(super) fn turn_meaning(one: &[String], other: &[String]) -> bool {
    let only_in = |one: &[String], other: &[String]| -> Vec<String> {
        let missing = |word: &&String| !other.contains(word);
        one.iter().filter(missing).cloned().collect()
    };
    let (only_one, only_other) = (only_in(one, other), only_in(other, one));
    let are_opposed = if only_one.len() == only_other.len() {
        let mut pairs = only_one.iter().zip(&only_other);
        pairs.any(|(one, other)| are_opposites(one, other))
    } else {
        let is_nothing = only_one.is_empty() || only_other.is_empty();
        !is_nothing && are_opposites(&only_one.concat(), &only_other.concat())
    };
    let turns = |words: &[String], others: &[String]| {
        let mut turning = words.iter().filter(|word| is_turn(word));
        turning.any(|turn| !others.iter().any(|word| stands_in(turn, word, words)))
    };
    digits(&one.concat()) != digits(&other.concat())
        || are_opposed
        || turns(&only_one, &only_other)
        || turns(&only_other, &only_one)
}

fn is_turn(word: &str) -> bool {
    TURNS.contains(&word)
}

/// Whether a word is one that reverses the meaning: misspelt, in another form, or joined with its neighbour.
fn stands_in(turn: &str, word: &str, neighbours: &[String]) -> bool {
    let is_form = |part: &str| {
        let is_cut = is_short_for(part, turn) || is_short_for(turn, part);
        is_cut && !is_turn(part) && !are_opposites(part, turn)
    };
    let is_it = |part: &str| is_form(part) || is_misspelt(part, turn);
    let apart = |rest: Option<&str>| rest.is_some_and(|part| part == turn || is_it(part));
    let joined = |next: &String| {
        let next = &**next;
        next != turn && (apart(word.strip_suffix(next)) || apart(word.strip_prefix(next)))
    };
    is_it(word) || neighbours.iter().any(joined)
}

/// Whether a word is a typing error for one that reverses the meaning. In a short word, a wrong letter makes another
/// word; there, only a missing letter or two exchanged ones count.
fn is_misspelt(word: &str, turn: &str) -> bool {
    let sorted = |word: &str| -> Vec<u8> {
        let mut letters = word.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    let lacks_letter = turn.len() == 3 && word.len() == 2;
    let is_near = (lacks_letter || turn.len() < 4 && sorted(word) == sorted(turn))
        && strsim::osa_distance(word, turn) == 1;
    !is_turn(word) && (is_near || may_be_meant(word, turn))
}

/// Whether a word is the other one or its first letters, as `desc` is of `description`.
pub(super) fn is_short_for(word: &str, other: &str) -> bool {
    let rest = other.strip_prefix(word);
    rest.is_some_and(|rest| {
        rest.is_empty() || word.chars().count() >= 3 || rest == "s" && word.chars().count() >= 2
    })
}

/// Whether one of two different names may be a typing error for the other: each differing word is long
/// enough, and does not mean something else.
pub(super) fn is_typing_error(given: &str, name: &str) -> bool {
    let (given, name) = (words(given), words(name));
    if given.len() == name.len() {
        let pairs = given.iter().zip(&name).filter(|(one, other)| one != other);
        return pairs
            .into_iter()
            .all(|(one, other)| may_be_meant(one, other));
    }
    !turn_meaning(&given, &name) && may_be_meant(&given.concat(), &name.concat())
}

fn may_be_meant(one: &str, other: &str) -> bool {
    let length = one.chars().count().max(other.chars().count());
    let same_start = one.chars().next() == other.chars().next();
    length >= 4
        && digits(one) == digits(other)
        // The first letter is rarely wrong; in a short word, another first letter makes another
        // word.
        && (same_start || length >= 6)
        && strsim::osa_distance(one, other) <= (length / 3).max(1)
        && !are_opposites(one, other)
}

fn digits(word: &str) -> String {
    word.chars().filter(char::is_ascii_digit).collect()
}

/// Whether two words differ in a beginning or an end that reverses their meaning.
fn are_opposites(one: &str, other: &str) -> bool {
    type Rest = fn(&str, &str) -> Option<String>;
    let begin: Rest = |word, part| word.strip_prefix(part).map(str::to_owned);
    let end: Rest = |word, part| word.strip_suffix(part).map(str::to_owned);
    let differ = |rest: Rest, (part, opposites): &(&str, &[&str])| {
        opposites.iter().any(|opposite| {
            [(one, other), (other, one)].iter().any(|(one, other)| {
                rest(one, part).is_some_and(|left| rest(other, opposite) == Some(left))
            })
        })
    };
    BEGINNINGS.iter().any(|parts| differ(begin, parts))
        || ENDS.iter().any(|parts| differ(end, parts))
}

/// The words of a name, in lower case.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        let parts = is_separator(c);
        if (parts || c.is_uppercase() && lower) && words.last().is_some_and(|word| !word.is_empty())
        {
            words.push(String::new());
        }
        lower = c.is_lowercase();
        if !parts && let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

pub(super) fn is_separator(c: char) -> bool {
    matches!(c, '_' | '-' | ' ' | '.' | '"' | '\'' | '`')
}
