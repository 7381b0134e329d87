//! The desk itself: what it shows, and the parts that a program adds.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use callpact::{
    PermissionMode, ToolContext, Toolset,
    identity::{Authenticator, ScopeRules},
    observe::TraceStore,
    store::CallStore,
};
use tokio::sync::Semaphore;

use crate::{
    events::DeskEvents,
    inbox::StoreInbox,
    live::{DeskReviewer, OpenQuestions, ProgramName},
    messages::{LatestMessages, MessageLog},
    server::DeskServer,
    servers::Connections,
    service::DeskService,
    sessions::{DeskSessions, EnteredBrowser, KnownPerson},
    share::RequestShare,
    tools::CurrentTools,
    trace::CallTrace,
    tries::StartedTries,
};

/// A page for the people of a program.
///
/// A clone is the same desk.
///
/// ```
/// use callpact::{
///     ToolContext, Toolset,
///     identity::{Identity, StaticTokens},
/// };
/// use callpact_desk::Desk;
///
/// # fn example(tools: Toolset) -> Result<(), Box<dyn std::error::Error>> {
/// // People come with tokens of their own, also from other machines.
/// let people = StaticTokens::new().token("a-long-token-of-grace", Identity::new("grace"))?;
/// let desk = Desk::new(tools, ToolContext::new())
///     .authenticate(people)
///     .allow_host("desk.example.com");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Desk(pub(crate) Arc<SharedDesk>);

pub(crate) struct SharedDesk {
    pub(crate) context: ToolContext,
    pub(crate) store: Option<Arc<dyn CallStore>>,
    pub(crate) decide_only: bool,
    pub(crate) connections: Option<Arc<dyn Connections>>,
    pub(crate) hosts: Vec<String>,
    pub(crate) authenticator: Option<Arc<dyn Authenticator>>,
    pub(crate) scopes: Option<ScopeRules>,
    /// The state that a desk shares with its later copies.
    pub(crate) state: Arc<DeskState>,
}

/// What changes while the desk is open.
pub(crate) struct DeskState {
    pub(crate) tools: Arc<CurrentTools>,
    pub(crate) events: Arc<DeskEvents>,
    pub(crate) questions: Arc<OpenQuestions>,
    pub(crate) sessions: DeskSessions,
    pub(crate) trace: Arc<CallTrace>,
    pub(crate) tries: StartedTries,
    pub(crate) inbox: StoreInbox,
    pub(crate) program: Arc<ProgramName>,
    pub(crate) messages: Arc<LatestMessages>,
    /// The open event streams.
    streams: Mutex<Vec<StreamOwner>>,
    /// The turns in which lists of tools are written.
    pub(crate) lists: Semaphore,
}

impl Desk {
    /// A desk for these tools. People try them in this context. If it has no reviewer, the page itself asks
    /// them.
    pub fn new(tools: Toolset, context: ToolContext) -> Self {
        let events = Arc::new(DeskEvents::new());
        let tools = Arc::new(CurrentTools::new(tools));
        let program = Arc::new(ProgramName::of_file());
        let questions = Arc::new(OpenQuestions::new(
            Arc::clone(&events),
            Arc::clone(&tools),
            Arc::clone(&program),
        ));
        let trace = Arc::new(CallTrace::new(Arc::clone(&events), Arc::clone(&questions)));
        Self(Arc::new(SharedDesk {
            context,
            store: None,
            decide_only: false,
            connections: None,
            hosts: Vec::new(),
            authenticator: None,
            scopes: None,
            state: Arc::new(DeskState {
                tools,
                questions,
                sessions: DeskSessions::new(),
                tries: StartedTries::default(),
                inbox: StoreInbox::default(),
                program,
                messages: Arc::new(LatestMessages::new(Arc::clone(&events))),
                streams: Mutex::default(),
                lists: Semaphore::new(1),
                events,
                trace,
            }),
        }))
    }

    fn change(self, change: impl FnOnce(&mut SharedDesk)) -> Self {
        let mut shared = SharedDesk {
            context: self.0.context.clone(),
            store: self.0.store.clone(),
            decide_only: self.0.decide_only,
            connections: self.0.connections.clone(),
            hosts: self.0.hosts.clone(),
            authenticator: self.0.authenticator.clone(),
            scopes: self.0.scopes.clone(),
            state: Arc::clone(&self.0.state),
        };
        change(&mut shared);
        Self(Arc::new(shared))
    }

