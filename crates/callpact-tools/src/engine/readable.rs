//! Converts HTML to the text that a person would read, in one pass.
//!
//! The page goes through a tokenizer that follows the HTML standard. No tree is built, so nesting
//! costs nothing: depth is only a counter. Time and memory grow only with the input, and reading
//! stops at the point where the text is cut.

mod element;
mod sheet;
mod style;
mod text;

use std::collections::HashMap;
use std::fmt;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use element::{ElementKind, block_name};
use sheet::StyleSheet;
use style::{StyleEffect, tidy};
use text::{BoundedText, TextGap};

/// What to take from a page, and how much.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Most characters of text; the rest is cut and marked. Default 5,000.
    pub max_chars: usize,
    /// Most bytes of HTML; a larger page is an error. Default 8 MiB.
    pub max_input: usize,
    /// Whether the target of a link follows its text in angle brackets. Default no.
    pub links: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_chars: 5_000,
            max_input: 8 << 20,
            links: false,
        }
    }
}

/// The text of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Readable {
    /// The page's title, at most 300 characters.
    pub title: String,
    /// The text, ending in ` [truncated at N chars]` when it was cut.
    pub text: String,
    /// Whether the text was cut.
    pub truncated: bool,
}

/// The page is larger than [`Options::max_input`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageTooLarge {
    /// The limit in bytes.
    pub limit: usize,
}

impl fmt::Display for PageTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the page is larger than {} bytes", self.limit)
    }
}

impl std::error::Error for PageTooLarge {}

/// The readable text of `html`.
///
/// Scripts, styles, navigation, page header and footer, closed `details` and `dialog`, and elements that
/// an attribute, an inline style or a simple rule of the page's own style sheet hides are left out.
/// Blocks start a new line, white space is collapsed outside `pre`, entities are decoded, control
/// characters and invisible formatting characters are dropped.
///
/// No layout is computed. Text counts as visible if it is below another element, has the colour of
/// its background, or is hidden by a script, an external style sheet or a rule with a combinator.
///
/// ```
/// use callpact_tools::engine::readable::{Options, readable};
///
/// let page = "<title>T</title><nav>menu</nav><h1>Fish &amp; chips</h1><p>Fresh<br>daily.";
/// let read = readable(page, &Options::default())?;
/// assert_eq!((read.title.as_str(), read.text.as_str()), ("T", "Fish & chips\nFresh\ndaily."));
/// # Ok::<(), callpact_tools::engine::readable::PageTooLarge>(())
/// ```
pub fn readable(html: &str, options: &Options) -> Result<Readable, PageTooLarge> {
    if html.len() > options.max_input {
        return Err(PageTooLarge {
            limit: options.max_input,
        });
    }
    let mut page = PageReader::new(options);
    let mut emitter = CallbackEmitter::new(&mut page);
    emitter.naively_switch_states(true);
    // The only items are requests to stop.
    let _stopped = Tokenizer::new_with_emitter(html, emitter).next();
    Ok(page.finish())
}

/// Prepares plain text in the same way: line by line, white space collapsed, nothing invisible, cut
/// and marked.
pub fn plain(text: &str, options: &Options) -> Readable {
    let mut page = PageReader::new(options);
    page.pre = 1;
    page.text.push(text, true);
    page.finish()
}

/// An element whose content is left out, and how many elements of its name are open inside it.
struct SkippedElement {
    name: Vec<u8>,
    depth: usize,
    /// Whether the first `summary` of closed `details` is still to come; it is not left out.
    before_summary: bool,
}

/// The start tag being read.
#[derive(Default)]
struct StartTag {
    name: Vec<u8>,
    attribute: Vec<u8>,
    hidden: bool,
    open: bool,
    /// Whether a `<style>` applies to every screen.
    for_screens: bool,
    look: StyleEffect,
    id: String,
    classes: String,
    href: String,
}

/// The start of an attribute's value.
fn head(value: &[u8]) -> String {
    String::from_utf8_lossy(value.get(..2_000).unwrap_or(value)).into()
}

