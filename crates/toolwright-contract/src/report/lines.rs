//! What is wrong with the arguments of a call, as data and in words for the model.

use std::fmt;

use serde::Serialize;

use super::Issue;
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
        let count = self.count();
        let mut text = String::with_capacity(64 + 96 * self.issues.len().min(64));
        text.push_str("Invalid arguments, ");
        whole(count as i128, &mut text);
        text.push_str(if count == 1 {
            " problem:"
        } else {
            " problems:"
        });
        let head = text.len();
        let mut shown = 0;
        for issue in &self.issues {
            let start = text.len();
            text.push_str("\n- ");
            issue.write(&mut text);
            // Characters are counted only where there are bytes enough for too many of them.
            if text.len() - start > MARK + LINE
                && let Some((end, _)) = tail(&text, start).char_indices().nth(MARK + LINE)
            {
                text.truncate(start + end);
                text.push('…');
            }
            if text.len() - head > TEXT
                && tail(&text, head).chars().count() - MARK * (shown + 1) > TEXT
            {
                text.truncate(start);
                break;
            }
            shown += 1;
        }
        f.write_str(&text)?;
        match count - shown {
            0 => Ok(()),
            more => write!(f, "\n- and {more} more"),
        }
    }
}

fn tail(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or_default()
}

impl std::error::Error for Report {}

#[cfg(test)]
mod tests {
    use super::{Issue, LINE, Report, TEXT};
    use crate::report::{IssueKind, Path};

    /// An issue whose line has this many characters.
    fn issue(length: usize, of: &str) -> Issue {
        let words = of.repeat(length - "arguments: ".len());
        Issue::new(Path::default(), IssueKind::Invalid, words, "")
    }

    fn report(lines: &[usize], of: &str) -> String {
        Report::new(lines.iter().map(|length| issue(*length, of)).collect()).to_string()
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
