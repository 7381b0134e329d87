//! Values of several forms.

use std::borrow::Cow;

use crate::{
    schema::{
        Kind, Schema, Tagging, Union, Variant,
        phrases::{NAMED, put_one_of},
    },
    text::{quote_whole, ticked},
};

impl Tagging {
    const fn fixed(&self) -> Self {
        match self {
            Self::External => Self::External,
            Self::Internal { tag } => Self::Internal { tag: tag.fixed() },
            Self::Adjacent { tag, content } => Self::Adjacent {
                tag: tag.fixed(),
                content: content.fixed(),
            },
            Self::None => Self::None,
        }
    }
}

impl Union {
    pub(in crate::schema) const fn fixed(&self) -> Self {
        Self {
            tagging: self.tagging.fixed(),
            variants: self.variants.fixed(),
            unknown: self.unknown,
        }
    }

    /// The union in words; `values` has the words of a variant without a name.
    pub(in crate::schema) fn describe(
        &self,
        words: &mut String,
        values: &dyn Fn(&Schema) -> Cow<'static, str>,
    ) {
        let names = |words: &mut String| {
            let names = self.variants.iter().map(|variant| variant.name.part());
            put_one_of(names, quote_whole, words);
        };
        match &self.tagging {
            Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
                words.push_str("an object whose ");
                words.push_str(&ticked(tag.part()));
                words.push_str(" is ");
                names(words);
            }
            Tagging::External => {
                // As in JSON, bare names come first.
                let mut variants: Vec<&Variant> = self.variants.iter().collect();
                variants.sort_by_key(|variant| variant.content.is_some());
                let all_carry = variants.first().is_some_and(|one| one.content.is_some());
                if all_carry {
                    words.push_str("an object with a single key, ");
                }
                put_one_of(
                    variants.iter().map(|one| one.name.part()),
                    quote_whole,
                    words,
                );
                if !all_carry {
                    words.push_str(", those with content as an object's single key");
                }
            }
            Tagging::None => {
                let mut forms: Vec<Cow<'static, str>> = Vec::new();
                self.add_forms(&mut forms, values);
                forms.truncate(NAMED);
                words.push_str(&forms.join(" or "));
            }
        }
    }

    /// Adds the forms of a union without names, including those of nested unions, each once.
    fn add_forms(
        &self,
        forms: &mut Vec<Cow<'static, str>>,
        values: &dyn Fn(&Schema) -> Cow<'static, str>,
    ) {
        for content in self.contents() {
            match &content.kind {
                Kind::Union(inner) if inner.tagging == Tagging::None => {
                    inner.add_forms(forms, values);
                }
                _ if forms.len() > NAMED => return,
                _ => {
                    let form = values(content);
                    if !forms.contains(&form) {
                        forms.push(form);
                    }
                }
            }
        }
    }
}
