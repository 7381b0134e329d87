//! Asks the user of the client about a call, in the words of each revision of the protocol: by elicitation
//! while the call waits, or in rounds, where the client makes the call again with the answer.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{
        CallToolRequestParams, ClientCapabilities, ElicitRequestParams, ElicitResult,
        ElicitationAction, InputRequest, InputRequiredResult, RequestStateCodec, SealOptions,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use toolwright::{
    Halt, PermissionMode, ReviewDecision, ReviewHandler, ReviewRequest, ToolContext,
    identity::{Identity, ScopeRules},
    review::{BoxFuture, ReviewError, ReviewTiming, visible},
};

use super::{request::RequestInfo, revision::takes_any_value};

/// The name of the question among the inputs that a call requires.
const QUESTION: &str = "decision";

/// How the users of clients are asked; see [`ToolServer::ask_clients`](super::ToolServer::ask_clients).
#[derive(Clone)]
pub struct AskClients {
    /// The first one seals; all open.
    codecs: Vec<RequestStateCodec>,
    valid_for: Duration,
    rules: ScopeRules,
}

/// The secret has fewer than 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortSecret;

impl fmt::Display for ShortSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the secret has fewer than 32 bytes")
    }
}

impl Error for ShortSecret {}

impl fmt::Debug for AskClients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AskClients(..)")
    }
}

impl AskClients {
    /// Seals the state that clients send back with a secret of at least 32 bytes, which should be random.
    /// Processes that serve the same clients need the same secret.
    ///
    /// # Errors
    /// If the secret is shorter.
    pub fn new(secret: impl AsRef<[u8]>) -> Result<Self, ShortSecret> {
        let codec = RequestStateCodec::try_new(secret.as_ref()).map_err(|_| ShortSecret)?;
        Ok(Self {
            codecs: vec![codec],
            valid_for: Duration::from_secs(600),
            rules: ScopeRules::new(),
        })
    }

    /// Takes also answers to questions that were asked with an older secret.
    #[must_use]
    pub fn accepting(mut self, older: &Self) -> Self {
        self.codecs.extend(older.codecs.iter().cloned());
        self
    }

    /// Sets how long a client has for an answer where it makes the call again; ten minutes by default.
    #[must_use]
    pub fn valid_for(mut self, time: Duration) -> Self {
        self.valid_for = time;
        self
    }

    /// Lets the user of a client decide for the role that the rules give to the identity of the client. Without
    /// it nobody acts for a role, and a call that demands one is an error.
    #[must_use]
    pub fn roles(mut self, rules: ScopeRules) -> Self {
        self.rules = rules;
        self
    }

    /// Finds out how this client can be asked, and reads the answer that it may have sent.
    pub(super) fn begin(
        &self,
        context: &RequestContext<RoleServer>,
        request: &CallToolRequestParams,
        arguments: &str,
        reads_only: bool,
    ) -> Result<Asking, ErrorData> {
        let modern = takes_any_value(context);
        let info = RequestInfo::new(context);
        let role = self.rules.role_of(info.identity()).map(str::to_owned);
        if let Some(state) = &request.request_state {
            let answered = self
                .open(state, &bound_to(&request.name, arguments, info.identity()))
                .filter(|_| modern)
                .ok_or_else(|| {
                    ErrorData::invalid_params("the request state is not valid for this call", None)
                })?;
            let answer = request
                .input_responses
                .as_ref()
                .and_then(|responses| responses.get(QUESTION))
                .and_then(|answer| serde_json::from_value::<ElicitResult>(answer.clone()).ok())
                .ok_or_else(|| {
                    ErrorData::invalid_params("the call has a state and no answer to it", None)
                })?;
            return Ok(Asking::InRounds(Arc::new(Rounds {
                answered: Some((answered, answer)),
                question: Mutex::default(),
                reads_only,
                role,
            })));
        }
        if !takes_forms(context.client_capabilities().as_ref()) {
            return Ok(Asking::Nobody);
        }
        Ok(if modern {
            Asking::InRounds(Arc::new(Rounds {
                answered: None,
                question: Mutex::default(),
                reads_only,
                role,
            }))
        } else {
            Asking::AtOnce(AtOnce {
                peer: context.peer.clone(),
                role,
            })
        })
    }

