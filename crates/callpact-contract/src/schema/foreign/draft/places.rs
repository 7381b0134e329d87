//! The places of a document that are schemas, with the names by which references find them.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use super::{
    SchemaDraft, is_rule,
    uri::{resolve, split_fragment},
};
use crate::schema::{
    JsonValue,
    foreign::{
        SchemaFaults,
        keyword::{KeywordForm, holds, pointer, step},
        reference::ReferenceFault,
    },
};

/// A part of a document with an address of its own.
struct Resource {
    uri: String,
    /// The JSON pointer of its root.
    root: String,
    draft: Option<SchemaDraft>,
    /// Whether `$recursiveRef` may lead elsewhere than to its root.
    is_recursive: bool,
}

/// A place that has a name in its resource.
struct Anchor {
    place: String,
    is_dynamic: bool,
}

/// The places of a document that are schemas.
pub(super) struct PlaceIndex<'a> {
    document: &'a JsonValue,
    resources: Vec<Resource>,
    /// The numbers of the resources, by their addresses.
    addresses: HashMap<String, usize>,
    /// How many resources are recursive.
    recursive: usize,
    /// By the number of the resource, and the name.
    anchors: HashMap<(usize, String), Anchor>,
    /// How many dynamic anchors have a name.
    dynamic: HashMap<String, usize>,
    /// The number of the resource that holds each schema, by the pointer of the schema.
    schemas: HashMap<String, usize>,
    /// The keywords that do not count, by their pointers.
    ignored: HashSet<String>,
    /// The schemas whose references are not followed yet.
    unfollowed: Vec<String>,
}

impl<'a> PlaceIndex<'a> {
    pub(super) fn of(
        document: &'a JsonValue,
        draft: Option<SchemaDraft>,
        faults: &mut SchemaFaults,
    ) -> Self {
        let mut index = Self {
            document,
            resources: vec![Resource {
                uri: String::new(),
                root: String::new(),
                draft,
                is_recursive: false,
            }],
            addresses: HashMap::new(),
            recursive: 0,
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
            schemas: HashMap::new(),
            ignored: HashSet::new(),
            unfollowed: Vec::new(),
        };
        index.visit(document, String::new(), 0, faults);
        // A reference may lead to a place that no keyword makes a schema.
        while let Some(holder) = index.unfollowed.pop() {
            let Some(target) = index.target(&holder).ok().flatten() else {
                continue;
            };
            if let Some(schema) = document.pointer(&target) {
                let resource = index.resource_around(&target);
                index.visit(schema, target, resource, faults);
            }
        }
        index
    }

    /// Whether a place is a schema.
    pub(super) fn is_schema(&self, place: &str) -> bool {
        self.schemas.contains_key(place)
    }

    /// The draft of a schema.
    pub(super) fn draft(&self, place: &str) -> Option<SchemaDraft> {
        self.draft_of(*self.schemas.get(place)?)
    }

    fn draft_of(&self, resource: usize) -> Option<SchemaDraft> {
        self.resources.get(resource)?.draft
    }

    /// Whether a keyword does not count.
    pub(super) fn is_ignored(&self, place: &str) -> bool {
        self.ignored.contains(place)
    }

    /// The resource of the nearest schema around a place.
    fn resource_around(&self, place: &str) -> usize {
        let mut around = place;
        loop {
            if let Some(resource) = self.schemas.get(around) {
                return *resource;
            }
            match around.rfind('/') {
                Some(slash) => around = around.split_at(slash).0,
                None => return 0,
            }
        }
    }

