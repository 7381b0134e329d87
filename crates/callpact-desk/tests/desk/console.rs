//! A person at a console and people at the page are asked the same question.

use std::{
    io::{PipeWriter, Write},
    sync::{Arc, Barrier, Mutex},
};

use callpact::{
    Halt, PermissionMode, ToolCall, ToolContext,
    review::{ConsoleReviewer, first_of},
};
use callpact_desk::Desk;
use serde_json::{Value, json};

use crate::kit::{Client, Diary, Served, tools, wait_until};

/// The output of a console.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Screen {
    fn shows(&self, text: &str) -> bool {
        String::from_utf8_lossy(&self.0.lock().unwrap()).contains(text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    One,
    Two,
    Console,
}

fn refuse(client: &Client, call: &Value, reason: &str) -> (u16, String) {
    let body = json!({ "id": call["id"], "digest": call["digest"],
        "decision": { "decision": "refuse", "reason": reason } });
    let answer = client.settle("decide", &body.to_string());
    (answer.status, answer.body)
}

#[test]
fn first_decision_wins_across_browsers_and_console() {
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()));
    let (one, two) = (served.client(), served.client());
    // In every order, and at once.
    let orders = [
        [Who::One, Who::Two, Who::Console],
        [Who::Console, Who::One, Who::Two],
    ];
    for order in orders.into_iter().map(Some).chain([None; 8]) {
        let screen = Screen::default();
        let (input, keys) = std::io::pipe().unwrap();
        let console = ConsoleReviewer::new(input, screen.clone());
        let cx = ToolContext::new()
            .with_permissions(PermissionMode::Ask)
            .with_reviewer(first_of(console, served.desk.reviewer()));
        let tools = tools(&diary);
        let running = served.runtime.spawn(async move {
            let call = ToolCall::new("call-1", "diary", r#"{"text": "never"}"#);
            tools.call(&call, &cx).await
        });
        let call = wait_until("it waits", || one.waiting().get(0).cloned());
        wait_until("the console asks", || screen.shows("never").then_some(()));
        let decide = |who: Who, keys: &mut PipeWriter| match who {
            Who::One => Some(refuse(&one, &call, "one")),
            Who::Two => Some(refuse(&two, &call, "two")),
            Who::Console => {
                // It may have no reader any more.
                let _ = keys.write_all(b"x\n");
                None
            }
        };
        let mut keys = keys;
        let answers: Vec<_> = if let Some(order) = order {
            order
                .into_iter()
                .map(|who| {
                    let answer = decide(who, &mut keys);
                    // The console is read by a thread of its own.
                    if who == order[0] {
                        wait_until("it is decided", || running.is_finished().then_some(()));
                    }
                    answer
                })
                .collect()
        } else {
            let start = Barrier::new(3);
            std::thread::scope(|scope| {
                let asked = [(&one, "one"), (&two, "two")].map(|(client, reason)| {
                    let (start, call) = (&start, &call);
                    scope.spawn(move || {
                        start.wait();
                        refuse(client, call, reason)
                    })
                });
                start.wait();
                decide(Who::Console, &mut keys);
                asked
                    .into_iter()
                    .map(|one| Some(one.join().unwrap()))
                    .collect()
            })
        };
        let ended = served.runtime.block_on(running).unwrap();
        let winners = answers
            .iter()
            .flatten()
            .filter(|(status, _)| *status == 200);
        let winners = winners.count();
        match &ended {
            Ok(reply) => {
                assert_eq!(winners, 1, "{answers:?}");
                let said = reply.to_model();
                assert!(said.contains("one") || said.contains("two"), "{said}");
                wait_until("the console is told", || {
                    screen
                        .shows("No longer waiting for an answer.")
                        .then_some(())
                });
            }
            Err(Halt::ExitEarly { .. }) => assert_eq!(winners, 0, "{answers:?}"),
            other => panic!("{other:?}"),
        }
        for (status, told) in answers
            .iter()
            .flatten()
            .filter(|(status, _)| *status != 200)
        {
            assert_eq!(*status, 409, "{told}");
            let told_why =
                told.contains("already refused by desk") || told.contains("does not wait any more");
            assert!(told_why, "{told}");
        }
        assert_eq!(one.waiting(), json!([]));
    }
    assert!(diary.0.lock().unwrap().is_empty());
}
