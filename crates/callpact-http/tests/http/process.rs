//! A server in a process of its own, as users have it, for which a test starts its own binary again.

use std::{
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use peak_alloc::PeakAlloc;

/// The allocator of the system keeps pages of what was freed, so the measure is what is in use.
#[global_allocator]
static COUNTING: PeakAlloc = PeakAlloc;

/// Set in the process of a server.
const VARIABLE: &str = "CALLPACT_SERVER_PROCESS";
/// What the line with the place of the server begins with.
const SERVES: &str = "serves at ";
/// What a line with the bytes in use begins with.
const USES: &str = "uses ";

/// Whether this process was started by [`ServerProcess::start`], so that the test must serve.
pub(crate) fn is_server() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Prints where the server is, and then the bytes in use whenever the test asks, until the test has ended.
pub(crate) fn serve_until_test_ends(place: &str) {
    println!("\n{SERVES}{place}");
    for _ in std::io::stdin().lines() {
        println!("{USES}{}", COUNTING.current_usage());
    }
}

/// The process of a server. It ends with the test.
pub(crate) struct ServerProcess {
    child: Child,
    asks: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    place: String,
}

impl ServerProcess {
    /// Starts a process for a test, by the name of the test with its modules.
    pub(crate) fn start(test: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(VARIABLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut process = Self {
            asks: child.stdin.take().unwrap(),
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            place: String::new(),
        };
        process.place = process.hear(SERVES);
        process
    }

    /// The rest of the next line that begins so. The harness of the tests writes lines too.
    fn hear(&mut self, start: &str) -> String {
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        let rest = lines.find_map(|line| line.strip_prefix(start).map(str::to_owned));
        rest.expect("the server runs")
    }

    /// Where the server is.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The bytes that the process uses, and shows what the system holds for it.
    pub(crate) fn memory(&mut self) -> usize {
        self.asks.write_all(b"\n").unwrap();
        let bytes = self.hear(USES).parse().unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let resident = status.lines().find(|line| line.starts_with("VmRSS:"));
        eprintln!("the server uses {bytes} bytes; {}", resident.unwrap_or(""));
        bytes
    }

    /// Waits until the memory is within 1.5 of what it was before.
    pub(crate) fn assert_returns(&mut self, before: usize, patience: Duration) {
        let start = Instant::now();
        while self.memory() * 2 > before * 3 {
            assert!(start.elapsed() < patience, "{before} bytes before");
            thread::sleep(Duration::from_secs(1));
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
