//! Between the question and the yes a file changes, for every way of the runtime to ask: nothing is written.

use std::sync::Arc;

use callpact::{
    Halt, PendingCall, ToolCall, ToolContext, ToolReply, Toolset,
    review::{ReviewDecision, ReviewRequest, channel, review_fn},
    store::MemoryStore,
    tool::SealKey,
};

use crate::changed_files::ChangeCase;

/// The ways to ask. Each makes the call, makes the change before somebody says yes, and returns the reply.
const WAYS: [&str; 8] = [
    "a reviewer",
    "a channel",
    "a reviewer whom the list demands",
    "a reviewer who edits",
    "the program holds the call",
    "a sealed text holds the call",
    "a store holds the call",
    "the run makes the stored call again",
];

async fn ask(
    way: &str,
    tools: &Toolset,
    call: &ToolCall,
    change: impl Fn() + Send + Sync + 'static,
) -> ToolReply {
    let later = || ToolContext::new().with_deferred_approval();
    let waits = async |cx: &ToolContext| match tools.call(call, cx).await {
        Err(Halt::Pending(pending)) => pending,
        other => panic!("{other:?}"),
    };
    match way {
        "the program holds the call" => {
            let pending = waits(&later()).await;
            change();
            let yes = ReviewDecision::Continue;
            tools
                .decide(&pending, yes, &ToolContext::new())
                .await
                .unwrap()
        }
        "a sealed text holds the call" => {
            let key = SealKey::new([7; 32]).unwrap();
            let sealed = waits(&later()).await.seal(&key);
            change();
            let pending = PendingCall::open(&sealed, &key).unwrap();
            let yes = ReviewDecision::Continue;
            tools
                .decide(&pending, yes, &ToolContext::new())
                .await
                .unwrap()
        }
        "a channel" => {
            let (reviewer, requests) = channel();
            tokio::spawn(async move {
                let mut change = Some(change);
                while let Some(pending) = requests.recv().await {
                    if let Some(change) = change.take() {
                        change();
                    }
                    pending.reply(ReviewDecision::Continue);
                }
            });
            let cx = ToolContext::new().with_reviewer(reviewer);
            tools.call(call, &cx).await.unwrap()
        }
        "a store holds the call" => {
            let cx = later().with_store(Arc::new(MemoryStore::new()));
            let pending = waits(&cx).await;
            change();
            let yes = ReviewDecision::Continue;
            tools.decide(&pending.id, yes, &cx).await.unwrap()
        }
        "the run makes the stored call again" => {
            let store = Arc::new(MemoryStore::new());
            let cx = later().with_store(Arc::clone(&store)).with_run("run-1");
            let pending = waits(&cx).await;
            change();
            let yes = callpact::store::Decided::new(
                ReviewDecision::Continue,
                "grace",
                callpact::store::Moment::now(),
            );
            callpact::store::CallStore::take(&*store, &pending.id, &yes)
                .await
                .unwrap();
            tools.call(call, &cx).await.unwrap()
        }
        way => {
            let edits = way == "a reviewer who edits";
            let asked = std::sync::atomic::AtomicUsize::new(0);
            let reviewer = review_fn(move |request: ReviewRequest| {
                let count = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                assert!(request.preview.is_some() && request.digest.len() == 64);
                let decision = if edits && count == 0 {
                    // The same call, so that it is still about this file.
                    ReviewDecision::Edit(request.action)
                } else {
                    ReviewDecision::Continue
                };
                if count == 0 {
                    change();
                }
                async move { Ok(decision) }
            });
            let cx = ToolContext::new().with_reviewer(reviewer);
            let tools = tools.require_approval(|_| way == "a reviewer whom the list demands");
            tools.call(call, &cx).await.unwrap()
        }
    }
}

#[tokio::test]
async fn nothing_is_written_after_a_change() {
    let mut changed = 0;
    for way in WAYS {
        for case in ChangeCase::all() {
            let (tools, call) = case.tool();
            let reply = ask(way, &tools, &call, case.change()).await;
            case.check(way, reply.is_success(), &reply.to_model());
            changed += usize::from(case.is_changed());
        }
    }
    assert_eq!(changed, 9 * 9 * 8, "all of them were made");
}