    /// Also shows the calls that wait in a store, and decides about them. An approved call runs here, in
    /// the context of the desk, if the desk has its tool and the [workspace](ToolContext::with_workspace)
    /// is the same.
    #[must_use]
    pub fn with_store(self, store: impl CallStore + 'static) -> Self {
        self.change(|shared| shared.store = Some(Arc::new(store)))
    }

    /// Records decisions about stored calls but runs none: another process carries them out.
    #[must_use]
    pub fn decide_only(self) -> Self {
        self.change(|shared| shared.decide_only = true)
    }

    /// Answers requests for another host name too, such as the name of a proxy in front of the
    /// [service](Self::service). Anybody who reaches that name can open the page with a token.
    #[must_use]
    pub fn allow_host(self, host: impl Into<String>) -> Self {
        let host = host.into();
        self.change(|shared| shared.hosts.push(host))
    }

    /// Lets people in with their own tokens, which they type into the page. Such a desk may be bound to an address
    /// that other machines reach. There is no other way in, since the program has no [token](Self::token) then.
    ///
    /// A decision records the name of the person who made it, and so does the context of a call that they try. A person
    /// who may not make a call may not decide about it: with [`scopes`](Self::scopes) their mode counts, without it
    /// that of the context. If a call demands a role, they need a scope of that name too. The token is checked again at
    /// every request, so a session ends when its token does.
    ///
    /// Tokens and sessions are sent unencrypted: beyond a network that you trust, put a proxy with TLS in
    /// front and name it with [`allow_host`](Self::allow_host).
    ///
    /// ```no_run
    /// use callpact::identity::{Identity, StaticTokens};
    /// # use callpact::{ToolContext, Toolset};
    /// use callpact_desk::Desk;
    ///
    /// # async fn example(tools: Toolset) -> Result<(), Box<dyn std::error::Error>> {
    /// let token = std::env::var("TOKEN_OF_ADA")?;
    /// let people = StaticTokens::new().token(token, Identity::new("ada").with_scope("ops"))?;
    /// let desk = Desk::new(tools, ToolContext::new()).authenticate(people);
    /// desk.allow_host("desk.example.com").bind("0.0.0.0:8090".parse()?).await?.run().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn authenticate(self, authenticator: impl Authenticator + 'static) -> Self {
        self.change(|shared| shared.authenticator = Some(Arc::new(authenticator)))
    }

    /// Replaces the tools, for example when workers join. Running calls finish with their old tools.
    pub fn replace_tools(&self, tools: Toolset) {
        self.0.state.tools.set(tools);
        self.0.state.events.send("tools", &());
    }

    pub(crate) fn tools(&self) -> Toolset {
        self.0.state.tools.get()
    }

    /// The tools that the mode of a browser's person does not deny.
    pub(crate) fn tools_for(&self, browser: &EnteredBrowser) -> Toolset {
        let tools = self.tools();
        let Some(mode) = self.mode_of(browser) else {
            return tools;
        };
        tools.filter(|name| {
            let permission = tools.permission(name);
            permission.is_none_or(|permission| !mode.denies(permission))
        })
    }

    /// The permission mode of the calls that a browser makes.
    pub(crate) fn mode_of(&self, browser: &EnteredBrowser) -> Option<PermissionMode> {
        match (&self.0.scopes, &browser.person) {
            (Some(rules), Some(person)) => Some(rules.mode_of(Some(&person.identity))),
            _ => self.0.context.permissions(),
        }
    }

    /// Gives the calls that people try the permission mode and the role of their scopes. If a person's mode
    /// refuses a call, that person cannot decide about such a waiting call either.
    #[must_use]
    pub fn scopes(self, rules: ScopeRules) -> Self {
        self.change(|shared| shared.scopes = Some(rules))
    }

    /// Names the program, so that people see who asks. The default is the name of its file.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        self.0.state.program.set(name);
        self
    }

    /// Shows the servers that the program is connected to, and lets people connect to others if it allows that.
    #[must_use]
    pub fn with_connections(self, connections: impl Connections + 'static) -> Self {
        self.change(|shared| shared.connections = Some(Arc::new(connections)))
    }

    /// Shows again which servers there are, after one of them changed.
    pub fn servers_changed(&self) {
        self.0.state.events.send("servers", &());
    }

    /// The log of the messages between the program and its servers, which the page shows.
    pub fn messages(&self) -> MessageLog {
        MessageLog::new(Arc::clone(&self.0.state.messages))
    }

    /// A reviewer who asks on the page.
    pub fn reviewer(&self) -> DeskReviewer {
        DeskReviewer::new(Arc::clone(&self.0.state.questions))
    }

    /// Keeps the trace in a store, so that it is there after a restart. What the store has is read when the desk is
    /// [bound](Self::bind) or its page is opened.
    #[must_use]
    pub fn with_trace(self, store: impl TraceStore + 'static) -> Self {
        self.0.state.trace.keep_in(Arc::new(store));
        self
    }

    /// Shows the calls of a context in the trace.
    #[must_use]
    pub fn watch(&self, context: ToolContext) -> ToolContext {
        context.with_observer(self.0.state.trace.observer("program"))
    }

    /// A new token, with which one browser can enter once: at `/#token=` and the token.
    ///
    /// # Errors
    /// If the system gives no random numbers, or the desk has an [authenticator](Self::authenticate): then
    /// people enter with their own tokens.
    pub fn token(&self) -> io::Result<String> {
        if self.0.authenticator.is_some() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "people come into this desk with tokens of their own",
            ));
        }
        self.0.state.sessions.invite(None)
    }

    /// The page as a service, for a router of your own.
    pub fn service(&self) -> DeskService {
        DeskService::new(self.clone())
    }

    /// Listens on an address of this machine. Requests must name it, or a host of
    /// [`allow_host`](Self::allow_host).
    ///
    /// # Errors
    /// If the address is not available, or other machines can reach it and there is no
    /// [authenticator](Self::authenticate).
    pub async fn bind(self, address: SocketAddr) -> io::Result<DeskServer> {
        DeskServer::bind(self, address).await
    }
}

