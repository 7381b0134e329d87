//! Headless Chromiums, which the tests take in turns.

use std::{
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    ops::Deref,
    process::{Child, Command, Stdio},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::kit::send;

/// How many browsers there are at once. One test has a browser for itself; a second one works while the first waits.
const BROWSERS: usize = 2;

/// The browsers that no test has, and who has the others or waits.
struct Shared {
    free: Vec<Chromium>,
    used: usize,
    waiting: usize,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared {
    free: Vec::new(),
    used: 0,
    waiting: 0,
});
static FREED: Condvar = Condvar::new();

fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The turn of a test. At its end the browser goes to a test that waits. Without one, and after a panic, it ends.
pub(crate) struct Turn(Option<Chromium>);

impl Turn {
    /// Waits for a browser and starts one if none runs; `None`, with a note, if this machine has none.
    pub(crate) fn wait() -> Option<Self> {
        let mut shared = shared();
        shared.waiting += 1;
        shared = FREED
            .wait_while(shared, |shared| shared.used == BROWSERS)
            .unwrap_or_else(PoisonError::into_inner);
        shared.waiting -= 1;
        shared.used += 1;
        let free = shared.free.pop();
        drop(shared);
        // From here on, the turn ends with this value.
        let mut turn = Self(free);
        if turn.0.is_none() {
            turn.0 = Chromium::start();
        }
        turn.0.is_some().then_some(turn)
    }
}

impl Deref for Turn {
    type Target = Chromium;

    fn deref(&self) -> &Chromium {
        self.0.as_ref().expect("it was started")
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut shared = shared();
        shared.used -= 1;
        let is_wanted = shared.waiting > shared.free.len() && !std::thread::panicking();
        if is_wanted {
            shared.free.extend(self.0.take());
        }
        drop(shared);
        FREED.notify_one();
    }
}

/// A browser and its driver, ended with this value.
pub(crate) struct Chromium {
    driver: Child,
    address: SocketAddr,
    session: String,
    devtools: SocketAddr,
    _profile: TempDir,
}

impl Chromium {
    fn start() -> Option<Self> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            // Not `eprintln!`, which the test harness captures.
            let _ = writeln!(std::io::stderr(), "skipped: there is no chromedriver here");
            return None;
        };
        // From here on there is a driver, and a test that does not get its browser fails.
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let port = line.split("started successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        // Read on, so that the driver never waits for its output.
        std::thread::spawn(move || lines.for_each(drop));
        let port = port.expect("the driver names its port");
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let profile = tempfile::tempdir().unwrap();
        let data = format!("--user-data-dir={}", profile.path().display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--no-proxy-server",
            &data,
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": 120_000, "pageLoad": 120_000 },
        }}});
        let mut chromium = Self {
            driver,
            address,
            session: String::new(),
            devtools: address,
            _profile: profile,
        };
        let made = chromium.request("POST", "/session", &wanted);
        let session = made["sessionId"].as_str();
        let session = session.unwrap_or_else(|| panic!("the browser does not start: {made}"));
        chromium.session = format!("/session/{session}");
        let devtools = &made["capabilities"]["goog:chromeOptions"]["debuggerAddress"];
        let (_, port) = devtools.as_str().unwrap().rsplit_once(':').unwrap();
        chromium.devtools.set_port(port.parse().unwrap());
        Some(chromium)
    }

    /// Where the browser's developer tools listen.
    pub(crate) fn devtools(&self) -> SocketAddr {
        self.devtools
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n",
            self.address
        );
        let body = if method == "POST" {
            body.to_string()
        } else {
            String::new()
        };
        let mut answer = send(self.address, &head, &body).json();
        answer["value"].take()
    }

    /// Sends a command of the session.
    pub(crate) fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.request(method, &format!("{}{path}", self.session), body);
        assert!(value.get("error").is_none(), "{path}: {value}");
        value
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                self.request("DELETE", &self.session, &Value::Null)
            }));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
