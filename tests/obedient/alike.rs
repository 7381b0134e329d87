//! The replies of a typed tool and of the same tool at run time are the same words, over every bad call of the classes. The
//! exception is a text form of ours: a schema at run time takes any text there, and `""` as a value.

use callpact::Policy;
use serde_json::Value;

use crate::{cases, classes::classes, tools::tools};

/// The line of the parameter with a text form.
const FORM: &str = "- wait: ";

/// Whether two values are equal but for an empty text in place of a text form, which is absent for a type.
fn are_equal(typed: &Value, at_run_time: &Value) -> bool {
    let mut sent_on = at_run_time.clone();
    if sent_on["wait"] == "" {
        sent_on.as_object_mut().expect("an object").remove("wait");
    }
    *typed == sent_on
}

/// The lines of a reply, without that of a text form; none if the call runs.
fn lines(read: &Result<Value, String>) -> Vec<&str> {
    let reply = read.as_ref().err().map_or("", String::as_str);
    // The first line has the number of faults.
    let lines = reply.lines().skip(1);
    lines.filter(|line| !line.starts_with(FORM)).collect()
}

#[test]
fn typed_and_run_time_replies_are_equal() {
    let tools = tools();
    let (mut replies, mut forms) = (0, 0);
    for (number, class) in classes().iter().enumerate() {
        let tool = &tools[class.tool];
        for case in cases(class, tool, number as u64 + 1) {
            let text = case.sent.text();
            for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
                let typed = (tool.typed)(&text, &policy);
                let at_run_time = tool.at_run_time(&text, &policy);
                replies += usize::from(typed.is_err());
                if typed == at_run_time {
                    continue;
                }
                forms += 1;
                let is_form = match (&typed, &at_run_time) {
                    (Ok(typed), Ok(at_run_time)) => are_equal(typed, at_run_time),
                    (Err(reply), _) => reply.contains(FORM) && lines(&typed) == lines(&at_run_time),
                    (Ok(_), Err(_)) => false,
                };
                assert!(
                    is_form,
                    "{}: {text}\n{typed:?}\n{at_run_time:?}",
                    class.name
                );
            }
        }
    }
    assert!(replies > 4000 && forms > 0, "{replies} {forms}");
}
