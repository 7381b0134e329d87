//! What is wrong with the arguments of a call, as data and in words for the model.

use std::{fmt, ops::Range};

use serde::Serialize;

use super::{
    Issue, IssueKind, Step,
    issue::{Ends, FOUND},
};
use crate::text::whole;

/// Everything wrong with the arguments of one call.
///
/// The text is what the model gets:
///
/// ```
/// # use toolwright::{ToolInput, Policy, read_str};
/// #[derive(ToolInput)]
/// struct Search {
///     /// What to look for
///     query: String,
///     #[tool_param(min = 1, max = 50)]
///     limit: u32,
/// }
///
/// let report = read_str::<Search>(r#"{"limit": 99}"#, &Policy::lax()).map(|_| ()).unwrap_err();
/// assert_eq!(report.to_string(), "\
/// Invalid arguments, 2 problems:
/// - limit: expected an integer from 1 to 50, found 99
/// - query: missing; expected a string (What to look for)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The issues, in the order of the text, what is missing behind what is wrong.
    pub issues: Vec<Issue>,
    /// How many more were found than are kept.
    pub omitted: usize,
}

/// Longest text of a report in characters; whole lines beyond it are counted instead.
const TEXT: usize = 4_000;
/// How long the text of a few problems is, and of more for each of them; what was expected and found is
/// cut to that.
pub(super) const BRIEF: usize = 400;
const FEW: usize = 7;
/// Longest line; only an author's own message comes near it.
const LINE: usize = 600;
/// What stands in front of a line.
const MARK: &str = "\n- ";

impl Report {
    /// A report of these issues.
    pub fn new(issues: Vec<Issue>) -> Self {
        Self { issues, omitted: 0 }
    }

    /// How many problems there are, those left out included.
    pub fn count(&self) -> usize {
        self.issues.len() + self.omitted
    }

    /// The report as JSON: `{"issues":[{"path","kind","expected","found","hint"?}],"omitted":0}`.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines::of(self);
        let budget = BRIEF + BRIEF / FEW * lines.all.len().saturating_sub(FEW);
        let mut room = Room::ALL;
        let mut size = lines.measure(room);
        let mut less = LESS.iter();
        while size.length > budget
            && let Some(next) = less.next()
        {
            if next.brief && !room.brief {
                lines.shorten();
            }
            room = *next;
            size = lines.measure(room);
        }
        f.write_str(&lines.into_text(room, &size))
    }
}

/// How much of a path, of what was expected and of what was found is shown, in characters.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Room {
    path: usize,
    expected: usize,
    found: usize,
    /// Whether the expectation is shortened.
    brief: bool,
    hints: bool,
}

impl Room {
    const ALL: Self = Self::of(usize::MAX, usize::MAX);

    const fn of(expected: usize, found: usize) -> Self {
        Self {
            path: usize::MAX,
            expected,
            found,
            brief: false,
            hints: true,
        }
    }

    const fn brief(expected: usize, found: usize) -> Self {
        Self {
            brief: true,
            ..Self::of(expected, found)
        }
    }

    /// Room for long names.
    const fn tight(path: usize, expected: usize, hints: bool) -> Self {
        Self {
            path,
            hints,
            ..Self::brief(expected, 0)
        }
    }
}

/// Less and less room. First less of what was found, which the model knows; then fewer words for what was
/// expected; then a part of these words. Where names are long, a part of them, and at last no hints.
const LESS: [Room; 12] = [
    Room::of(usize::MAX, 40),
    Room::brief(usize::MAX, 40),
    Room::brief(usize::MAX, 0),
    Room::brief(60, 0),
    Room::brief(40, 0),
    Room::brief(26, 0),
    Room::brief(16, 0),
    Room::tight(40, 16, true),
    Room::tight(28, 16, true),
    Room::tight(28, 16, false),
    Room::tight(20, 16, false),
    Room::tight(MIN_PATH, MIN_WORDS, false),
];
/// The least that is shown of a path and of what was expected.
const MIN_PATH: usize = 12;
const MIN_WORDS: usize = 12;
/// What stands in place of the middle of a path.
const CUT: &str = "…";

/// The text of a report with everything in it, and where the parts of its lines stand.
struct Lines<'a> {
    full: String,
    /// Then as many characters as bytes are in any part.
    is_ascii: bool,
    /// How long the first line is, which says how many problems there are.
    head: usize,
    /// All problems, those left out included.
    count: usize,
    all: Vec<Line<'a>>,
}