    /// The result that asks the client for a decision.
    pub(super) fn require(
        &self,
        question: &ReviewRequest,
        context: &RequestContext<RoleServer>,
        tool: &str,
        arguments: &str,
    ) -> Result<InputRequiredResult, ErrorData> {
        let failed = || ErrorData::internal_error("the question cannot be asked", None);
        let codec = self.codecs.first().ok_or_else(failed)?;
        let bound = bound_to(tool, arguments, RequestInfo::new(context).identity());
        let options = SealOptions::new()
            .associated_data(&bound)
            .ttl(self.valid_for);
        let state = codec.seal_with(fingerprint(question).as_bytes(), &options);
        let ask = json!({"method": "elicitation/create", "params": form(question)});
        let ask: InputRequest = serde_json::from_value(ask).map_err(|_| failed())?;
        let asks = BTreeMap::from([(QUESTION.to_owned(), ask)]);
        Ok(InputRequiredResult::new(Some(asks), Some(state)))
    }

    /// The fingerprint of the question that a sealed state belongs to.
    fn open(&self, state: &str, bound: &[u8]) -> Option<String> {
        let opened = self
            .codecs
            .iter()
            .find_map(|codec| codec.open_with(state, bound).ok())?;
        String::from_utf8(opened).ok()
    }
}

/// The call that a sealed state belongs to, and who makes it.
fn bound_to(tool: &str, arguments: &str, who: Option<&Identity>) -> Vec<u8> {
    let who = who.map(|who| &who.name);
    json!([tool, arguments, who]).to_string().into_bytes()
}

/// Everything that the person sees, so that an answer belongs to this question alone. The id of the call
/// differs from round to round.
fn fingerprint(question: &ReviewRequest) -> String {
    json!([
        question.tool,
        question.description,
        question.prompt,
        question.output,
        question.action,
        question.changes,
        question.preview,
        question.digest,
    ])
    .to_string()
}

/// How the client of a call is asked.
pub(super) enum Asking {
    /// While the call waits.
    AtOnce(AtOnce),
    /// With a result after which the client makes the call again.
    InRounds(Arc<Rounds>),
    /// The client cannot be asked.
    Nobody,
}

impl Asking {
    /// Adds the reviewer to the context of the call.
    pub(super) fn attach(&self, cx: ToolContext) -> ToolContext {
        match self {
            Self::AtOnce(at_once) => cx.with_reviewer(at_once.clone()),
            Self::InRounds(rounds) => cx.with_reviewer(InRounds(Arc::clone(rounds))),
            Self::Nobody => {
                // Without a mode and without a reviewer nothing would be asked about.
                let cx = match cx.permissions() {
                    Some(_) => cx,
                    None => cx.with_permissions(PermissionMode::Ask),
                };
                if cx.store().is_some() {
                    cx.with_deferred_approval()
                } else {
                    cx
                }
            }
        }
    }

    /// The question that ended the call, if one did.
    pub(super) fn question(&self, halt: &Halt) -> Option<ReviewRequest> {
        match (self, halt) {
            (Self::InRounds(rounds), Halt::ReviewFailed(_)) => rounds.slot().take(),
            _ => None,
        }
    }
}

/// Asks by elicitation.
#[derive(Clone)]
pub(super) struct AtOnce {
    peer: Peer<RoleServer>,
    role: Option<String>,
}

impl ReviewHandler for AtOnce {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(async move {
            let failed = |error: &dyn fmt::Display| {
                ReviewError::failed(format!("the client cannot be asked: {error}"))
            };
            let params: ElicitRequestParams =
                serde_json::from_value(form(request)).map_err(|error| failed(&error))?;
            let answer = self.peer.create_elicitation(params).await;
            read_answer(request, answer.map_err(|error| failed(&error))?)
        })
    }

    fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }
}

/// The question and the answer of one round.
pub(super) struct Rounds {
    /// The fingerprint of the question that was answered, and the answer.
    answered: Option<(String, ElicitResult)>,
    /// A question that has no answer yet.
    question: Mutex<Option<ReviewRequest>>,
    reads_only: bool,
    role: Option<String>,
}

