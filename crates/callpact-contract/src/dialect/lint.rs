//! Finds the faults that a provider would reject.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Dialect,
    profile::{EmptyObjects, LONG_ENUM, NameRule, PatternSupport, Profile, SchemaLimits, SpecForm},
};
use crate::{
    schema::{
        ForeignSchema, SchemaFault,
        foreign::{step, types},
    },
    text::{has_word, is_expression},
};

/// How severe a [`Lint`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something is lost or near a limit.
    Warning,
    /// The request would be rejected.
    Error,
}

/// One thing that a provider would not take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lint {
    /// How severe it is.
    pub severity: Severity,
    /// The tool.
    pub tool: String,
    /// The place in its parameters, as a JSON pointer.
    pub path: String,
    /// The fault in words.
    pub message: String,
}

impl Lint {
    /// A warning about the tool as a whole.
    #[doc(hidden)]
    #[must_use]
    pub fn warning(tool: &str, message: String) -> Self {
        Self {
            severity: Severity::Warning,
            tool: tool.to_owned(),
            path: String::new(),
            message,
        }
    }

    /// A part of a schema that only the dialects of MCP can express: an error if no value fits.
    #[doc(hidden)]
    #[must_use]
    pub fn unsaid(tool: &str, fault: &SchemaFault) -> Self {
        let path = match fault.keyword.as_str() {
            "" => fault.path.clone(),
            keyword => format!("{}/{keyword}", fault.path),
        };
        let severity = if fault.takes_nothing {
            Severity::Error
        } else {
            Severity::Warning
        };
        Self {
            severity,
            tool: tool.to_owned(),
            path,
            message: fault.message.clone(),
        }
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let path = if self.path.is_empty() {
            "/"
        } else {
            &self.path
        };
        write!(f, "{severity}: {} {path}: {}", self.tool, self.message)
    }
}

/// The longest description that every provider takes.
const DESCRIPTION: usize = 1024;

/// Deeper schemas are not checked.
const DEEPEST: usize = 127;

/// Keywords that describe a value without a type.
const TYPED: [&str; 6] = ["anyOf", "oneOf", "allOf", "$ref", "enum", "const"];

/// Finds everything in a tool that the provider of a dialect would reject or lose.
#[must_use]
pub fn lint(tool: &str, description: &str, parameters: &str, dialect: Dialect) -> Vec<Lint> {
    let profile = dialect.profile();
    let mut linter = Linter::new(tool, profile);
    linter.name(tool, &profile.tool_name, "");
    if description.trim().is_empty() {
        linter.error("", "the description is empty");
    } else if description.chars().count() > DESCRIPTION {
        linter.warn(
            "",
            &format!("the description is longer than {DESCRIPTION} characters"),
        );
    }
    match serde_json::from_str::<Value>(parameters) {
        Ok(Value::Object(root)) => {
            linter.root(&root);
            linter.limits();
        }
        _ => linter.error("", "the parameters are not a JSON object"),
    }
    if let Ok(schema) = ForeignSchema::parse(parameters) {
        let empty = schema.faults().iter().filter(|fault| fault.takes_nothing);
        linter
            .found
            .extend(empty.map(|fault| Lint::unsaid(tool, fault)));
    }
    linter.found
}

/// The first thing in a schema that the provider would reject in a request of any size.
pub(super) fn find_error(parameters: &Value, profile: &'static Profile) -> Option<Lint> {
    let mut linter = Linter::new("", profile);
    match parameters {
        Value::Object(root) => linter.root(root),
        _ => linter.error("", "the parameters are not a JSON object"),
    }
    linter.limits();
    let mut found = linter.found.into_iter();
    found.find(|lint| lint.severity == Severity::Error)
}

struct Linter<'a> {
    tool: &'a str,
    profile: &'static Profile,
    found: Vec<Lint>,
    properties: usize,
    enum_values: usize,
    /// Characters of names and enum values.
    names: usize,
    /// The first places where the schema exceeds each limit on depth.
    deep: Vec<(usize, String)>,
}

impl<'a> Linter<'a> {
    fn new(tool: &'a str, profile: &'static Profile) -> Self {
        Self {
            tool,
            profile,
            found: Vec::new(),
            properties: 0,
            enum_values: 0,
            names: 0,
            deep: Vec::new(),
        }
    }

    fn add(&mut self, severity: Severity, path: &str, message: &str) {
        self.found.push(Lint {
            severity,
            tool: self.tool.to_owned(),
            path: path.to_owned(),
            message: message.to_owned(),
        });
    }

    fn error(&mut self, path: &str, message: &str) {
        self.add(Severity::Error, path, message);
    }

    /// Reports an error at a keyword of a node.
    fn error_at(&mut self, path: &str, keyword: &str, message: &str) {
        self.error(&format!("{path}/{keyword}"), message);
    }

    fn warn(&mut self, path: &str, message: &str) {
        self.add(Severity::Warning, path, message);
    }

