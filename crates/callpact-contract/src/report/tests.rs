use super::{Issue, IssueKind, LINES, MESSAGE, Report};
use crate::report::{Path, Step};

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
fn merges_lines_with_different_map_keys() {
    let entries = ["LANG", "a b", "PATH"].map(|key| {
        let mut issue = at(&["env", key], "a string", "5");
        issue.clue.entry = Some(1);
        issue
    });
    assert_eq!(
        Report::new(entries.to_vec()).to_string(),
        "Invalid arguments, 3 problems:\n\
         - env.{LANG, \"a b\", PATH}: expected a string, found 5"
    );
    // Declared fields keep a line each.
    let fields = ["a", "b", "c"].map(|key| at(&[key], "a string", "5"));
    assert_eq!(Report::new(fields.to_vec()).to_string().lines().count(), 4);
}

#[test]
fn shortens_long_report_but_keeps_corrections() {
    let report = |count: usize| {
        let issue = |number: usize| {
            let path = format!("field_{number}");
            let mut issue = at(&[&path], "an integer from 1 to 50", "99");
            issue.dense = "expected integer 1..50".into();
            issue
        };
        Report::new((0..count).map(issue).collect()).to_string()
    };
    for (count, line) in [
        (
            5,
            "\n- field_0: expected an integer from 1 to 50, found 99\n",
        ),
        (8, "\n- field_0: expected integer 1..50, found 99\n"),
        (20, "\n- field_0: expected integer 1..50\n"),
    ] {
        let text = report(count);
        assert!(text.contains(line), "{text}");
        assert_eq!(text.lines().count(), count + 1);
    }
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
fn lines_beyond_the_limit_are_counted() {
    let issues = |count: usize| (0..count).map(|number| at(&[&format!("f{number}")], "a", "b"));
    let text = Report::new(issues(LINES).collect()).to_string();
    assert_eq!(text.lines().count(), LINES + 1);
    let text = Report::new(issues(LINES + 3).collect()).to_string();
    assert!(text.ends_with("\n- and 3 more"), "{text}");
    assert_eq!(text.lines().count(), LINES + 2);
    let mut report = Report::new(issues(2).collect());
    report.omitted = 7;
    assert!(report.to_string().ends_with("\n- and 7 more"));
}

#[test]
fn only_the_message_of_an_author_is_cut() {
    let issue = |kind, length: usize| Issue::new(Path::default(), kind, "é".repeat(length), "");
    let cut = Report::new(vec![issue(IssueKind::Invalid, MESSAGE + 1)]).to_string();
    assert!(cut.ends_with(&format!("{}…", "é".repeat(MESSAGE))));
    for issue in [
        issue(IssueKind::Invalid, MESSAGE),
        issue(IssueKind::Pattern, 2 * MESSAGE),
    ] {
        assert!(!Report::new(vec![issue]).to_string().contains('…'));
    }
}
