//! A person who uses the page with the keyboard alone or with the mouse alone, and looks at each state.

use std::{cell::Cell, io::Write};

use serde_json::{Value, json};

use super::driver::Browser;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hand {
    Keyboard,
    Mouse,
}

pub(super) const TAB: &str = "\u{e004}";
pub(super) const ENTER: &str = "\u{e007}";
pub(super) const END: &str = "\u{e010}";
pub(super) const CONTROL: &str = "\u{e009}";
pub(super) const ESCAPE: &str = "\u{e00c}";
pub(super) const DOWN: &str = "\u{e015}";

pub(super) struct Person<'a> {
    pub(super) browser: &'a Browser,
    pub(super) hand: Hand,
    pub(super) width: u32,
    pub(super) flow: Cell<&'static str>,
    is_dark: Cell<bool>,
    axe: Option<String>,
}

/// What is visible in front: a selector, or the words on something that can be pressed.
const AIM: &str = "const [aim] = arguments; \
    const root = document.querySelector('dialog[open]') ?? document; \
    const words = (one) => [...one.childNodes].filter((part) => part.nodeName !== 'KBD').map((part) => part.textContent).join('').trim(); \
    const all = [...root.querySelectorAll(aim.startsWith('=') ? 'button, a, summary, option' : aim)]; \
    const found = all.find((one) => (one.nodeName === 'OPTION' || one.checkVisibility()) && !one.disabled && (!aim.startsWith('=') || words(one) === aim.slice(1)));";

/// Texts and fields that cover one another, and what scrolls sideways.
const MISPLACED: &str = r"
    const wrong = [], boxes = [];
    const root = document.querySelector('dialog[open]') ?? document.body;
    const clip = (rect, from) => {
        let { left, top, right, bottom } = rect;
        for (let one = from; one && one !== document.documentElement; one = one.parentElement) {
            const style = getComputedStyle(one);
            if (style.clipPath !== 'none') return null;
            if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
                const its = one.getBoundingClientRect();
                [left, top, right, bottom] = [Math.max(left, its.left), Math.max(top, its.top), Math.min(right, its.right), Math.min(bottom, its.bottom)];
            }
            if (style.position === 'fixed') break;
        }
        return right - left > 2 && bottom - top > 4 ? { left, top, right, bottom } : null;
    };
    const put = (rect, one, words) => {
        const seen = clip(rect, one);
        if (seen) boxes.push({ ...seen, one, words });
    };
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode, one = text.parentElement;
        if (!text.data.trim() || !one.checkVisibility({ visibilityProperty: true }) || one.closest('option, noscript, .sprite')) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const rect of range.getClientRects()) put(rect, one, text.data.trim().slice(0, 40));
    }
    for (const one of root.querySelectorAll('input, select, textarea')) {
        if (one.checkVisibility()) put(one.getBoundingClientRect(), one, one.ariaLabel || one.id || one.name || one.nodeName);
    }
    const apart = (a, b) => a.one === b.one || a.one.contains(b.one) || b.one.contains(a.one);
    for (const [place, a] of boxes.entries()) {
        for (const b of boxes.slice(place + 1)) {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide <= 2 || high <= 4 || apart(a, b)) continue;
            // What lies under a heading that stays in sight is covered by it, and what is under the hint of a search field is none of its text.
            const sticky = (one) => one.closest('.group, thead') || one.matches('.field-search kbd');
            if (!sticky(a.one) && !sticky(b.one)) wrong.push(`“${a.words}” covers “${b.words}”`);
        }
    }
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) wrong.push('the page scrolls sideways');
    for (const one of root.querySelectorAll('*')) {
        if (one.scrollWidth <= one.clientWidth || !one.checkVisibility() || one.matches('pre, .diff, .scroll-x, .segments, input, textarea, select')) continue;
        if (!/auto|scroll/.test(getComputedStyle(one).overflowX)) continue;
        const end = one.getBoundingClientRect().right;
        const wide = [...one.querySelectorAll('*')].filter((inner) => inner.getBoundingClientRect().right > end + 0.5).map((inner) => inner.outerHTML.slice(0, 60));
        wrong.push(`${one.className} scrolls sideways: ${wide.slice(0, 5)}`);
    }
    return wrong;";

impl<'a> Person<'a> {
    pub(super) fn new(browser: &'a Browser, hand: Hand, width: u32, height: u32) -> Self {
        browser.resize(width, height);
        let is_dark = hand == Hand::Keyboard;
        browser.dark(is_dark);
        let path = std::env::var_os("CALLPACT_AXE").filter(|path| !path.is_empty());
        if path.is_none() {
            let _ = writeln!(
                std::io::stderr(),
                "skipped: CALLPACT_AXE names no axe.min.js"
            );
        }
        Self {
            browser,
            hand,
            width,
            flow: Cell::new(""),
            is_dark: Cell::new(is_dark),
            axe: path.map(|path| std::fs::read_to_string(path).unwrap()),
        }
    }

    pub(super) fn uses_keys(&self) -> bool {
        self.hand == Hand::Keyboard
    }

    /// Waits until something is in front, and says whether it has the focus.
    fn find(&self, aim: &str) -> bool {
        let script = format!("{AIM} return found ? [found === document.activeElement] : null;");
        let found = crate::kit::wait_until(&self.said(aim), || {
            let found = self.browser.run(&script, &json!([aim]));
            (!found.is_null()).then_some(found)
        });
        found[0] == true
    }

