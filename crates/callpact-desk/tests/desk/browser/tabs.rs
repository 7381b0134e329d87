//! Many tabs of one browser share its few connections.

use callpact::{ReviewHandler, ReviewRequest, ToolContext};
use callpact_desk::Desk;
use serde_json::json;

use super::driver::Browser;
use crate::kit::{Diary, Served, tools, wait_until};

#[test]
fn tabs_share_a_stream_and_each_goes_on() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#link').textContent === 'connected'");
    let mut asked = Vec::new();
    for number in 0..64 {
        let reviewer = served.desk.reviewer();
        let request = ReviewRequest::new(format!("Call {number}"))
            .tool("diary")
            .action("{}");
        let decided = async move { reviewer.review(&request).await };
        asked.push(served.runtime.spawn(decided));
    }
    // From a page that reads no events. A browser opens six connections to a host.
    browser.open(&format!("http://{}/desk.css", served.address));
    browser.run(
        "window.tabs = Array.from({ length: 7 }, () => window.open('/#inbox'));",
        &json!([]),
    );
    let all = |what: &str| {
        let each = format!("tabs.every(({{ document }}) => {what})");
        browser.wait_for(&each);
    };
    all("document.querySelector('#link').textContent === 'connected'");
    all(
        "document.title.startsWith('(64)') && document.querySelectorAll('#waiting-list .item').length >= 50",
    );
    // Any tab decides, and every other one hears of it. When the tab that reads is closed, another one goes on.
    for left in (57..64).rev() {
        browser.wait_for(
            "tabs[tabs.length - 1].document.querySelector('#inbox .d-approve button:enabled') !== null",
        );
        browser.run(
            "const { document } = tabs[tabs.length - 1];
             document.querySelector('#inbox .d-approve button').click();",
            &json!([]),
        );
        all(&format!("document.title.startsWith('({left})')"));
        if left > 57 {
            browser.run("tabs.shift().close();", &json!([]));
        }
    }
    wait_until("the decisions get through", || {
        let decided = asked.iter().filter(|asked| asked.is_finished());
        (decided.count() == 7).then_some(())
    });
}
