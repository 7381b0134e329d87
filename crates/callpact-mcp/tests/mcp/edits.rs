//! The user of a client edits a call, and is asked about what the edited call does.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use callpact::{Halt, Permission, ReviewDecision, ToolContext, ToolInput, Toolset, TypedAgentTool};
use callpact_mcp::server::{AskClients, ToolServer};
use rmcp::{
    ClientHandler, ErrorData, RoleClient, ServiceExt,
    model::{
        CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
        ElicitResult, ElicitationAction, ElicitationCapability, Implementation,
    },
    service::{ClientServiceExt, RequestContext, RunningService},
};
use serde_json::{Value, json};

use crate::{
    help::{Served, modern, request, serve},
    peer::transport,
};

/// Files in memory, and the tool that writes one of them.
#[derive(Clone, Default)]
struct Files(Arc<Mutex<BTreeMap<String, String>>>);

#[derive(ToolInput)]
struct Save {
    path: String,
    text: String,
    #[tool_param(default = 1)]
    copies: u32,
}

impl Files {
    fn get(&self, path: &str) -> Option<String> {
        self.0.lock().unwrap().get(path).cloned()
    }

    fn set(&self, path: &str, text: &str) {
        self.0
            .lock()
            .unwrap()
            .insert(path.to_owned(), text.to_owned());
    }
}

impl TypedAgentTool for Files {
    type Input = Save;
    type Output = &'static str;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "save"
    }
    fn description(&self) -> &'static str {
        "Writes a file."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn preview(&self, input: &Save) -> Option<callpact::review::Preview> {
        Some(format!("-{}\n+{}", self.get(&input.path)?, input.text).into())
    }
    async fn execute(&self, input: Save, _: &ToolContext) -> &'static str {
        self.set(&input.path, &input.text.repeat(input.copies as usize));
        "saved"
    }
}

type Meddle = Arc<dyn Fn(usize) + Send + Sync>;

/// A client whose user gives these answers, one after the other, after doing something each time.
#[derive(Clone)]
pub(crate) struct User {
    answers: Arc<Vec<Value>>,
    asked: Arc<Mutex<Vec<String>>>,
    meddle: Meddle,
}

impl User {
    pub(crate) fn new<const N: usize>(
        answers: [Value; N],
        meddle: impl Fn(usize) + Send + Sync + 'static,
    ) -> Self {
        Self {
            answers: Arc::new(answers.into()),
            asked: Arc::default(),
            meddle: Arc::new(meddle),
        }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let mut can = ClientCapabilities::default();
        can.elicitation = Some(ElicitationCapability::new());
        ClientConfig::new(can, Implementation::new("a client", "1"))
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = asked else {
            panic!("a form");
        };
        let round = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(message);
            asked.len()
        };
        (self.meddle)(round);
        let answer = ElicitResult::new(ElicitationAction::Accept);
        Ok(answer.with_content(self.answers[round - 1].clone()))
    }
}

pub(crate) async fn client(
    served: &Served,
    user: &User,
    newer: bool,
) -> RunningService<RoleClient, User> {
    let user = user.clone();
    if newer {
        let newer = user.serve_with_lifecycle(transport(&served.url), modern());
        newer.await.unwrap()
    } else {
        user.serve(transport(&served.url)).await.unwrap()
    }
}

async fn office() -> (Files, Served) {
    let files = Files::default();
    files.set("a", "old a");
    files.set("b", "old b");
    let asks = ToolServer::new(Toolset::single(files.clone()).unwrap(), ToolContext::new());
    let ask = AskClients::new(b"thirty-two bytes from a safe place").unwrap();
    let served = serve(asks.ask_clients(ask)).await;
    (files, served)
}

/// All that a result says to the model.
pub(crate) fn said(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    let texts: Vec<&str> = texts.map(|block| &*block.text).collect();
    texts.join("\n\n")
}

const SAVE: fn() -> Value = || json!({"path": "a", "text": "new"});
const B: &str = r#"{"path": "b", "text": "new"}"#;

fn edit(text: &str) -> Value {
    json!({"decision": "approve", "arguments": text})
}

pub(crate) fn yes() -> Value {
    json!({"decision": "approve"})
}

