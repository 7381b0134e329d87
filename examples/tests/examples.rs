//! Runs every example and compares its output with `expected/NAME.txt`.
//!
//! `UPDATE_EXPECT=1 cargo test -p callpact-examples` rewrites those files.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, SystemTime},
};

use callpact::{Dialect, ToolCall, ToolContext, Toolset};
use callpact_mcp::client::McpConfig;
use expect_test::expect_file;
use serde_json::{Value, json};

/// Files beside the examples that are not examples, and examples that another test runs.
const NOT_HERE: [&str; 3] = ["lib", "rig_agent", "start"];

macro_rules! examples {
    ($($name:ident),* $(,)?) => {
        const HERE: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                prints_what_is_expected(stringify!($name));
            }
        )*
    };
}

examples! {
    agent_loop,
    approvals,
    approvals_channel,
    custom_type,
    functions,
    mcp_server,
    pipeline,
    quickstart,
    release_manager,
    repair,
    secrets,
    streaming,
    streaming_hosts,
    testing_a_tool,
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn prints_what_is_expected(name: &str) {
    let output = Command::new(built(name))
        .stdin(Stdio::null())
        .env("NO_COLOR", "1")
        .output()
        .expect("the example starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{error}", output.status);
    assert_eq!(error, "", "an example says nothing on standard error");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!printed.is_empty(), "an example prints something");
    let expected = here().join("expected").join(name).with_extension("txt");
    expect_file![expected].assert_eq(&printed);
}

/// The path of an example's program. Cargo builds examples before it runs the tests of this
/// package.
fn built(name: &str) -> PathBuf {
    // Cargo gives the path of a binary but not of an example, which is in the folder beside it.
    let file = Path::new(env!("CARGO_BIN_EXE_start"))
        .with_file_name("examples")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    // With `--test examples` cargo builds no examples, and an old one would prove nothing.
    assert!(
        is_fresh(&file).unwrap_or(false),
        "{} is not there or older than its sources: run `cargo build -p callpact-examples --examples`, \
         or `cargo test -p callpact-examples` without `--test`",
        file.display()
    );
    file
}

/// Whether a program is newer than the sources that cargo lists for it.
fn is_fresh(program: &Path) -> io::Result<bool> {
    let built = fs::metadata(program)?.modified()?;
    let rule = fs::read_to_string(program.with_extension("d"))?;
    let newer = |source: &str| {
        let changed = fs::metadata(source).and_then(|metadata| metadata.modified());
        changed.unwrap_or_else(|_| SystemTime::now()) > built
    };
    let (_, sources) = rule.split_once(": ").ok_or(io::ErrorKind::InvalidData)?;
    // A space inside a path is escaped.
    let sources = sources.trim_end().replace("\\ ", "\0");
    let stale = sources
        .split(' ')
        .any(|source| newer(&source.replace('\0', " ")));
    Ok(!stale)
}

/// The names of the files with an extension, without the extension.
fn names(folder: &Path, extension: &str) -> BTreeSet<String> {
    fs::read_dir(folder)
        .expect("the folder is read")
        .map(|entry| entry.expect("the entry is read").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}

/// Ends the program at the end of the test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn release_manager_serves_a_host_over_stdio() {
    let client = McpConfig::command(built("release_manager"), ["--stdio"])
        .trust_annotations()
        .open()
        .await
        .expect("the example serves");
    let tools = Toolset::builder().tools(client.tools()).build().unwrap();
    let specs: Vec<Value> = serde_json::from_str(&tools.specs(Dialect::Portable)).unwrap();
    assert_eq!(specs.len(), 10);
    let call = async |name: &str, arguments: &str| {
        let call = ToolCall::new("1", name, arguments);
        let reply = tools.call(&call, &ToolContext::new()).await;
        reply.unwrap().to_model().into_owned()
    };
    let state = call("status", "{}").await;
    assert!(state.contains("1.4.2") && state.contains("main"), "{state}");
    // The host confirms, so the server does not ask again.
    let tagged = call("tag", r#"{"name": "v1.5.0"}"#).await;
    assert!(!tagged.contains("failed"), "{tagged}");
    let refused = call("tag", r#"{"name": "latest"}"#).await;
    assert!(refused.contains("name: expected"), "{refused}");
    client.close().await;
}

#[test]
fn release_manager_shows_its_tools_at_desk() {
    let mut program = Command::new(built("release_manager"))
        .arg("--desk")
        .stdout(Stdio::piped())
        .spawn()
        .map(Started)
        .expect("the example starts");
    let mut url = String::new();
    BufReader::new(program.0.stdout.take().unwrap())
        .read_line(&mut url)
        .unwrap();
    let (address, token) = url
        .trim()
        .strip_prefix("http://")
        .and_then(|url| url.split_once("/#token="))
        .unwrap_or_else(|| panic!("{url}"));
    let post = |name: &str, session: &str, body: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let length = body.len();
        write!(
            stream,
            "POST /api/{name} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nCallpact-Session: {session}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 2"), "{answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str::<Value>(body).unwrap()
    };
    let entered = post("session", "", &json!({ "token": token }).to_string());
    let session = entered["session"].as_str().unwrap();
    let call = json!({ "number": 1, "tool": "status", "arguments": "{}" }).to_string();
    post("call", session, &call);
    let ended = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        let found = post("result", session, r#"{"number": 1}"#);
        (found["state"] == "done").then_some(found)
    });
    let reply = ended.expect("the call ends")["reply"].to_string();
    assert!(reply.contains("1.4.2"), "{reply}");
}

#[test]
fn no_example_is_forgotten() {
    let run: BTreeSet<String> = HERE.iter().map(ToString::to_string).collect();
    let mut programs = names(here(), "rs");
    for name in NOT_HERE {
        programs.remove(name);
    }
    assert_eq!(programs, run, "what is in the folder, and what is run here");
    let expected = names(&here().join("expected"), "txt");
    assert_eq!(
        expected, run,
        "what is in `expected/`, and what is run here"
    );
    let manifest = fs::read_to_string(here().join("Cargo.toml")).expect("the manifest is read");
    for name in &run {
        assert!(
            manifest.contains(&format!("[[example]]\nname = \"{name}\"\n")),
            "{name} is not in Cargo.toml"
        );
    }
}