/// The page, as far as it has been read.
struct PageReader<'a> {
    options: &'a Options,
    text: BoundedText,
    title: BoundedText,
    in_title: bool,
    /// The number of open `pre` elements.
    pre: usize,
    tag: StartTag,
    link: Option<String>,
    skip: Option<SkippedElement>,
    /// Closed `details` whose `summary` is being read.
    around: Vec<SkippedElement>,
    in_style: bool,
    style: String,
    sheet: StyleSheet,
    /// How many elements of each block name are open outside the skipped one. An end tag of one of
    /// them also ends the skipping, as in a browser.
    open: HashMap<&'static str, usize>,
    /// Like `open`, inside the skipped element.
    inner: HashMap<&'static str, usize>,
}

impl<'a> PageReader<'a> {
    fn new(options: &'a Options) -> Self {
        Self {
            options,
            text: BoundedText::new(options.max_chars),
            title: BoundedText::new(300),
            in_title: false,
            pre: 0,
            tag: StartTag::default(),
            link: None,
            skip: None,
            around: Vec::new(),
            in_style: false,
            style: String::new(),
            sheet: StyleSheet::default(),
            open: HashMap::new(),
            inner: HashMap::new(),
        }
    }

    fn finish(self) -> Readable {
        let BoundedText {
            written: mut text,
            full,
            limit,
            ..
        } = self.text;
        if full {
            text.truncate(text.trim_end().len());
            text.push_str(" [truncated at ");
            text.push_str(&limit.to_string());
            text.push_str(" chars]");
        }
        Readable {
            title: self.title.written,
            text,
            truncated: full,
        }
    }

    fn attribute(&mut self, value: &[u8]) {
        let name = std::mem::take(&mut self.tag.attribute);
        match name.as_slice() {
            b"hidden" | b"popover" => self.tag.hidden = true,
            b"aria-hidden" => self.tag.hidden |= value.eq_ignore_ascii_case(b"true"),
            b"open" => self.tag.open = true,
            b"media" => {
                let media = head(value).to_lowercase();
                self.tag.for_screens = matches!(media.trim(), "" | "all" | "screen");
            }
            b"style" => {
                let style = StyleEffect::of(&tidy(&String::from_utf8_lossy(value)));
                self.tag.look = self.tag.look.then(style);
            }
            b"id" if !self.sheet.is_empty() => self.tag.id = head(value),
            b"class" if !self.sheet.is_empty() => self.tag.classes = head(value),
            b"href" if self.options.links && self.tag.href.is_empty() => {
                self.tag.href = head(value);
            }
            _ => {}
        }
    }

    fn start(&mut self) {
        if !self.tag.attribute.is_empty() {
            self.attribute(b"");
        }
        let tag = std::mem::take(&mut self.tag);
        let hidden = self.is_hidden(&tag);
        let StartTag { name, href, .. } = tag;
        let kind = ElementKind::of(&name);
        self.in_style = name == b"style" && tag.for_screens;
        if let Some(skip) = &mut self.skip {
            let is_child = skip.depth == 1 && self.inner.values().all(|count| *count == 0);
            if skip.before_summary && is_child && name == b"summary" {
                skip.before_summary = false;
                self.around.extend(self.skip.take());
                self.text.gap(TextGap::Line);
                return;
            }
            if name == skip.name {
                skip.depth += 1;
            } else if let Some(name) = block_name(&name) {
                *self.inner.entry(name).or_default() += 1;
            }
            return;
        }
        let has_content = !matches!(kind, ElementKind::Void | ElementKind::Break);
        let closed = !tag.open && matches!(name.as_slice(), b"details" | b"dialog");
        if kind == ElementKind::Dropped || (has_content && (hidden || closed)) {
            self.text.gap(if block_name(&name).is_some() {
                TextGap::Line
            } else {
                TextGap::None
            });
            self.inner.clear();
            self.skip = Some(SkippedElement {
                before_summary: name == b"details" && !hidden,
                name,
                depth: 1,
            });
            return;
        }
        if name == b"details"
            && let Some(around) = self.around.last_mut()
        {
            around.depth += 1;
        }
        match kind {
            ElementKind::Break => self.text.gap(TextGap::Line),
            ElementKind::Cell => self.text.gap(TextGap::Space),
            ElementKind::Block => {
                if let Some(name) = block_name(&name) {
                    *self.open.entry(name).or_default() += 1;
                }
                self.text.gap(TextGap::Line);
                self.pre += usize::from(name == b"pre");
            }
            ElementKind::Title => self.in_title = self.title.written.is_empty(),
            ElementKind::Other if name == b"a" => self.link = (!href.is_empty()).then_some(href),
            ElementKind::Other | ElementKind::Void | ElementKind::Dropped => {}
        }
    }

