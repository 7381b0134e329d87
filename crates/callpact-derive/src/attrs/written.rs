//! Everything that is written at one place: our attributes, and those of serde, schemars and clap.

use syn::Attribute;

use super::{
    clap::{self, ClapAttrs},
    doc,
    errors::{AttributeErrors, LostSettings},
    list::{parse_attributes, word},
    place::AttributePlace,
    receivers::{self, AttributeReceiver, ContainerAttrs, FieldAttrs, OutputAttrs, VariantAttrs},
    schemars::{self, SchemarsAttrs},
    serde::{self, SerdeAttrs, ValueDirection},
    values::SpannedStr,
};

/// The attributes of a type, a field or a variant.
pub(crate) struct WrittenAttrs<T> {
    /// Those of the input. For an output, what also applies to it.
    pub(crate) ours: T,
    pub(crate) output: OutputAttrs,
    pub(crate) serde: SerdeAttrs,
    pub(crate) schemars: SchemarsAttrs,
    pub(crate) clap: ClapAttrs,
    pub(crate) lost: LostSettings,
}

/// The attributes of the input at one kind of place.
pub(crate) trait PlaceAttrs: AttributeReceiver {
    const PLACE: AttributePlace;
    /// The words that also apply to an output.
    const OF_OUTPUT: &'static [&'static str];
}

impl PlaceAttrs for ContainerAttrs {
    const PLACE: AttributePlace = AttributePlace::Container;
    const OF_OUTPUT: &'static [&'static str] = &["description", "crate"];
}

impl PlaceAttrs for FieldAttrs {
    const PLACE: AttributePlace = AttributePlace::Field;
    const OF_OUTPUT: &'static [&'static str] = &["description", "recursive"];
}

impl PlaceAttrs for VariantAttrs {
    const PLACE: AttributePlace = AttributePlace::Variant;
    const OF_OUTPUT: &'static [&'static str] = &["description"];
}

impl<T: PlaceAttrs> WrittenAttrs<T> {
    /// Reads all attributes. A rule of clap across parameters is an error unless a function checks such rules.
    pub(crate) fn read(
        attrs: &[Attribute],
        direction: ValueDirection,
        is_validated: impl FnOnce(&T) -> bool,
        errors: &mut AttributeErrors,
    ) -> Self {
        let (ours, output): (T, OutputAttrs) = match direction {
            ValueDirection::Input => {
                let ours = receivers::read(attrs, T::PLACE, errors);
                (ours, OutputAttrs::default())
            }
            ValueDirection::Output => {
                let place = match T::PLACE {
                    AttributePlace::Container => AttributePlace::Output,
                    _ => AttributePlace::OutputField,
                };
                let output = receivers::read(attrs, place, errors);
                // The derive of the input checks its attributes.
                let ignored = &mut AttributeErrors::default();
                let (attribute, example) = (T::PLACE.attribute(), T::PLACE.example());
                let mut ours = parse_attributes(attrs, attribute, example, ignored);
                ours.retain(|item| T::OF_OUTPUT.contains(&word(item).as_str()));
                (receivers::receive(&ours, T::PLACE, ignored), output)
            }
        };
        let (schemars, of_serde) = schemars::read(attrs, T::PLACE, direction, errors);
        let serde = serde::read(attrs, of_serde, T::PLACE, direction, errors);
        let clap = match direction {
            ValueDirection::Input => clap::read(attrs, T::PLACE, is_validated(&ours), errors),
            ValueDirection::Output => ClapAttrs::default(),
        };
        Self {
            ours,
            output,
            serde,
            schemars,
            clap,
            lost: errors.lost(),
        }
    }

    /// The description: that of an attribute, or the doc comment, below the title if there is one.
    pub(crate) fn describe(
        &self,
        ours: Option<&SpannedStr>,
        docs: &[Attribute],
        errors: &mut AttributeErrors,
    ) -> String {
        let help = self.clap.help();
        let written = self.output.description.as_ref().or(ours);
        let written = written.or(self.schemars.description.as_ref());
        let words = match written.or(help.as_ref()) {
            Some(text) if text.value.trim().is_empty() => {
                errors.span(
                    text.span,
                    "the description is empty: say what the value is for, or remove it",
                );
                String::new()
            }
            Some(text) => text.value.clone(),
            None => {
                if let Some(made) = doc::find_macro(docs) {
                    errors.at(
                        made,
                        "the text of a macro is not known here: write it out, `description = \"…\"`",
                    );
                }
                doc::description(docs)
            }
        };
        match &self.schemars.title {
            None => words,
            Some(title) if words.is_empty() => title.value.clone(),
            Some(title) => format!("{}\n\n{words}", title.value),
        }
    }
}