impl SharedDesk {
    /// The person behind a token, or why there is none, for the log.
    pub(crate) async fn identify(&self, token: &str) -> Result<Arc<KnownPerson>, &'static str> {
        const LONGEST: usize = 8 << 10;
        let Some(authenticator) = &self.authenticator else {
            return Err("the token is not valid, or was used already");
        };
        if token.len() > LONGEST {
            return Err("the token is too long");
        }
        let identity = authenticator.check(token).await?;
        let token = token.to_owned();
        Ok(Arc::new(KnownPerson { identity, token }))
    }

    /// Whether a browser may stay: the token of its person still identifies them. If not, ends its session.
    pub(crate) async fn admits(&self, browser: &EnteredBrowser) -> bool {
        let Some(person) = &browser.person else {
            // With an authenticator, a browser without a person stays outside.
            return self.authenticator.is_none();
        };
        let reason = match self.identify(&person.token).await {
            Ok(now) if now.identity == person.identity => return true,
            Ok(_) => "the token leads to somebody else",
            Err(reason) => reason,
        };
        // The page sends several requests at once, and one of them ends the session.
        if self.state.sessions.end(browser) {
            let person = &*person.identity.name;
            tracing::warn!(target: "callpact", person, reason, "a session of the desk ended");
        }
        false
    }
}

impl DeskState {
    /// Waits until a browser has had no open stream for some time.
    pub(crate) async fn left_alone(&self, browser: &EnteredBrowser, time: Duration) {
        const LOOK: Duration = Duration::from_millis(500);
        let mut last = Instant::now();
        while last.elapsed() < time {
            tokio::time::sleep(LOOK).await;
            let number = browser.number();
            if self.streams().iter().any(|(_, open)| *open == number) {
                last = Instant::now();
            }
        }
    }

    fn streams(&self) -> MutexGuard<'_, Vec<StreamOwner>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an event stream, unless there are too many.
    pub(crate) fn open_stream(self: &Arc<Self>, browser: &EnteredBrowser) -> Option<OpenStream> {
        const MOST: RequestShare = RequestShare { each: 64, all: 256 };
        let mut streams = self.streams();
        let owners = streams.iter().map(|(owner, _)| owner.as_deref());
        let room = MOST.has_room(owners, browser.owner());
        room.then(|| {
            let owner = (browser.owner().map(str::to_owned), browser.number());
            streams.push(owner.clone());
            OpenStream {
                state: Arc::clone(self),
                owner,
            }
        })
    }
}

/// The person whose share a stream uses, and the number of their browser.
type StreamOwner = (Option<String>, u64);

/// An event stream that counts as open until it is dropped.
pub(crate) struct OpenStream {
    state: Arc<DeskState>,
    owner: StreamOwner,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut streams = self.state.streams();
        let own = streams.iter().position(|owner| *owner == self.owner);
        if let Some(own) = own {
            streams.swap_remove(own);
        }
    }
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk")
            .field("tools", &self.tools())
            .field("store", &self.0.store.is_some())
            .finish_non_exhaustive()
    }
}