#[tokio::test]
async fn asks_about_edited_call_in_both_revisions() {
    for newer in [false, true] {
        let (files, served) = office().await;
        let user = User::new([edit(B), yes()], |_| {});
        let client = client(&served, &user, newer).await;
        let result = client.call_tool(request("save", SAVE())).await.unwrap();
        assert_eq!(
            said(&result),
            format!("saved\n\nNote: a person edited this call to: {B}")
        );
        assert_eq!(
            user.asked(),
            [
                "Call save\n\nArguments: {\"path\":\"a\",\"text\":\"new\",\"copies\":1}\n\nChanged: copies: 1 by default\
                 \n\nPreview:\n| -old a\n| +new",
                "Call save, as a person edited it\n\nArguments: {\"path\":\"b\",\"text\":\"new\",\"copies\":1}\
                 \n\nChanged: copies: 1 by default\n\nPreview:\n| -old b\n| +new",
            ],
            "newer: {newer}"
        );
        assert_eq!(files.get("a").as_deref(), Some("old a"));
        assert_eq!(files.get("b").as_deref(), Some("new"));
    }
}

#[tokio::test]
async fn shown_edit_preview_holds_in_both_revisions() {
    for newer in [false, true] {
        for (meddled, runs) in [("a", true), ("b", false)] {
            let (files, served) = office().await;
            let own = files.clone();
            let meddle = move |round| {
                if round == 2 {
                    own.set(meddled, "somebody's");
                }
            };
            // In the newer revision the edited call is another question then, which the user refuses.
            let no = json!({"decision": "refuse", "reason": "not that one"});
            let user = User::new([edit(B), yes(), no], meddle);
            let client = client(&served, &user, newer).await;
            let result = client.call_tool(request("save", SAVE())).await.unwrap();
            let told = said(&result);
            if runs {
                assert!(told.starts_with("saved\n"), "{told}");
                assert_eq!(files.get("b").as_deref(), Some("new"));
                assert_eq!(user.asked().len(), 2);
                continue;
            }
            assert_eq!(files.get("b").as_deref(), Some("somebody's"));
            if newer {
                assert!(told.contains("not that one"), "{told}");
                let asked = user.asked();
                assert!(
                    asked[2].contains("edited it") && asked[2].contains("| -somebody's"),
                    "{asked:?}"
                );
            } else {
                assert!(told.contains("has changed since it was shown"), "{told}");
            }
        }
    }
}

#[tokio::test]
async fn refusal_and_edit_hold_despite_changed_file() {
    let no = || json!({"decision": "refuse", "reason": "not that one"});
    for (answers, asked) in [
        (vec![no()], 1),
        (vec![edit(B), no()], 2),
        (vec![edit(B), yes()], 2),
    ] {
        let (files, served) = office().await;
        let own = files.clone();
        // The file of the question that is open.
        let edits = answers.len() == 2;
        let ends = answers[answers.len() - 1] == no();
        let meddle = move |round| match round {
            1 => own.set("a", "somebody's"),
            2 if ends => own.set("b", "somebody's"),
            _ => {}
        };
        let mut user = User::new([], meddle);
        user.answers = Arc::new(answers);
        let client = client(&served, &user, true).await;
        let result = client.call_tool(request("save", SAVE())).await.unwrap();
        assert_eq!(
            said(&result).contains("not that one"),
            ends,
            "{}",
            said(&result)
        );
        assert_eq!(user.asked().len(), asked);
        assert_eq!(files.get("a").as_deref(), Some("somebody's"));
        let b = if ends && edits {
            "somebody's"
        } else if ends {
            "old b"
        } else {
            "new"
        };
        assert_eq!(files.get("b").as_deref(), Some(b));
    }
}

