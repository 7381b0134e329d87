//! What is wrong with the arguments of a call, as data and in words for the model.

use std::fmt;

use serde::Serialize;

use super::{
    Issue, IssueKind, Issues,
    expected::write_words,
    group::{Group, Groups},
    issue::{FOUND, HINT, tells_found, write_lead},
    room::{FOUND_FIRST, Hints, ROOMS, Room, cut_to, put_first},
};
use crate::text::{length, whole};

/// Everything wrong with the arguments of one call.
///
/// The text is what the model gets:
///
/// ```
/// # use callpact::{ToolInput, Policy, read_str};
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
    pub issues: Issues,
    /// How many more were found than are kept.
    pub omitted: usize,
}

/// Longest text of a report in characters; whole lines beyond it are counted instead.
const TEXT: usize = 4_000;
/// How long the text of a few problems is, and of more for each of them; what was expected and found is
/// cut to that. With the `Error: ` in front of it a reply has 400 characters.
pub(super) const BRIEF: usize = 400 - "Error: ".len();
const FEW: usize = 7;
/// Longest line; only an author's own message comes near it.
const LINE: usize = 600;
/// What stands in front of a line.
const MARK: &str = "\n- ";
const HEAD: &str = "Invalid arguments, ";
/// How many lines mostly fit as they are.
const MOSTLY_WHOLE: usize = 4;
/// The number of the first of the rooms in which nothing found is told.
const NOTHING_FOUND: usize = 3;
/// How many of the rooms there are for more than a few problems: those that leave names whole.
const OF_MANY: usize = 10;
/// What stands in place of the middle of a path.
const CUT: &str = "…";

