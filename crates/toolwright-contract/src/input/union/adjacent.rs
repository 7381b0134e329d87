//! The tag stands beside the content: `{"tag": name, "content": …}`.

use std::marker::PhantomData;

use serde::de::{Error, IgnoredAny, MapAccess};
use serde_json::Value;

use super::{
    Content, Union,
    tag::{no_tag, null_of_another, read_tag, repeated_key, spare_key, strict_nulls},
};
use crate::{
    input::{
        At, IssueKind,
        at::Way,
        value::ANY,
        visit::{Seed, Take},
    },
    schema::{Union as Rules, Variant, expected},
};

pub(super) struct Adjacent<U> {
    pub(super) rules: &'static Rules,
    pub(super) tag: &'static str,
    pub(super) content: &'static str,
    pub(super) union: PhantomData<U>,
}

impl<U: Union> Take for Adjacent<U> {
    type Out = U;

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<U>, A::Error> {
        let Self {
            rules,
            tag,
            content,
            ..
        } = self;
        let mut chosen: Option<Option<(usize, &'static Variant)>> = None;
        // The content waits when it stands before the tag.
        let mut waiting: Option<Value> = None;
        let mut seen_content = false;
        let mut out = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == tag {
                if chosen.is_some() {
                    map.next_value::<IgnoredAny>()?;
                    repeated_key(tag, &mut at);
                    continue;
                }
                chosen = Some(read_tag(rules, tag, &mut map, &mut at)?);
            } else if key == content {
                if seen_content {
                    map.next_value::<IgnoredAny>()?;
                    repeated_key(content, &mut at);
                    continue;
                }
                seen_content = true;
                match chosen {
                    Some(Some((
                        index,
                        Variant {
                            content: Some(schema),
                            ..
                        },
                    ))) => {
                        out = at.below(Way::Key(content), schema, |mut at| {
                            map.next_value_seed(Content::new(index, at.reborrow()))
                                .inspect_err(|_| at.note_broken())
                        })?;
                    }
                    Some(Some(_)) => {
                        let some = map.next_value::<Option<IgnoredAny>>()?.is_some();
                        spare_content(content, some, rules, &mut at);
                    }
                    Some(None) => {
                        map.next_value::<IgnoredAny>()?;
                    }
                    None => {
                        waiting = at.below(Way::Key(content), ANY, |at| {
                            map.next_value_seed(Seed::<Value>::new(at))
                        })?;
                    }
                }
            } else {
                map.next_value::<IgnoredAny>()?;
                spare_key(&key, rules, &mut at);
            }
        }
        let Some(chosen) = chosen else {
            no_tag(rules, tag, &mut at);
            return Ok(None);
        };
        let Some((index, variant)) = chosen else {
            return Ok(None);
        };
        match (&variant.content, waiting) {
            (Some(schema), Some(value)) => {
                out = at.below(Way::Key(content), schema.part(), |at| {
                    U::read(index, &value, at).map_err(A::Error::custom)
                })?;
            }
            (Some(schema), None) if !seen_content => {
                at.below(Way::Key(content), schema.part(), |mut at| {
                    at.issue(IssueKind::Missing, expected(schema.part()), "");
                });
            }
            (None, waiting) => {
                if let Some(value) = waiting {
                    spare_content(content, !value.is_null(), rules, &mut at);
                }
                out = U::unit(index);
            }
            (Some(_), None) => {}
        }
        Ok(out)
    }
}

/// The content of a variant that has none.
fn spare_content(key: &str, some: bool, rules: &Rules, at: &mut At<'_>) {
    if !some && strict_nulls(at) {
        null_of_another(key, at);
    } else {
        spare_key(key, rules, at);
    }
}
