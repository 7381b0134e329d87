//! The page's own style sheets, as far as a simple rule hides something.
//!
//! A rule counts if each of its selectors is a name, a class, an `id` or several of them together
//! (`p.note#a`), and if it stands at the top of the sheet, in `@layer` or in `@media` for every screen.
//! Other rules are skipped.

use std::collections::HashMap;

use super::style::{StyleEffect, tidy};

/// The most rules that are kept for one class, `id` or name, which limits the cost of each element.
const MAX_RULES: usize = 64;
/// The most classes of one element that are checked.
const MAX_CLASSES: usize = 32;

/// The rules of a page.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    /// By one part of the selector.
    rules: HashMap<String, Vec<StyleRule>>,
    count: usize,
}

#[derive(Debug)]
struct StyleRule {
    selector: StyleSelector,
    /// The specificity of the selector, then its order on the page.
    rank: (usize, usize, usize, usize),
    look: StyleEffect,
}

/// `name.class.class#id`; each class has its dot, the `id` its mark.
#[derive(Debug, Default, PartialEq, Eq)]
struct StyleSelector {
    name: String,
    marks: Vec<String>,
}

impl StyleSelector {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let plain = |c: char| c.is_alphanumeric() || "-_.#\u{fffd}".contains(c);
        if text.is_empty() || !text.chars().all(plain) {
            return None;
        }
        let start = text.find(['.', '#']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at_checked(start)?;
        let mut marks = Vec::new();
        while !rest.is_empty() {
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(_, c)| matches!(c, '.' | '#'))
                .map_or(rest.len(), |(at, _)| at);
            let (mark, after) = rest.split_at_checked(end)?;
            if mark.len() < 2 {
                return None;
            }
            marks.push(mark.to_owned());
            rest = after;
        }
        Some(Self {
            name: name.to_owned(),
            marks,
        })
    }

    fn key(&self) -> &str {
        self.marks.first().unwrap_or(&self.name)
    }

    fn fits(&self, name: &str, marks: &[String]) -> bool {
        (self.name.is_empty() || self.name == name)
            && self.marks.iter().all(|mark| marks.contains(mark))
    }
}

impl StyleSheet {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds the rules of a `<style>`.
    pub(super) fn read(&mut self, text: &str) {
        self.read_rules(&tidy(text));
    }

    fn read_rules(&mut self, mut text: &str) {
        while let Some(at) = text.find(['{', ';', '}']) {
            let (prelude, rest) = text.split_at_checked(at).unwrap_or_default();
            let prelude = prelude.trim();
            if !rest.starts_with('{') {
                text = rest.get(1..).unwrap_or_default();
                continue;
            }
            let (block, after) = take_block(rest);
            text = after;
            match prelude.strip_prefix('@') {
                None => self.add(prelude, block),
                Some(rule) if is_for_every_screen(rule) => self.read_flat(block),
                Some(_) => {}
            }
        }
    }

    /// Reads the rules in a block of `@layer` or `@media`. Nested blocks are skipped, so that the depth
    /// of a page costs nothing.
    fn read_flat(&mut self, mut text: &str) {
        while let Some(at) = text.find('{') {
            let (prelude, rest) = text.split_at_checked(at).unwrap_or_default();
            let (block, after) = take_block(rest);
            text = after;
            let prelude = prelude.rsplit([';', '}']).next().unwrap_or_default();
            if !prelude.trim_start().starts_with('@') {
                self.add(prelude, block);
            }
        }
    }

    fn add(&mut self, selectors: &str, block: &str) {
        // Nested rules are not declarations of this rule.
        let declarations = match block.split_once('{') {
            Some((before, _)) => before.rsplit_once(';').map_or("", |(own, _)| own),
            None => block,
        };
        let look = StyleEffect::of(declarations);
        if look.is_plain() {
            return;
        }
        for selector in selectors.split(',').filter_map(StyleSelector::parse) {
            let rules = self.rules.entry(selector.key().to_owned()).or_default();
            self.count += 1;
            if let Some(rule) = rules.iter_mut().find(|rule| rule.selector == selector) {
                rule.look = rule.look.then(look);
                rule.rank.3 = self.count;
            } else if rules.len() < MAX_RULES {
                let ids = selector.marks.iter().filter(|mark| mark.starts_with('#'));
                let ids = ids.count();
                let classes = selector.marks.len() - ids;
                let names = usize::from(!selector.name.is_empty());
                rules.push(StyleRule {
                    rank: (ids, classes, names, self.count),
                    selector,
                    look,
                });
            }
        }
    }

    /// The effect of the rules on an element.
    pub(super) fn look(&self, name: &str, id: &str, classes: &str) -> StyleEffect {
        let classes = classes.split_ascii_whitespace().take(MAX_CLASSES);
        let mut marks: Vec<String> = classes
            .map(|class| format!(".{}", class.to_lowercase()))
            .collect();
        if !id.is_empty() {
            marks.push(format!("#{}", id.to_lowercase()));
        }
        marks.sort_unstable();
        marks.dedup();
        let keys = marks.iter().map(String::as_str).chain([name]);
        let mut rules: Vec<&StyleRule> = keys
            .filter_map(|key| self.rules.get(key))
            .flatten()
            .filter(|rule| rule.selector.fits(name, &marks))
            .collect();
        rules.sort_unstable_by_key(|rule| rule.rank);
        rules
            .iter()
            .fold(StyleEffect::default(), |look, rule| look.then(rule.look))
    }
}

fn is_for_every_screen(rule: &str) -> bool {
    let rule = rule.trim();
    rule.starts_with("layer") || matches!(rule, "media all" | "media screen" | "media only screen")
}

/// A block without its braces, and the text after it. An unclosed block reaches to the end.
fn take_block(text: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, c) in text.bytes().enumerate() {
        match c {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let block = text.get(1..at).unwrap_or_default();
                    return (block, text.get(at + 1..).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    (text.get(1..).unwrap_or_default(), "")
}