impl Rounds {
    fn slot(&self) -> std::sync::MutexGuard<'_, Option<ReviewRequest>> {
        self.question.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct InRounds(Arc<Rounds>);

impl ReviewHandler for InRounds {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(async move {
            if let Some((question, answer)) = &self.0.answered
                && *question == fingerprint(request)
            {
                return read_answer(request, answer.clone());
            }
            // A tool that is asked in the middle of its work begins again in the next round, so it must
            // not have changed anything.
            if request.timing != ReviewTiming::BeforeExecution && !self.0.reads_only {
                return Err(ReviewError::failed(
                    "a client of this revision cannot be asked while a tool that changes things runs",
                ));
            }
            *self.0.slot() = Some(request.clone());
            Err(ReviewError::failed("the client is asked"))
        })
    }

    fn role(&self) -> Option<&str> {
        self.0.role.as_deref()
    }
}

/// Whether a client shows forms. One that says nothing more than that it can be asked shows them.
fn takes_forms(can: Option<&ClientCapabilities>) -> bool {
    let elicitation = can.and_then(|can| can.elicitation.as_ref());
    elicitation.is_some_and(|asks| asks.form.is_some() || asks.url.is_none())
}

/// Whether the request asks for a text and not for a yes: it shows no action.
fn is_question(request: &ReviewRequest) -> bool {
    request.action.is_empty()
}

/// The parameters of `elicitation/create`: all that a reviewer has to see, and a form for the decision.
fn form(request: &ReviewRequest) -> Value {
    let mut message = request.description.clone();
    let mut add = |name: &str, text: &str| {
        if !text.is_empty() {
            message.push_str("\n\n");
            message.push_str(name);
            message.push_str(text);
        }
    };
    add("", request.prompt.as_deref().unwrap_or_default());
    add("", &request.output);
    add("Arguments: ", &request.action);
    add("Changed: ", &request.changes.join("; "));
    add("", request.preview.as_deref().unwrap_or_default());
    let lines: Vec<String> = message.lines().map(visible).collect();
    let schema = if is_question(request) {
        json!({
            "type": "object",
            "properties": {"answer": {"type": "string", "title": "Answer"}},
            "required": ["answer"],
        })
    } else {
        json!({
            "type": "object",
            "properties": {
                "decision": {"type": "string", "title": "Decision", "enum": ["approve", "refuse"]},
                "arguments": {
                    "type": "string",
                    "title": "Other arguments",
                    "description": "Used instead of those that are shown; leave it empty to keep them",
                },
                "reason": {
                    "type": "string",
                    "title": "Reason for a refusal",
                    "description": "The model gets it",
                },
            },
            "required": ["decision"],
        })
    };
    json!({"mode": "form", "message": lines.join("\n"), "requestedSchema": schema})
}

/// What the answer of a client decides. An answer that is not clear is an error.
fn read_answer(
    request: &ReviewRequest,
    answer: ElicitResult,
) -> Result<ReviewDecision, ReviewError> {
    let content = match answer.action {
        ElicitationAction::Accept => answer.content.unwrap_or_default(),
        ElicitationAction::Decline => return Ok(ReviewDecision::Refuse(String::new())),
        ElicitationAction::Cancel => return Ok(ReviewDecision::REJECT),
        _ => {
            return Err(ReviewError::failed(
                "the client's answer is of an unknown kind",
            ));
        }
    };
    let text = |name: &str| content.get(name).and_then(Value::as_str);
    if is_question(request) {
        return text("answer")
            .map(|answer| ReviewDecision::Edit(answer.to_owned()))
            .ok_or_else(|| ReviewError::failed("the client's answer has no text"));
    }
    match text("decision") {
        Some("approve") => match text("arguments").filter(|edit| !edit.trim().is_empty()) {
            Some(edit) => Ok(ReviewDecision::Edit(edit.to_owned())),
            None => Ok(ReviewDecision::Continue),
        },
        Some("refuse") => {
            let reason = text("reason").unwrap_or_default();
            Ok(ReviewDecision::Refuse(reason.to_owned()))
        }
        _ => Err(ReviewError::failed("the client's answer has no decision")),
    }
}
