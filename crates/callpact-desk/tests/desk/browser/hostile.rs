//! No text of a tool, a model or a program can act on the page.

use callpact::{
    DynamicTool, Permission, ReviewHandler, ReviewRequest, ToolCall, ToolContext, ToolHints,
    ToolResult, Toolset,
};
use callpact_desk::Desk;
use callpact_tests::rng::Rng;
use serde_json::json;

use super::driver::Browser;
use crate::kit::Served;

/// The number of texts.
const TEXTS: usize = 2_000;

/// Parts of attacks; each that is run sets `window.hacked`.
const PARTS: &[&str] = &[
    "<script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "<svg onload=window.hacked=1>",
    "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>",
    "</pre></textarea></title></style>",
    "\"><b onmouseover=window.hacked=1 autofocus onfocus=window.hacked=1 tabindex=1>",
    "' onclick='window.hacked=1",
    "javascript:window.hacked=1",
    "data:text/html,<script>window.hacked=1</script>",
    "${window.hacked=1}",
    "{{constructor.constructor('window.hacked=1')()}}",
    "<style>*{display:none}</style>",
    "<base href=//example.test>",
    "<meta http-equiv=refresh content=0>",
    "<form action=//example.test><input name=attributes>",
    "<a id=main name=nav-tools>",
    "__proto__",
    "constructor",
    "\u{202e}reversed\u{2066}",
    "\u{200b}\u{feff}\u{ad}",
    "\u{115f}\u{2800}\u{3164}\u{ffa0}\u{e000}\u{34f}\u{2003}",
    "\u{1b}[31m\u{7}",
    "\u{0}",
    "\r\n\ndata: {}\n\nevent: call\n",
    "\u{2028}\u{2029}",
    "𝕏🏳️‍🌈e\u{301}\u{301}",
    "&lt;&amp;&#60;script&#62;",
    "*/ -->]]>",
    "\\u003cscript\\u003e",
];

fn texts() -> Vec<String> {
    let mut rng = Rng::new(19);
    (0..TEXTS)
        .map(|number| {
            let mut text = number.to_string();
            for _ in 0..=rng.below(3) {
                text.push_str(rng.pick::<&str>(PARTS));
            }
            text
        })
        .collect()
}

