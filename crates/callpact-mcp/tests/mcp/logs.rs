//! The messages that a tool writes for people, at the client.
#![allow(deprecated)] // the protocol gives them up, and clients of today show them

use std::sync::{Arc, Mutex};

use callpact::{ToolContext, Toolset, tool, tool::LogLevel};
use callpact_mcp::server::ToolServer;
use rmcp::{
    ClientHandler, RoleClient, ServiceExt,
    model::{
        LoggingLevel, LoggingMessageNotificationParam, RequestMetaObject, RequestParamsMeta,
        SetLevelRequestParams,
    },
    service::{ClientServiceExt, NotificationContext, RunningService},
};
use serde_json::json;

use crate::{
    help::{modern, request, serve},
    peer::transport,
};

/// Deploys
#[tool(read_only)]
fn deploy(cx: &ToolContext) -> &'static str {
    cx.log(LogLevel::Debug, "looked at the cache");
    cx.log(LogLevel::Info, "began");
    cx.log(LogLevel::Error, &"long ".repeat(1_000));
    "deployed"
}

#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<(String, String, String)>>>);

impl ClientHandler for Listener {
    async fn on_logging_message(
        &self,
        note: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let level = serde_json::to_value(note.level).unwrap();
        let text = note.data.as_str().unwrap_or_default().to_owned();
        let level = level.as_str().unwrap_or_default().to_owned();
        let mut heard = self.0.lock().unwrap();
        heard.push((level, note.logger.unwrap_or_default(), text));
    }
}

async fn call(
    client: &RunningService<RoleClient, Listener>,
    level: Option<LoggingLevel>,
) -> Vec<(String, String)> {
    let mut request = request("deploy", json!({}));
    if let Some(level) = level {
        request
            .meta_mut()
            .get_or_insert_with(RequestMetaObject::default)
            .set_log_level(level);
    }
    client.call_tool(request).await.unwrap();
    // Handlers of notifications run alongside the one that waits for the result.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let heard = std::mem::take(&mut *client.service().0.lock().unwrap());
    assert!(
        heard
            .iter()
            .all(|(_, logger, text)| logger == "deploy" && text.len() <= 1_000)
    );
    heard
        .into_iter()
        .map(|(level, _, text)| (level, text.chars().take(5).collect()))
        .collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(level, text): &(&str, &str)| ((*level).to_owned(), (*text).to_owned());
    all.iter().map(owned).collect()
}

#[tokio::test]
async fn a_session_gets_the_messages_of_its_level() {
    let tools = Toolset::builder().tool(Deploy).build().unwrap();
    let served = serve(ToolServer::new(tools, ToolContext::new())).await;
    let one = Listener::default()
        .serve(transport(&served.url))
        .await
        .unwrap();
    let other = Listener::default()
        .serve(transport(&served.url))
        .await
        .unwrap();
    assert_eq!(
        call(&one, None).await,
        pairs(&[("info", "began"), ("error", "long ")])
    );
    for (level, heard) in [
        (
            LoggingLevel::Debug,
            &[("debug", "looke"), ("info", "began"), ("error", "long ")][..],
        ),
        (LoggingLevel::Emergency, &[("error", "long ")]),
    ] {
        one.set_level(SetLevelRequestParams::new(level))
            .await
            .unwrap();
        assert_eq!(call(&one, None).await, pairs(heard));
    }
    // The level belongs to one session.
    assert_eq!(call(&other, None).await.len(), 2);
}

#[tokio::test]
async fn a_request_without_a_session_names_its_level() {
    let tools = Toolset::builder().tool(Deploy).build().unwrap();
    let served = serve(ToolServer::new(tools, ToolContext::new())).await;
    let client = Listener::default()
        .serve_with_lifecycle(transport(&served.url), modern())
        .await
        .unwrap();
    assert_eq!(call(&client, None).await, pairs(&[]));
    assert_eq!(
        call(&client, Some(LoggingLevel::Warning)).await,
        pairs(&[("error", "long ")])
    );
}
