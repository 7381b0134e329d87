//! Nine changes between the question and the yes, for every tool that asks about what it writes. The tests of each way to
//! ask use this.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use callpact::{
    Permission, ToolCall, ToolContext, ToolError, ToolInput, Toolset, TypedAgentTool,
    review::{ReviewDecision, ReviewRequest},
    tool,
};
use callpact_tools::{FileEdit, FileWrite};
use serde_json::{Value, json};

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

const NO_CHANGE: Change = ("nothing", |_| {});

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
    fn show(&self, path: &str, content: &str) -> String {
        show_swap(&self.0.join(path), content)
    }
}

/// A function, about which the list asks.
#[tool(write, preview = show_swap)]
fn swap(path: PathBuf, content: String) -> Result<String, ToolError> {
    fs::write(path, content)?;
    Ok("swapped".to_owned())
}

/// What a file has now, and what it gets.
fn show_swap(file: &Path, content: &str) -> String {
    let kind = fs::symlink_metadata(file).map(|file| file.file_type());
    format!("{kind:?} {:?} -> {content}", fs::read(file))
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

/// One tool, and one change of its file between a question and the answer.
pub(crate) struct ChangeCase {
    place: tempfile::TempDir,
    tool: usize,
    change: Change,
}

/// How many tools there are.
const TOOLS: usize = 9;

impl ChangeCase {
    /// Every change for every tool. For each tool there is also a call without a change.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let changes = CHANGES.into_iter().chain([NO_CHANGE]);
        changes.flat_map(|change| {
            (0..TOOLS).map(move |tool| {
                let place = tempfile::tempdir().unwrap();
                let case = Self {
                    place,
                    tool,
                    change,
                };
                case.prepare();
                case
            })
        })
    }

    fn base(&self) -> PathBuf {
        self.place.path().join("base")
    }

    fn prepare(&self) {
        fs::create_dir_all(self.base().join("dir")).unwrap();
        put(&self.base().join("dir"), BEFORE);
    }

    /// The tool, and a call of it.
    pub(crate) fn tool(&self) -> (Toolset, ToolCall) {
        let base = self.base();
        let edits = |asks| Toolset::single(FileEdit::new(&base).unwrap().require_approval(asks));
        let writes = |asks| Toolset::single(FileWrite::new(&base).unwrap().require_approval(asks));
        let write = |mode| json!({"path": "dir/a.txt", "content": "new\n", "mode": mode});
        let edit = json!({"path": "dir/a.txt", "old_string": "one", "new_string": "1", "replace_all": true});
        let replace = |path: &Path| json!({"path": path, "content": "new\n"});
        let (tools, name, arguments): (_, _, Value) = match self.tool {
            0 => (edits(false), "file_edit", edit),
            1 => (edits(true), "file_edit", edit),
            2 => (writes(false), "file_write", write("overwrite")),
            3 => (writes(false), "file_write", write("append")),
            4 => (writes(true), "file_write", write("overwrite")),
            5 => (writes(true), "file_write", write("append")),
            6 => (
                Toolset::single(Swap),
                "swap",
                replace(&base.join("dir/a.txt")),
            ),
            7 => (
                Toolset::single(Replace(base.clone())),
                "replace",
                replace("dir/a.txt".as_ref()),
            ),
            _ => (
                Toolset::single(ByHand(Replace(base.clone()))),
                "by_hand",
                replace("dir/a.txt".as_ref()),
            ),
        };
        let call = ToolCall::new("call-1", name, arguments.to_string());
        (tools.unwrap(), call)
    }

    /// Makes the change.
    pub(crate) fn change(&self) -> impl Fn() + Send + Sync + 'static {
        let (dir, change) = (self.base().join("dir"), self.change.1);
        move || change(&dir)
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.change.0 != NO_CHANGE.0
    }

    /// Asserts that the call was made only if nothing changed, and that nothing is written otherwise.
    pub(crate) fn check(&self, way: &str, is_success: bool, words: &str) {
        let case = format!("{way}, {}, tool {}: {words}", self.change.0, self.tool);
        assert_eq!(is_success, !self.is_changed(), "{case}");
        let found = snapshot(&self.base());
        fs::remove_dir_all(self.base()).unwrap();
        self.prepare();
        self.change()();
        assert_eq!(found == snapshot(&self.base()), self.is_changed(), "{case}");
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