    fn said(&self, what: &str) -> String {
        let (flow, hand, width) = (self.flow.get(), self.hand, self.width);
        format!("{flow}, {hand:?}, {width}: {what}")
    }

    /// Brings the focus to something, with the Tab key or a click.
    pub(super) fn go(&self, aim: &str) {
        if !self.uses_keys() {
            self.find(aim);
            return self
                .browser
                .click_on(&format!("{AIM} return found;"), &json!([aim]));
        }
        let here = self.find(aim);
        for _ in 0..90 {
            if here || self.find(aim) {
                let seen = "getComputedStyle(document.activeElement).outlineStyle !== 'none'";
                assert_eq!(self.browser.value(seen), true, "{}", self.said(aim));
                return;
            }
            self.browser.press(&[TAB]);
        }
        panic!("{}: the keyboard does not reach it", self.said(aim));
    }

    /// Presses something: by its key, if it has one, else from key to key; or with the mouse.
    pub(super) fn press(&self, key: &str, aim: &str) {
        if !self.uses_keys() {
            return self.go(aim);
        }
        if key.is_empty() {
            self.go(aim);
            self.browser.press(&[ENTER]);
        } else {
            self.browser.press(&[key]);
        }
    }

    /// Presses something that has no key.
    pub(super) fn push(&self, aim: &str) {
        self.press("", aim);
    }

    /// Sends the open form: by its keys, or with its button.
    pub(super) fn send(&self, aim: &str) {
        // It can be sent.
        self.find(aim);
        if self.uses_keys() {
            self.browser.press_with(CONTROL, ENTER);
        } else {
            self.go(aim);
        }
    }

    /// Goes to a field and types over what it has.
    pub(super) fn write(&self, aim: &str, text: &str) {
        self.go(aim);
        self.browser.press_with(CONTROL, "a");
        let keys: Vec<_> = text.chars().map(String::from).collect();
        let keys: Vec<_> = keys.iter().map(String::as_str).collect();
        let delete = ["\u{e003}"];
        self.browser
            .press(if text.is_empty() { &delete } else { &keys });
    }

    /// A decision, which is behind "More" where there is little room.
    pub(super) fn decide(&self, key: &str, class: &str) {
        let button = format!(".{class} button");
        self.find("#inbox .actions button");
        let is_hidden = format!("!document.querySelector('#inbox {button}').checkVisibility()");
        if self.browser.value(&is_hidden) == true {
            self.push("#inbox .more-button button");
            self.look("the other decisions");
            if self.uses_keys() {
                self.browser.press(&[ESCAPE]);
            }
        }
        self.press(key, &button);
    }

    /// Opens a view; where a call is open on a phone, by way of its list.
    pub(super) fn view(&self, digit: &str, name: &str) {
        if self.uses_keys() {
            // Out of a field, and out of what is open.
            self.browser.press(&[ESCAPE, ESCAPE]);
        } else {
            let hidden = "!document.querySelector('#nav').checkVisibility()";
            if self.browser.value(hidden) == true {
                self.go("section:not([hidden]) .close a");
            }
        }
        self.press(digit, &format!("#nav-{name}"));
        self.see(&format!("#{name}"));
    }

    /// Opens an entry of the list that is shown: with the arrows, since a list is one stop of the Tab key.
    pub(super) fn open(&self, aim: &str) {
        if !self.uses_keys() {
            return self.go(aim);
        }
        self.find(aim);
        self.go("section:not([hidden]) .list .item[tabindex='0']");
        self.browser.press(&["\u{e011}"]);
        for _ in 0..9 {
            if self.find(aim) {
                return self.browser.press(&[ENTER]);
            }
            self.browser.press(&[DOWN]);
        }
        panic!("{}: the arrows do not reach it", self.said(aim));
    }

    pub(super) fn see(&self, selector: &str) {
        self.find(selector);
    }

    pub(super) fn read(&self, selector: &str, words: &str) {
        let script = "const [selector, words] = arguments; \
            return [...document.querySelectorAll(selector)].some((one) => one.checkVisibility() && one.textContent.includes(words));";
        crate::kit::wait_until(&self.said(words), || {
            (self.browser.run(script, &json!([selector, words])) == true).then_some(())
        });
    }

    /// Nothing covers something else, nothing scrolls sideways, and axe finds nothing, in the light and in the dark. The
    /// person goes on in the other light.
    pub(super) fn look(&self, what: &str) {
        let said = self.said(what);
        assert_eq!(self.browser.run(MISPLACED, &json!([])), json!([]), "{said}");
        let Some(axe) = &self.axe else { return };
        // Not through the page, whose policy refuses it, but through the driver.
        if self.browser.value("window.axe === undefined") == true {
            self.browser.run(axe, &json!([]));
        }
        let everything = json!({ "resultTypes": ["violations"] });
        self.find_violations(&everything, &said);
        self.is_dark.set(!self.is_dark.get());
        self.browser.dark(self.is_dark.get());
        // Nothing but the colours differs.
        let colours = json!({ "resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"] });
        self.find_violations(&colours, &said);
    }

    fn find_violations(&self, options: &Value, said: &str) {
        let violations = self.browser.run_async(
            "const { violations } = await axe.run(document, args[0]);
             return violations.map((one) => [one.id, one.help, one.nodes.slice(0, 3).map((node) => node.html)]);",
            &json!([options]),
        );
        assert_eq!(
            violations,
            json!([]),
            "{said}, dark: {}",
            self.is_dark.get()
        );
    }
}