    fn visit(&mut self, json: &JsonValue, place: String, within: usize, faults: &mut SchemaFaults) {
        if self.schemas.contains_key(&place) {
            return;
        }
        let Some(entries) = json.entries() else {
            self.schemas.insert(place, within);
            return;
        };
        let draft = self.draft_of(within);
        let refers = matches!(json.get("$ref"), Some(JsonValue::Text(_)));
        let is_lone = refers && draft.is_some_and(SchemaDraft::has_lone_references);
        let resource = if is_lone {
            within
        } else {
            self.name_place(json, &place, within, faults)
        };
        self.schemas.insert(place.clone(), resource);
        let draft = self.draft_of(resource);
        let references = ["$ref", "$dynamicRef", "$recursiveRef"];
        if references.iter().any(|keyword| json.get(keyword).is_some()) {
            self.unfollowed.push(place.clone());
        }
        for (keyword, value) in entries {
            let inner = step(&place, keyword);
            let lacks = draft.is_some_and(|draft| draft.lacks(keyword));
            if lacks || is_lone && is_rule(keyword) {
                self.ignored.insert(inner);
                continue;
            }
            if keyword == "items" && value.list().is_some() && draft == Some(SchemaDraft::Of2020) {
                let words = "a list of schemas is `prefixItems` in draft 2020-12";
                faults.note(&place, keyword, words);
            }
            match (holds(keyword), value) {
                (KeywordForm::Schema | KeywordForm::List, JsonValue::List(items)) => {
                    for (number, item) in items.iter().enumerate() {
                        self.visit(item, format!("{inner}/{number}"), resource, faults);
                    }
                }
                (KeywordForm::Schema, value) => self.visit(value, inner, resource, faults),
                (KeywordForm::Named, JsonValue::Object(schemas)) => {
                    for (name, schema) in schemas.iter() {
                        self.visit(schema, step(&inner, name), resource, faults);
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes the names of a schema, and returns the number of its resource.
    fn name_place(
        &mut self,
        json: &JsonValue,
        place: &str,
        within: usize,
        faults: &mut SchemaFaults,
    ) -> usize {
        let (mut resource, mut draft, mut base) = match self.resources.get(within) {
            Some(outer) => (within, outer.draft, outer.uri.clone()),
            None => return within,
        };
        let keyword = match draft {
            Some(SchemaDraft::Four) => "id",
            _ => "$id",
        };
        if let Some(id) = json.text_at(keyword) {
            let (address, name) = split_fragment(id);
            if !address.is_empty() {
                base = resolve(&base, address);
                let number = match place {
                    "" => 0,
                    _ => self.resources.len(),
                };
                match self.addresses.entry(base.clone()) {
                    Entry::Vacant(free) => {
                        free.insert(number);
                    }
                    Entry::Occupied(_) => {
                        faults.note(place, keyword, "another schema of the document has it too");
                    }
                }
                if let Some(root) = self.resources.first_mut()
                    && place.is_empty()
                {
                    root.uri = base;
                } else {
                    match json.text_at("$schema").map(SchemaDraft::named) {
                        Some(Ok(own)) => draft = own,
                        Some(Err(words)) => faults.note(place, "$schema", words),
                        None => {}
                    }
                    resource = number;
                    self.resources.push(Resource {
                        uri: base,
                        root: place.to_owned(),
                        draft,
                        is_recursive: false,
                    });
                }
            }
            if !name.is_empty() {
                self.add_anchor(resource, name, place, false);
            }
        }
        if draft.is_none_or(|draft| draft >= SchemaDraft::Of2019) {
            for (keyword, is_dynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
                if let Some(name) = json.text_at(keyword) {
                    self.add_anchor(resource, name, place, is_dynamic);
                }
            }
            let is_recursive = json.get("$recursiveAnchor") == Some(&JsonValue::Boolean(true));
            if let Some(own) = self.resources.get_mut(resource)
                && own.root == place
            {
                own.is_recursive = is_recursive;
                self.recursive += usize::from(is_recursive);
            }
        }
        resource
    }

    fn add_anchor(&mut self, resource: usize, name: &str, place: &str, is_dynamic: bool) {
        if is_dynamic {
            *self.dynamic.entry(name.to_owned()).or_default() += 1;
        }
        let anchor = self.anchors.entry((resource, name.to_owned()));
        let anchor = anchor.or_insert_with(|| Anchor {
            place: place.to_owned(),
            is_dynamic,
        });
        anchor.is_dynamic |= is_dynamic;
    }

    /// The place that the reference of a schema leads to, by whichever keyword; `None` if it has none.
    fn target(&self, holder: &str) -> Result<Option<String>, String> {
        let Some(json) = self.document.pointer(holder) else {
            return Ok(None);
        };
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(reference) = json.text_at(keyword) {
                return self.find(holder, keyword, reference).map(Some);
            }
        }
        Ok(None)
    }

    /// The place that a reference in a schema leads to.
    pub(super) fn find(
        &self,
        holder: &str,
        keyword: &str,
        reference: &str,
    ) -> Result<String, String> {
        let number = self.schemas.get(holder).copied().unwrap_or_default();
        let own = self.resources.get(number).ok_or("")?;
        let (address, fragment) = split_fragment(reference);
        let uri = resolve(&own.uri, address);
        let number = if address.is_empty() {
            Some(number)
        } else {
            self.addresses.get(&uri).copied()
        };
        let Some((number, resource)) = number.and_then(|at| Some((at, self.resources.get(at)?)))
        else {
            return Err(ReferenceFault::Outside.words(reference));
        };
        let nothing = || ReferenceFault::Nothing.words(reference);
        let anchor = self.anchors.get(&(number, fragment.to_owned()));
        let is_ambiguous = match keyword {
            "$recursiveRef" => resource.is_recursive && self.recursive > 1,
            "$dynamicRef" => {
                anchor.is_some_and(|anchor| anchor.is_dynamic)
                    && self.dynamic.get(fragment) > Some(&1)
            }
            _ => false,
        };
        if is_ambiguous {
            return Err(SEVERAL.to_owned());
        }
        if fragment.is_empty() || fragment.starts_with('/') {
            let inner = pointer(&format!("#{fragment}")).ok_or_else(nothing)?;
            let place = format!("{}{inner}", resource.root);
            return match self.document.pointer(&place) {
                Some(JsonValue::Object(_) | JsonValue::Boolean(_)) => Ok(place),
                Some(_) => Err(ReferenceFault::NoSchema.words(reference)),
                None => Err(nothing()),
            };
        }
        anchor
            .map(|anchor| anchor.place.clone())
            .ok_or_else(nothing)
    }
}

const SEVERAL: &str = "several schemas have this name, so it leads to another one at each place, which is not understood";