/// An issue, or several that differ in one index alone.
struct Line<'a> {
    issue: &'a Issue,
    start: usize,
    /// Where its path ends.
    path: usize,
    ends: Ends,
    /// What was expected in fewer words, once it is asked for.
    brief: Brief,
    lengths: Lengths,
    /// A line above has its hint.
    repeats_hint: bool,
    problems: usize,
}

/// How many characters the parts of a line have.
#[derive(Default)]
struct Lengths {
    path: usize,
    /// What stands around the path, up to what was expected.
    head: usize,
    expected: usize,
    brief: usize,
    found: usize,
    hint: usize,
}

/// What was expected in fewer words.
enum Brief {
    /// Without its article, and of a missing parameter without its description.
    Noun(Range<usize>),
    /// A range as `integer 1..50`, which is never cut: half of it is another one.
    Between(&'static str, Range<usize>, Range<usize>),
}

/// What stands between the ends of a range.
const BETWEEN: &str = "..";

/// How much of a report is shown in a room.
struct Size {
    lines: usize,
    /// In characters.
    length: usize,
    /// How many problems are not shown.
    more: usize,
    /// A line is longer than any may be.
    has_long: bool,
}

const HEAD: &str = "Invalid arguments, ";

impl<'a> Lines<'a> {
    fn of(report: &'a Report) -> Self {
        let issues = &report.issues;
        let count = report.count();
        let mut full = String::with_capacity(HEAD.len() + 80 * issues.len());
        full.push_str(HEAD);
        whole(count as i128, &mut full);
        full.push_str(if count == 1 {
            " problem:"
        } else {
            " problems:"
        });
        let mut lines = Self {
            head: full.len(),
            full,
            is_ascii: true,
            count,
            all: Vec::with_capacity(issues.len()),
        };
        let indexed = issues.iter().filter(|issue| issue.path.has_index());
        let may_group = indexed.take(SEVERAL).count() == SEVERAL;
        let mut taken = vec![false; if may_group { issues.len() } else { 0 }];
        for (number, issue) in issues.iter().enumerate() {
            if taken.get(number) == Some(&true) {
                continue;
            }
            let group = if may_group && issue.path.has_index() {
                Group::of(issues, number, &mut taken)
            } else {
                None
            };
            lines.add(issue, group.as_ref());
        }
        lines.is_ascii = lines.full.is_ascii();
        let mut all = std::mem::take(&mut lines.all);
        for line in &mut all {
            let expected = lines.length(&line.expected());
            line.lengths = Lengths {
                path: lines.length(&line.path()),
                head: MARK.len() + lines.length(&(line.path..line.ends.head)),
                expected,
                brief: expected,
                found: line.found().map_or(0, |found| lines.length(&found)),
                hint: lines.length(&(line.ends.found..line.ends.hint)),
            };
        }
        lines.all = all;
        lines
    }

    fn add(&mut self, issue: &'a Issue, group: Option<&Group>) {
        let mut above = self.all.iter();
        let repeats_hint =
            issue.hint.is_some() && above.any(|other| other.issue.hint == issue.hint);
        // The names that are known are told once.
        let with_hint = !repeats_hint || issue.kind != IssueKind::UnknownKey;
        let out = &mut self.full;
        let start = out.len();
        out.push_str(MARK);
        let (found, problems) = if let Some(group) = group {
            let indexes = ranges(&group.indexes);
            issue.path.write_with(group.step, &indexes, out);
            (&*group.found, group.indexes.len())
        } else {
            issue.path.write(out);
            (&*issue.found, 1)
        };
        let path = out.len();
        let ends = issue.put_words(found, with_hint, out);
        self.all.push(Line {
            issue,
            start,
            path,
            brief: Brief::Noun(ends.head..ends.expected),
            lengths: Lengths::default(),
            ends,
            repeats_hint,
            problems,
        });
    }

    fn part(&self, part: &Range<usize>) -> &str {
        self.full.get(part.clone()).unwrap_or_default()
    }

    /// How many characters a part has.
    fn length(&self, part: &Range<usize>) -> usize {
        if self.is_ascii {
            part.len()
        } else {
            self.part(part).chars().count()
        }
    }

