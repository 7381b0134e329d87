//! The sessions of clients of the older revision, which a server keeps in memory.

use std::{error::Error, fmt, sync::Arc};

use futures_core::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::session::{
        EventStore, RestoreOutcome, ServerSseMessage, SessionId, SessionManager,
        local::{LocalSessionManager, LocalSessionManagerError},
    },
};

/// How many sessions there are at the same time. One that nobody uses ends after five minutes, one that
/// was never begun after a minute.
const SESSIONS: usize = 1_000;

/// Sessions in memory, so many and no more.
#[derive(Default)]
pub(super) struct Sessions(LocalSessionManager);

/// Why there is no session.
#[derive(Debug)]
pub(super) enum NoSession {
    TooMany,
    Local(LocalSessionManagerError),
}

impl fmt::Display for NoSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => f.write_str("there are too many sessions; try again later"),
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
    type Transport = <Local as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), NoSession> {
        if self.0.sessions.read().await.len() >= SESSIONS {
            return Err(NoSession::TooMany);
        }
        Ok(self.0.create_session().await?)
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
        Ok(SessionManager::create_stream(&self.0, id, message).await?)
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
        Ok(self.0.restore_session(id).await?)
    }

    fn event_store(&self) -> Option<Arc<dyn EventStore>> {
        SessionManager::event_store(&self.0)
    }
}
