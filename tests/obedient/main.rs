//! A model that does only what a reply says: it knows the call that it means, and mends the call that it sent by the
//! words of the reply. A value that it may not know the form of is mended only if the reply has the datum.

mod alike;
mod classes;
mod model;
mod text;
mod tools;

use std::fmt::Write;

use callpact::Policy;
use callpact_testing::Rng;
use serde_json::Value;

use classes::{Means, classes};
use model::obey;
use text::Sent;
use tools::{Random, Tool, tools};

/// The calls of a class.
const CALLS: usize = 20;

/// Classes whose calls the exact policy runs, since an open schema takes them as they are: a key that it does not
/// declare, or any text.
const UNSEEN: [&str; 5] = [
    "dotted keys of an optional object",
    "near miss of an optional key",
    "optional key in words",
    "parameter in another object",
    "markup at the end",
];

/// Classes of a text form of ours, which a schema at run time does not have: it takes any text.
const FORMS: [&str; 2] = ["a word for nothing: a form", "duration in words"];

/// A call that was meant, and the bad one that was sent.
struct Case {
    meant: Value,
    sent: Sent,
}

fn cases(class: &classes::Class, tool: &Tool, seed: u64) -> Vec<Case> {
    let mut random = Random(Rng::new(seed));
    let mut cases = Vec::new();
    for _ in 0..CALLS * 60 {
        if cases.len() == CALLS {
            break;
        }
        let meant = (tool.mean)(&mut random);
        let mut sent = Sent {
            value: meant.clone(),
            damages: std::collections::BTreeSet::new(),
        };
        let is_bad = match class.means {
            Means::Text(damages) => {
                sent.damages = damages.iter().copied().collect();
                serde_json::from_str::<Value>(&sent.text()).ok().as_ref() != Some(&meant)
            }
            Means::Value(change) => change(&mut sent.value, &mut random) && sent.value != meant,
        };
        if is_bad {
            cases.push(Case { meant, sent });
        }
    }
    assert_eq!(cases.len(), CALLS, "{}", class.name);
    cases
}

/// Reads a call under a policy; the reply if it is refused.
type Reader<'a> = Box<dyn Fn(&str, &Policy) -> Result<Value, String> + 'a>;
type Read<'a> = &'a dyn Fn(&str, &Policy) -> Result<Value, String>;

#[derive(Default)]
struct Row {
    right: usize,
    wrong: usize,
    /// Calls that run with another value than was meant, since their schema takes what was sent.
    unseen: usize,
    tokens: usize,
    replies: usize,
    left: Vec<String>,
}

fn try_case(
    (class, case): (&str, &Case),
    tool: &Tool,
    read: Read<'_>,
    (policy, unseen): (&Policy, &[&str]),
    row: &mut Row,
) {
    let mut sent = Sent {
        value: case.sent.value.clone(),
        damages: case.sent.damages.clone(),
    };
    let first = sent.text();
    match read(&first, policy) {
        Ok(value) if value == case.meant => row.right += 1,
        Ok(_) if unseen.contains(&class) => row.unseen += 1,
        Ok(value) => {
            row.wrong += 1;
            row.left.push(format!("RUNS WRONG: {first}\n  as {value}"));
        }
        Err(reply) => {
            row.replies += 1;
            row.tokens += reply.len().div_ceil(4);
            obey(&reply, &case.meant, tool, &mut sent);
            let second = sent.text();
            match read(&second, policy) {
                Ok(value) if value == case.meant => row.right += 1,
                Ok(value) => {
                    let said = format!("{first}\n  {reply}\n  {second}\n  gave {value}");
                    row.left.push(said.replace('\n', "\n  "));
                }
                Err(again) => {
                    let said = format!("{first}\n  {reply}\n  {second}\n  {again}");
                    row.left.push(said.replace('\n', "\n  "));
                }
            }
        }
    }
}

fn run(kind: &str, forms: &[&str], read_by: fn(&Tool) -> Reader<'_>) {
    let tools = tools();
    let mut faults = String::new();
    let mut table = String::new();
    let (mut calls, mut right, mut wrong, mut all_unseen) = (0, 0, 0, 0);
    let policies = [
        ("exact", Policy::exact(), [&UNSEEN, forms].concat()),
        ("lax", Policy::lax(), forms.to_vec()),
        ("repair", Policy::repair(), forms.to_vec()),
    ];
    let classes = classes();
    let mut tokens = [0; 3];
    let mut replies = [0; 3];
    let mut rights = [0; 3];
    for (number, class) in classes.iter().enumerate() {
        let tool = &tools[class.tool];
        let read = read_by(tool);
        let cases = cases(class, tool, number as u64 + 1);
        let _ = write!(table, "| {} |", class.name);
        for (at, (name, policy, unseen)) in policies.iter().enumerate() {
            let mut row = Row::default();
            for case in &cases {
                try_case((class.name, case), tool, &*read, (policy, unseen), &mut row);
            }
            let _ = write!(table, " {} |", row.right);
            calls += CALLS - row.unseen;
            right += row.right;
            rights[at] += row.right;
            wrong += row.wrong;
            all_unseen += row.unseen;
            tokens[at] += row.tokens;
            replies[at] += row.replies;
            if row.wrong > 0 || row.right * 100 < (CALLS - row.unseen) * 95 {
                let left = row.left.first().map_or("", String::as_str);
                let _ = writeln!(
                    faults,
                    "{} under {name}: {} right\n  {left}",
                    class.name, row.right
                );
            }
        }
        table.push('\n');
    }
    let each = classes.len() * CALLS;
    println!(
        "{kind}: {right} right of {calls}, {} calls in {} classes; {wrong} run wrong, {all_unseen} that their schema takes",
        each,
        classes.len()
    );
    for (at, (name, ..)) in policies.iter().enumerate() {
        let mean = tokens[at] / replies[at].max(1);
        println!(
            "{name}: {} right of {each}, {mean} tokens a reply of {}",
            rights[at], replies[at]
        );
    }
    println!("| class | exact | lax | repair |\n|---|---|---|---|\n{table}");
    assert!(each >= 1000 && classes.len() >= 50);
    assert!(
        faults.is_empty() && right * 100 >= calls * 98,
        "{kind}: {right} of {calls}\n{faults}"
    );
    assert_eq!(wrong, 0);
}

#[test]
fn typed_call_succeeds_after_single_report() {
    run("typed", &[], |tool| {
        Box::new(move |text, policy| (tool.typed)(text, policy))
    });
}

/// The same tools, whose schema is known at run time only.
#[test]
fn run_time_call_succeeds_after_single_report() {
    run("run-time", &FORMS, |tool| {
        Box::new(move |text, policy| tool.at_run_time(text, policy))
    });
}