#[test]
fn two_thousand_hostile_texts_do_nothing() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let texts = texts();
    let mut next = texts.iter().cycle();
    let mut text = || next.next().unwrap().clone();
    // In names, descriptions and values of schemas, and in replies.
    let mut tools = Toolset::builder().tool(crate::kit::Add);
    for number in 0..60 {
        let schema = json!({
            "type": "object",
            "description": text(),
            "properties": {
                text(): { "type": "string", "description": text(), "default": text() },
                text(): { "enum": [text(), text()], "description": text() },
                text(): { "type": "object", "additionalProperties": { "type": "string" }, "description": text() },
                text(): { "type": "array", "items": { "type": "object", "properties": { text(): { "type": "string" } } } },
            },
        });
        let reply = text();
        let schema = schema.to_string();
        let handler = move |_, cx: ToolContext| {
            let reply = reply.clone();
            async move {
                cx.progress(1, 2, &reply);
                ToolResult::success(reply.as_str())
                    .with_structured(json!({ reply.clone(): reply.clone() }))
                    .with_resource(reply.clone(), reply.clone(), reply)
            }
        };
        let tool =
            DynamicTool::new(format!("tool_{number}"), text(), Some(&schema), handler).unwrap();
        let tool = tool.with_permission(Permission::ReadOnly);
        tools = tools.tool(tool.with_hints(ToolHints::new().with_title(text())));
    }
    let served = Served::new(Desk::new(tools.build().unwrap(), ToolContext::new()));
    // In calls of a program, from names of tools that do not exist to roles.
    let all = Toolset::builder().tool(crate::kit::Add).build().unwrap();
    for _ in 0..300 {
        let cx = served.desk.watch(ToolContext::new().with_role(text()));
        let call = ToolCall::new(text(), text(), text());
        served.runtime.block_on(all.call(&call, &cx)).unwrap();
    }
    // In questions.
    for number in 0..60 {
        let request = ReviewRequest::new(text())
            .tool(if number % 2 == 0 {
                "add".to_owned()
            } else {
                text()
            })
            .action(text())
            .prompt(text())
            .output(text())
            .preview(text())
            .changes([text(), text()])
            .call_id(text());
        let request = if number % 3 == 0 {
            request.required_role(text())
        } else {
            request
        };
        let reviewer = served.desk.reviewer();
        served
            .runtime
            .spawn(async move { reviewer.review(&request).await.map(drop) });
    }
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.run(
        "window.violations = []; document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective));",
        &json!([]),
    );
    let said = browser.run_async(
        "const { visible } = await import('/dom.js');
         const settled = async (holds) => { for (let i = 0; i < 600 && !holds(); i++) await new Promise((go) => setTimeout(go, 25)); if (!holds()) throw new Error('it did not happen: ' + holds); };
         const text = (selector) => document.querySelector(selector)?.textContent ?? '';
         let said = 0;
         for (let i = 0; i < 60; i++) {
           location.hash = `tools/tool_${i}`;
           await settled(() => text('#tools .detail h2 + .effect + code') === `tool_${i}` && document.querySelector('#tools .detail pre'));
           said += document.querySelector('#tools').textContent.length;
           location.hash = `try/tool_${i}`;
           await settled(() => text('#tools .detail h2 + .effect + code') === `tool_${i}` && document.querySelector('#tools .form'));
           for (const button of document.querySelectorAll('#tools .form button')) button.click();
           for (const input of document.querySelectorAll('#tools .form select')) { input.selectedIndex = input.options.length - 1; input.dispatchEvent(new Event('change', { bubbles: true })); }
           if (i % 10 === 0) {
             document.querySelector('#tools .run').click();
             await settled(() => document.querySelector('#tools .body pre, #tools .form [aria-invalid]'));
           }
           said += document.querySelector('#tools').textContent.length;
         }
         location.hash = 'inbox';
         await settled(() => document.querySelectorAll('#waiting-list .item').length === 50);
         [...document.querySelectorAll('#waiting-list button')].at(-1).click();
         await settled(() => document.querySelectorAll('#waiting-list .item').length === 60);
         for (let i = 0; i < 60; i++) {
           const item = document.querySelectorAll('#waiting-list .item')[i];
           const { id } = item.dataset;
           item.click();
           await settled(() => document.querySelector(`#waiting-list [data-id=\"${id}\"]`)?.ariaCurrent && document.querySelector('#inbox .d-refuse button'));
           said += document.querySelector('#inbox .detail').textContent.length;
           document.querySelector('#inbox .d-refuse button').click();
           await settled(() => document.querySelector('#inbox #reason'));
         }
         location.hash = 'trace';
         await settled(() => document.querySelectorAll('#calls [data-call]').length > 10);
         for (let i = 0; i < 10; i++) {
           document.querySelectorAll('#calls [data-call]')[i].click();
           await settled(() => text('#trace .detail').includes('Arguments'));
         }
         await new Promise((go) => setTimeout(go, 200));
         said += document.querySelector('#main').textContent.length;
         return said;",
        &json!([]),
    );
    assert!(said.as_u64().unwrap() > 50_000, "{said}");
    assert_eq!(browser.value("window.hacked ?? null"), json!(null));
    assert_eq!(
        browser.value("({}).hacked ?? Object.prototype.toString.call(Object.prototype.input)"),
        "[object Undefined]"
    );
    assert_eq!(browser.value("window.violations"), json!([]));
    // No element that the page does not make itself, and nothing in an attribute that runs.
    let tags = browser.value(
        "[...new Set([...document.querySelectorAll('#main *')].map((one) => one.localName))].filter((name) => \
         !'section div span p h1 h2 h3 ul li dl dt dd pre code a button input select option textarea label small strong kbd b i nav table thead tbody tr th td progress details summary form svg use'.split(' ').includes(name))",
    );
    assert_eq!(tags, json!([]));
    let handlers = browser.value(
        "[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes]).filter((one) => one.name.startsWith('on') || /^\\s*(javascript|data:text)/i.test(one.value)).map((one) => one.name + one.value)",
    );
    assert_eq!(handlers, json!([]));
    // No shown character hides or reorders others; an edited field holds its value unchanged.
    let hidden = browser.value(
        "[...document.querySelectorAll('#main :not(textarea)')].flatMap((one) => [...one.childNodes]).filter((one) => one.nodeType === 3 && /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0000\\u001b\\u115f\\u2800\\u3164\\uffa0\\ue000\\u034f\\u2003]/.test(one.data)).length",
    );
    assert_eq!(hidden, 0);
    assert_eq!(browser.log(), "");
}