    /// Finds fewer words for what was expected.
    fn shorten(&mut self) {
        let mut all = std::mem::take(&mut self.all);
        // The words of the author are shown whole.
        for line in all.iter_mut().filter(|line| !line.is_whole()) {
            let words = self.part(&line.expected());
            line.brief = brief(line.issue.kind, words, line.ends.head);
            line.lengths.brief = match &line.brief {
                Brief::Noun(noun) => self.length(noun),
                Brief::Between(kind, from, to) => {
                    kind.len() + self.length(from) + BETWEEN.len() + self.length(to)
                }
            };
        }
        self.all = all;
    }

    /// The lines that are shown, and the characters that they take.
    fn measure(&self, room: Room) -> Size {
        let mut size = Size {
            lines: 0,
            length: self.head,
            more: self.count,
            has_long: false,
        };
        for line in &self.all {
            let length = line.length_in(room);
            // A line that is too long is cut, and marked where it is.
            let most = MARK.len() + LINE;
            size.has_long |= length > most;
            let length = length.min(most + 1);
            if size.length + length - self.head - MARK.len() * (size.lines + 1) > TEXT {
                break;
            }
            size.lines += 1;
            size.length += length;
            size.more -= line.problems;
        }
        if size.more > 0 {
            size.length += "\n- and  more".len() + digits(size.more);
        }
        size
    }

    fn into_text(self, room: Room, size: &Size) -> String {
        if room == Room::ALL && size.lines == self.all.len() && !size.has_long {
            return with_more(self.full, size.more);
        }
        let mut text = String::with_capacity(size.length + 16);
        text.push_str(self.part(&(0..self.head)));
        for line in self.all.iter().take(size.lines) {
            let start = text.len();
            self.put_line(line, room, &mut text);
            // Characters are counted only where there are bytes enough for too many of them.
            let most = MARK.len() + LINE;
            if text.len() - start > most
                && let Some((end, _)) = tail(&text, start).char_indices().nth(most)
            {
                text.truncate(start + end);
                text.push('…');
            }
        }
        with_more(text, size.more)
    }

    fn put_line(&self, line: &Line<'_>, room: Room, out: &mut String) {
        out.push_str(MARK);
        self.put_path(&line.path(), room.path, out);
        out.push_str(self.part(&(line.path..line.ends.head)));
        match &line.brief {
            _ if line.is_whole() => out.push_str(self.part(&line.expected())),
            Brief::Noun(noun) => self.put_cut(noun, room.expected, out),
            Brief::Between(kind, ..) if room.expected <= MIN_WORDS => out.push_str(kind.trim_end()),
            Brief::Between(kind, from, to) => {
                for piece in [kind, self.part(from), BETWEEN, self.part(to)] {
                    out.push_str(piece);
                }
            }
        }
        if let Some(found) = line.found()
            && room.found > 0
        {
            out.push_str(FOUND);
            self.put_cut(&found, room.found, out);
        }
        if line.has_hint(room) {
            out.push_str(self.part(&(line.ends.found..line.ends.hint)));
        }
    }

    /// Writes a path, without its middle where it has more characters.
    fn put_path(&self, path: &Range<usize>, most: usize, out: &mut String) {
        let text = self.part(path);
        let length = self.length(path);
        if length <= most {
            out.push_str(text);
            return;
        }
        let half = most / 2;
        out.extend(text.chars().take(half));
        out.push_str(CUT);
        out.extend(text.chars().skip(length - half));
    }

    /// Writes at most so many characters of a part, which are fit to be shown.
    fn put_cut(&self, part: &Range<usize>, most: usize, out: &mut String) {
        let text = self.part(part);
        if text.len() > most
            && let Some((end, _)) = text.char_indices().nth(most)
        {
            out.push_str(text.get(..end).unwrap_or_default());
            out.push('…');
        } else {
            out.push_str(text);
        }
    }
}

impl Line<'_> {
    /// How many characters of it there are in a room.
    fn length_in(&self, room: Room) -> usize {
        let Lengths {
            path,
            head,
            brief,
            found,
            ..
        } = self.lengths;
        let path = cut_to(path, room.path);
        let expected = match self.brief {
            _ if !room.brief => self.lengths.expected,
            Brief::Between(kind, ..) if room.expected <= MIN_WORDS => kind.len() - 1,
            Brief::Noun(_) if !self.is_whole() => cut_to(brief, room.expected),
            _ => brief,
        };
        let found = if found > 0 && room.found > 0 {
            FOUND.len() + cut_to(found, room.found)
        } else {
            0
        };
        let hint = if self.has_hint(room) {
            self.lengths.hint
        } else {
            0
        };
        path + head + expected + found + hint
    }

