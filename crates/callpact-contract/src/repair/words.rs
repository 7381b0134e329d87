//! The words around a call that are dropped: those that introduce or close it, and nothing else. What speaks
//! against a call cannot be listed, so every other word keeps it from being one.
//!
//! The lists have commas between their entries, of which some are several words.

/// Parts of a sentence before a call. None of them denies, asks, doubts, counts or puts off.
const BEFORE: &str = "a, an, the, this, these, it, my, final, following, requested, json, tool, call, function, \
    argument, arguments, args, parameter, parameters, params, input, output, object, answer, response, result, \
    here, is, are, i, i'll, i'm, i am, i will, let me, calling, using, use, with, for, and, now, below, \
    as follows";

/// With these at its front, a sentence may be a question or an instruction to somebody else.
const NOT_FIRST: &str = "is, are, use";

/// Whole sentences before a call or after it.
const ALONE: &str = "here you are, here you go, as asked, as requested, as you asked, as you requested, thanks, \
    thank you";

/// Whole sentences before a call.
const ALONE_BEFORE: &str =
    "sure, okay, ok, alright, all right, certainly, absolutely, of course, so";

/// Whole sentences after a call. An introduction there would be that of another call.
const ALONE_AFTER: &str = "done, all done, end, that is all, that's all, that is the call, this is the call, \
    this is my call, this is the final call, bye, goodbye";

/// The names of languages that models give to the fence of a call.
const LANGUAGES: &str = "json, jsonc, json5, jsonl, javascript, js, typescript, ts, python, py, text, txt, \
    plaintext, plain, tool, tool_call, tool_calls, tool_code, function_call, arguments, parameters";

/// Where words stand.
#[derive(Clone, Copy)]
pub(super) enum WordSide {
    Before,
    After,
}

/// Whether a text is words that introduce or close a call, and at least one of them.
pub(super) fn accompany(text: &str, side: WordSide) -> bool {
    let text = text.trim();
    let ends: &[char] = match side {
        WordSide::Before => &['.', ',', ';', '!', '\n', ':'],
        WordSide::After => &['.', ',', ';', '!', '\n'],
    };
    let mut any = false;
    for sentence in text.split(ends) {
        let words = plain(sentence);
        if words.is_empty() {
            continue;
        }
        any = true;
        let fits = match side {
            WordSide::Before => has(ALONE_BEFORE, &words) || introduces(&words),
            WordSide::After => has(ALONE_AFTER, &words),
        };
        if !fits && !has(ALONE, &words) {
            return false;
        }
    }
    // A colon at the front belongs to a key that is missing.
    any && !text.starts_with(':')
}

/// Whether a word behind the backticks of a fence names a language.
pub(super) fn names_language(word: &str) -> bool {
    has(LANGUAGES, &word.to_ascii_lowercase())
}

/// The entries of a list, the last first.
fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.rsplit(", ")
}

fn has(list: &str, words: &str) -> bool {
    entries(list).any(|entry| entry == words)
}

/// The words of a sentence in small letters with one space between, without marks of emphasis and lists.
fn plain(sentence: &str) -> String {
    let mut words = String::with_capacity(sentence.len());
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '-');
    for word in sentence.split(marks).filter(|word| !word.is_empty()) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().map(|c| match c {
            '’' => '\'',
            c => c.to_ascii_lowercase(),
        }));
    }
    words
}

fn introduces(sentence: &str) -> bool {
    if entries(NOT_FIRST).any(|first| behind(sentence, first).is_some()) {
        return false;
    }
    let mut rest = sentence;
    while !rest.is_empty() {
        let Some(next) = entries(BEFORE).find_map(|part| behind(rest, part)) else {
            return false;
        };
        rest = next;
    }
    true
}

/// The words behind these at the front of a sentence.
fn behind<'a>(sentence: &'a str, front: &str) -> Option<&'a str> {
    let rest = sentence.strip_prefix(front)?;
    rest.strip_prefix(' ').or(rest.is_empty().then_some(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that are not in the lists, such as speak against a call, change it, or ask.
    const OTHERS: &str = "not, forbids, Danger, denied, old, bad, six, 6, 5th, or, if, only, \
        instead, before, after, would, should, revoked, mistake, keep, permission, hypothetical, nicht, нет, \
        否, ❌, ?, call?, (here), ~~call~~, \"call\", {, <x>, =, /, I'd, calls, toolcall, don’t, non-call";

    /// Numbers below a given one, always the same.
    struct Dice(u32);

    impl Dice {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as usize % end
        }

        fn pick<'a>(&mut self, from: &'a str) -> &'a str {
            let number = self.below(entries(from).count());
            entries(from).nth(number).unwrap_or_default()
        }
    }

    /// Sentences of list words, each with its end.
    fn sentences(dice: &mut Dice, side: WordSide) -> Vec<String> {
        let many = 1 + dice.below(3);
        (0..many)
            .map(|_| {
                let mut parts = match side {
                    WordSide::Before if dice.below(3) > 0 => {
                        let mut parts = vec![dice.pick(BEFORE)];
                        while has(NOT_FIRST, parts.concat().as_str()) {
                            parts = vec![dice.pick(BEFORE)];
                        }
                        parts.extend((0..dice.below(8)).map(|_| dice.pick(BEFORE)));
                        parts
                    }
                    _ if dice.below(3) == 0 => vec![dice.pick(ALONE)],
                    WordSide::Before => vec![dice.pick(ALONE_BEFORE)],
                    WordSide::After => vec![dice.pick(ALONE_AFTER)],
                };
                parts.push([".", ",", "!", ";"][dice.below(4)]);
                let sentence = parts.join(" ");
                match dice.below(3) {
                    0 => sentence.to_ascii_uppercase(),
                    1 => sentence.replace('\'', "’"),
                    _ => sentence,
                }
            })
            .collect()
    }

    #[test]
    fn accepts_known_words_and_rejects_unknown_word() {
        let mut dice = Dice(1);
        for _ in 0..4_000 {
            for side in [WordSide::Before, WordSide::After] {
                let said = sentences(&mut dice, side).join(" ");
                assert!(accompany(&said, side), "{said}");
                let mut words: Vec<&str> = said.split(' ').collect();
                let place = dice.below(words.len() + 1);
                words.insert(place, dice.pick(OTHERS));
                let said = words.join(" ");
                assert!(!accompany(&said, side), "{said}");
            }
        }
    }

    #[test]
    fn every_entry_is_as_sentences_are_compared() {
        for list in [BEFORE, ALONE, ALONE_BEFORE, ALONE_AFTER] {
            for entry in entries(list) {
                assert_eq!(plain(entry), entry);
            }
        }
        assert!(names_language("JSON") && !names_language("never") && !names_language(""));
    }

    #[test]
    fn rejects_questions_empty_texts_and_bare_marks() {
        for said in [
            "",
            "...",
            "-",
            "Is this the call:",
            "Use it:",
            ": here",
            "Here: is the call:",
        ] {
            assert!(!accompany(said, WordSide::Before), "{said}");
        }
        assert!(accompany("**Tool_call:**", WordSide::Before));
        assert!(!accompany("Here is the final call", WordSide::After));
    }
}
