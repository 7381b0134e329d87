//! One operation: its tool's name, description and parameters, and where each parameter goes.

use callpact::Permission;
use callpact_tools::engine::fetch::Method;
use serde_json::{Map, Value, json};

use crate::{
    body::BodyKind,
    document::{ApiDocument, OperationEntry},
    name::UniqueNames,
    schema::SchemaWriter,
    security::{CredentialNeed, read_needs},
};

/// The most characters of a description.
const LONGEST: usize = 1000;

/// An operation of a document, for a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operation {
    /// The name of its tool.
    pub name: String,
    /// The method.
    pub method: Method,
    /// The path, with its variables in braces.
    pub path: String,
    /// The tags of the document.
    pub tags: Vec<String>,
    /// Whether the document calls it deprecated.
    pub deprecated: bool,
    /// How far it reaches: `GET`, `HEAD` and `OPTIONS` only read, `DELETE` destroys, and the others write.
    pub permission: Permission,
}

/// The place of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterPlace {
    Path,
    Query,
    Header,
    Cookie,
    /// A field of a form, in Swagger 2.0.
    Form,
}

/// How a list or an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterStyle {
    /// Each item with the name.
    Repeated,
    /// The items with this text between them.
    Joined(&'static str),
    /// `name[key]=value`.
    Deep,
    /// As JSON.
    Json,
}

/// A parameter of a tool.
#[derive(Clone, Debug)]
pub(crate) struct ToolParameter {
    /// The name in the arguments.
    pub(crate) key: String,
    /// The name in the request.
    pub(crate) name: String,
    pub(crate) place: ParameterPlace,
    pub(crate) style: ParameterStyle,
}

/// What a request needs to be made.
#[derive(Clone, Debug)]
pub(crate) struct RequestPlan {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) parameters: Vec<ToolParameter>,
    /// The argument that is the body, and its form.
    pub(crate) body: Option<(String, BodyKind)>,
    /// The form of the fields of a form, in Swagger 2.0.
    pub(crate) form: BodyKind,
    /// One of these sets of credentials.
    pub(crate) needs: Vec<Vec<CredentialNeed>>,
}

/// An operation that was read.
pub(crate) struct ReadOperation {
    pub(crate) operation: Operation,
    pub(crate) description: String,
    pub(crate) schema: Value,
    pub(crate) plan: RequestPlan,
}

/// Reads an operation, or says why it cannot be a tool.
pub(crate) fn read(
    document: &ApiDocument,
    entry: &OperationEntry<'_>,
    name: String,
) -> Result<ReadOperation, (String, String)> {
    let why = |why: String| (name.clone(), why);
    let method: Method = entry
        .method
        .parse()
        .map_err(|_| why("an unknown method".to_owned()))?;
    let mut writer = ArgumentsWriter::new(document);
    let (mut parameters, mut body) = (Vec::new(), None);
    for given in list_parameters(document, entry) {
        let text = |key: &str| given.get(key).and_then(Value::as_str);
        let (Some(own), Some(place)) = (text("name"), text("in")) else {
            let words = "a parameter without a name or a place, or a reference that leads nowhere";
            return Err(why(words.to_owned()));
        };
        let place = match place {
            "body" => {
                body = Some((given, given.get("schema"), BodyKind::Json));
                continue;
            }
            "header" if is_of_client(own) => continue,
            "path" => ParameterPlace::Path,
            "query" => ParameterPlace::Query,
            "header" => ParameterPlace::Header,
            "cookie" => ParameterPlace::Cookie,
            "formData" => ParameterPlace::Form,
            other => return Err(why(format!("a parameter in `{other}`"))),
        };
        let (schema, style) = describe_parameter(given, place);
        let is_required = place == ParameterPlace::Path || is_true(given, "required");
        parameters.push(ToolParameter {
            key: writer.add(own, schema, text("description"), is_required),
            name: own.to_owned(),
            place,
            style,
        });
    }
    if let Some(given) = entry.operation.get("requestBody") {
        let given = document.resolve(given);
        let content = given.get("content").and_then(Value::as_object);
        if let Some((kind, schema)) = content.and_then(BodyKind::choose) {
            body = Some((given, Some(schema), kind));
        }
    }
    let body = body.map(|(given, schema, kind)| {
        let text = given.get("description").and_then(Value::as_str);
        let schema = schema.unwrap_or(&Value::Null);
        (
            writer.add("body", schema, text, is_true(given, "required")),
            kind,
        )
    });
    let schema = writer.finish().map_err(why)?;
    let permission = match method {
        Method::Get | Method::Head | Method::Options => Permission::ReadOnly,
        Method::Delete => Permission::Destructive,
        _ => Permission::Write,
    };
    let tags = entry.operation.get("tags").and_then(Value::as_array);
    let tags = tags.into_iter().flatten().filter_map(Value::as_str);
    Ok(ReadOperation {
        description: describe(entry),
        schema,
        plan: RequestPlan {
            method,
            path: entry.path.to_owned(),
            parameters,
            body,
            form: read_form(document, entry.operation),
            needs: read_needs(document, entry.operation),
        },
        operation: Operation {
            name,
            method,
            path: entry.path.to_owned(),
            tags: tags.map(str::to_owned).collect(),
            deprecated: is_true(entry.operation, "deprecated"),
            permission,
        },
    })
}

