//! What is wrong with the arguments of a call, as data and in words for the model.

use std::fmt;

use serde::Serialize;

use super::{
    Issue, IssueKind, Step,
    issue::{Piece, Room, Words},
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
/// The characters of `\n- ` in front of a line.
const MARK: usize = 3;

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
        let groups = group(&self.issues);
        let budget = BRIEF + BRIEF / FEW * groups.len().saturating_sub(FEW);
        let lines = Lines::of(self.count(), &groups);
        let mut room = Room::ALL;
        let mut less = LESS.iter();
        let mut size = lines.measure(room);
        while size.length > budget
            && let Some(next) = less.next()
        {
            room = *next;
            size = lines.measure(room);
        }
        f.write_str(&lines.text(room, &size))
    }
}

/// The lines of a report, measured once for every room that they are tried in.
struct Lines<'a> {
    /// All problems, those left out included.
    count: usize,
    /// All paths, one behind the other.
    paths: String,
    all: Vec<Measured<'a>>,
}

struct Measured<'a> {
    /// How many bytes and characters the path takes.
    path: (usize, usize),
    words: Words<'a>,
    is_about_key: bool,
    /// A line above has its hint.
    repeats_hint: bool,
    problems: usize,
}

/// How much of a report is shown in a room.
struct Size {
    lines: usize,
    /// In characters.
    length: usize,
    /// How many problems are not shown.
    more: usize,
}

impl<'a> Lines<'a> {
    fn of(count: usize, groups: &'a [Line<'a>]) -> Self {
        let mut paths = String::with_capacity(16 * groups.len());
        let mut all: Vec<Measured<'a>> = Vec::with_capacity(groups.len());
        for (number, line) in groups.iter().enumerate() {
            let start = paths.len();
            line.write_path(&mut paths);
            let hint = &line.issue.hint;
            let mut above = groups.iter().take(number);
            all.push(Measured {
                path: (paths.len() - start, Piece::of(tail(&paths, start)).length),
                words: Words::of(
                    line.issue,
                    line.found.as_deref().unwrap_or(&line.issue.found),
                ),
                is_about_key: line.issue.kind == IssueKind::UnknownKey,
                repeats_hint: hint.is_some() && above.any(|other| other.issue.hint == *hint),
                problems: line.indexes.len().max(1),
            });
        }
        Self { count, paths, all }
    }

    /// The lines that are shown, and the characters that they take.
    fn measure(&self, room: Room) -> Size {
        let head = HEAD.len() + digits(self.count) + self.unit().len();
        let mut size = Size {
            lines: 0,
            length: head,
            more: self.count,
        };
        for line in &self.all {
            let mut length = MARK + line.path.1;
            line.words.each(room, line.has_hint(room), |piece, most| {
                length += piece.length_in(most);
            });
            // A line that is too long is cut, and marked where it is.
            let length = length.min(MARK + LINE + 1);
            if size.length + length - head - MARK * (size.lines + 1) > TEXT {
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

    fn text(&self, room: Room, size: &Size) -> String {
        let mut text = String::with_capacity(size.length + 16);
        text.push_str(HEAD);
        whole(self.count as i128, &mut text);
        text.push_str(self.unit());
        let mut path = 0;
        for line in self.all.iter().take(size.lines) {
            let start = text.len();
            text.push_str("\n- ");
            text.push_str(self.paths.get(path..path + line.path.0).unwrap_or_default());
            path += line.path.0;
            line.words.each(room, line.has_hint(room), |piece, most| {
                piece.put(most, &mut text);
            });
            // Characters are counted only where there are bytes enough for too many of them.
            if text.len() - start > MARK + LINE
                && let Some((end, _)) = tail(&text, start).char_indices().nth(MARK + LINE)
            {
                text.truncate(start + end);
                text.push('…');
            }
        }
        if size.more > 0 {
            text.push_str("\n- and ");
            whole(size.more as i128, &mut text);
            text.push_str(" more");
        }
        text
    }

    fn unit(&self) -> &'static str {
        if self.count == 1 {
            " problem:"
        } else {
            " problems:"
        }
    }
}

impl Measured<'_> {
    /// The names that are known are told once, and in a long text everything is.
    fn has_hint(&self, room: Room) -> bool {
        !self.repeats_hint || !self.is_about_key && room == Room::ALL
    }
}

