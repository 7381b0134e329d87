//! Many waiting calls, decided one by one on the page. `CALLPACT_WAITING=10000` makes them so many.

use std::{
    io::Read,
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Instant,
};

use callpact::{ReviewHandler, ReviewRequest, ToolContext};
use callpact_desk::Desk;
use serde_json::json;

use super::driver::Browser;
use crate::kit::{Diary, Served, tools, wait_until};

#[test]
fn many_calls_are_decided_one_by_one_in_linear_bytes() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let count = std::env::var("CALLPACT_WAITING").map_or(160, |text| text.parse().unwrap());
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let decided = Arc::new(AtomicUsize::new(0));
    for number in 0..count {
        let (reviewer, decided) = (served.desk.reviewer(), Arc::clone(&decided));
        let request = ReviewRequest::new(format!("Call {number}"))
            .tool("diary")
            .action(json!({ "text": format!("entry {number}") }).to_string());
        served.runtime.spawn(async move {
            if reviewer.review(&request).await.is_ok() {
                decided.fetch_add(1, Relaxed);
            }
        });
    }
    let client = served.client();
    wait_until("all wait", || {
        (client.post("inbox", "{}").json()["live"] == count).then_some(())
    });
    // The bytes of events, as another page gets them.
    let mut stream = TcpStream::connect(served.address).unwrap();
    let head = client.head("GET", "events") + "\r\n";
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    std::thread::spawn(move || {
        let mut bytes = vec![0; 65_536];
        while let Ok(read @ 1..) = stream.read(&mut bytes) {
            counted.fetch_add(read, Relaxed);
        }
    });
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.run(
        "performance.setResourceTimingBufferSize(1000000)",
        &json!([]),
    );
    let decide = |most: usize| {
        let bytes = browser.run_async(
            "const button = () => document.querySelector('#inbox .d-approve button:enabled');
             const began = performance.now();
             const goes = () => performance.now() - began < 10000 && document.title.startsWith('(');
             // Until the page changes, or time is up.
             const pause = () => new Promise((go) => {
               const watch = new MutationObserver(end), late = setTimeout(end, 1000);
               function end() {
                 watch.disconnect();
                 clearTimeout(late);
                 go();
               }
               watch.observe(document.body, { subtree: true, childList: true, attributes: true });
             });
             for (let left = args[0]; left > 0 && goes(); left--) {
               while (!button() && goes()) await pause();
               const one = button();
               one?.click();
               while (one?.isConnected && goes()) await pause();
             }
             const all = performance.getEntriesByType('resource');
             performance.clearResourceTimings();
             return all.reduce((sum, one) => sum + one.transferSize, 0);",
            &json!([most]),
        );
        usize::try_from(bytes.as_u64().unwrap()).unwrap()
    };
    let mut halves = [0; 2];
    let began = Instant::now();
    for (half, bytes) in halves.iter_mut().enumerate() {
        let until = count / 2 * (half + 1);
        let events = sent.load(Relaxed);
        // Ten seconds each at most.
        for _ in 0..2 + count / 10 {
            let left = until.saturating_sub(decided.load(Relaxed));
            if left > 0 {
                *bytes += decide(left);
            }
        }
        assert!(decided.load(Relaxed) >= until, "{decided:?}");
        wait_until("the events come", || {
            (sent.load(Relaxed) > events).then_some(())
        });
        *bytes += sent.load(Relaxed) - events;
    }
    println!(
        "{count} calls, bytes of each half: {halves:?}, {} a call, {:?}",
        (halves[0] + halves[1]) / count,
        began.elapsed()
    );
    assert!(halves[1] < halves[0] * 3 / 2 + 20_000, "{halves:?}");
    browser.wait_for("!document.title.startsWith('(')");
}
