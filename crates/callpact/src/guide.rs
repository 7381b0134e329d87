//! The guide: the pages of the folder `docs`, with a program at the head of each.
//!
//! | to | read |
//! |---|---|
//! | begin in an empty directory | [`start`] |
//! | declare a tool and its parameters | [`functions`], [`deriving`], [`attributes`], [`commands`] |
//! | know what the model is told, and what is read how | [`errors`], [`leniency`], [`repair`] |
//! | make a list and calls | [`tools_and_results`], [`pipelines`], [`tools`] |
//! | ask a person, know who calls, keep a secret | [`approval`], [`waiting`], [`identity`], [`secrets`] |
//! | speak to providers, hosts and other machines | [`providers`], [`streams`], [`hosts`], [`mcp`], [`workers`], [`openapi`] |
//! | look at it | [`cli`], [`desk`] |
//! | ship it | [`testing_your_tools`], [`security`], [`migrating`] |
//!
//! Decisions with their reasons, figures, and how the library is tested are in the folder `docs` of the sources.
//! Links to them lead here.
#![allow(clippy::doc_markdown, rustdoc::bare_urls, rustdoc::invalid_html_tags)] // written as pages

/// One module for each page. The links of a page lead from file to file. Here each leads to a module: when a
/// link is defined twice, the first definition counts.
macro_rules! pages {
    ($($name:ident = $file:literal;)*) => {$(
        #[doc = include_str!("guide/links.md")]
        #[doc = include_str!(concat!("guide/", $file))]
        pub mod $name {}
    )*};
}

pages! {
    start = "start.md";
    functions = "functions.md";
    deriving = "deriving.md";
    attributes = "attributes.md";
    errors = "errors.md";
    leniency = "leniency.md";
    repair = "repair.md";
    tools_and_results = "tools-and-results.md";
    approval = "approval.md";
    waiting = "waiting.md";
    identity = "identity.md";
    secrets = "secrets.md";
    pipelines = "pipelines.md";
    tools = "tools.md";
    providers = "providers.md";
    streams = "streams.md";
    hosts = "hosts.md";
    mcp = "mcp.md";
    workers = "workers.md";
    cli = "cli.md";
    desk = "desk.md";
    openapi = "openapi.md";
    commands = "commands.md";
    testing_your_tools = "testing-your-tools.md";
    security = "security.md";
    migrating = "migrating.md";
}
