//! The tag is beside the content: `{"tag": name, "content": …}`.

use std::borrow::Cow;

use super::{
    super::{
        any::read_all,
        at::At,
        here::Way,
        input::Input,
        keys::{null_of_another, repeated_key},
        meant::take_out,
        stranger::{is_by_case, key_twice},
        take::{Take, take},
    },
    tag::{
        ByCase, Tag, find_by_case, find_tag, note_case, read_tag, report_no_tag, spare_key,
        strict_nulls,
    },
    variants::{Variants, find},
};
use crate::{
    json::{Form, Source},
    report::IssueKind,
    schema::{Tagging, Union as Rules, Variant, expected},
};

pub(super) fn read_adjacent(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    match &rules.tagging {
        Tagging::Adjacent { tag, content } => {
            read_by(input, rules, (tag.part(), content.part()), variants, at)
        }
        _ => false,
    }
}

fn read_by(
    input: &mut Input<'_>,
    rules: &Rules,
    (tag, content): (&str, &str),
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    let adjacent = Adjacent {
        rules,
        tag,
        content,
        variants,
    };
    take(input, adjacent, at).is_some()
}

struct Adjacent<'a> {
    rules: &'a Rules,
    tag: &'a str,
    content: &'a str,
    variants: &'a mut dyn Variants,
}

impl Take for Adjacent<'_> {
    type Out = ();

    #[cold]
    fn text(self, value: Cow<'_, str>, at: At<'_>) -> Option<()> {
        let keys = (self.tag, self.content);
        let mut is_there = false;
        take_out(&value, at, &mut |input, at| {
            is_there = read_by(input, self.rules, keys, self.variants, at);
        });
        is_there.then_some(())
    }

    fn object(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<()> {
        let Self {
            rules,
            tag,
            content,
            variants,
        } = self;
        // The variant, if the tag names one. The tag is read again at its place.
        let mut ahead = *input;
        let mut has_tag = false;
        let chosen = match find_tag(&mut ahead, tag, &mut at) {
            Tag::Here => {
                has_tag = true;
                match ahead.form() {
                    Form::Text => ahead
                        .take_text()
                        .and_then(|name| find(&name, rules, &at))
                        .map(|named| (named.index, named.variant)),
                    _ => None,
                }
            }
            Tag::Nowhere => match find_by_case(*input, rules, tag, &mut at) {
                ByCase::One(key) => {
                    note_case(&key, tag, &mut at);
                    let keys = (&*key, content);
                    return read_by(input, rules, keys, variants, at).then_some(());
                }
                ByCase::Several => {
                    input.skip();
                    return None;
                }
                ByCase::None => None,
            },
            Tag::TooFar => {
                let value = read_all(input, at.reborrow())?;
                let (mut input, keys) = (Input::value(&value), (tag, content));
                return read_by(&mut input, rules, keys, variants, at).then_some(());
            }
        };
        let takes_content = chosen.is_none_or(|(_, variant)| variant.content.is_some());
        let (mut tags, mut contents) = (0, 0);
        let mut is_there = false;
        let mut entries = input.open_object();
        while let Some(key) = input.next_key(&mut entries) {
            if key == tag {
                tags += 1;
                if tags == 1 {
                    read_tag(input, rules, tag, &mut at);
                } else {
                    input.skip();
                    repeated_key(tag, &mut at);
                }
            } else if has_tag && is_by_case(&key, tag, rules.unknown, &at) {
                input.skip();
                key_twice(&key, tag, &mut at);
            } else if key == content
                || takes_content && is_by_case(&key, content, rules.unknown, &at)
            {
                contents += 1;
                if contents > 1 {
                    input.skip();
                    key_twice(&key, content, &mut at);
                    continue;
                }
                if key != content {
                    note_case(&key, content, &mut at);
                }
                match chosen {
                    Some((index, variant)) => {
                        let content = (content, variant);
                        is_there = read_content(input, index, content, rules, variants, &mut at);
                    }
                    None => input.skip(),
                }
            } else {
                input.skip();
                spare_key(&key, rules, &mut at);
            }
        }
        if input.is_broken() {
            return None;
        }
        if tags == 0 {
            report_no_tag(rules, tag, &mut at);
        }
        let (index, variant) = chosen?;
        match variant.content.as_deref() {
            Some(schema) if contents == 0 => {
                at.below(Way::Key(content), schema, |mut at| {
                    at.issue(IssueKind::Missing, expected(schema), "");
                });
            }
            Some(_) => {}
            None => is_there = variants.unit(index),
        }
        is_there.then_some(())
    }
}

/// Reads the content of the chosen variant, and returns whether there is a value.
fn read_content(
    input: &mut Input<'_>,
    index: usize,
    (key, variant): (&str, &Variant),
    rules: &Rules,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    if let Some(schema) = variant.content.as_deref() {
        return at.below(Way::Key(key), schema, |mut at| {
            let is_there = variants.read(index, input, at.reborrow());
            if input.is_broken() {
                at.note_broken();
            }
            is_there
        });
    }
    let is_null = input.form() == Form::Null;
    input.skip();
    if is_null && strict_nulls(at) {
        null_of_another(key, at);
    } else {
        spare_key(key, rules, at);
    }
    false
}
