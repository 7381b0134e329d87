//! The tag is among the fields of the variant.

use std::borrow::Cow;

use super::{
    super::{
        any::read_all,
        at::At,
        here::Tagged,
        input::Input,
        keys::{null_of_another, repeated_key},
        meant::take_out,
        stranger::{belongs_to_another, is_by_case, key_twice},
        take::{Take, take},
    },
    tag::{
        ByCase, Tag, find_by_case, find_tag, note_case, note_keys, plain_tag, read_tag,
        report_no_tag, spare_key, strict_nulls,
    },
    variants::Variants,
};
use crate::{
    json::{Form, Source},
    schema::{Tagging, Union as Rules, Variant},
};

pub(super) fn read_internal(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    match &rules.tagging {
        Tagging::Internal { tag } => read_by(input, rules, tag.part(), variants, at),
        _ => false,
    }
}

fn read_by(
    input: &mut Input<'_>,
    rules: &Rules,
    tag: &str,
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    let internal = Internal {
        rules,
        tag,
        variants,
    };
    take(input, internal, at).is_some()
}

struct Internal<'a> {
    rules: &'a Rules,
    tag: &'a str,
    variants: &'a mut dyn Variants,
}

impl Take for Internal<'_> {
    type Out = ();

    #[cold]
    fn text(self, value: Cow<'_, str>, at: At<'_>) -> Option<()> {
        let mut is_there = false;
        take_out(&value, at, &mut |input, at| {
            is_there = read_by(input, self.rules, self.tag, self.variants, at);
        });
        is_there.then_some(())
    }

    fn object(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<()> {
        match plain_tag(input, self.rules, self.tag, &mut at) {
            Some(named) => self.read_content(input, named, at),
            None => self.read_other(input, at),
        }
    }
}

impl Internal<'_> {
    /// Reads an object whose tag is missing or not written plainly.
    #[inline(never)]
    fn read_other(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<()> {
        let Self {
            rules,
            tag,
            variants,
        } = self;
        let mut ahead = *input;
        let named = match find_tag(&mut ahead, tag, &mut at) {
            Tag::Here => read_tag(&mut ahead, rules, tag, &mut at),
            Tag::Nowhere => {
                match find_by_case(*input, rules, tag, &mut at) {
                    ByCase::One(key) => {
                        note_case(&key, tag, &mut at);
                        return read_by(input, rules, &key, variants, at).then_some(());
                    }
                    ByCase::Several => {
                        input.skip();
                        return None;
                    }
                    ByCase::None => {}
                }
                note_keys(*input, &mut at);
                read_all(input, at.reborrow());
                if !input.is_broken() {
                    report_no_tag(rules, tag, &mut at);
                }
                return None;
            }
            Tag::TooFar => {
                let value = read_all(input, at.reborrow())?;
                let mut input = Input::value(&value);
                return read_by(&mut input, rules, tag, variants, at).then_some(());
            }
        };
        let Some(named) = named else {
            input.skip();
            return None;
        };
        let union = Self {
            rules,
            tag,
            variants,
        };
        union.read_content(input, (named.index, named.variant), at)
    }

    /// Reads the fields of the named variant.
    fn read_content(
        self,
        input: &mut Input<'_>,
        (index, variant): (usize, &Variant),
        mut at: At<'_>,
    ) -> Option<()> {
        let Self {
            rules,
            tag,
            variants,
        } = self;
        let others = strict_nulls(&at).then_some((rules, variant));
        let tagged = Tagged { tag, others };
        let is_there = match variant.content.as_deref() {
            Some(content) => {
                let read = |at: At<'_>| variants.read(index, input, at);
                at.content(content, &tagged, read)
            }
            None => read_nothing(input, rules, &tagged, &mut at) && variants.unit(index),
        };
        is_there.then_some(())
    }
}

/// Reads an object that should contain only its tag.
fn read_nothing(
    input: &mut Input<'_>,
    rules: &Rules,
    tagged: &Tagged<'_>,
    at: &mut At<'_>,
) -> bool {
    let mut tags = 0;
    let mut nulls = Vec::new();
    let mut entries = input.open_object();
    while let Some(key) = input.next_key(&mut entries) {
        let is_null = input.form() == Form::Null;
        input.skip();
        if key == tagged.tag {
            tags += 1;
            continue;
        }
        if is_by_case(&key, tagged.tag, rules.unknown, at) {
            key_twice(&key, tagged.tag, at);
            continue;
        }
        match tagged.others {
            Some((union, own)) if is_null && belongs_to_another(&key, union, own) => {
                nulls.push(key);
            }
            _ => spare_key(&key, rules, at),
        }
    }
    if input.is_broken() {
        return false;
    }
    for key in nulls {
        null_of_another(&key, at);
    }
    if tags > 1 {
        repeated_key(tagged.tag, at);
    }
    true
}
