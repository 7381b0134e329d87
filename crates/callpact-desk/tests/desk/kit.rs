//! A desk that is served, and a client that sends exactly what a test says.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{Arc, Mutex},
    time::Duration,
};

use callpact::{
    Cancellation, Permission, ToolContext, ToolError, ToolInput, Toolset, TypedAgentTool,
    store::MemoryStore, tool,
};
use callpact_desk::{Desk, Stop};
use serde_json::Value;
use tokio::runtime::Runtime;

/// A desk that is served until it is dropped.
pub(crate) struct Served {
    pub(crate) runtime: Runtime,
    pub(crate) desk: Desk,
    pub(crate) address: SocketAddr,
    stop: Stop,
}

impl Served {
    pub(crate) fn new(desk: Desk) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let server = runtime.block_on(desk.clone().bind(any)).unwrap();
        let (address, stop) = (server.local_addr().unwrap(), server.stopper());
        runtime.spawn(server.run());
        Self {
            runtime,
            desk,
            address,
            stop,
        }
    }

    /// A desk with a store in memory, and the store.
    pub(crate) fn over_store(tools: &Toolset) -> (Self, Arc<MemoryStore>) {
        let store = Arc::new(MemoryStore::new());
        let desk = Desk::new(tools.clone(), ToolContext::new()).with_store(Arc::clone(&store));
        (Self::new(desk), store)
    }

    /// The address for a new browser.
    pub(crate) fn url(&self) -> String {
        format!(
            "http://{}/#token={}",
            self.address,
            self.desk.token().unwrap()
        )
    }

    /// A client with a session.
    pub(crate) fn client(&self) -> Client {
        let token = self.desk.token().unwrap();
        let client = Client {
            address: self.address,
            session: String::new(),
        };
        client.enter(&token).unwrap()
    }

    pub(crate) fn stop(&self) {
        self.stop.stop();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends a request and reads the answer to its end.
pub(crate) fn send(address: SocketAddr, head: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(120)))
        .unwrap();
    let length = body.len();
    write!(
        stream,
        "{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    read_answer(stream)
}

fn read_answer(stream: TcpStream) -> Answer {
    let mut reader = BufReader::new(stream);
    let (status, headers) = read_head(&mut reader);
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse::<usize>().ok());
    let mut bytes = Vec::new();
    match length {
        Some(length) => {
            bytes.resize(length, 0);
            reader.read_exact(&mut bytes).unwrap();
        }
        None => {
            let _ = reader.read_to_end(&mut bytes);
        }
    }
    Answer {
        status,
        headers,
        body: String::from_utf8_lossy(&bytes).into_owned(),
    }
}

pub(crate) fn read_head(reader: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let status = status.unwrap_or_else(|| panic!("not an answer: {line:?}"));
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().split_once(':') {
            Some((name, value)) => {
                headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
            None => return (status, headers),
        }
    }
}

/// A program with a session, which stands for another browser.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) session: String,
}

impl Client {
    pub(crate) fn head(&self, method: &str, name: &str) -> String {
        let (address, session) = (self.address, &self.session);
        format!(
            "{method} /api/{name} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nCallpact-Session: {session}\r\n"
        )
    }

    /// Sends a token, and returns the client with its session.
    pub(crate) fn enter(&self, token: &str) -> Result<Self, Answer> {
        let answer = self.post(
            "session",
            &serde_json::json!({ "token": token }).to_string(),
        );
        if answer.status != 200 {
            return Err(answer);
        }
        Ok(Self {
            address: self.address,
            session: answer.json()["session"].as_str().unwrap().to_owned(),
        })
    }

    pub(crate) fn get(&self, name: &str) -> Answer {
        send(self.address, &self.head("GET", name), "")
    }

    pub(crate) fn post(&self, name: &str, body: &str) -> Answer {
        send(self.address, &self.head("POST", name), body)
    }

    /// Every call that waits, in full, as the page gets them: pages of rows, and one card for each.
    pub(crate) fn waiting(&self) -> Value {
        let (mut cards, mut after) = (Vec::new(), Value::Null);
        loop {
            let body = serde_json::json!({ "after": after }).to_string();
            let page = self.post("inbox", &body).json();
            let rows = page["rows"].as_array().unwrap();
            for row in rows {
                let body = serde_json::json!({ "id": row["id"] }).to_string();
                let card = self.post("waiting", &body);
                // It may have been decided about meanwhile.
                if card.status == 200 {
                    cards.push(card.json());
                }
            }
            if page["more"] != true {
                return cards.into();
            }
            let last = rows.last().unwrap();
            after = serde_json::json!({
                "until": last["until"], "since": last["since"], "id": last["id"],
            });
        }
    }

