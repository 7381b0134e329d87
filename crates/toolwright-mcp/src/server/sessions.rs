//! The sessions of clients of the older revisions, which a server keeps in memory.

use std::{
    cell::Cell,
    error::Error,
    fmt,
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

use super::awaited::Awaited;

/// The most sessions at the same time. An unused session ends after five minutes, and one that was
/// never begun after one minute.
const SESSIONS: usize = 1_000;

tokio::task_local! {
    static REFUSED: Cell<bool>;
}

/// Handles a request, and says whether it was refused because there are too many sessions. rmcp
/// itself would answer that as an internal error.
pub(super) async fn was_refused<T>(handling: impl Future<Output = T>) -> (T, bool) {
    let noted = async {
        let output = handling.await;
        (output, REFUSED.with(Cell::get))
    };
    REFUSED.scope(Cell::new(false), noted).await
}

/// A bounded number of sessions in memory.
pub(super) struct Sessions(Arc<Local>);

impl Default for Sessions {
    fn default() -> Self {
        let mut local = Local::default();
        // A closed connection ends its call, so nobody comes back for an answer.
        local.session_config.completed_cache_ttl = Duration::ZERO;
        Self(Arc::new(local))
    }
}

/// Why there is no session.
#[derive(Debug)]
pub(super) enum NoSession {
    TooMany,
    Local(LocalSessionManagerError),
}

impl fmt::Display for NoSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => f.write_str("there are too many sessions"),
            Self::Local(error) => error.fmt(f),
        }
    }
}

impl Error for NoSession {}

impl From<LocalSessionManagerError> for NoSession {
    fn from(error: LocalSessionManagerError) -> Self {
        Self::Local(error)
    }
}

type Local = LocalSessionManager;

impl SessionManager for Sessions {
    type Error = NoSession;
    type Transport = Awaited<<Local as SessionManager>::Transport>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), NoSession> {
        if self.0.sessions.read().await.len() >= SESSIONS {
            let _ = REFUSED.try_with(|refused| refused.set(true));
            return Err(NoSession::TooMany);
        }
        let (id, transport) = self.0.create_session().await?;
        Ok((id, Awaited::new(transport)))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, NoSession> {
        Ok(self.0.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, NoSession> {
        Ok(self.0.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), NoSession> {
        Ok(self.0.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, NoSession> {
        let request = match &message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let stream = SessionManager::create_stream(&*self.0, id, message).await?;
        Ok(Answering {
            stream: Box::pin(stream),
            open: request.map(|request| OpenRequest {
                sessions: Arc::clone(&self.0),
                session: id.clone(),
                request,
            }),
        })
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), NoSession> {
        Ok(self.0.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, NoSession> {
        Ok(self.0.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, NoSession> {
        Ok(self.0.resume(id, last_event_id).await?)
    }

    async fn restore_session(
        &self,
        id: SessionId,
    ) -> Result<RestoreOutcome<Self::Transport>, NoSession> {
        Ok(match self.0.restore_session(id).await? {
            RestoreOutcome::Restored(transport) => {
                RestoreOutcome::Restored(Awaited::new(transport))
            }
            RestoreOutcome::AlreadyPresent => RestoreOutcome::AlreadyPresent,
            _ => RestoreOutcome::NotSupported,
        })
    }

    fn event_store(&self) -> Option<Arc<dyn EventStore>> {
        SessionManager::event_store(&*self.0)
    }
}

/// The stream that answers a request. When it is dropped before its end, the client has closed the
/// connection, and the request is cancelled.
struct Answering<S> {
    stream: Pin<Box<S>>,
    open: Option<OpenRequest>,
}

/// A request without its answer.
struct OpenRequest {
    sessions: Arc<Local>,
    session: SessionId,
    request: RequestId,
}

impl<S: Stream> Stream for Answering<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let next = self.stream.as_mut().poll_next(cx);
        if matches!(next, Poll::Ready(None)) {
            self.open = None;
        }
        next
    }
}

impl<S> Drop for Answering<S> {
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