    /// In a long text every hint is shown.
    fn has_hint(&self, room: Room) -> bool {
        room.hints && (!self.repeats_hint || room == Room::ALL)
    }

    /// The words of the author are shown whole.
    fn is_whole(&self) -> bool {
        self.issue.kind == IssueKind::Invalid
    }

    fn path(&self) -> Range<usize> {
        self.start + MARK.len()..self.path
    }

    fn expected(&self) -> Range<usize> {
        self.ends.head..self.ends.expected
    }

    fn found(&self) -> Option<Range<usize>> {
        let start = self.ends.expected + FOUND.len();
        (start <= self.ends.found).then_some(start..self.ends.found)
    }
}

/// How many characters a part takes where there is room for so many.
fn cut_to(length: usize, most: usize) -> usize {
    if length > most { most + 1 } else { length }
}

/// What was expected in fewer words, of a part that starts there.
fn brief(kind: IssueKind, expected: &str, start: usize) -> Brief {
    let mut words = expected;
    if kind == IssueKind::Missing
        && words.ends_with(')')
        && let Some((start, _)) = words
            .match_indices('(')
            .find(|(start, _)| words.get(..*start).is_some_and(|form| form.ends_with(' ')))
    {
        words = words.get(..start - 1).unwrap_or_default();
    }
    let end = start + words.len();
    let noun = words
        .strip_prefix("an ")
        .or_else(|| words.strip_prefix("a "))
        .unwrap_or(words);
    for (kind, short) in [("integer from ", "integer "), ("number from ", "number ")] {
        if let Some(ends) = noun.strip_prefix(kind)
            && let Some((from, rest)) = ends.split_once(' ')
            && let Some(to) = rest.strip_prefix("to ")
        {
            let start = end - ends.len();
            return Brief::Between(short, start..start + from.len(), end - to.len()..end);
        }
    }
    Brief::Noun(end - noun.len()..end)
}

fn with_more(mut text: String, more: usize) -> String {
    if more > 0 {
        text.push_str("\n- and ");
        whole(more as i128, &mut text);
        text.push_str(" more");
    }
    text
}

/// How many digits a number has.
fn digits(number: usize) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

/// From how many on equal lines become one.
const SEVERAL: usize = 3;

/// Issues that differ in one index alone.
struct Group {
    /// Which step of the path differs.
    step: usize,
    /// Its values.
    indexes: Vec<usize>,
    /// What was found there.
    found: String,
}

impl Group {
    /// Those that are like the issue of this number, which are taken then.
    fn of(issues: &[Issue], number: usize, taken: &mut [bool]) -> Option<Self> {
        let issue = issues.get(number)?;
        let rest = || issues.iter().enumerate().skip(number + 1);
        // The step in which the next one differs is the step of all.
        let step = rest().find_map(|(_, other)| other_index(issue, other))?;
        let alike = |other: &Issue| other_index(issue, other) == Some(step);
        if rest().filter(|(_, other)| alike(other)).count() + 1 < SEVERAL {
            return None;
        }
        let mut indexes = Vec::new();
        let mut found: Vec<&str> = Vec::new();
        let others = rest().filter(|(_, other)| alike(other));
        for (number, one) in std::iter::once((number, issue)).chain(others) {
            if let Some(Step::Index(index)) = one.path.steps().get(step) {
                indexes.push(*index);
                if !found.contains(&&*one.found) {
                    found.push(&one.found);
                }
            }
            if let Some(taken) = taken.get_mut(number) {
                *taken = true;
            }
        }
        let more = if found.len() > SEVERAL { ", …" } else { "" };
        found.truncate(SEVERAL);
        Some(Self {
            step,
            indexes,
            found: found.join(", ") + more,
        })
    }
}

/// The only step in which another issue differs, which is an index.
fn other_index(one: &Issue, other: &Issue) -> Option<usize> {
    if one.kind != other.kind || one.expected != other.expected || one.hint != other.hint {
        return None;
    }
    one.path.only_other_index(&other.path)
}

/// Indexes in their order, as in `0..31` or `0, 2, 5..7`.
fn ranges(indexes: &[usize]) -> String {
    const MOST: usize = 6;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in indexes {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == *index => *end = *index,
            _ => runs.push((*index, *index)),
        }
    }
    let mut words = String::new();
    for (number, (start, end)) in runs.iter().enumerate() {
        if number > 0 {
            words.push_str(", ");
        }
        if number == MOST {
            words.push('…');
            break;
        }
        whole(*start as i128, &mut words);
        if end > start {
            words.push_str("..");
            whole(*end as i128, &mut words);
        }
    }
    words
}

