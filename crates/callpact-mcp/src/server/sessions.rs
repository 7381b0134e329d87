//! The sessions of clients with older revisions. The server keeps them in memory.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_core::Stream;
use rmcp::{
    model::{
        CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage,
        ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    },
    transport::streamable_http_server::session::{
        EventStore, RestoreOutcome, ServerSseMessage, SessionId, SessionManager,
        local::{LocalSessionManager, LocalSessionManagerError},
    },
};
use tokio::runtime::Handle;

use super::{
    admission::{AdmissionRefusal, HeldSession, SessionAdmission},
    awaited::AwaitedTransport,
    limit::{CallerKey, RateLimit},
};

tokio::task_local! {
    /// The owner of the session that a request opens. rmcp opens it without the request.
    static OWNER: CallerKey;
}

/// How long a session waits for the second message of its client.
const UNUSED: Duration = Duration::from_secs(60);

/// A bounded number of sessions in memory. A session ends five minutes after its last message, and one minute after its
/// first message if no other one follows.
pub(super) struct SessionStore {
    local: Arc<LocalSessions>,
    admission: SessionAdmission,
}

impl SessionStore {
    /// Sessions that each owner opens at a rate.
    pub(super) fn new(rate: RateLimit) -> Self {
        let mut local = LocalSessions::default();
        // A closed connection ends its call, so nobody returns for an answer.
        local.session_config.completed_cache_ttl = Duration::ZERO;
        Self {
            local: Arc::new(local),
            admission: SessionAdmission::new(rate),
        }
    }

    /// Waits for the owner's turn to open a session, and makes room for it.
    pub(super) async fn admit(&self, owner: &CallerKey) -> Result<(), AdmissionRefusal> {
        tokio::time::sleep(self.admission.reserve(owner)?).await;
        for session in self.admission.make_room(owner)? {
            // A session that ended by itself has made room too.
            let _ = self.local.close_session(&session).await;
        }
        Ok(())
    }

    /// Does work in which a session of this owner may be opened.
    pub(super) async fn open_for<T>(owner: CallerKey, work: impl Future<Output = T>) -> T {
        OWNER.scope(owner, work).await
    }

    /// Whether a session has this owner.
    pub(super) fn belongs_to(&self, session: &str, owner: &CallerKey) -> bool {
        self.admission.belongs_to(session, owner)
    }
}

type LocalSessions = LocalSessionManager;

impl SessionManager for SessionStore {
    type Error = LocalSessionManagerError;
    type Transport = AwaitedTransport<<LocalSessions as SessionManager>::Transport>;

    async fn create_session(
        &self,
    ) -> Result<(SessionId, Self::Transport), LocalSessionManagerError> {
        let (id, transport) = self.local.create_session().await?;
        let owner = OWNER.try_with(CallerKey::clone);
        let owner = owner.unwrap_or(CallerKey::Network(None));
        self.admission.begin(id.clone(), owner);
        let (local, admission, own) = (Arc::clone(&self.local), self.admission.clone(), id.clone());
        tokio::spawn(async move {
            tokio::time::sleep(UNUSED).await;
            if admission.end_unused(&own) {
                // A session that ended by itself needs no end.
                let _ = local.close_session(&own).await;
            }
        });
        Ok((id, AwaitedTransport::new(transport)))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, LocalSessionManagerError> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, LocalSessionManagerError> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), LocalSessionManagerError> {
        self.admission.end(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<
        impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        LocalSessionManagerError,
    > {
        let request = match &message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let held = self.admission.hold(id);
        let stream = SessionManager::create_stream(&*self.local, id, message).await?;
        Ok(AnswerStream {
            stream: Box::pin(stream),
            open: request.map(|request| OpenRequest {
                sessions: Arc::clone(&self.local),
                session: id.clone(),
                request,
            }),
            _held: held,
        })
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), LocalSessionManagerError> {
        self.admission.touch(id);
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<
        impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        LocalSessionManagerError,
    > {
        let held = self.admission.hold(id);
        let stream = self.local.create_standalone_stream(id).await?;
        Ok(AnswerStream {
            stream: Box::pin(stream),
            open: None,
            _held: held,
        })
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<
        impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        LocalSessionManagerError,
    > {
        let held = self.admission.hold(id);
        let stream = self.local.resume(id, last_event_id).await?;
        Ok(AnswerStream {
            stream: Box::pin(stream),
            open: None,
            _held: held,
        })
    }

    async fn restore_session(
        &self,
        id: SessionId,
    ) -> Result<RestoreOutcome<Self::Transport>, LocalSessionManagerError> {
        Ok(match self.local.restore_session(id).await? {
            RestoreOutcome::Restored(transport) => {
                RestoreOutcome::Restored(AwaitedTransport::new(transport))
            }
            RestoreOutcome::AlreadyPresent => RestoreOutcome::AlreadyPresent,
            _ => RestoreOutcome::NotSupported,
        })
    }

    fn event_store(&self) -> Option<Arc<dyn EventStore>> {
        SessionManager::event_store(&*self.local)
    }
}

/// A stream of a session. If a stream that answers a request is dropped before its end, the client has
/// closed the connection, and the request is cancelled.
struct AnswerStream<S> {
    stream: Pin<Box<S>>,
    open: Option<OpenRequest>,
    _held: HeldSession,
}

/// A request that has no answer yet.
struct OpenRequest {
    sessions: Arc<LocalSessions>,
    session: SessionId,
    request: RequestId,
}

impl<S: Stream> Stream for AnswerStream<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let next = self.stream.as_mut().poll_next(cx);
        if matches!(next, Poll::Ready(None)) {
            self.open = None;
        }
        next
    }
}

impl<S> Drop for AnswerStream<S> {
    fn drop(&mut self) {
        let (Some(open), Ok(runtime)) = (self.open.take(), Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            let reason = Some("the client closed the connection".to_owned());
            let cancelled = CancelledNotificationParam::new(Some(open.request), reason);
            let cancelled = CancelledNotification::new(cancelled);
            let message = ClientJsonRpcMessage::notification(
                ClientNotification::CancelledNotification(cancelled),
            );
            // A session that has ended has no calls.
            let _ = open.sessions.accept_message(&open.session, message).await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn session_ends_without_second_message() {
        let store = SessionStore::new(RateLimit::default());
        let mut sessions = Vec::new();
        for _ in 0..2 {
            sessions.push(store.create_session().await.expect("a session"));
        }
        let [left, begun] = [&sessions[0].0, &sessions[1].0];
        store.admission.touch(begun);
        tokio::time::sleep(UNUSED.saturating_sub(Duration::from_secs(1))).await;
        assert!(matches!(store.has_session(left).await, Ok(true)));
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(matches!(store.has_session(left).await, Ok(false)));
        assert!(matches!(store.has_session(begun).await, Ok(true)));
    }
}
