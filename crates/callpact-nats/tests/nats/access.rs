//! Who may connect, and what each may do there: passwords, tokens, nkeys, credentials, TLS, permissions.

use std::pin::Pin;

use async_nats::jetstream;
use callpact::{Outcome, ToolCall, ToolContext, Toolset, tool};
use callpact_nats::{ConnectOptions, NatsError, Server, Serving, Workers, worker};
use futures_util::{FutureExt, StreamExt};
use rcgen::{CertifiedKey, generate_simple_self_signed};

use crate::kit::{Nats, configured, server_of};

/// Adds two numbers
#[tool(read_only)]
fn add(a: i64, b: i64) -> i64 {
    a.saturating_add(b)
}

/// Waits, which must not happen twice
#[tool(destructive)]
async fn wait() {
    std::future::pending::<()>().await;
}

async fn serve(server: Server) -> Serving {
    let tools = Toolset::single(Add).unwrap();
    let worker = worker(tools, ToolContext::new()).connect(server);
    worker.start().await.unwrap()
}

async fn sum(server: Server) -> (Outcome, String) {
    let workers = Workers::connect(server).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let call = ToolCall::new("call-1", "add", r#"{"a": 40, "b": 2}"#);
    let reply = tools.call(&call, &ToolContext::new()).await.unwrap();
    (reply.outcome, reply.to_model().into_owned())
}

/// A server takes these options, for a worker and a host, and neither none nor wrong ones.
fn lets_in(
    nats: &Nats,
    right: ConnectOptions,
    wrong: ConnectOptions,
) -> Pin<Box<impl Future<Output = ()>>> {
    Box::pin(async move {
        for options in [ConnectOptions::new(), wrong] {
            let refused = Workers::connect(nats.server().options(options)).await;
            assert!(matches!(refused, Err(NatsError::Connect(_))), "{refused:?}");
        }
        let server = nats.server().options(right);
        let _serving = serve(server.clone()).await;
        assert_eq!(sum(server).await, (Outcome::Success, "42".to_owned()));
    })
}

#[tokio::test]
async fn a_password_lets_in_and_is_not_shown() {
    let options = ["--jetstream", "--user", "ada", "--pass", "lovelace"];
    let Some(nats) = server_of(&options).await else {
        return;
    };
    let of = |password: &str| ConnectOptions::with_user_and_password("ada".into(), password.into());
    let shown = format!("{:?}", nats.server().options(of("lovelace")));
    assert!(!shown.contains("lovelace"), "{shown}");
    lets_in(&nats, of("lovelace"), of("byron")).await;
}

#[tokio::test]
async fn a_password_may_stand_in_the_address() {
    let options = ["--jetstream", "--user", "ada", "--pass", "love@lace"];
    let Some(nats) = server_of(&options).await else {
        return;
    };
    let of = |user: &str| Server::new(nats.url().replace("://", &format!("://{user}@")));
    let refused = Workers::connect(of("ada:byron")).await;
    assert!(matches!(refused, Err(NatsError::Connect(_))), "{refused:?}");
    // A sign that ends the name of the host too early.
    for password in ["lo/ve", "lo?ve", "lo#ve"] {
        let faulty = Workers::connect(of(&format!("ada:{password}"))).await;
        let error = faulty.unwrap_err().to_string();
        assert!(error.contains("a / is written as %2F"), "{error}");
        assert!(!error.contains("ve@"), "{error}");
    }
    let _serving = serve(of("ada:love%40lace")).await;
    assert_eq!(
        sum(of("ada:love%40lace")).await,
        (Outcome::Success, "42".to_owned())
    );
}

#[tokio::test]
async fn a_token_lets_in() {
    let Some(nats) = server_of(&["--jetstream", "--auth", "difference-engine"]).await else {
        return;
    };
    let of = |token: &str| ConnectOptions::with_token(token.into());
    lets_in(&nats, of("difference-engine"), of("loom")).await;
}

#[tokio::test]
async fn an_nkey_lets_in() {
    // A key that was made for this test and opens nothing else, and the one of the manual of NATS.
    let known = "UCDLSJVHENPYZS2FZZT3BQJOMKEYAPUY4K2YAFDN5425F4GBXCJFDGPQ";
    let seed = "SUAPUBBDJ26OYTIPFQGCSXKQD3AQH3KDOJIVDGJNPAKZU44XLJNEIQAFR4";
    let other = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
    let config = format!("authorization {{ users = [ {{ nkey: {known} }} ] }}");
    let Some(nats) = configured(&config, &[]).await else {
        return;
    };
    let of = |seed: &str| ConnectOptions::with_nkey(seed.into());
    lets_in(&nats, of(seed), of(other)).await;
}

#[tokio::test]
async fn a_file_of_credentials_lets_in() {
    let (config, creds) = (include_str!("operator.conf"), include_str!("ada.creds"));
    let Some(nats) = configured(config, &[("ada.creds", creds)]).await else {
        return;
    };
    let right = ConnectOptions::new().credentials_file(nats.dir().join("ada.creds"));
    let wrong = ConnectOptions::with_user_and_password("ada".into(), "lovelace".into());
    lets_in(&nats, right.await.unwrap(), wrong).await;
}

#[tokio::test]
async fn tls_requires_known_certificate() {
    let made = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let CertifiedKey { cert, signing_key } = made;
    let stranger = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (cert, key) = (cert.pem(), signing_key.serialize_pem());
    let stranger = stranger.cert.pem();
    let files = [
        ("cert.pem", &*cert),
        ("key.pem", &*key),
        ("other.pem", &*stranger),
    ];
    let config = "tls { cert_file: cert.pem, key_file: key.pem }";
    let Some(nats) = configured(config, &files).await else {
        return;
    };
    let known = |file: &str| {
        let options = ConnectOptions::new().require_tls(true);
        options.add_root_certificates(nats.dir().join(file))
    };
    lets_in(&nats, known("cert.pem"), known("other.pem")).await;
}

/// The users of the page, with passwords.
fn users_of_the_page() -> String {
    let page = include_str!("../../../../docs/workers.md");
    let config = page
        .split("```conf\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    config.expect("the page has a configuration").to_owned()
}

#[tokio::test]
async fn host_without_result_rights_calls_and_reports_unknown() {
    let config = users_of_the_page();
    let right = "          \"$KV.callpact-results.>\"\n";
    assert_eq!(config.matches(right).count(), 1, "that of the host");
    let Some(nats) = configured(&config.replace(right, ""), &[]).await else {
        return;
    };
    let of = |user: &str| {
        let options = ConnectOptions::with_user_and_password(user.into(), "change me".into());
        nats.server().options(options)
    };
    let tools = Toolset::builder().tool(Add).tool(Wait).build().unwrap();
    let worker = worker(tools, ToolContext::new()).connect(of("worker"));
    let serving = worker.max_in_flight(1).start().await.unwrap();
    let workers = Workers::connect(of("host")).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let cx = ToolContext::new();
    let sum = ToolCall::new("1", "add", r#"{"a": 40, "b": 2}"#);
    assert_eq!(tools.call(&sum, &cx).await.unwrap().to_model(), "42");
    // The only place of the worker is taken.
    let (first, wait) = (tools.clone(), ToolCall::new("2", "wait", "{}"));
    let first = tokio::spawn(async move { first.call(&wait, &cx).await });
    while serving.in_flight() == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let cx = ToolContext::new().with_timeout(std::time::Duration::from_secs(2));
    let wait = ToolCall::new("3", "wait", "{}");
    let reply = tools.call(&wait, &cx).await.unwrap();
    assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
    first.abort();
}

#[tokio::test]
async fn a_right_that_is_missing_is_named() {
    let config = users_of_the_page();
    let without = async |right: &str| {
        assert_eq!(config.matches(right).count(), 1, "{right}");
        configured(&config.replace(right, ""), &[]).await
    };
    let of = |nats: &Nats, user: &str| {
        let options = ConnectOptions::with_user_and_password(user.into(), "change me".into());
        nats.server().options(options)
    };
    let start = async |server: Server| {
        let tools = Toolset::builder().tool(Add).tool(Wait).build().unwrap();
        worker(tools, ToolContext::new())
            .connect(server)
            .start()
            .await
    };
    for (right, words) in [
        (
            "\"$JS.API.STREAM.CREATE.callpact-calls\"",
            "publish to `$JS.API.STREAM.CREATE.callpact-calls`",
        ),
        (
            "\"$JS.API.CONSUMER.CREATE.callpact-calls.>\"",
            "publish to `$JS.API.CONSUMER.CREATE.callpact-calls.tools-",
        ),
        (
            "\"callpact.list.>\", \"callpact.stop.>\",",
            "subscribe to `callpact.list.tools.",
        ),
        (
            ", \"$KV.callpact-workers.>\"",
            "publish to `$KV.callpact-workers.tools.",
        ),
    ] {
        let Some(nats) = without(right).await else {
            return;
        };
        let error = start(of(&nats, "worker")).await.unwrap_err().to_string();
        let words = format!("the NATS server does not let this user {words}");
        assert!(error.starts_with(&words), "{error}");
    }
    for (right, words) in [
        (", \"callpact.list.>\"", "publish to `callpact.list.tools."),
        (
            "\"$JS.API.CONSUMER.CREATE.KV_callpact-workers\"\n          \"$JS.API.CONSUMER.CREATE.KV_callpact-workers.>\"",
            "publish to `$JS.API.CONSUMER.CREATE.KV_callpact-workers",
        ),
    ] {
        let Some(nats) = without(right).await else {
            return;
        };
        let _serving = start(of(&nats, "worker")).await.unwrap();
        let error = Workers::connect(of(&nats, "host")).await.unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    // A call that the server did not take has not run.
    let Some(nats) = without("\"callpact.calls.>\", ").await else {
        return;
    };
    let _serving = start(of(&nats, "worker")).await.unwrap();
    let workers = Workers::connect(of(&nats, "host")).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let call = ToolCall::new("1", "wait", "{}");
    let reply = tools.call(&call, &ToolContext::new()).await.unwrap();
    assert_eq!(reply.outcome, Outcome::Failure, "{}", reply.to_model());
    let words =
        "did not run: the NATS server does not let this user publish to `callpact.calls.tools.";
    assert!(reply.to_model().contains(words), "{}", reply.to_model());
}

#[tokio::test]
async fn rejects_older_bucket_without_right_to_change() {
    let admin = "users = [ { user: admin, password: \"change me\" }";
    let config = users_of_the_page().replacen("users = [", admin, 1);
    let Some(nats) = configured(&config, &[]).await else {
        return;
    };
    let of = |user: &str| ConnectOptions::with_user_and_password(user.into(), "change me".into());
    let admin = of("admin").connect(nats.url()).await.unwrap();
    let older = jetstream::kv::Config {
        bucket: "callpact-results".to_owned(),
        history: 1,
        ..jetstream::kv::Config::default()
    };
    let admin = jetstream::new(admin);
    admin.create_key_value(older).await.unwrap();
    let tools = Toolset::single(Add).unwrap();
    let worker = worker(tools, ToolContext::new()).connect(nats.server().options(of("worker")));
    let error = worker.start().await.unwrap_err().to_string();
    assert!(
        error.contains("the records of the stream KV_callpact-results can be removed"),
        "{error}"
    );
    // An administrator starts a worker once, or changes the stream by hand.
    let _serving = serve(nats.server().options(of("admin"))).await;
    let _serving = serve(nats.server().options(of("worker"))).await;
}

#[tokio::test]
async fn documented_users_separate_host_and_worker_rights() {
    let Some(nats) = configured(&users_of_the_page(), &[]).await else {
        return;
    };
    let of = |user: &str| {
        let options = ConnectOptions::with_user_and_password(user.into(), "change me".into());
        nats.server().options(options)
    };
    let _serving = serve(of("worker")).await;
    assert_eq!(sum(of("host")).await, (Outcome::Success, "42".to_owned()));
    let connect = async |user: &str| {
        let options =
            async_nats::ConnectOptions::with_user_and_password(user.into(), "change me".into());
        options.connect(nats.url()).await.unwrap()
    };
    // The server drops what a user may not publish, and goes on with what it may.
    let (host, worker) = (connect("host").await, connect("worker").await);
    let mut calls = worker.subscribe("callpact.stop.>").await.unwrap();
    let mut replies = host.subscribe("callpact.reply.>").await.unwrap();
    for client in [&host, &worker] {
        // An answer says that the server has read what came before.
        let jetstream = jetstream::new(client.clone());
        jetstream.get_stream("callpact-calls").await.unwrap();
    }
    for (client, forbidden, allowed) in [
        (&worker, "callpact.calls.tools.0", "callpact.reply.k"),
        (
            &worker,
            "$JS.API.STREAM.DELETE.callpact-calls",
            "callpact.reply.k",
        ),
        (&worker, "callpact.stop.tools.0", "callpact.reply.k"),
        (&host, "callpact.reply.k", "callpact.stop.tools.0"),
        (
            &host,
            "$JS.API.STREAM.DELETE.callpact-calls",
            "callpact.stop.tools.0",
        ),
    ] {
        client.publish(forbidden, "forbidden".into()).await.unwrap();
        client.publish(allowed, "allowed".into()).await.unwrap();
        client.flush().await.unwrap();
    }
    for (heard, messages) in [(&mut replies, 3), (&mut calls, 2)] {
        for _ in 0..messages {
            let message = tokio::time::timeout(crate::kit::LONG, heard.next()).await;
            let message = message.expect("what is allowed arrives").unwrap();
            assert_eq!(message.payload, "allowed");
        }
    }
    for heard in [&mut replies, &mut calls] {
        assert!(heard.next().now_or_never().is_none());
    }
    let queue = jetstream::new(host).get_stream("callpact-calls").await;
    assert_eq!(queue.unwrap().cached_info().state.messages, 0);
    assert_eq!(sum(of("host")).await, (Outcome::Success, "42".to_owned()));
}