fn tail(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or_default()
}

impl std::error::Error for Report {}

#[cfg(test)]
mod tests {
    use super::{BRIEF, FEW, Issue, IssueKind, LINE, Report, Step, TEXT};
    use crate::report::Path;

    /// An issue whose line has this many characters.
    fn issue(length: usize, of: &str) -> Issue {
        let words = of.repeat(length - "arguments: ".len());
        Issue::new(Path::default(), IssueKind::Invalid, words, "")
    }

    fn report(lines: &[usize], of: &str) -> String {
        Report::new(lines.iter().map(|length| issue(*length, of)).collect()).to_string()
    }

    fn at(steps: &[&str], expected: &str, found: &str) -> Issue {
        let step = |step: &&str| match step.parse() {
            Ok(index) => Step::Index(index),
            Err(_) => Step::Key((*step).to_owned()),
        };
        let path = steps.iter().map(step).collect();
        Issue::new(
            path,
            IssueKind::WrongType,
            expected.to_owned(),
            found.to_owned(),
        )
    }

    #[test]
    fn lines_that_differ_in_an_index_are_one() {
        let mut issues: Vec<Issue> = ["0", "1", "2", "5"]
            .iter()
            .map(|index| at(&["items", index, "id"], "an integer", "null"))
            .collect();
        issues.insert(2, at(&["name"], "a string", "null"));
        assert_eq!(
            Report::new(issues.clone()).to_string(),
            "Invalid arguments, 5 problems:\n\
             - items[0..2, 5].id: expected an integer, found null\n\
             - name: expected a string, found null"
        );
        // Of different ones three are shown.
        for (issue, found) in issues.iter_mut().zip(["true", "1.5", "{}", "[]", "\"a\""]) {
            issue.found = found.into();
        }
        assert_eq!(
            Report::new(issues).to_string(),
            "Invalid arguments, 5 problems:\n\
             - items[0..2, 5].id: expected an integer, found true, 1.5, [], …\n\
             - name: expected a string, found {}"
        );
        // Two are told apart, and so are two indexes.
        let two = [["0", "0"], ["1", "1"], ["0", "1"], ["1", "0"]]
            .map(|steps| at(&steps, "an integer", "null"));
        let two = Report::new(two.to_vec()).to_string();
        assert_eq!(two.lines().count(), 5, "{two}");
    }

    #[test]
    fn seven_faults_take_four_hundred_characters() {
        let long = "x".repeat(100);
        for count in 1..=14 {
            let issues: Vec<Issue> = (0..count)
                .map(|number| at(&[&format!("field_{number}")], &long, &long))
                .collect();
            let text = Report::new(issues).to_string();
            let most = BRIEF + BRIEF / FEW * (count - count.min(FEW));
            assert!(text.chars().count() <= most, "{text}");
            assert_eq!(text.lines().count(), count + 1);
        }
    }

