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
    awaited::Awaited,
    uses::{Held, Uses},
};

/// The most sessions at the same time. Opening one more closes an idle one. An unused session ends after
/// five minutes, and one that was never started after one minute.
const SESSIONS: usize = 1_000;

/// A bounded number of sessions in memory.
pub(super) struct Sessions {
    local: Arc<Local>,
    uses: Uses,
}

impl Default for Sessions {
    fn default() -> Self {
        let mut local = Local::default();
        // A closed connection ends its call, so nobody returns for an answer.
        local.session_config.completed_cache_ttl = Duration::ZERO;
        Self {
            local: Arc::new(local),
            uses: Uses::default(),
        }
    }
}

type Local = LocalSessionManager;

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = Awaited<<Local as SessionManager>::Transport>;

    async fn create_session(
        &self,
    ) -> Result<(SessionId, Self::Transport), LocalSessionManagerError> {
        // The limit on connections is lower, so there is always a session without a call.
        if self.uses.count() >= SESSIONS
            && let Some(idle) = self.uses.take_idle()
        {
            self.local.close_session(&idle).await?;
        }
        let (id, transport) = self.local.create_session().await?;
        self.uses.begin(id.clone());
        Ok((id, Awaited::new(transport)))
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
        self.uses.end(id);
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
        let held = self.uses.hold(id);
        let stream = SessionManager::create_stream(&*self.local, id, message).await?;
        Ok(Answering {
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
        self.uses.touch(id);
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<
        impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        LocalSessionManagerError,
    > {
        let held = self.uses.hold(id);
        let stream = self.local.create_standalone_stream(id).await?;
        Ok(Answering {
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
        let held = self.uses.hold(id);
        let stream = self.local.resume(id, last_event_id).await?;
        Ok(Answering {
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
                RestoreOutcome::Restored(Awaited::new(transport))
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
struct Answering<S> {
    stream: Pin<Box<S>>,
    open: Option<OpenRequest>,
    _held: Held,
}

/// A request that has no answer yet.
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