    /// Whether the end tag `name` stays inside the skipped element. The element ends with its own
    /// end tag, or with that of an enclosing element.
    fn stays_skipped(&mut self, skip: &mut SkippedElement, name: &[u8]) -> bool {
        if name == skip.name {
            skip.depth -= 1;
            return skip.depth > 0;
        }
        let Some(name) = block_name(name) else {
            return true;
        };
        match self.inner.get_mut(name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => self.open.get(name).is_none_or(|count| *count == 0),
        }
    }

    fn is_hidden(&self, tag: &StartTag) -> bool {
        if tag.hidden || self.sheet.is_empty() {
            return tag.hidden || tag.look.is_hidden();
        }
        let name = String::from_utf8_lossy(&tag.name);
        let look = self.sheet.look(&name, &tag.id, &tag.classes);
        look.then(tag.look).is_hidden()
    }

    /// Leaves out closed `details` again at the end of their `summary`.
    fn end_summary(&mut self, name: &[u8]) {
        let Some(around) = self.around.last_mut() else {
            return;
        };
        if name == b"details" {
            around.depth -= 1;
            if around.depth == 0 {
                self.around.pop();
            }
        } else if name == b"summary" {
            self.skip = self.around.pop();
            self.inner.clear();
        }
    }

    fn end(&mut self, name: &[u8]) {
        if name == b"style" {
            self.in_style = false;
            self.sheet.read(&std::mem::take(&mut self.style));
        }
        if let Some(mut skip) = self.skip.take() {
            if self.stays_skipped(&mut skip, name) {
                self.skip = Some(skip);
                return;
            }
            if name == skip.name {
                // Its start tag was not counted and already made the gap.
                return;
            }
        }
        self.end_summary(name);
        let block = block_name(name);
        self.in_title = false;
        if let Some(count) = block.and_then(|name| self.open.get_mut(name)) {
            *count = count.saturating_sub(1);
        }
        match ElementKind::of(name) {
            ElementKind::Block | ElementKind::Break => self.text.gap(TextGap::Line),
            ElementKind::Cell => self.text.gap(TextGap::Space),
            _ => {}
        }
        if name == b"pre" {
            self.pre = self.pre.saturating_sub(1);
        }
        if name == b"a"
            && let Some(link) = self.link.take()
        {
            self.text.gap(TextGap::Space);
            self.text.push("<", false);
            self.text.push(link.trim(), false);
            self.text.push(">", false);
        }
    }

    fn characters(&mut self, value: &[u8]) {
        // The input was a `str` and is cut at ASCII bytes only, so nothing is lost here.
        let value = String::from_utf8_lossy(value);
        if self.in_style {
            self.style.push_str(&value);
        } else if self.in_title {
            self.title.push(&value, false);
        } else if self.skip.is_none() {
            self.text.push(&value, self.pre > 0);
        }
    }
}

impl Callback<TextFull, ()> for &mut PageReader<'_> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<TextFull> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = StartTag {
                    name: name.to_vec(),
                    for_screens: true,
                    ..StartTag::default()
                };
            }
            CallbackEvent::AttributeName { name } => {
                if !self.tag.attribute.is_empty() {
                    self.attribute(b"");
                }
                self.tag.attribute.extend(name.iter().take(32));
            }
            CallbackEvent::AttributeValue { value } => self.attribute(value),
            CallbackEvent::CloseStartTag { .. } => self.start(),
            CallbackEvent::EndTag { name } => {
                self.tag = StartTag::default();
                self.end(name);
            }
            CallbackEvent::String { value } => self.characters(value),
            _ => {}
        }
        self.text.full.then_some(TextFull)
    }
}

/// The text is full: the tokenizer yields this and is dropped.
struct TextFull;