impl Report {
    /// A report of these issues.
    pub fn new(issues: Vec<Issue>) -> Self {
        Self {
            issues: issues.into(),
            omitted: 0,
        }
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

impl Report {
    /// The text for the model.
    pub(super) fn text(&self) -> String {
        let groups = Groups::among(&self.issues);
        let lines = Lines {
            report: self,
            groups: &groups,
        };
        let count = self.issues.len() - groups.repeated();
        let budget = BRIEF + BRIEF / FEW * count.saturating_sub(FEW);
        let mut text = String::with_capacity(budget.min(64 + 64 * count));
        // A few lines mostly fit as they are, and more of them without what was found.
        if count <= MOSTLY_WHOLE {
            lines.write(&ROOMS[0], &mut text);
            if fits(&text, budget) {
                return text;
            }
            text.clear();
        }
        let found = lines.write(&ROOMS[NOTHING_FOUND], &mut text);
        let is_found_too_large = found.is_some_and(|found| length(&text) + found > budget);
        if is_found_too_large && fits(&text, budget) {
            return text;
        }
        let first = if is_found_too_large {
            NOTHING_FOUND + 1
        } else {
            0
        };
        let last = if count > FEW { OF_MANY } else { ROOMS.len() };
        for room in ROOMS.iter().take(last).skip(first) {
            text.clear();
            lines.write(room, &mut text);
            if fits(&text, budget) {
                break;
            }
        }
        text
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Report {}

fn fits(text: &str, budget: usize) -> bool {
    text.len() <= budget || length(text) <= budget
}

/// The lines of a report.
struct Lines<'a> {
    report: &'a Report,
    groups: &'a Groups,
}

impl Lines<'_> {
    /// Writes the report; how many characters the first part of what was found has at least, where the room has none of it
    /// and no line is nearly too long.
    fn write(&self, room: &Room, out: &mut String) -> Option<usize> {
        let issues = &self.report.issues;
        let count = self.report.count();
        out.push_str(HEAD);
        whole(count as i128, out);
        out.push_str(if count == 1 {
            " problem:"
        } else {
            " problems:"
        });
        let mut more = count;
        let mut most = out.len() + TEXT;
        let (mut found, mut is_known) = (0, true);
        for (number, issue) in issues.iter().enumerate() {
            let group = self.groups.of(number);
            if group.is_some_and(|group| group.first != number) {
                continue;
            }
            let start = out.len();
            out.push_str(MARK);
            let above = issues.get(..number).unwrap_or_default();
            let in_line = write_line(issue, above, group, room, out);
            let length_of_line = out.len() - start;
            is_known &= length_of_line + FOUND_FIRST < LINE;
            if in_line > 0 {
                found += FOUND.len() + cut_to(in_line, FOUND_FIRST);
            }
            // Characters are counted only where there are bytes enough for too many of them.
            if length_of_line > MARK.len() + LINE {
                cut_line(out, start + MARK.len());
            }
            most += MARK.len();
            if out.len() > most && length(out) > most {
                out.truncate(start);
                is_known = false;
                break;
            }
            more -= group.map_or(1, |group| group.problems);
        }
        if more > 0 {
            out.push_str("\n- and ");
            whole(more as i128, out);
            out.push_str(" more");
        }
        is_known.then_some(found)
    }
}

/// Writes the line of an issue, or of a group of issues; how many characters of what was found are left out at least.
#[inline]
fn write_line(
    issue: &Issue,
    above: &[Issue],
    group: Option<&Group>,
    room: &Room,
    out: &mut String,
) -> usize {
    let start = out.len();
    match group {
        Some(group) => issue.trail().write_with(group.step, &group.indexes, out),
        None => issue.trail().write(out),
    }
    if out.len() - start > room.path {
        cut_middle(out, start, room.path);
    }
    let kind = issue.kind;
    write_lead(kind, out);
    write_words(kind, &issue.expected, room, out);
    let mut left = 0;
    if tells_found(kind) {
        let found = match group {
            Some(group) => group.found.chars().count(),
            None => length(&issue.found),
        };
        if room.found == 0 {
            left = found;
        } else if found > 0 {
            out.push_str(FOUND);
            match group {
                Some(group) => put_first(&group.found, room.found, out),
                None => put_first(&issue.found, room.found, out),
            }
        }
    }
    if let Some(hint) = &issue.hint
        && shows_hint(issue, above, room)
    {
        out.push_str(HINT);
        out.push_str(hint);
    }
    left
}

/// Whether the hint of an issue is told in its line.
fn shows_hint(issue: &Issue, above: &[Issue], room: &Room) -> bool {
    let is_told_above = || above.iter().any(|other| other.hint == issue.hint);
    match room.hints {
        // The names that are known are told once.
        Hints::All => issue.kind != IssueKind::UnknownKey || !is_told_above(),
        Hints::Once => !is_told_above(),
        Hints::None => false,
    }
}

/// Cuts what stands from a place on to the longest line.
fn cut_line(out: &mut String, start: usize) {
    let line = out.get(start..).unwrap_or_default();
    if let Some((end, _)) = line.char_indices().nth(LINE) {
        out.truncate(start + end);
        out.push('…');
    }
}

/// Leaves of what stands from a place on its beginning and its end, where it has more than so many characters.
fn cut_middle(out: &mut String, start: usize, most: usize) {
    let whole = out.split_off(start);
    let length = length(&whole);
    if length <= most {
        return out.push_str(&whole);
    }
    let half = most / 2;
    out.extend(whole.chars().take(half));
    out.push_str(CUT);
    out.extend(whole.chars().skip(length - half));
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
    fn names_of_more_than_seven_faults_are_whole() {
        let name =
            |number: usize| format!("parameter_number_{number}_of_the_service_configuration");
        let issues = (0..8).map(|number| {
            let mut issue = at(&[&name(number)], "a string", "");
            issue.kind = IssueKind::Missing;
            issue
        });
        let text = Report::new(issues.collect()).to_string();
        for number in 0..8 {
            let line = format!("- {}: missing; expected string", name(number));
            assert!(text.contains(&line), "{text}");
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
        // Many lines have room for a long one.
        let lines_of = |long: usize, of: &str| {
            let mut lengths = [20; 20];
            lengths[1] = long;
            let text = report(&lengths, of);
            let lines = text.lines().skip(1).map(str::to_owned);
            lines.collect::<Vec<String>>()
        };
        for of in ["a", "é", "…"] {
            for whole in [LINE / 3, LINE - 1, LINE] {
                let line = format!("- {}", issue(whole, of));
                assert_eq!(lines_of(whole, of)[1], line);
            }
            // One more is as good as any number more.
            let cut = format!("- {}…", issue(LINE, of));
            for more in [LINE + 1, LINE + 2, 2 * LINE, 20 * LINE] {
                let lines = lines_of(more, of);
                assert_eq!(lines[1], cut, "{more} of {of}");
                assert_eq!(lines.len(), 20);
            }
        }
    }

    #[test]
    fn words_of_an_author_are_cut_to_fit() {
        for of in ["a", "é", "…"] {
            for (count, shown) in [
                (1, 320),
                (2, 160),
                (3, 100),
                (4, 60),
                (5, 40),
                (6, 40),
                (7, 30),
            ] {
                let text = report(&vec![LINE; count], of);
                let line = format!("- arguments: {}…", of.repeat(shown));
                assert!(text.lines().skip(1).all(|one| one == line), "{text}");
                assert_eq!(text.lines().count(), count + 1);
                assert!(text.chars().count() <= BRIEF, "{text}");
            }
            // Short ones beside a long one are shown whole, and what fits is not cut.
            let beside = report(&[40, 2 * LINE, 40], of);
            assert!(beside.contains(&issue(40, of).to_string()), "{beside}");
            assert!(beside.chars().count() <= BRIEF, "{beside}");
            assert!(!report(&[130, 110, 110], of).contains("aa…"));
        }
        // The data keep everything.
        let report = Report::new(vec![issue(LINE, "a"); 7]);
        let said = report.to_json()["issues"][6]["expected"].clone();
        assert_eq!(said, "a".repeat(LINE - "arguments: ".len()));
    }

    #[test]
    fn no_text_of_few_problems_is_too_long() {
        let kinds = [
            IssueKind::Missing,
            IssueKind::WrongType,
            IssueKind::UnknownKey,
            IssueKind::Invalid,
            IssueKind::NotJson,
        ];
        let mut number = 1_usize;
        let mut next = |below: usize| {
            number = number.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (number >> 16) % below
        };
        for _ in 0..4_000 {
            let count = 1 + next(7);
            let issues = (0..count).map(|_| {
                let mut words = || {
                    let of = ["a", "é", "a b ", "…", "an integer from 1 to ", "("];
                    of[next(6)].repeat([0, 1, 3, 20, 100][next(5)])
                };
                let (path, expected, found) = (words(), words(), words());
                let mut issue = at(&["list", "7", &path], &expected, &found);
                issue.hint = (expected.len() % 2 == 0).then(|| words().into());
                issue.kind = kinds[next(5)];
                issue
            });
            let text = Report::new(issues.collect()).to_string();
            assert!(text.chars().count() <= BRIEF, "{text}");
            assert_eq!(text.lines().count(), count + 1, "{text}");
        }
    }

    #[test]
    fn a_report_is_shown_whole_up_to_its_limit() {
        let shown = |text: &str| text.matches("\n- arguments: ").count();
        for of in ["a", "é", "…"] {
            // Long lines and short ones: the marks in front of lines do not count.
            for length in [50, 40, 25] {
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
