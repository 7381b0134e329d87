//! A file that changes while somebody looks at the diff is not written by what they approved.

use std::sync::Arc;

use callpact::review::{ReviewDecision, ReviewRequest, review_fn};
use callpact::store::{CallStore, Decided, MemoryStore, Moment};
use callpact::{
    AgentTool, Halt, Outcome, PendingCall, ToolCall, ToolContext, ToolReply, Toolset,
    call::ResumeError,
};
use callpact_tools::{FileEdit, FileWrite};
use serde_json::{Value, json};

use crate::bench::{Place, reply, set};

const BEFORE: &str = "one two\nthree\n";
const MEANWHILE: &str = "one two\nthree one\n";

/// A way to change a file, the call, a reviewer's edit of it, and the content of the file after each.
struct Case {
    tools: Toolset,
    name: &'static str,
    arguments: Value,
    edit: Value,
    after: [&'static str; 2],
}

fn cases(place: &Place) -> Vec<Case> {
    let case = |tools, name, arguments, edit, after| Case {
        tools,
        name,
        arguments,
        edit,
        after,
    };
    let replace = |new: &str| json!({"path": "a.txt", "old_string": "one", "new_string": new, "replace_all": true});
    let write =
        |mode: &str, content: &str| json!({"path": "a.txt", "content": content, "mode": mode});
    let edits = |asks| FileEdit::new(place.base()).unwrap().require_approval(asks);
    let writes = |asks| FileWrite::new(place.base()).unwrap().require_approval(asks);
    let mut all = Vec::new();
    for asks in [false, true] {
        let after = ["1 two\nthree\n", "I two\nthree\n"];
        all.push(case(
            set(edits(asks)),
            "file_edit",
            replace("1"),
            replace("I"),
            after,
        ));
        let (new, other) = (write("overwrite", "new\n"), write("overwrite", "other\n"));
        all.push(case(
            set(writes(asks)),
            "file_write",
            new,
            other,
            ["new\n", "other\n"],
        ));
        let (new, other) = (write("append", "four\n"), write("append", "4\n"));
        let after = ["one two\nthree\nfour\n", "one two\nthree\n4\n"];
        all.push(case(set(writes(asks)), "file_write", new, other, after));
    }
    all
}

/// Makes the call wait, unchanged or with its edit, and gives it as another process gets it.
async fn waiting(case: &Case, edits: bool) -> PendingCall {
    let cx = ToolContext::new().with_deferred_approval();
    let call = ToolCall::new("call-1", case.name, case.arguments.to_string());
    let Err(Halt::Pending(mut pending)) = case.tools.call(&call, &cx).await else {
        panic!("it waits");
    };
    if edits {
        let edit = ReviewDecision::Edit(case.edit.to_string());
        let Err(ResumeError::Halt(Halt::Pending(edited))) =
            case.tools.decide(&pending, edit, &cx).await
        else {
            panic!("nobody has seen the difference that the edit makes");
        };
        pending = edited;
    }
    let stored = serde_json::to_string(&*pending).unwrap();
    serde_json::from_str(&stored).unwrap()
}

#[tokio::test]
async fn rejects_file_changed_before_call_resumed() {
    let place = Place::new();
    for (number, case) in cases(&place).iter().enumerate() {
        for (edits, after) in [false, true].into_iter().zip(case.after) {
            let yes = ReviewDecision::Continue;
            place.put("a.txt", BEFORE);
            let pending = waiting(case, edits).await;
            place.put("a.txt", MEANWHILE);
            // The list of another process.
            let elsewhere = cases(&place).swap_remove(number).tools;
            let cx = ToolContext::new();
            let reply = elsewhere.decide(&pending, yes.clone(), &cx).await.unwrap();
            assert_eq!(reply.outcome, Outcome::Refused, "{}", reply.to_model());
            assert!(
                reply.to_model().contains("has changed since it was shown"),
                "{}",
                reply.to_model()
            );
            assert_eq!(place.text("a.txt"), MEANWHILE);

            place.put("a.txt", BEFORE);
            let pending = waiting(case, edits).await;
            let reply = elsewhere.decide(&pending, yes, &cx).await.unwrap();
            assert!(reply.is_success(), "{}", reply.to_model());
            assert_eq!(place.text("a.txt"), after);
        }
    }
}

/// A context whose reviewer may change a file before they answer.
fn meddling<C: AsRef<[u8]> + Sync + ?Sized>(
    place: &Place,
    content: Option<&'static C>,
    decision: ReviewDecision,
) -> ToolContext {
    let file = place.base().join("a.txt");
    ToolContext::new().with_reviewer(review_fn(move |_: ReviewRequest| {
        if let Some(content) = content {
            std::fs::write(&file, content).unwrap();
        }
        let decision = decision.clone();
        async move { Ok(decision) }
    }))
}

#[tokio::test]
async fn rejects_file_changed_during_review() {
    let place = Place::new();
    // The others ask in their own words.
    for case in cases(&place).into_iter().take(3) {
        let edit = ReviewDecision::Edit(case.edit.to_string());
        for (decision, after) in [ReviewDecision::Continue, edit].into_iter().zip(case.after) {
            // The reviewer of an edit is shown the current file.
            if decision == ReviewDecision::Continue {
                place.put("a.txt", BEFORE);
                let cx = meddling(&place, Some(MEANWHILE), decision.clone());
                let found = reply(&case.tools, case.name, case.arguments.clone(), &cx).await;
                assert_eq!(found.unwrap().outcome, Outcome::Refused);
                assert_eq!(place.text("a.txt"), MEANWHILE);
            }

            place.put("a.txt", BEFORE);
            let cx = meddling::<str>(&place, None, decision);
            let found = reply(&case.tools, case.name, case.arguments.clone(), &cx).await;
            let found = found.unwrap();
            assert!(found.is_success(), "{}", found.to_model());
            assert_eq!(place.text("a.txt"), after);
        }
    }
}

#[tokio::test]
async fn rejects_overwrite_of_file_created_during_review() {
    let place = Place::new();
    let tools = set(FileWrite::new(place.base()).unwrap());
    let arguments = json!({"path": "a.txt", "content": "new\n"});
    // Text, and bytes that are none.
    for content in ["somebody's\n", "\u{0}\u{1}"] {
        let cx = meddling(&place, Some(content), ReviewDecision::Continue);
        let found = reply(&tools, "file_write", arguments.clone(), &cx).await;
        assert_eq!(found.unwrap().outcome, Outcome::Refused);
        assert_eq!(place.text("a.txt"), content);
        std::fs::remove_file(place.base().join("a.txt")).unwrap();
    }
    let cx = meddling::<str>(&place, None, ReviewDecision::Continue);
    let found = reply(&tools, "file_write", arguments, &cx).await.unwrap();
    assert!(found.is_success(), "{}", found.to_model());
}

/// A file of which no difference can be shown, other content of the same length, and what is said of the first.
const OPAQUE: [(&[u8], &[u8], &str); 2] = [
    (
        b"a\xff\x00b",
        b"a\xff\x01b",
        "The 4 bytes of a.txt are replaced. They are not UTF-8 text (the first wrong byte is at 1).\n\
         SHA-256 of them: 0c217938c8e25d497c12546aa8d4f315431caf754424d3421ae22022594af1f3\n",
    ),
    (
        b"one two three",
        b"one two thre3",
        "The 13 bytes of a.txt are replaced. They are more than the 8 that are compared.\n\
         SHA-256 of them: 6899ee404683a14e8c2a03149860df25d67d34d9cd4dae7350cbe91e4b3976be\n",
    ),
];

#[tokio::test]
async fn rejects_overwrite_of_changed_bytes_without_diff() {
    let place = Place::new();
    let file = place.base().join("a.txt");
    let tools = || set(FileWrite::new(place.base()).unwrap().max_bytes(8));
    let arguments = json!({"path": "a.txt", "content": "new\n"});
    let put = |content: &[u8]| std::fs::write(&file, content).unwrap();
    let refused = |reply: ToolReply, content: &[u8]| {
        assert_eq!(reply.outcome, Outcome::Refused, "{}", reply.to_model());
        assert!(reply.to_model().contains("has changed since it was shown"));
        assert_eq!(std::fs::read(&file).unwrap(), content);
    };
    for (before, meanwhile, shown) in OPAQUE {
        // While somebody looks at the question.
        put(before);
        let cx = meddling(&place, Some(meanwhile), ReviewDecision::Continue);
        let found = reply(&tools(), "file_write", arguments.clone(), &cx).await;
        refused(found.unwrap(), meanwhile);

        // While the call waits in a store, for another process.
        for changes in [true, false] {
            put(before);
            let store = Arc::new(MemoryStore::new());
            let cx = ToolContext::new().with_store(Arc::clone(&store));
            let later = cx.clone().with_deferred_approval();
            let waits = reply(&tools(), "file_write", arguments.clone(), &later).await;
            let Err(Halt::Pending(pending)) = waits else {
                panic!("it waits");
            };
            assert_eq!(pending.preview.as_deref(), Some(shown));
            put(if changes { meanwhile } else { before });
            let yes = ReviewDecision::Continue;
            let found = tools().decide(&pending.id, yes, &cx).await.unwrap();
            if changes {
                refused(found, meanwhile);
            } else {
                assert!(found.is_success(), "{}", found.to_model());
                assert_eq!(place.text("a.txt"), "new\n");
            }
        }

        // In an edit that names the file, while the call named another one.
        for changes in [true, false] {
            put(before);
            let store = Arc::new(MemoryStore::new());
            let cx = ToolContext::new().with_store(Arc::clone(&store));
            let later = cx.clone().with_deferred_approval();
            let other = json!({"path": "b.txt", "content": "new\n"});
            let Err(Halt::Pending(pending)) = reply(&tools(), "file_write", other, &later).await
            else {
                panic!("it waits");
            };
            let edit = arguments.to_string();
            let edited = tools().preview_edit(&pending, &edit, &cx).unwrap();
            assert_eq!(edited.preview.as_deref(), Some(shown));
            let decision = ReviewDecision::Edit(edit);
            let decided = Decided::new(decision, "grace", Moment::now()).showing(edited);
            store.take(&pending.id, &decided).await.unwrap();
            put(if changes { meanwhile } else { before });
            let found = tools().resume(&pending.id, &cx).await.unwrap();
            if changes {
                refused(found, meanwhile);
            } else {
                assert!(found.is_success(), "{}", found.to_model());
                assert_eq!(place.text("a.txt"), "new\n");
            }
        }
    }
}

#[tokio::test]
async fn preview_explains_write_over_non_text() {
    let place = Place::new();
    let file = place.base().join("a.txt");
    let writes = || FileWrite::new(place.base()).unwrap();
    std::fs::write(&file, b"\xff").unwrap();
    let append = json!({"path": "a.txt", "content": "x", "mode": "append"});
    assert_eq!(
        preview(writes(), append).await,
        "The 1 bytes of a.txt stay, and the new text is added after them. They are not UTF-8 text \
         (the first wrong byte is at 0).\n\
         SHA-256 of them: a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89\n"
    );
    // Its digest would take a day, so the time of the last change replaces the rest.
    let huge = std::fs::File::create(&file).unwrap();
    huge.set_len(1 << 40).unwrap();
    let over = json!({"path": "a.txt", "content": "x"});
    let first = preview(writes(), over.clone()).await;
    assert!(
        first.starts_with(
            "The 1099511627776 bytes of a.txt are replaced. They are more than the 16777216 that are \
             compared.\nSHA-256 of their first 67108864: "
        ),
        "{first}"
    );
    assert_eq!(preview(writes(), over.clone()).await, first);
    std::os::unix::fs::FileExt::write_at(&huge, b"x", 1 << 30).unwrap();
    assert_ne!(preview(writes(), over).await, first);
}

/// The preview that a call shows.
async fn preview(tool: impl AgentTool + 'static, arguments: Value) -> String {
    let name = tool.name().to_owned();
    let cx = ToolContext::new().with_deferred_approval();
    let call = ToolCall::new("call-1", name, arguments.to_string());
    match set(tool).call(&call, &cx).await {
        Err(Halt::Pending(pending)) => pending.preview.unwrap_or_default().to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn expensive_diff_falls_back_and_stays_deterministic() {
    let place = Place::new();
    // Every other line differs, which makes the shortest difference the hardest to find.
    let text = |step: usize, lines: usize| {
        let numbers = (0..lines).map(|line| (line * step % 997).to_string());
        numbers.collect::<Vec<_>>().join("\n") + "\n"
    };
    place.put("a.txt", text(3, 20_000));
    let arguments = json!({"path": "a.txt", "content": text(7, 20_000)});
    let writes = || FileWrite::new(place.base()).unwrap();
    let first = preview(writes(), arguments.clone()).await;
    assert_eq!(
        first.lines().filter(|line| line.starts_with('-')).count(),
        20_000
    );
    for _ in 0..3 {
        assert_eq!(preview(writes(), arguments.clone()).await, first);
    }
    // Two edits far apart in a long file stay two short parts.
    let long = format!("old\n{}old\n", text(3, 100_000));
    place.put("a.txt", &long);
    let edits = FileEdit::new(place.base()).unwrap();
    let all =
        json!({"path": "a.txt", "old_string": "old", "new_string": "new", "replace_all": true});
    assert_eq!(
        preview(edits, all).await.lines().count(),
        2 + 2 * (1 + 2 + 3)
    );
    // So does what is added at the end.
    let end = json!({"path": "a.txt", "content": "end\n", "mode": "append"});
    assert_eq!(preview(writes(), end).await.lines().count(), 2 + 1 + 3 + 1);
}