    /// Starts a call and waits for its result, unless it is not started or has to be confirmed.
    pub(crate) fn call(&self, body: &str) -> Answer {
        let started = self.post("call", body);
        if started.status != 202 || started.json()["state"] == "asks" {
            return started;
        }
        let number = started.json()["number"].clone();
        let reply = self.result(&number);
        Answer {
            status: 200,
            body: reply.to_string(),
            ..started
        }
    }

    /// The reply of a call, once it has ended.
    pub(crate) fn result(&self, number: &Value) -> Value {
        let body = serde_json::json!({ "number": number }).to_string();
        wait_until("the call ends", || {
            let answer = self.post("result", &body);
            assert!(answer.status < 300, "{}", answer.body);
            let mut answer = answer.json();
            (answer["state"] == "done").then(|| answer["reply"].take())
        })
    }

    /// Decides or carries out, and waits for the reply of a call that runs then.
    pub(crate) fn settle(&self, name: &str, body: &str) -> Answer {
        let mut answer = self.post(name, body);
        let said = if answer.status == 200 {
            answer.json()
        } else {
            Value::Null
        };
        if said["number"].is_u64() {
            let reply = self.result(&said["number"]);
            answer.body =
                serde_json::json!({ "settled": said["settled"], "reply": reply }).to_string();
        }
        answer
    }
}

/// Opens an event stream, and returns the status of its answer.
pub(crate) fn open_events(client: &Client) -> (u16, BufReader<TcpStream>) {
    let mut stream = TcpStream::connect(client.address).unwrap();
    let head = client.head("GET", "events") + "\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    (read_head(&mut reader).0, reader)
}

/// Waits until something holds, for at most a minute.
pub(crate) fn wait_until<T>(what: &str, mut holds: impl FnMut() -> Option<T>) -> T {
    let began = std::time::Instant::now();
    // Often at first, since most of it happens soon.
    let mut pause = Duration::from_millis(2);
    while began.elapsed() < Duration::from_secs(60) {
        if let Some(value) = holds() {
            return value;
        }
        std::thread::sleep(pause);
        pause = Duration::from_millis(50).min(pause * 2);
    }
    panic!("it did not happen: {what}");
}

/// Adds two numbers
#[tool(read_only)]
pub(crate) fn add(
    /// The first number
    a: i64,
    #[tool_param(min = 0, max = 100, default = 1)] b: i64,
) -> i64 {
    a.saturating_add(b)
}

/// Writes a line into a diary
#[derive(ToolInput)]
pub(crate) struct Line {
    /// What happened
    #[tool_param(min_length = 1, max_length = 80)]
    pub(crate) text: String,
    /// How often it is written
    #[tool_param(min = 1, max = 9)]
    pub(crate) times: Option<u8>,
}

/// Writes lines into a list that the test sees.
#[derive(Clone, Default)]
pub(crate) struct Diary(pub(crate) Arc<Mutex<Vec<String>>>);

impl TypedAgentTool for Diary {
    type Input = Line;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "diary"
    }
    fn description(&self) -> &str {
        "Writes a line into the diary."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn preview(&self, input: &Line) -> Option<callpact::review::Preview> {
        Some(format!("  # Diary\n+ {}", input.text).into())
    }
    async fn execute(&self, input: Line, _: &ToolContext) -> Self::Output {
        let mut lines = self.0.lock().unwrap();
        for _ in 0..input.times.unwrap_or(1) {
            lines.push(input.text.clone());
        }
        Ok(format!("{} lines", lines.len()))
    }
}

/// Counts slowly, until it is stopped
#[tool(read_only)]
pub(crate) async fn count(
    #[tool_param(min = 1, max = 1_000_000)] steps: u32,
    cx: &ToolContext,
    stop: Cancellation,
) -> String {
    for step in 0..steps {
        if stop.is_cancelled() {
            return format!("stopped at {step}");
        }
        cx.progress(f64::from(step), Some(f64::from(steps)), Some("counting"));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    format!("counted to {steps}")
}

/// The tools of most tests.
pub(crate) fn tools(diary: &Diary) -> Toolset {
    Toolset::builder()
        .tool(Add)
        .tool(diary.clone())
        .tool(Count)
        .build()
        .unwrap()
}
