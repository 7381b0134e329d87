//! Asks the user of the client about a call, in the form of each revision of the protocol: by elicitation
//! while the call waits, or in rounds, in which the client repeats the call with the answer.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use callpact::{
    Halt, PendingCall, PermissionMode, ReviewDecision, ReviewHandler, ReviewRequest, ToolContext,
    identity::{Identity, ScopeRules},
    review::{BoxFuture, ReviewError, ReviewTiming},
};
use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{
        CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
        InputRequest, InputRequiredResult, RequestStateCodec, SealOptions, ServerRequest,
    },
    service::RequestContext,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    question::{ClientDisplay, describe_question, read_answer},
    request::{RequestInfo, new_id},
    revision::takes_any_value,
};

/// The name of the question among the inputs that a call requires.
const QUESTION: &str = "decision";

/// How the users of clients are asked; see [`ToolServer::ask_clients`](super::ToolServer::ask_clients).
#[derive(Clone)]
pub struct AskClients {
    /// The first one seals, and all of them open.
    codecs: Vec<RequestStateCodec>,
    pub(super) valid_for: Duration,
    rules: ScopeRules,
    pub(super) page: Option<Arc<PageOf>>,
}

/// Names the page for deciding about a call.
type PageOf = dyn Fn(&PendingCall) -> String + Send + Sync;

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
    /// Seals the state that clients send back, with a secret of at least 32 bytes, which should be
    /// random. Processes that serve the same clients need the same secret.
    ///
    /// # Errors
    /// If the secret is too short.
    pub fn new(secret: impl AsRef<[u8]>) -> Result<Self, ShortSecret> {
        let codec = RequestStateCodec::try_new(secret.as_ref()).map_err(|_| ShortSecret)?;
        Ok(Self {
            codecs: vec![codec],
            valid_for: Duration::from_secs(600),
            rules: ScopeRules::new(),
            page: None,
        })
    }

    /// Also takes answers to questions that were asked with an older secret.
    #[must_use]
    pub fn accepting(mut self, older: &Self) -> Self {
        self.codecs.extend(older.codecs.iter().cloned());
        self
    }

    /// Sets how long a client has to answer if it must repeat the call, and how long a call waits for a
    /// decision [at a page](Self::decide_at); ten minutes by default.
    #[must_use]
    pub fn valid_for(mut self, time: Duration) -> Self {
        self.valid_for = time;
        self
    }

    /// Lets the user of a client decide for the role that the rules give to the client's identity. Without this
    /// nobody acts for a role, and a call that demands one is an error.
    #[must_use]
    pub fn roles(mut self, rules: ScopeRules) -> Self {
        self.rules = rules;
        self
    }

    /// Lets a page, such as the desk of the program, decide about calls, not the word of the client. The
    /// function gets the waiting call and names the page: an `https` address, or an `http` address of this
    /// machine.
    ///
    /// The call waits in the [store](ToolContext::with_store) of the context, which the server then needs. A
    /// client that shows addresses leads its user there (elicitation in the mode `url`), and the call resumes as
    /// soon as the store has a decision. For any other client, and after the time of
    /// [`valid_for`](Self::valid_for), the result gives the id of the waiting call and the page.
    ///
    /// The page must check who visits it: whoever gets the address can open it. The address holds no
    /// secret, and must not be enough to get in.
    ///
    /// ```
    /// use callpact_mcp::server::AskClients;
    ///
    /// let ask = AskClients::new(b"thirty-two bytes from a safe place")?
    ///     .decide_at(|call| format!("https://desk.example.com/#waiting/{}", call.id));
    /// # Ok::<(), callpact_mcp::server::ShortSecret>(())
    /// ```
    #[must_use]
    pub fn decide_at(
        mut self,
        page: impl Fn(&PendingCall) -> String + Send + Sync + 'static,
    ) -> Self {
        self.page = Some(Arc::new(page));
        self
    }

    /// Finds out how to ask this client, and reads the answer that it may have sent.
    pub(super) fn begin(
        &self,
        context: &RequestContext<RoleServer>,
        request: &CallToolRequestParams,
        arguments: &str,
        reads_only: bool,
    ) -> Result<ClientAsking, ErrorData> {
        let modern = takes_any_value(context);
        let info = RequestInfo::new(context);
        let answered = match &request.request_state {
            None => None,
            Some(state) => {
                let before = self
                    .open(state, &bound_to(&request.name, arguments, info.identity()))
                    .filter(|_| modern)
                    .ok_or_else(|| {
                        ErrorData::invalid_params(
                            "the request state is not valid for this call",
                            None,
                        )
                    })?;
                let answer = request
                    .input_responses
                    .as_ref()
                    .and_then(|responses| responses.get(QUESTION))
                    .and_then(|answer| serde_json::from_value::<ElicitResult>(answer.clone()).ok())
                    .ok_or_else(|| {
                        ErrorData::invalid_params("the call has a state and no answer to it", None)
                    })?;
                Some(AnsweredQuestion { before, answer })
            }
        };
        let shows = ClientDisplay::new(context.client_capabilities().as_ref());
        let asked = AskedClient {
            shows,
            role: self.rules.role_of(info.identity()).map(str::to_owned),
        };
        let how = if answered.is_some() || modern && (shows.forms || shows.pages) {
            AskingWay::InRounds(Arc::new(QuestionRounds {
                asked,
                edit: Mutex::new(answered.as_ref().and_then(|it| it.before.edit.clone())),
                run: match &answered {
                    Some(it) => it.before.run.clone(),
                    None => new_id(),
                },
                answered,
                question: Mutex::default(),
                reads_only,
            }))
        } else if shows.forms || shows.pages {
            AskingWay::AtOnce(AtOnce {
                asked: Arc::new(asked),
                peer: context.peer.clone(),
            })
        } else {
            AskingWay::Nobody
        };
        Ok(ClientAsking {
            how,
            shows,
            at_page: self.page.is_some(),
        })
    }

    /// The result that asks the client for a decision.
    pub(super) fn require(
        &self,
        question: &ClientQuestion,
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
        let state = serde_json::to_vec(&question.before).map_err(|_| failed())?;
        let state = codec.seal_with(&state, &options);
        let ask = json!({"method": "elicitation/create", "params": question.params});
        let ask: InputRequest = serde_json::from_value(ask).map_err(|_| failed())?;
        let asks = BTreeMap::from([(QUESTION.to_owned(), ask)]);
        Ok(InputRequiredResult::new(Some(asks), Some(state)))
    }

    /// The question that a sealed state belongs to.
    fn open(&self, state: &str, bound: &[u8]) -> Option<RepeatedCall> {
        let opened = self
            .codecs
            .iter()
            .find_map(|codec| codec.open_with(state, bound).ok())?;
        serde_json::from_slice(&opened).ok()
    }
}

