//! The change from one text to another, line by line.

use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff};

use super::preview::{DiffLine, DiffPart, FileChange};

/// The most steps of the search for the shortest difference. Beyond that, a longer difference is used.
const STEPS: usize = 40_000_000;

/// The equal lines around each change.
const AROUND: usize = 3;

impl FileChange {
    /// The change of a file from one text to another. It depends only on the texts, not on the time that it takes,
    /// since a decision holds only while the change is the same.
    ///
    /// ```
    /// use callpact::review::FileChange;
    ///
    /// let change = FileChange::between("a.txt", "one\ntwo\n", "one\n2\n");
    /// assert_eq!(change.to_string(), "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    /// assert_eq!((change.added, change.removed), (1, 1));
    /// ```
    pub fn between(path: impl Into<String>, before: &str, after: &str) -> Self {
        Self::between_with(path, before, after, usize::MAX)
    }

    /// Like [`between`](Self::between), if at most `touched` lines differ.
    pub fn between_with(
        path: impl Into<String>,
        before: &str,
        after: &str,
        touched: usize,
    ) -> Self {
        let (before, after) = (split_lines(before), split_lines(after));
        let mut config = TextDiff::configure();
        config.algorithm(Algorithm::Myers);
        let differing = count_differing_lines(&before, &after);
        if differing.saturating_mul(differing.min(touched)) > STEPS {
            // Without time, all lines between the first and the last change are replaced.
            config.timeout(Duration::ZERO);
        }
        let diff = config.diff_slices(&before, &after);
        let mut change = Self::new(path);
        for group in diff.grouped_ops(AROUND) {
            for one in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let text = one.value();
                let whole = text.strip_suffix('\n');
                change.added += usize::from(one.tag() == ChangeTag::Insert);
                change.removed += usize::from(one.tag() == ChangeTag::Delete);
                change.lines.push(DiffLine {
                    before: one.old_index().map(|index| index + 1),
                    after: one.new_index().map(|index| index + 1),
                    parts: vec![DiffPart {
                        text: whole.unwrap_or(text).to_owned(),
                        changed: false,
                    }],
                    open: whole.is_none(),
                });
            }
        }
        mark_words(&mut change.lines);
        change
    }
}

/// The lines of a text with their ends. Only a line feed ends a line: every viewer of diffs splits there. A line
/// that ended elsewhere would appear inside another one, without a mark at its start.
fn split_lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// How many lines there are between the first and the last difference, in both texts together.
fn count_differing_lines(before: &[&str], after: &[&str]) -> usize {
    let same = |(one, other): &(&&str, &&str)| one == other;
    let start = before.iter().zip(after).take_while(same).count();
    let rest = |lines| <[&str]>::iter(lines).skip(start).rev();
    let end = rest(before).zip(rest(after)).take_while(same).count();
    before.len() + after.len() - 2 * (start + end)
}

/// Marks the words that differ between a line that goes and the new line in its place.
fn mark_words(lines: &mut [DiffLine]) {
    let is_old = |line: &DiffLine| line.after.is_none();
    let is_new = |line: &DiffLine| line.before.is_none();
    let mut rest = lines;
    while let Some(start) = rest.iter().position(is_old) {
        rest = &mut rest[start..];
        let old = rest.iter().take_while(|line| is_old(line)).count();
        let new = rest[old..].iter().take_while(|line| is_new(line)).count();
        let (before, after) = rest.split_at_mut(old);
        for (one, other) in before.iter_mut().zip(&mut after[..new]) {
            mark_pair(one, other);
        }
        rest = &mut after[new..];
    }
}

fn mark_pair(one: &mut DiffLine, other: &mut DiffLine) {
    let whole = |line: &DiffLine| -> String { line.parts.iter().map(|part| &*part.text).collect() };
    let (before, after) = (whole(one), whole(other));
    let (old, new) = (words(&before), words(&after));
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = rest.take_while(|(a, b)| a == b).count();
    // Lines without a common word are two lines, not one that changed.
    let in_common = old[..start].iter().chain(&old[old.len() - end..]);
    if !in_common.clone().any(|word| !word.trim().is_empty()) {
        return;
    }
    let parts = |words: &[&str]| {
        let part = |words: &[&str], changed| DiffPart {
            text: words.concat(),
            changed,
        };
        let (first, rest) = words.split_at(start);
        let (middle, last) = rest.split_at(rest.len() - end);
        let parts = [part(first, false), part(middle, true), part(last, false)];
        parts
            .into_iter()
            .filter(|part| !part.text.is_empty())
            .collect()
    };
    one.parts = parts(&old);
    other.parts = parts(&new);
}

/// A text in words, blanks and single other characters.
fn words(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut words = Vec::new();
    let (mut start, mut last) = (0, 0);
    for (at, c) in text.char_indices() {
        let now = class(c);
        if at > start && (now != last || now == 3) {
            words.extend(text.get(start..at));
            start = at;
        }
        last = now;
    }
    words.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::FileChange;

    #[test]
    fn marks_the_words_that_differ() {
        let change = FileChange::between(
            "a",
            "- Retries of a request\nsame\n",
            "- Retries of a failed request, at most five\nsame\nnew",
        );
        let parts = |at: usize| {
            let parts = change.lines[at].parts.iter();
            parts
                .map(|part| (&*part.text, part.changed))
                .collect::<Vec<_>>()
        };
        assert_eq!(parts(0), [("- Retries of a ", false), ("request", true)]);
        assert_eq!(
            parts(1),
            [
                ("- Retries of a ", false),
                ("failed request, at most five", true)
            ]
        );
        assert_eq!((change.added, change.removed), (2, 1));
        let last = change.lines.last().expect("it has lines");
        assert!(last.open && last.before.is_none() && last.after == Some(3));
    }

    #[test]
    fn hunks_have_the_heads_of_a_unified_diff() {
        let numbers = (1..=40).map(|number: u32| number.to_string());
        let long = numbers.collect::<Vec<_>>().join("\n") + "\n";
        let cases = [
            (String::new(), "a\n".to_owned()),
            ("a\n".to_owned(), String::new()),
            ("a".to_owned(), "b".to_owned()),
            (long.clone(), long.replace("20\n", "").replace("3\n", "x\n")),
            (long.clone(), format!("0\n{long}")),
            (long.clone(), format!("{long}41\n")),
            (long.clone(), long.replace("39\n", "y\nz\n")),
            (long.replace("2\n", ""), long),
        ];
        for (before, after) in cases {
            let change = FileChange::between("a", &before, &after);
            let (before, after) = (super::split_lines(&before), super::split_lines(&after));
            let mut diff = similar::TextDiff::configure();
            let diff = diff
                .algorithm(similar::Algorithm::Myers)
                .diff_slices(&before, &after);
            let mut expected = "--- a/a\n+++ b/a\n".to_owned();
            for hunk in diff.unified_diff().iter_hunks() {
                expected.extend([hunk.header().to_string(), "\n".to_owned()]);
                for one in hunk.iter_changes() {
                    expected.extend([one.tag().to_string(), one.value().to_owned()]);
                    if !one.value().ends_with('\n') {
                        expected += "\n\\ No newline at end of file\n";
                    }
                }
            }
            assert_eq!(change.to_string(), expected);
        }
    }
}