const HEAD: &str = "Invalid arguments, ";

/// How many digits a number has.
fn digits(number: usize) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

/// Less and less room. First less of what was found, which the model knows; then fewer words for what was
/// expected; at last a part of these words.
const LESS: [Room; 7] = [
    Room::of(usize::MAX, 40),
    Room::brief(usize::MAX, 40),
    Room::brief(usize::MAX, 0),
    Room::brief(60, 0),
    Room::brief(40, 0),
    Room::brief(26, 0),
    Room::brief(16, 0),
];

/// An issue, or several that differ in one index alone.
struct Line<'a> {
    issue: &'a Issue,
    /// Which step of the path differs.
    step: usize,
    /// Its values, and what was found there; of a single issue none.
    indexes: Vec<usize>,
    found: Option<String>,
}

/// From how many on equal lines become one.
const SEVERAL: usize = 3;

fn group(issues: &[Issue]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::with_capacity(issues.len());
    let indexed = issues.iter().filter(|issue| issue.path.has_index());
    let may_group = indexed.take(SEVERAL).count() == SEVERAL;
    let mut taken = vec![false; issues.len()];
    for (number, issue) in issues.iter().enumerate() {
        if taken.get(number) == Some(&true) {
            continue;
        }
        let mut line = Line {
            issue,
            step: 0,
            indexes: Vec::new(),
            found: None,
        };
        if may_group && issue.path.has_index() {
            let rest = || issues.iter().enumerate().skip(number + 1);
            // The step in which the next one differs is the step of all.
            let step = rest().find_map(|(_, other)| line.differs_from(other));
            let alike = |other: &Issue| step.is_some() && line.differs_from(other) == step;
            let others: Vec<usize> = rest()
                .filter(|(_, other)| alike(other))
                .map(|(number, _)| number)
                .collect();
            if let Some(step) = step
                && others.len() + 1 >= SEVERAL
            {
                line.step = step;
                let mut found: Vec<&str> = Vec::new();
                for number in std::iter::once(number).chain(others) {
                    let Some(one) = issues.get(number) else {
                        continue;
                    };
                    if let Some(Step::Index(index)) = one.path.steps().get(step) {
                        line.indexes.push(*index);
                        if !found.contains(&&*one.found) {
                            found.push(&one.found);
                        }
                    }
                    if let Some(taken) = taken.get_mut(number) {
                        *taken = true;
                    }
                }
                let more = found.len() > SEVERAL;
                found.truncate(SEVERAL);
                let more = if more { ", …" } else { "" };
                line.found = Some(found.join(", ") + more);
            }
        }
        lines.push(line);
    }
    lines
}

impl Line<'_> {
    /// The only step in which another issue differs, which is an index.
    fn differs_from(&self, other: &Issue) -> Option<usize> {
        let one = self.issue;
        if one.kind != other.kind || one.expected != other.expected || one.hint != other.hint {
            return None;
        }
        one.path.only_other_index(&other.path)
    }

    fn write_path(&self, out: &mut String) {
        if self.indexes.is_empty() {
            self.issue.path.write(out);
        } else {
            let indexes = ranges(&self.indexes);
            self.issue.path.write_with(self.step, &indexes, out);
        }
    }
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
        Issue::new(path, IssueKind::WrongType, expected, found)
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
            issue.found = found.to_owned();
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
        issues[6].expected =
            "an integer from 1 to 50 (How many pages there are at most)".to_owned();
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