    #[test]
    fn seven_faults_of_long_names_take_four_hundred_characters() {
        let kinds = [
            IssueKind::WrongType,
            IssueKind::Missing,
            IssueKind::UnknownKey,
        ];
        let far = format!("an integer from {} to {}", i64::MIN, i64::MAX);
        for of in ["a", "é"] {
            for length in [30, 44, 64, 300] {
                for expected in ["an integer", "a string of 3 to 80 characters", &far] {
                    for kind in kinds {
                        for hint in ["", "did you mean `another_name_that_is_long`?"] {
                            let issues = (0..7).map(|number| {
                                let name = format!("{number}_{}", of.repeat(length - 2));
                                let mut issue = at(&[&name], expected, "\"something else\"");
                                issue.kind = kind;
                                issue.hint =
                                    (!hint.is_empty()).then(|| format!("{number} {hint}").into());
                                issue
                            });
                            let text = Report::new(issues.collect()).to_string();
                            assert!(text.chars().count() <= BRIEF, "{text}");
                            assert_eq!(text.lines().count(), 8);
                        }
                    }
                }
            }
        }
        let name = |number: &str| format!("the_{number}_long_parameter_name_of_this_tool");
        let numbers = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh",
        ];
        let issues = numbers.map(|number| at(&[&name(number)], "an integer", "\"a\""));
        assert_eq!(
            Report::new(issues.to_vec()).to_string(),
            "Invalid arguments, 7 problems:\n\
             - the_first_long…e_of_this_tool: expected integer\n\
             - the_second_lon…e_of_this_tool: expected integer\n\
             - the_third_long…e_of_this_tool: expected integer\n\
             - the_fourth_lon…e_of_this_tool: expected integer\n\
             - the_fifth_long…e_of_this_tool: expected integer\n\
             - the_sixth_long…e_of_this_tool: expected integer\n\
             - the_seventh_lo…e_of_this_tool: expected integer"
        );
    }

    /// At seven long faults no bound is hidden.
    #[test]
    fn fewer_words_come_before_a_cut() {
        let faults = [
            (
                "an integer from 1 to 4294967295",
                "\"a very long text in place of it\"",
            ),
            ("a number from -0.5 to 1000000", "null"),
            ("a string of 3 to 80 characters", "\"ab\""),
        ];
        let mut issues: Vec<Issue> = (0..7)
            .map(|number| {
                let (expected, found) = faults[number % 3];
                at(&[&format!("parameter_{number}")], expected, found)
            })
            .collect();
        issues[6].kind = IssueKind::Missing;
        issues[6].expected = "an integer from 1 to 50 (How many pages there are at most)".into();
        let text = Report::new(issues).to_string();
        assert!(text.chars().count() <= BRIEF, "{text}");
        assert_eq!(
            text,
            "Invalid arguments, 7 problems:\n\
             - parameter_0: expected integer 1..4294967295\n\
             - parameter_1: expected number -0.5..1000000\n\
             - parameter_2: expected string of 3 to 80 characters\n\
             - parameter_3: expected integer 1..4294967295\n\
             - parameter_4: expected number -0.5..1000000\n\
             - parameter_5: expected string of 3 to 80 characters\n\
             - parameter_6: missing; expected integer 1..50"
        );
    }

    #[test]
    fn known_names_are_told_once() {
        let issue = |key: &str| {
            let path = [Step::Key(key.to_owned())].into_iter().collect();
            Issue::new(path, IssueKind::UnknownKey, "`a`", "").with_hint("known are `a`")
        };
        assert_eq!(
            Report::new(vec![issue("b"), issue("c")]).to_string(),
            "Invalid arguments, 2 problems:\n- b: not a parameter; known are `a`\n- c: not a parameter"
        );
    }

    #[test]
    fn a_line_is_shown_whole_up_to_its_limit() {
        for of in ["a", "é", "…"] {
            let words = |length| report(&[length], of);
            for whole in [LINE / 3, LINE - 1, LINE] {
                let line = issue(whole, of).to_string();
                assert_eq!(
                    words(whole),
                    format!("Invalid arguments, 1 problem:\n- {line}")
                );
            }
            // One more is as good as any number more.
            let cut = format!("Invalid arguments, 1 problem:\n- {}…", issue(LINE, of));
            for more in [LINE + 1, LINE + 2, 2 * LINE, 20 * LINE] {
                assert_eq!(words(more), cut, "{more} of {of}");
            }
            // Behind other lines too.
            let behind = report(&[20, LINE + 5, 20], of);
            let lines: Vec<usize> = behind.lines().map(|line| line.chars().count()).collect();
            assert_eq!(lines, [30, 22, 2 + LINE + 1, 22]);
        }
    }

    #[test]
    fn a_report_is_shown_whole_up_to_its_limit() {
        let shown = |text: &str| text.matches("\n- arguments: ").count();
        for of in ["a", "é", "…"] {
            // Long lines and short ones: the marks in front of lines do not count.
            for length in [LINE - 100, 100, 40] {
                let mut lines = vec![length; TEXT / length];
                let full = report(&lines, of);
                assert_eq!(shown(&full), lines.len());
                assert!(!full.contains(" more"), "{full}");

                // One character more, and the line with it is counted instead.
                *lines.last_mut().expect("lines") += 1;
                let less = report(&lines, of);
                assert_eq!(shown(&less), lines.len() - 1);
                assert!(less.ends_with(&format!("{of}\n- and 1 more")), "{less}");

                // What comes behind that is counted, however short it is.
                lines.extend([12; 5]);
                let less = report(&lines, of);
                assert_eq!(shown(&less), lines.len() - 6);
                assert!(less.ends_with(&format!("{of}\n- and 6 more")), "{less}");
            }
        }
    }
}
