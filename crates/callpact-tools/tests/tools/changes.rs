//! Nine changes between the question and the yes, for every tool that writes files and every way to ask: nothing is
//! written.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use callpact::review::{ReviewDecision, ReviewRequest, review_fn};
use callpact::store::MemoryStore;
use callpact::{
    AgentTool, Halt, Permission, ToolCall, ToolContext, ToolError, ToolInput, ToolReply, Toolset,
    TypedAgentTool,
};
use callpact_tools::{FileEdit, FileWrite};
use serde_json::{Value, json};

use crate::bench::Place;

const BEFORE: &str = "one two\nthree\n";

type Change = (&'static str, fn(&Path));

/// The changes by name. Each works on `dir/a.txt`.
const CHANGES: [Change; 9] = [
    ("rewritten", |dir| put(dir, "somebody else\n")),
    ("a line more", |dir| put(dir, "one two\nthree one\n")),
    ("emptied", |dir| put(dir, "")),
    ("no text", |dir| {
        fs::write(dir.join("a.txt"), b"one\xff\0").unwrap();
    }),
    ("deleted", |dir| fs::remove_file(dir.join("a.txt")).unwrap()),
    ("a directory", |dir| {
        fs::remove_file(dir.join("a.txt")).unwrap();
        fs::create_dir(dir.join("a.txt")).unwrap();
    }),
    ("a link", |dir| {
        fs::rename(dir.join("a.txt"), dir.join("b.txt")).unwrap();
        std::os::unix::fs::symlink("b.txt", dir.join("a.txt")).unwrap();
    }),
    ("another file", |dir| {
        fs::write(dir.join("new.txt"), "ONE one\nthree\n").unwrap();
        fs::rename(dir.join("new.txt"), dir.join("a.txt")).unwrap();
    }),
    ("another directory", |dir| {
        fs::rename(dir, dir.with_extension("old")).unwrap();
        fs::create_dir(dir).unwrap();
        put(dir, "one\n");
    }),
];

fn put(dir: &Path, text: &str) {
    fs::write(dir.join("a.txt"), text).unwrap();
}

/// A tool of a user, which asks in the middle of its work.
#[derive(Clone)]
struct Replace(PathBuf);

#[derive(ToolInput)]
struct ReplaceInput {
    path: String,
    content: String,
}

impl Replace {
    /// What the file has now, and what it gets.
    fn show(&self, path: &str, content: &str) -> String {
        let file = self.0.join(path);
        let kind = fs::symlink_metadata(&file).map(|file| file.file_type());
        format!("{kind:?} {:?} -> {content}", fs::read(&file))
    }
}

impl TypedAgentTool for Replace {
    type Input = ReplaceInput;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "replace"
    }
    fn description(&self) -> &'static str {
        "Replaces a file."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn asks_itself(&self) -> bool {
        true
    }
    fn preview(&self, input: &ReplaceInput) -> Option<callpact::review::Preview> {
        Some(self.show(&input.path, &input.content).into())
    }
    async fn execute(&self, input: ReplaceInput, cx: &ToolContext) -> Self::Output {
        let content = cx
            .approved("Replace the file", input.content)
            .preview(|content| self.show(&input.path, content))
            .await?;
        fs::write(self.0.join(&input.path), content)?;
        Ok("replaced".to_owned())
    }
}

/// The same, with a question that it makes by hand.
struct ByHand(Replace);

impl TypedAgentTool for ByHand {
    type Input = ReplaceInput;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "by_hand"
    }
    fn description(&self) -> &'static str {
        "Replaces a file."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn asks_itself(&self) -> bool {
        true
    }
    fn preview(&self, input: &ReplaceInput) -> Option<callpact::review::Preview> {
        TypedAgentTool::preview(&self.0, input)
    }
    async fn execute(&self, input: ReplaceInput, cx: &ToolContext) -> Self::Output {
        let request = ReviewRequest::new("Replace the file").action(&input.content);
        match cx.require_review(request).await? {
            ReviewDecision::Continue => {}
            ReviewDecision::Edit(text) => assert_eq!(text, input.content),
            ReviewDecision::Refuse(reason) => return Err(ToolError::failed(reason)),
            other => return Err(ToolError::failed(format!("{other:?}"))),
        }
        fs::write(self.0.0.join(&input.path), input.content)?;
        Ok("replaced".to_owned())
    }
}

/// Every tool that writes, with a call of it.
fn tools(base: &Path) -> Vec<(Toolset, &'static str, Value)> {
    fn one(tool: impl AgentTool + 'static) -> Toolset {
        Toolset::single(tool).unwrap()
    }
    let edit =
        json!({"path": "dir/a.txt", "old_string": "one", "new_string": "1", "replace_all": true});
    let write = |mode: &str| json!({"path": "dir/a.txt", "content": "new\n", "mode": mode});
    let replace = json!({"path": "dir/a.txt", "content": "new\n"});
    let mut all = Vec::new();
    for asks in [false, true] {
        let edits = FileEdit::new(base).unwrap().require_approval(asks);
        all.push((one(edits), "file_edit", edit.clone()));
        for mode in ["overwrite", "append"] {
            let writes = FileWrite::new(base).unwrap().require_approval(asks);
            all.push((one(writes), "file_write", write(mode)));
        }
    }
    all.push((one(Replace(base.to_owned())), "replace", replace.clone()));
    all.push((one(ByHand(Replace(base.to_owned()))), "by_hand", replace));
    all
}

/// The ways to ask. Each makes the call, makes the change before somebody says yes, and returns the reply.
const WAYS: [&str; 6] = [
    "a reviewer",
    "a reviewer whom the list demands",
    "a reviewer who edits",
    "the program holds the call",
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

/// Everything below a directory.
fn snapshot(dir: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_dir() {
            all.extend(snapshot(&path));
        }
        let content = kind.is_file().then(|| fs::read(&path).unwrap());
        all.insert(path, format!("{kind:?} {content:?}"));
    }
    all
}

#[tokio::test]
async fn nothing_is_written_after_a_change() {
    let mut calls = 0;
    for way in WAYS {
        for (change_name, change) in CHANGES
            .into_iter()
            .chain([("nothing", (|_| {}) as fn(&Path))])
        {
            for (number, (_, name, arguments)) in
                tools(Place::new().base().as_path()).iter().enumerate()
            {
                let case = format!("{way}, {change_name}, {name} ({number})");
                let place = Place::new();
                let dir = place.base().join("dir");
                fs::create_dir(&dir).unwrap();
                put(&dir, BEFORE);
                let (tools, ..) = tools(&place.base()).swap_remove(number);
                let call = ToolCall::new("call-1", *name, arguments.to_string());
                let changed = dir.clone();
                let reply = ask(way, &tools, &call, move || change(&changed)).await;
                let found = snapshot(&place.base());
                if change_name == "nothing" {
                    assert!(reply.is_success(), "{case}: {}", reply.to_model());
                    assert_ne!(
                        fs::read_to_string(dir.join("a.txt")).unwrap(),
                        BEFORE,
                        "{case}"
                    );
                    continue;
                }
                calls += 1;
                assert!(!reply.is_success(), "{case}: {}", reply.to_model());
                fs::remove_dir_all(place.base()).unwrap();
                fs::create_dir_all(&dir).unwrap();
                put(&dir, BEFORE);
                change(&dir);
                assert_eq!(found, snapshot(&place.base()), "{case}");
            }
        }
    }
    assert_eq!(calls, 9 * 6 * 8, "all of them were made");
}