#[tokio::test]
async fn second_edit_and_refusal_count_in_both_revisions() {
    let c = r#"{"path": "c", "text": "new", "copies": 2}"#;
    for newer in [false, true] {
        let (files, served) = office().await;
        // The second edit says everything, so it runs at once.
        let user = User::new([edit(B), edit(c)], |_| {});
        let result = client(&served, &user, newer).await;
        let result = result.call_tool(request("save", SAVE())).await.unwrap();
        assert_eq!(
            said(&result),
            format!("saved\n\nNote: a person edited this call to: {c}")
        );
        assert_eq!(
            (files.get("c").as_deref(), user.asked().len()),
            (Some("newnew"), 2)
        );
        let user = User::new([edit(B), edit(B)], |_| {});
        let again = client(&served, &user, newer).await;
        let again = again.call_tool(request("save", SAVE())).await.unwrap();
        assert!(
            said(&again).starts_with("saved\n"),
            "the same once more is a yes"
        );
        let no = json!({"decision": "refuse", "reason": "no"});
        let user = User::new([edit(r#"{"path": "b", "text": "other"}"#), no], |_| {});
        let refused = client(&served, &user, newer).await;
        let refused = refused.call_tool(request("save", SAVE())).await.unwrap();
        assert!(
            said(&refused).contains("refused the call of 'save': no"),
            "{}",
            said(&refused)
        );
        assert_eq!(files.get("b").as_deref(), Some("new"));
    }
}

#[tokio::test]
async fn answer_about_original_does_not_approve_edit() {
    let (files, served) = office().await;
    let user = User::new([], |_| {});
    let client = client(&served, &user, true).await;
    let once = async |state: Option<String>, answer: Option<Value>| {
        let mut request = request("save", SAVE());
        request.request_state = state;
        request.input_responses = answer
            .map(|content| json!({"action": "accept", "content": content}))
            .map(|answer| [("decision".to_owned(), answer)].into());
        match client.call_tool_once(request).await.unwrap() {
            CallToolResponse::InputRequired(required) => Err(required.request_state.unwrap()),
            CallToolResponse::Complete(result) => Ok(said(&result)),
            other => panic!("{other:?}"),
        }
    };
    let original = once(None, None).await.unwrap_err();
    let edited = once(Some(original.clone()), Some(edit(B)))
        .await
        .unwrap_err();
    assert_ne!(original, edited);
    // Each state takes the answer to its own question.
    let said = once(Some(edited), Some(yes())).await.unwrap();
    assert!(said.starts_with("saved"), "{said}");
    assert_eq!(files.get("b").as_deref(), Some("new"));
    let said = once(Some(original), Some(yes())).await.unwrap();
    assert_eq!(said, "saved");
    assert_eq!(files.get("a").as_deref(), Some("new"));
}

/// Removes a file of [`Files`], and asks about it in its own words.
#[derive(Clone)]
struct Erase(Files);

#[derive(ToolInput)]
struct Path {
    path: String,
}

impl TypedAgentTool for Erase {
    type Input = Path;
    type Output = Result<&'static str, Halt>;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "erase"
    }
    fn description(&self) -> &'static str {
        "Removes a file."
    }
    fn permission(&self) -> Permission {
        Permission::Destructive
    }
    fn asks_itself(&self) -> bool {
        true
    }
    async fn execute(&self, input: Path, cx: &ToolContext) -> Result<&'static str, Halt> {
        let question = cx.review_request("Really erase it?").action(&input.path);
        if cx.review(question).await? != ReviewDecision::Continue {
            return Ok("kept");
        }
        self.0.0.lock().unwrap().remove(&input.path);
        Ok("erased")
    }
}

#[tokio::test]
async fn asks_once_for_asking_tool_in_both_revisions() {
    for newer in [false, true] {
        let files = Files::default();
        let tools = Toolset::single(Erase(files.clone())).unwrap();
        let ask = AskClients::new(b"thirty-two bytes from a safe place").unwrap();
        let erasing = ToolServer::new(tools, ToolContext::new());
        let served = serve(erasing.ask_clients(ask)).await;
        let erase = || request("erase", json!({"path": "a"}));
        files.set("a", "old a");
        let user = User::new([yes()], |_| {});
        let asking = client(&served, &user, newer).await;
        let result = asking.call_tool(erase()).await.unwrap();
        assert_eq!((&*said(&result), files.get("a")), ("erased", None));
        assert_eq!(user.asked().len(), 1, "newer: {newer}");
        assert!(user.asked()[0].contains("rase"), "{:?}", user.asked());
        if !newer {
            continue;
        }
        // The list asks in the place of the tool, so an edit is of the arguments, and a refusal is told.
        files.set("b", "old b");
        let no = json!({"decision": "refuse", "reason": "no"});
        for (answer, kept) in [(no, true), (edit(r#"{"path": "b"}"#), false)] {
            let user = User::new([answer], |_| {});
            let asking = client(&served, &user, newer).await;
            let result = asking.call_tool(erase()).await.unwrap();
            assert_eq!(files.get("b").is_some(), kept, "{}", said(&result));
            assert_eq!(user.asked().len(), 1);
        }
    }
}
