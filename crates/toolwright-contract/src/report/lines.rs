//! What is wrong with the arguments of a call, as data and in words for the model.

use std::fmt;

use serde::Serialize;

use super::{
    Issue, IssueKind,
    group::{Group, Groups},
    issue::{FOUND, HINT},
    room::{Brief, Hints, LESS, Room, brief, cut_to},
};
use crate::text::{digits, length, whole};

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
const HEAD: &str = "Invalid arguments, ";
/// What stands in place of the middle of a path.
const CUT: &str = "…";

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
        let groups = Groups::among(&self.issues);
        let mut lines = Lines::of(self, &groups);
        let total = length(&lines.full);
        let budget = BRIEF + BRIEF / FEW * lines.all.len().saturating_sub(FEW);
        // Then no line is too long either.
        if total <= budget.min(LINE) && self.omitted == 0 {
            return f.write_str(&lines.full);
        }
        let is_ascii = total == lines.full.len();
        lines.measure_parts(is_ascii);
        let mut room = &Room::ALL;
        let mut size = if total > budget && budget < TEXT {
            Size::of(total)
        } else {
            lines.measure(room)
        };
        let mut less = LESS.iter();
        while size.length > budget
            && let Some(next) = less.next()
        {
            if next.brief && !room.brief {
                lines.all.iter_mut().for_each(|line| line.shorten(is_ascii));
            }
            room = next;
            size = lines.measure(room);
        }
        f.write_str(&lines.write(room, &size))
    }
}

impl std::error::Error for Report {}

/// The text of a report with everything in it, and where the parts of its lines are.
struct Lines<'a> {
    full: String,
    /// How long the first line is, which says how many problems there are.
    head: usize,
    /// All problems, those left out included.
    count: usize,
    all: Vec<Line<'a>>,
}

/// An issue, or several that differ in one index alone.
struct Line<'a> {
    issue: &'a Issue,
    brief: Brief<'a>,
    start: usize,
    ends: Ends,
    lengths: Lengths,
    /// A line above has its hint.
    repeats_hint: bool,
    problems: usize,
}

/// Where the parts of a line end in the text.
struct Ends {
    path: usize,
    /// What stands in front of what was expected.
    lead: usize,
    expected: usize,
    found: usize,
    hint: usize,
}

/// How many characters the parts of a line have.
#[derive(Default)]
struct Lengths {
    path: usize,
    expected: usize,
    found: usize,
    hint: usize,
    /// The rest.
    around: usize,
}

/// How much of a report is shown in a room.
struct Size {
    lines: usize,
    /// In characters.
    length: usize,
    /// How many problems are not shown.
    more: usize,
}

impl Size {
    /// Before any line was looked at.
    fn of(length: usize) -> Self {
        Self {
            lines: 0,
            length,
            more: 0,
        }
    }
}

