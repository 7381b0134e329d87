//! Drops answers that nobody waits for any more.

use std::collections::HashSet;

use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    },
    transport::Transport,
};

/// The transport between a session and its handler, without answers to cancelled requests. rmcp would
/// keep those for the next stream of the session, as many as a channel holds and however large they are.
pub(super) struct AwaitedTransport<T> {
    transport: T,
    open: HashSet<RequestId>,
}

impl<T> AwaitedTransport<T> {
    pub(super) fn new(transport: T) -> Self {
        Self {
            transport,
            open: HashSet::new(),
        }
    }

    fn note(&mut self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                self.open.insert(request.id.clone());
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }

    /// Whether somebody waits for this answer. A second answer to the same request is not awaited.
    fn waits_for(&mut self, message: &ServerJsonRpcMessage) -> bool {
        let answered = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        answered.is_none_or(|id| self.open.remove(id))
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for AwaitedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        let waited_for = self.waits_for(&message);
        let sending = waited_for.then(|| self.transport.send(message));
        async move {
            match sending {
                Some(sending) => sending.await,
                None => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let message = self.transport.receive().await?;
        self.note(&message);
        Some(message)
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.transport.close().await
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};

    use super::*;

    /// Gives the messages of a client, the last one first, and keeps everything that is sent.
    struct Recorder {
        client: Vec<Value>,
        sent: Arc<Mutex<Vec<Value>>>,
    }

    impl Transport<RoleServer> for Recorder {
        type Error = Infallible;

        fn send(
            &mut self,
            message: ServerJsonRpcMessage,
        ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
            let sent = Arc::clone(&self.sent);
            async move {
                let message = serde_json::to_value(message).expect("a message");
                sent.lock().expect("no panic").push(message);
                Ok(())
            }
        }

        async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
            Some(serde_json::from_value(self.client.pop()?).expect("a message"))
        }

        async fn close(&mut self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn drops_answer_to_cancelled_request() {
        let request = |id| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {
            "requestId": 2,
        } });
        let sent = Arc::default();
        let mut client = vec![request(1), request(2), request(3), cancel];
        client.reverse();
        let recorder = Recorder {
            client,
            sent: Arc::clone(&sent),
        };
        let mut session = AwaitedTransport::new(recorder);
        while session.receive().await.is_some() {}

        let answer = |id: u8| json!({ "jsonrpc": "2.0", "id": id, "result": {} });
        let failed = json!({ "jsonrpc": "2.0", "id": 3, "error": {
            "code": -32603, "message": "no",
        } });
        let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
        let messages = [
            answer(1),
            answer(1),
            answer(2),
            failed.clone(),
            failed.clone(),
            changed.clone(),
        ];
        for message in messages {
            let message = serde_json::from_value(message).expect("a message");
            session.send(message).await.expect("it is sent");
        }
        assert_eq!(
            *sent.lock().expect("no panic"),
            [answer(1), failed, changed]
        );
    }
}