/// Writes the schema of a tool's arguments.
struct ArgumentsWriter<'a> {
    schemas: SchemaWriter<'a>,
    keys: UniqueNames,
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl<'a> ArgumentsWriter<'a> {
    fn new(document: &'a ApiDocument) -> Self {
        Self {
            schemas: SchemaWriter::new(document),
            keys: UniqueNames::default(),
            properties: Map::new(),
            required: Vec::new(),
        }
    }

    /// Adds an argument. Its name is the wanted one, or near it.
    fn add(
        &mut self,
        wanted: &str,
        schema: &Value,
        description: Option<&str>,
        is_required: bool,
    ) -> String {
        let key = self.keys.add(wanted);
        let mut written = self.schemas.write(schema);
        if let (Some(object), Some(text)) = (written.as_object_mut(), description) {
            object.insert("description".to_owned(), cut(text).into());
        }
        self.properties.insert(key.clone(), written);
        if is_required {
            self.required.push(key.clone());
        }
        key
    }

    /// The schema, or the reference that leads nowhere.
    fn finish(self) -> Result<Value, String> {
        if let Some(reference) = self.schemas.lost {
            return Err(format!("the reference `{}` leads nowhere", cut(&reference)));
        }
        let mut schema = json!({"type": "object", "properties": self.properties});
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        let definitions = self.schemas.into_definitions();
        if !definitions.is_empty() {
            schema["$defs"] = Value::Object(definitions);
        }
        Ok(schema)
    }
}

/// The form of the fields of a form. Swagger 2.0 says it for the operation or for the whole document.
fn read_form(document: &ApiDocument, operation: &Value) -> BodyKind {
    let consumes = operation
        .get("consumes")
        .or_else(|| document.get("consumes"));
    let consumes = consumes.and_then(Value::as_array).into_iter().flatten();
    if consumes
        .into_iter()
        .any(|media| media == "multipart/form-data")
    {
        BodyKind::Multipart
    } else {
        BodyKind::Form
    }
}

/// The name that the document gives an operation, or its method and path.
pub(crate) fn wanted_name(entry: &OperationEntry<'_>) -> String {
    let id = entry.operation.get("operationId").and_then(Value::as_str);
    id.filter(|id| !id.trim().is_empty())
        .map_or_else(|| format!("{} {}", entry.method, entry.path), str::to_owned)
}

/// The parameters of the operation, and those of its path that it does not replace.
fn list_parameters<'a>(document: &'a ApiDocument, entry: &OperationEntry<'a>) -> Vec<&'a Value> {
    let list = |of: &'a Value| {
        let given = of.get("parameters").and_then(Value::as_array);
        let given = given.into_iter().flatten();
        given
            .map(|given| document.resolve(given))
            .collect::<Vec<_>>()
    };
    let own = list(entry.operation);
    let is_same =
        |a: &Value, b: &Value| a.get("name") == b.get("name") && a.get("in") == b.get("in");
    let mut all = list(entry.item);
    all.retain(|shared| !own.iter().any(|own| is_same(own, shared)));
    all.extend(own);
    all
}

/// The schema of a parameter and how its value is written.
fn describe_parameter(given: &Value, place: ParameterPlace) -> (&Value, ParameterStyle) {
    let text = |key: &str| given.get(key).and_then(Value::as_str);
    if let Some(content) = given.get("content").and_then(Value::as_object) {
        let first = content
            .values()
            .next()
            .and_then(|content| content.get("schema"));
        return (first.unwrap_or(&Value::Null), ParameterStyle::Json);
    }
    let style = match (text("style"), text("collectionFormat")) {
        (Some("deepObject"), _) => ParameterStyle::Deep,
        (Some("spaceDelimited"), _) | (_, Some("ssv")) => ParameterStyle::Joined(" "),
        (Some("pipeDelimited"), _) | (_, Some("pipes")) => ParameterStyle::Joined("|"),
        (_, Some("tsv")) => ParameterStyle::Joined("\t"),
        (_, Some("multi")) => ParameterStyle::Repeated,
        (_, Some("csv")) => ParameterStyle::Joined(","),
        _ => {
            let by_default = matches!(place, ParameterPlace::Query | ParameterPlace::Cookie)
                && given.get("schema").is_some();
            match given.get("explode").and_then(Value::as_bool) {
                Some(true) => ParameterStyle::Repeated,
                None if by_default => ParameterStyle::Repeated,
                _ => ParameterStyle::Joined(","),
            }
        }
    };
    // Swagger 2.0 has the schema in the parameter itself.
    (given.get("schema").unwrap_or(given), style)
}

/// Headers that the client or a credential sets.
fn is_of_client(name: &str) -> bool {
    ["accept", "content-type", "authorization"].contains(&name.to_ascii_lowercase().as_str())
}

fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

fn describe(entry: &OperationEntry<'_>) -> String {
    let text = |key: &str| {
        let text = entry.operation.get(key).and_then(Value::as_str);
        text.map(str::trim).filter(|text| !text.is_empty())
    };
    let described = match (text("summary"), text("description")) {
        (Some(summary), Some(more)) if more.starts_with(summary) => more.to_owned(),
        (Some(summary), Some(more)) => format!("{summary}\n\n{more}"),
        (Some(text), None) | (None, Some(text)) => text.to_owned(),
        (None, None) => format!("{} {}", entry.method.to_uppercase(), entry.path),
    };
    cut(&described)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
