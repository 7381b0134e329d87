//! The operations of an OpenAPI document as tools.

use std::path::PathBuf;

use callpact::Toolset;
use callpact_openapi::OpenApi;
use clap::Args;

use crate::{exit::Failure, screen::Ink, session::Session, text_file::read_file};

/// The most bytes of a document.
const MAX_BYTES: u64 = 64 << 20;

/// An OpenAPI document.
#[derive(Clone, Debug, Default, Args)]
pub struct ApiArgs {
    /// Take the operations of an OpenAPI document in JSON instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "server"])]
    pub openapi: Option<PathBuf>,
    /// The server of the operations, also one inside this network, instead of the first one of the document
    #[arg(long, value_name = "URL", requires = "openapi")]
    pub api_server: Option<String>,
    /// The variable of the environment with the credential of a security scheme of the document
    #[arg(long, value_name = "SCHEME=VARIABLE", requires = "openapi", value_parser = parse_credential)]
    pub credential: Vec<(String, String)>,
    /// Only the operations with one of these tags
    #[arg(long, value_name = "TAG", requires = "openapi")]
    pub tag: Vec<String>,
}

fn parse_credential(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((scheme, variable)) if !scheme.is_empty() && !variable.is_empty() => {
            Ok((scheme.to_owned(), variable.to_owned()))
        }
        _ => Err("expected SCHEME=VARIABLE"),
    }
}

impl ApiArgs {
    /// Whether a document is named.
    pub(crate) fn is_given(&self) -> bool {
        self.openapi.is_some()
    }

    /// The tools of the document, if one is named.
    ///
    /// # Errors
    /// If the document cannot be read, or a variable is not set.
    pub(crate) fn open(&self, session: &Session) -> Result<Option<Toolset>, Failure> {
        let Some(file) = &self.openapi else {
            return Ok(None);
        };
        let failed =
            |error: &dyn std::fmt::Display| Failure::failed(format!("{}: {error}", file.display()));
        let text = read_file(file, MAX_BYTES).map_err(|error| failed(&error))?;
        let mut api = OpenApi::parse(&text).map_err(|error| failed(&error))?;
        if let Some(server) = &self.api_server {
            api = api.server(server).allow_internal(true);
        }
        for (scheme, variable) in &self.credential {
            let value = std::env::var(variable)
                .map_err(|_| Failure::invalid(format!("{variable} is not set")))?;
            api = api.credential(scheme, value);
        }
        if !self.tag.is_empty() {
            let tags = self.tag.clone();
            api = api.filter(move |operation| operation.tags.iter().any(|tag| tags.contains(tag)));
        }
        let api = api.build().map_err(|error| failed(&error))?;
        for left in &api.left_out {
            let text = format!("{}: {}", left.name, left.reason);
            session.screen.say(Ink::Yellow, "left out", &text);
        }
        let tools = session.bounded().tools(api.tools);
        Ok(Some(tools.build().map_err(Failure::failed)?))
    }
}
