//! A small client of the protocol that drives browsers.

use std::path::Path;

use base64::Engine;
use serde_json::{Value, json};

use super::{chromium::Turn, context::Context};
use crate::kit::wait_until;

/// A page of a headless Chromium, with storage and permissions of its own.
pub(crate) struct Browser {
    // Ends before the turn.
    _context: Context,
    chromium: Turn,
}

const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

impl Browser {
    /// Opens an empty page; `None`, with a note, if there is no browser.
    pub(crate) fn start() -> Option<Self> {
        let chromium = Turn::wait()?;
        let mut context = Context::make(chromium.devtools());
        let handle = context.open_page(1100, 760);
        let browser = Self {
            _context: context,
            chromium,
        };
        browser.command("POST", "/window", &json!({ "handle": handle }));
        browser.log(); // What another test's page left.
        Some(browser)
    }

    /// Sends a command to the page.
    pub(crate) fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        self.chromium.command(method, path, body)
    }

    pub(crate) fn open(&self, url: &str) {
        // An address that differs behind the `#` alone loads no page.
        self.command("POST", "/url", &json!({ "url": "about:blank" }));
        self.command("POST", "/url", &json!({ "url": url }));
    }

    pub(crate) fn reload(&self) {
        self.command("POST", "/refresh", &json!({}));
    }

    /// Runs the body of a function in the page.
    pub(crate) fn run(&self, script: &str, arguments: &Value) -> Value {
        let arguments = json!({ "script": script, "args": arguments });
        self.command("POST", "/execute/sync", &arguments)
    }

    /// Runs the body of an async function in the page.
    pub(crate) fn run_async(&self, script: &str, arguments: &Value) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; const args = [...arguments].slice(0, -1); \
             (async (args) => {{ {script} }})(args).then((value) => done({{ value }}), (error) => done({{ error: String(error.stack) }}));"
        );
        let mut ended = self.command(
            "POST",
            "/execute/async",
            &json!({ "script": script, "args": arguments }),
        );
        assert!(ended.get("error").is_none(), "{ended}");
        ended["value"].take()
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.run(&format!("return {expression};"), &json!([]))
    }

    /// Waits until an expression is neither false, empty nor absent.
    pub(crate) fn wait_for(&self, expression: &str) -> Value {
        // What is not on the page yet has no properties.
        let script = format!(
            "let value = null;
             try {{ value = {expression}; }} catch (error) {{ if (!(error instanceof TypeError)) throw error; }}
             return value instanceof Node ? true : value;"
        );
        wait_until(expression, || {
            let value = self.run(&script, &json!([]));
            let is_nothing = value.is_null() || value == false || value == "" || value == 0;
            (!is_nothing).then_some(value)
        })
    }

    fn find(&self, selector: &str) -> String {
        let wanted = json!({ "using": "css selector", "value": selector });
        let found = self.command("POST", "/element", &wanted);
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks as a person does: fails if something covers the target.
    pub(crate) fn click(&self, selector: &str) {
        let element = self.find(selector);
        self.command("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Clicks on what the body of a function finds.
    pub(crate) fn click_on(&self, script: &str, arguments: &Value) {
        let found = self.run(script, arguments);
        let element = found[ELEMENT].as_str().unwrap_or_else(|| panic!("{found}"));
        self.command("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Waits until the page is connected to its desk.
    pub(crate) fn wait_until_connected(&self) {
        self.wait_for("document.querySelector('#link').textContent === 'connected'");
    }

    /// Opens a view at an address of the page.
    pub(crate) fn visit(&self, address: &str, ready: &str) {
        self.run("location.hash = arguments[0]", &json!([address]));
        self.wait_for(ready);
    }

    /// Runs the tool that is tried, as soon as the desk says that the arguments fit.
    pub(crate) fn run_what_fits(&self) {
        self.wait_for("document.querySelector('#tools .actions [data-faults=\"0\"]')");
        self.click("#tools .run");
    }

    /// Whether there is a button with these words in the view that is shown, and whether it can be pressed.
    pub(crate) fn button(words: &str) -> String {
        format!(
            "[...document.querySelectorAll('section:not([hidden]) button, dialog[open] button')].find((one) => one.checkVisibility() \
             && [...one.childNodes].filter((part) => part.nodeName !== 'KBD').map((part) => part.textContent).join('') === '{words}')"
        )
    }

    /// Presses a button of the view that is shown, by its words, as soon as it can be pressed.
    pub(crate) fn push(&self, words: &str) {
        let button = Self::button(words);
        self.wait_for(&format!(
            "(() => {{ const button = {button}; if (!button || button.disabled) return false; button.click(); return true; }})()"
        ));
    }

    /// Types into a field.
    pub(crate) fn type_into(&self, selector: &str, text: &str) {
        let element = self.find(selector);
        self.command(
            "POST",
            &format!("/element/{element}/value"),
            &json!({ "text": text }),
        );
    }

    /// Empties a field as a person does, by keys.
    pub(crate) fn clear(&self, selector: &str) {
        self.type_into(selector, "\u{e009}a\u{e000}\u{e003}");
    }

    /// Sends keys to what has the focus.
    pub(crate) fn press(&self, keys: &[&str]) {
        let actions: Vec<_> = keys
            .iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })))
            .collect();
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] });
        self.command("POST", "/actions", &actions);
    }

    /// Presses a key while another one is held.
    pub(crate) fn press_with(&self, held: &str, key: &str) {
        let steps = [
            ("keyDown", held),
            ("keyDown", key),
            ("keyUp", key),
            ("keyUp", held),
        ];
        let actions: Vec<_> = steps
            .iter()
            .map(|(kind, key)| json!({ "type": kind, "value": key }))
            .collect();
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] });
        self.command("POST", "/actions", &actions);
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            &json!({
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
            }),
        );
    }

    pub(crate) fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        self.media(&[("prefers-color-scheme", value)]);
    }

    /// Sets the properties of the screen, and the preferences of the person.
    pub(crate) fn media(&self, features: &[(&str, &str)]) {
        let features = features.iter();
        let features: Vec<Value> = features
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        self.cdp(
            "Emulation.setEmulatedMedia",
            &json!({ "features": features }),
        );
    }

    fn cdp(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.command("POST", "/goog/cdp/execute", &body)
    }

    /// The visible page, as a PNG.
    fn picture(&self) -> Vec<u8> {
        let data = self.command("GET", "/screenshot", &json!({}));
        let data = data.as_str().unwrap();
        base64::engine::general_purpose::STANDARD
            .decode(data)
            .unwrap()
    }

    /// Takes a picture for the guide. It is written on request alone, since the times in it differ.
    pub(crate) fn keep(&self, name: &str) {
        let picture = self.picture();
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        assert!(picture.len() < 160_000, "{name}: {} bytes", picture.len());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("desk-{name}.png")), picture).unwrap();
        }
    }

    /// The errors and warnings of the page since they were last asked for.
    pub(crate) fn log(&self) -> String {
        let log = self.command("POST", "/se/log", &json!({ "type": "browser" }));
        let lines = log.as_array().unwrap().iter();
        let lines = lines.filter(|line| line["level"] != "INFO" && line["level"] != "DEBUG");
        lines
            .filter_map(|line| line["message"].as_str())
            .collect::<Vec<_>>()
            .join("\n")
    }
}
