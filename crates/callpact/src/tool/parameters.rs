//! The parameters of a tool.

use crate::schema::{Dialect, Field, Held, Kind, Object, Schema, Text, Unknown};

/// The parameters of a tool.
///
/// ```
/// use callpact::{Dialect, Parameters, Toolset, tool};
///
/// /// Says how long a text is
/// #[tool(read_only)]
/// fn length(text: String) -> usize {
///     text.chars().count()
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let tools = Toolset::builder().tool(Length).build()?;
/// let parameters = tools.parameters("length").expect("it is in the list");
/// assert!(matches!(parameters, Parameters::Typed(_)));
/// assert!(parameters.to_json(Dialect::Portable).contains(r#""required":["text"]"#));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Parameters<'a> {
    /// The parameters of a type.
    Typed(&'static Schema),
    /// One string named `input`.
    Input,
    /// The parameters of a schema from elsewhere.
    Foreign(&'a crate::schema::ForeignSchema),
    /// No parameters.
    None,
}

const TEXT: &Schema = &Schema::described(Kind::Text(Text::ANY), "The input to pass to the tool");

const FIELDS: &[Field] = &[Field {
    name: Held::Static("input"),
    aliases: &[],
    schema: Held::Static(TEXT),
    required: true,
    keep_empty: false,
    flatten: false,
}];

/// The schema of a tool that takes one string.
static INPUT: Schema = Schema::of(Kind::Object(Object {
    fields: Held::Static(FIELDS),
    unknown: Unknown::Report,
    extra: None,
}));

/// The schema of a tool that takes nothing.
static NOTHING: Schema = Schema::of(Kind::Object(Object {
    fields: Held::Static(&[]),
    unknown: Unknown::Report,
    extra: None,
}));

impl<'a> Parameters<'a> {
    /// The JSON schema in a dialect.
    pub fn to_json(&self, dialect: Dialect) -> String {
        match self {
            Self::Typed(schema) => schema.to_json(dialect),
            Self::Input => INPUT.to_json(dialect),
            Self::None => NOTHING.to_json(dialect),
            Self::Foreign(schema) => schema.to_json(dialect),
        }
    }

    /// The schema as a tree, whether it was derived or made at run time.
    pub fn tree(&self) -> &'a Schema {
        match self {
            Self::Typed(schema) => schema,
            Self::Input => &INPUT,
            Self::None => &NOTHING,
            Self::Foreign(schema) => schema.tree(),
        }
    }

    /// The schema by which arguments are read.
    pub(crate) fn reading(&self) -> &'a Schema {
        match self {
            Self::Foreign(schema) => schema.reading(),
            own => own.tree(),
        }
    }

    /// The const schema, if there is one.
    pub fn schema(&self) -> Option<&'static Schema> {
        match self {
            Self::Typed(schema) => Some(schema),
            Self::Input => Some(&INPUT),
            Self::None => Some(&NOTHING),
            Self::Foreign(_) => None,
        }
    }
}