    fn name(&mut self, name: &str, rule: &NameRule, path: &str) {
        if !rule.takes(name) {
            self.error(path, rule.fault);
        }
    }

    fn root(&mut self, root: &Map<String, Value>) {
        let is_object = root
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|name| name.eq_ignore_ascii_case("object"));
        if !is_object {
            self.error("", "the root must be of type object");
        }
        for keyword in ["anyOf", "oneOf", "allOf", "enum", "not"] {
            if root.contains_key(keyword) && !self.profile.root_union {
                self.error_at("", keyword, "not allowed at the root");
            }
        }
        self.node(root, "", 1);
    }

    /// Checks the counts of the whole schema against the limits of the provider and its deployments.
    fn limits(&mut self) {
        let Profile {
            limits, advised, ..
        } = self.profile;
        let counts = |of: &SchemaLimits| [of.properties, of.enum_values, of.names];
        let found = [self.properties, self.enum_values, self.names];
        let words = [
            "properties",
            "enum values",
            "characters in names and enum values",
        ];
        for (((count, most), advised), what) in found
            .into_iter()
            .zip(counts(limits))
            .zip(counts(advised))
            .zip(words)
        {
            if count > most {
                self.error("", &format!("{count} {what}; the provider takes {most}"));
            } else if count > advised {
                self.warn(
                    "",
                    &format!("{count} {what}; some deployments take {advised}"),
                );
            }
        }
        for (depth, path) in std::mem::take(&mut self.deep) {
            if depth > limits.depth {
                let most = limits.depth;
                self.error(&path, &format!("nested deeper than {most} levels"));
            } else {
                let most = advised.depth;
                self.warn(
                    &path,
                    &format!("nested deeper than {most} levels, which some deployments refuse"),
                );
            }
        }
    }

    /// A schema, which may be `true` or `false` too.
    fn schema(&mut self, schema: &Value, path: &str, depth: usize) {
        match schema {
            Value::Object(node) => self.node(node, path, depth),
            Value::Bool(true) => self.any(path),
            _ => {}
        }
    }

    fn any(&mut self, path: &str) {
        match self.profile.refuses_any {
            Some(why) => self.error(path, &format!("takes any value, {why}")),
            None => self.warn(path, "a node without a type takes anything"),
        }
    }

    fn node(&mut self, node: &Map<String, Value>, path: &str, depth: usize) {
        if depth > DEEPEST {
            self.error(path, "nested too deeply");
            return;
        }
        let over = |most: usize| depth == most.saturating_add(1);
        if over(self.profile.limits.depth) || over(self.profile.advised.depth) {
            self.deep.push((depth, path.to_owned()));
        }
        for keyword in node.keys() {
            let at = format!("{path}/{keyword}");
            let is_in = |groups: &[&str]| groups.iter().any(|group| has_word(group, keyword));
            if is_in(self.profile.refused) {
                self.error(&at, "this keyword is refused");
            } else if is_in(self.profile.dropped) {
                self.warn(&at, "this keyword is dropped without a word");
            }
        }
        self.values(node, path);
        self.types(node, path);
        if has_type(node, "object") {
            self.object(node, path, depth);
        }
        if has_type(node, "array") {
            match node.get("items") {
                Some(Value::Object(items)) => self.node(items, &format!("{path}/items"), depth + 1),
                Some(Value::Bool(false)) | None if node.contains_key("prefixItems") => {}
                _ if self.profile.bare_arrays => {}
                _ => self.error(path, "an array needs `items`"),
            }
        }
        for keyword in ["$defs", "definitions"] {
            let Some(Value::Object(members)) = node.get(keyword) else {
                continue;
            };
            // A node that refers to one of these is at least as deep as the node that holds them.
            for (name, member) in members {
                let at = step(&format!("{path}/{keyword}"), name);
                self.schema(member, &at, depth + 1);
            }
        }
        for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            let Some(Value::Array(members)) = node.get(keyword) else {
                continue;
            };
            for (index, member) in members.iter().enumerate() {
                self.schema(member, &format!("{path}/{keyword}/{index}"), depth + 1);
            }
        }
    }

    fn types(&mut self, node: &Map<String, Value>, path: &str) {
        match node.get("type") {
            Some(Value::Array(_)) if self.profile.single_types => {
                self.error_at(path, "type", "a list of types is refused");
            }
            None if !path.is_empty() && !TYPED.iter().any(|word| node.contains_key(*word)) => {
                self.any(path);
            }
            _ => {}
        }
        if let Some(Value::Array(values)) = node.get("enum") {
            self.enum_values += values.len();
            let texts = values.iter().filter_map(Value::as_str);
            let characters: usize = texts.map(count_characters).sum();
            self.names += characters;
            let most = self.profile.limits.long_enum;
            if values.len() > LONG_ENUM && characters > most {
                let words = format!(
                    "{characters} characters in {} values; the provider takes {most}",
                    values.len()
                );
                self.error_at(path, "enum", &words);
            }
            if self.profile.string_enums && !values.iter().all(Value::is_string) {
                self.error_at(path, "enum", "only strings are allowed in an enum");
            }
        }
        let beside = |key: &String| !key.starts_with('$') && key != "definitions";
        if self.profile.lone_references && node.contains_key("$ref") && node.keys().any(beside) {
            self.error(path, "no other keyword may stand beside `$ref`");
        }
    }

    /// Keywords that are only accepted with some values.
    fn values(&mut self, node: &Map<String, Value>, path: &str) {
        let profile = self.profile;
        for (keyword, most) in [
            ("minLength", profile.longest_text),
            ("maxLength", profile.longest_text),
            ("minItems", profile.most_items.min(profile.most_min_items)),
            ("maxItems", profile.most_items),
        ] {
            let count = node.get(keyword).and_then(Value::as_u64);
            if count.is_some_and(|count| count > most) {
                self.error_at(path, keyword, &format!("more than {most} is refused"));
            }
        }
        for keyword in ["minimum", "maximum"] {
            let bound = node.get(keyword).and_then(|bound| {
                let low = bound.as_i64().map(i128::from);
                low.or_else(|| bound.as_u64().map(i128::from))
            });
            if bound.is_some_and(|bound| profile.is_too_far(bound)) {
                self.error_at(path, keyword, "a bound this far is refused");
            }
        }
        if let Some(format) = node.get("format").and_then(Value::as_str)
            && let Some(formats) = profile.formats
            && !formats.contains(&format)
        {
            self.error_at(path, "format", "this format is refused");
        }
        if let Some(pattern) = node.get("pattern").and_then(Value::as_str) {
            // A provider that takes no patterns has `pattern` among the refused or dropped
            // keywords.
            if profile.patterns != PatternSupport::None && !profile.patterns.takes(pattern) {
                let words = if !is_expression(pattern) {
                    "this is no regular expression"
                } else if profile.patterns == PatternSupport::Whole {
                    "compilers of grammars read this pattern in another way"
                } else {
                    "this pattern is refused"
                };
                self.error_at(path, "pattern", words);
            }
        }
    }

    fn object(&mut self, node: &Map<String, Value>, path: &str, depth: usize) {
        if self.profile.closed && node.get("additionalProperties") != Some(&Value::Bool(false)) {
            self.error(path, "an object must have `additionalProperties: false`");
        }
        if let Some(Value::Object(values)) = node.get("additionalProperties") {
            self.node(values, &format!("{path}/additionalProperties"), depth + 1);
        }
        let required: Vec<&str> = match node.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let properties = match node.get("properties") {
            Some(Value::Object(properties)) => Some(properties),
            _ => None,
        };
        self.empty_object(node, properties, path);
        let Some(properties) = properties else {
            return;
        };
        for name in &required {
            if !properties.contains_key(*name) {
                self.error_at(path, "required", &format!("`{name}` is not a property"));
            }
        }
        self.properties += properties.len();
        for (name, schema) in properties {
            let at = step(&format!("{path}/properties"), name);
            self.names += count_characters(name);
            self.name(name, &self.profile.parameter_name, &at);
            if self.profile.all_required && !required.contains(&name.as_str()) {
                self.error(&at, "every property must be required");
            }
            self.schema(schema, &at, depth + 1);
        }
    }

    fn empty_object(
        &mut self,
        node: &Map<String, Value>,
        properties: Option<&Map<String, Value>>,
        path: &str,
    ) {
        let is_map = node
            .get("additionalProperties")
            .is_some_and(Value::is_object);
        let is_closed = node.get("additionalProperties") == Some(&Value::Bool(false));
        let left_out = matches!(
            self.profile.spec,
            SpecForm::Declarations {
                leaves_out_empty: true,
                ..
            }
        );
        match (self.profile.empty, properties) {
            (_, Some(properties)) if !properties.is_empty() => {}
            (EmptyObjects::Refused, _) if !(path.is_empty() && left_out) => {
                self.error(path, "an object without properties is refused");
            }
            // The grammar of an object is made as soon as one of these keywords is not empty.
            (EmptyObjects::Bare, _) if (properties.is_some() || is_closed) && !is_map => {
                self.error(
                    path,
                    "an empty object is refused; it may have its type alone",
                );
            }
            // Inside, an object without properties is a map.
            (EmptyObjects::Properties, None) if !is_map && path.is_empty() => {
                self.warn(
                    path,
                    "an object without `properties` is refused by some clients",
                );
            }
            _ => {}
        }
    }
}

fn count_characters(text: &str) -> usize {
    text.chars().count()
}

fn has_type(node: &Map<String, Value>, name: &str) -> bool {
    types(node)
        .iter()
        .any(|found| found.eq_ignore_ascii_case(name))
}