/// The call that a sealed state belongs to, and who makes it.
fn bound_to(tool: &str, arguments: &str, who: Option<&Identity>) -> Vec<u8> {
    let who = who.map(|who| &who.name);
    json!([tool, arguments, who]).to_string().into_bytes()
}

/// The subject of the question. The id of the call is left out, since it differs from round to
/// round.
fn describe_call(question: &ReviewRequest) -> String {
    json!([
        question.tool,
        question.description,
        question.prompt,
        question.output,
        question.action,
        question.changes,
    ])
    .to_string()
}

/// The rest of what the person is shown, which can change between two rounds.
fn describe_effect(question: &ReviewRequest) -> String {
    json!([question.preview, question.page, question.digest]).to_string()
}

/// A question for the client, and the call that its answer is bound to.
pub(super) struct ClientQuestion {
    pub(super) params: Value,
    pub(super) before: RepeatedCall,
}

/// What is known about a call when the client repeats it.
#[derive(Serialize, Deserialize)]
pub(super) struct RepeatedCall {
    /// The call that the client was asked about.
    pub(super) question: String,
    /// The effect that was shown.
    shown: String,
    /// What the user wrote earlier in place of the arguments.
    edit: Option<String>,
    /// The run and the id of the call in every round. A store lets a call of this run happen once.
    run: String,
}

impl RepeatedCall {
    pub(super) fn new(question: String) -> Self {
        Self {
            question,
            shown: String::new(),
            edit: None,
            run: String::new(),
        }
    }
}

/// A question of the round before, and its answer.
struct AnsweredQuestion {
    before: RepeatedCall,
    answer: ElicitResult,
}

/// How to ask the client of a call.
pub(super) struct ClientAsking {
    pub(super) how: AskingWay,
    pub(super) shows: ClientDisplay,
    /// Whether the program names a page for decisions.
    at_page: bool,
}

pub(super) enum AskingWay {
    /// By elicitation while the call waits.
    AtOnce(AtOnce),
    /// With a result after which the client repeats the call.
    InRounds(Arc<QuestionRounds>),
    /// The client cannot be asked.
    Nobody,
}

impl ClientAsking {
    /// Adds the reviewer to the context of the call.
    pub(super) fn attach(&self, cx: ToolContext) -> ToolContext {
        let cx = match &self.how {
            AskingWay::AtOnce(at_once) => cx.with_reviewer(at_once.clone()),
            AskingWay::InRounds(rounds) => cx.with_reviewer(InRounds(Arc::clone(rounds))),
            AskingWay::Nobody => cx,
        };
        if self.shows.forms && !self.at_page {
            return cx;
        }
        wait_for_person(cx, PermissionMode::Ask)
    }

    /// The name that a call has in each of its rounds.
    pub(super) fn run(&self) -> Option<&str> {
        match &self.how {
            AskingWay::InRounds(rounds) => Some(&rounds.run),
            AskingWay::AtOnce(_) | AskingWay::Nobody => None,
        }
    }