impl<'a> Lines<'a> {
    fn of(report: &'a Report, groups: &'a Groups) -> Self {
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
            count,
            all: Vec::with_capacity(issues.len()),
        };
        for (number, issue) in issues.iter().enumerate() {
            match groups.of(number) {
                Some(group) if group.first != number => {}
                group => lines.add(issue, group),
            }
        }
        lines
    }

    fn add(&mut self, issue: &'a Issue, group: Option<&'a Group>) {
        let mut above = self.all.iter();
        let repeats_hint = issue.hint.is_some() && above.any(|line| line.issue.hint == issue.hint);
        let out = &mut self.full;
        let start = out.len();
        out.push_str(MARK);
        let (found, problems) = if let Some(group) = group {
            issue.path.write_with(group.step, &group.indexes, out);
            (&*group.found, group.problems)
        } else {
            issue.path.write(out);
            (&*issue.found, 1)
        };
        let path = out.len();
        let words = issue.words(found);
        out.push_str(words.lead);
        let lead = out.len();
        out.push_str(words.expected);
        let expected = out.len();
        if !words.found.is_empty() {
            out.push_str(FOUND);
            out.push_str(words.found);
        }
        let found = out.len();
        // The names that are known are told once.
        if let Some(hint) = &issue.hint
            && !(repeats_hint && issue.kind == IssueKind::UnknownKey)
        {
            out.push_str(HINT);
            out.push_str(hint);
        }
        self.all.push(Line {
            issue,
            brief: Brief::Whole(words.expected),
            start,
            ends: Ends {
                path,
                lead,
                expected,
                found,
                hint: out.len(),
            },
            lengths: Lengths::default(),
            repeats_hint,
            problems,
        });
    }

    /// Counts the characters of all parts.
    fn measure_parts(&mut self, is_ascii: bool) {
        let full = &self.full;
        let length_of = |start: usize, end: usize| {
            if is_ascii {
                end - start
            } else {
                length(part(full, start, end))
            }
        };
        for line in &mut self.all {
            let ends = &line.ends;
            let found = length_of(ends.expected, ends.found);
            line.lengths = Lengths {
                path: length_of(line.start + MARK.len(), ends.path),
                expected: length_of(ends.lead, ends.expected),
                found: found.saturating_sub(FOUND.len()),
                hint: length_of(ends.found, ends.hint),
                around: MARK.len() + ends.lead - ends.path,
            };
        }
    }

    /// The lines that are shown, and the characters that they take.
    fn measure(&self, room: &Room) -> Size {
        let mut size = Size {
            more: self.count,
            ..Size::of(self.head)
        };
        let mut most = self.head + TEXT;
        for line in &self.all {
            // A line that is too long is cut, and marked where it is.
            let length = line.length_in(room).min(MARK.len() + LINE + 1);
            most += MARK.len();
            if size.length + length > most {
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

    fn write(&self, room: &Room, size: &Size) -> String {
        let mut text = String::with_capacity(size.length + 16);
        text.push_str(part(&self.full, 0, self.head));
        for line in self.all.iter().take(size.lines) {
            let start = text.len();
            self.write_line(line, room, &mut text);
            // Characters are counted only where there are bytes enough for too many of them.
            let most = MARK.len() + LINE;
            if text.len() - start > most
                && let Some((end, _)) = part(&text, start, text.len()).char_indices().nth(most)
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

    fn write_line(&self, line: &Line<'_>, room: &Room, out: &mut String) {
        let Line { ends, lengths, .. } = line;
        let full = &self.full;
        if lengths.path <= room.path {
            out.push_str(part(full, line.start, ends.lead));
        } else {
            out.push_str(MARK);
            let path = part(full, line.start + MARK.len(), ends.path);
            put_ends(path, lengths.path, room.path, out);
            out.push_str(part(full, ends.path, ends.lead));
        }
        match line.brief {
            Brief::Whole(words) => out.push_str(words),
            Brief::Noun(noun) => put_first(noun, room.expected, out),
            Brief::Between(kind, ..) if room.hides_bounds() => out.push_str(kind.trim_end()),
            Brief::Between(kind, from, to) => {
                for piece in [kind, from, Brief::BETWEEN, to] {
                    out.push_str(piece);
                }
            }
        }
        if lengths.found > 0 && room.found > 0 {
            out.push_str(FOUND);
            let found = part(full, ends.expected + FOUND.len(), ends.found);
            put_first(found, room.found, out);
        }
        if line.shows_hint(room) {
            out.push_str(part(full, ends.found, ends.hint));
        }
    }
}

impl Line<'_> {
    /// Finds fewer words for what was expected.
    fn shorten(&mut self, is_ascii: bool) {
        // The words of the author are shown whole.
        if let Brief::Whole(words) = self.brief
            && self.issue.kind != IssueKind::Invalid
        {
            self.brief = brief(self.issue.kind, words);
            self.lengths.expected = self.brief.length(is_ascii);
        }
    }

    /// How many characters of it there are in a room.
    #[inline]
    fn length_in(&self, room: &Room) -> usize {
        let lengths = &self.lengths;
        let expected = match self.brief {
            Brief::Noun(_) => cut_to(lengths.expected, room.expected),
            Brief::Between(kind, ..) if room.hides_bounds() => kind.trim_end().len(),
            Brief::Whole(_) | Brief::Between(..) => lengths.expected,
        };
        let found = match cut_to(lengths.found, room.found) {
            0 => 0,
            found => FOUND.len() + found,
        };
        let hint = if self.shows_hint(room) {
            lengths.hint
        } else {
            0
        };
        cut_to(lengths.path, room.path) + lengths.around + expected + found + hint
    }

    fn shows_hint(&self, room: &Room) -> bool {
        match room.hints {
            Hints::All => true,
            Hints::Once => !self.repeats_hint,
            Hints::None => false,
        }
    }
}

fn part(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// Writes the beginning and the end of a text of so many characters, which are more than fit.
fn put_ends(text: &str, length: usize, most: usize, out: &mut String) {
    let half = most / 2;
    out.extend(text.chars().take(half));
    out.push_str(CUT);
    out.extend(text.chars().skip(length - half));
}

/// Writes at most so many characters of a text that is fit to be shown.
fn put_first(text: &str, most: usize, out: &mut String) {
    if text.len() > most
        && let Some((end, _)) = text.char_indices().nth(most)
    {
        out.push_str(text.get(..end).unwrap_or_default());
        out.push('…');
    } else {
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::{BRIEF, FEW, Issue, IssueKind, LINE, Report, TEXT};
    use crate::report::{Path, Step};

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