    /// What the user wrote in place of the arguments in an earlier round.
    pub(super) fn edit(&self) -> Option<&str> {
        match &self.how {
            AskingWay::InRounds(rounds) => rounds.answered.as_ref()?.before.edit.as_deref(),
            _ => None,
        }
    }

    /// The question that ended the call, if one did.
    pub(super) fn question(&self, halt: &Halt) -> Option<ClientQuestion> {
        match (&self.how, halt) {
            (AskingWay::InRounds(rounds), Halt::ReviewFailed(_) | Halt::Pending(_)) => {
                rounds.slot().take()
            }
            _ => None,
        }
    }
}

/// Lets calls wait that a person must allow: in the store of the context, or by ending with the reason. `mode` is that
/// of a context that has none.
pub(super) fn wait_for_person(cx: ToolContext, mode: PermissionMode) -> ToolContext {
    let mode = cx.permissions().unwrap_or(mode);
    cx.with_permissions(mode).with_deferred_approval()
}

/// What is known about the client that is asked.
struct AskedClient {
    shows: ClientDisplay,
    role: Option<String>,
}

/// Asks by elicitation.
#[derive(Clone)]
pub(super) struct AtOnce {
    asked: Arc<AskedClient>,
    peer: Peer<RoleServer>,
}

impl AtOnce {
    pub(super) fn peer(&self) -> &Peer<RoleServer> {
        &self.peer
    }

    /// Asks the client, and gives its answer.
    pub(super) async fn ask(&self, params: Value) -> Result<ElicitResult, ReviewError> {
        let failed = |error: &dyn fmt::Display| {
            ReviewError::failed(format!("the client cannot be asked: {error}"))
        };
        let params: ElicitRequestParams =
            serde_json::from_value(params).map_err(|error| failed(&error))?;
        // This is `create_elicitation` of rmcp, without the parser of addresses that it needs.
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
        match self.peer.send_request(request).await {
            Ok(ClientResult::ElicitResult(answer)) => Ok(answer),
            Ok(_) => Err(failed(&"it gave another answer than to this question")),
            Err(error) => Err(failed(&error)),
        }
    }
}

impl ReviewHandler for AtOnce {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(async move {
            let params = describe_question(request, self.asked.shows, &new_id())?;
            read_answer(request, self.ask(params).await?)
        })
    }

    fn role(&self) -> Option<&str> {
        self.asked.role.as_deref()
    }
}

/// The question and the answer of one round.
pub(super) struct QuestionRounds {
    asked: AskedClient,
    answered: Option<AnsweredQuestion>,
    /// What the user has written in place of the arguments so far.
    edit: Mutex<Option<String>>,
    /// A question that has no answer yet.
    question: Mutex<Option<ClientQuestion>>,
    reads_only: bool,
    run: String,
}

impl QuestionRounds {
    fn slot(&self) -> std::sync::MutexGuard<'_, Option<ClientQuestion>> {
        self.question.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn ask(&self, mut question: ClientQuestion) {
        question.before.run.clone_from(&self.run);
        *self.slot() = Some(question);
    }

    pub(super) fn answered(&self) -> Option<(&str, &ElicitResult)> {
        let AnsweredQuestion { before, answer } = self.answered.as_ref()?;
        Some((&before.question, answer))
    }

    fn last_edit(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.edit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct InRounds(Arc<QuestionRounds>);

impl ReviewHandler for InRounds {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(async move {
            let (question, shown) = (describe_call(request), describe_effect(request));
            let is_before = request.timing == ReviewTiming::BeforeExecution;
            if let Some(AnsweredQuestion { before, answer }) = &self.0.answered
                && before.question == question
            {
                let is_same = before.shown == shown;
                // The effect of the call may have changed since. A no still holds, and so does an edit, whose effect
                // the user sees next. A yes does not.
                match read_answer(request, answer.clone()) {
                    Ok(ReviewDecision::Edit(text)) if is_before => {
                        *self.0.last_edit() = Some(text.clone());
                        return Ok(ReviewDecision::Edit(text));
                    }
                    Ok(no) if is_before && !no.goes_on() => return Ok(no),
                    decision if is_same => return decision,
                    _ => {}
                }
            }
            if !is_before && !self.answers_during_execution() {
                return Err(ReviewError::failed(
                    "a client of this revision cannot be asked while a tool that changes things runs",
                ));
            }
            let params = describe_question(request, self.0.asked.shows, &new_id())?;
            let edit = self.0.last_edit().clone();
            self.0.ask(ClientQuestion {
                params,
                before: RepeatedCall {
                    shown,
                    edit,
                    ..RepeatedCall::new(question)
                },
            });
            Err(ReviewError::failed("the client is asked"))
        })
    }

    /// A tool that is asked in the middle of its work starts again in the next round, so it must not have changed
    /// anything.
    fn answers_during_execution(&self) -> bool {
        self.0.reads_only
    }

    fn role(&self) -> Option<&str> {
        self.0.asked.role.as_deref()
    }
}
