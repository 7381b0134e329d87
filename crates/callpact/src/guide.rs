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
    ($($(#[$link:meta])* $name:ident = $file:literal;)*) => {$(
        $(#[$link])*
        #[doc = ""]
        #[doc = include_str!(concat!("guide/", $file))]
        pub mod $name {}
    )*};
}

pages! {
    #[doc = "[deriving]: crate::guide::deriving"]
    #[doc = "[attributes]: crate::guide::attributes"]
    #[doc = "[functions]: crate::guide::functions"]
    #[doc = "[mcp]: crate::guide::mcp"]
    #[doc = "[tools]: crate::guide::tools"]
    #[doc = "[testing-your-tools]: crate::guide::testing_your_tools"]
    start = "start.md";
    #[doc = "[approval#a-tool-that-asks-in-its-own-words]: crate::guide::approval#a-tool-that-asks-in-its-own-words"]
    #[doc = "[attributes]: crate::guide::attributes"]
    #[doc = "[mcp#what-a-client-sees]: crate::guide::mcp#what-a-client-sees"]
    functions = "functions.md";
    #[doc = "[migrating]: crate::guide::migrating"]
    deriving = "deriving.md";
    #[doc = "[deriving#enums]: crate::guide::deriving#enums"]
    #[doc = "[leniency#the-policies]: crate::guide::leniency#the-policies"]
    #[doc = "[providers#strict-mode]: crate::guide::providers#strict-mode"]
    attributes = "attributes.md";
    #[doc = "[attributes#validate]: crate::guide::attributes#validate"]
    #[doc = "[leniency#tools-with-a-schema-made-at-run-time]: crate::guide::leniency#tools-with-a-schema-made-at-run-time"]
    #[doc = "[repair]: crate::guide::repair"]
    errors = "errors.md";
    #[doc = "[repair]: crate::guide::repair"]
    #[doc = "[testing#schema-and-reader-agree]: crate::guide"]
    #[doc = "[testing#a-type-and-its-schema-as-json-are-read-alike]: crate::guide"]
    #[doc = "[decisions#unknown-parameters-are-dropped-and-the-result-says-so]: crate::guide"]
    leniency = "leniency.md";
    #[doc = "[leniency]: crate::guide::leniency"]
    #[doc = "[leniency#what-is-accepted-of-a-malformed-sample]: crate::guide::leniency#what-is-accepted-of-a-malformed-sample"]
    #[doc = "[testing]: crate::guide"]
    repair = "repair.md";
    #[doc = "[functions]: crate::guide::functions"]
    #[doc = "[functions#methods]: crate::guide::functions#methods"]
    #[doc = "[pipelines]: crate::guide::pipelines"]
    #[doc = "[testing-your-tools]: crate::guide::testing_your_tools"]
    #[doc = "[approval]: crate::guide::approval"]
    #[doc = "[waiting]: crate::guide::waiting"]
    #[doc = "[secrets]: crate::guide::secrets"]
    tools_and_results = "tools-and-results.md";
    #[doc = "[secrets]: crate::guide::secrets"]
    #[doc = "[waiting]: crate::guide::waiting"]
    #[doc = "[tools#asking]: crate::guide::tools#asking"]
    #[doc = "[desk]: crate::guide::desk"]
    approval = "approval.md";
    #[doc = "[desk]: crate::guide::desk"]
    waiting = "waiting.md";
    #[doc = "[approval]: crate::guide::approval"]
    #[doc = "[waiting]: crate::guide::waiting"]
    #[doc = "[desk]: crate::guide::desk"]
    identity = "identity.md";
    secrets = "secrets.md";
    pipelines = "pipelines.md";
    #[doc = "[security#processes]: crate::guide::security#processes"]
    tools = "tools.md";
    #[doc = "[cli]: crate::guide::cli"]
    #[doc = "[decisions#tuples-and-root-unions-are-looser-in-the-schema]: crate::guide"]
    #[doc = "[leniency]: crate::guide::leniency"]
    #[doc = "[streams]: crate::guide::streams"]
    providers = "providers.md";
    #[doc = "[benchmarks]: crate::guide"]
    streams = "streams.md";
    #[doc = "[crates/callpact/src/adapter/plan.rs]: https://docs.rs/callpact/latest/src/callpact/adapter/plan.rs.html"]
    #[doc = "[crates/callpact-adapters/src/async_openai.rs]: https://docs.rs/callpact-adapters/latest/src/callpact_adapters/async_openai.rs.html"]
    hosts = "hosts.md";
    #[doc = "[waiting]: crate::guide::waiting"]
    #[doc = "[identity]: crate::guide::identity"]
    #[doc = "[security#processes]: crate::guide::security#processes"]
    mcp = "mcp.md";
    #[doc = "[mcp]: crate::guide::mcp"]
    workers = "workers.md";
    #[doc = "[workers]: crate::guide::workers"]
    #[doc = "[mcp#a-file-of-servers]: crate::guide::mcp#a-file-of-servers"]
    #[doc = "[desk]: crate::guide::desk"]
    #[doc = "[waiting#from-the-command-line]: crate::guide::waiting#from-the-command-line"]
    #[doc = "[callpact.toml]: crate::guide"]
    #[doc = "[identity#from-the-command-line]: crate::guide::identity#from-the-command-line"]
    #[doc = "[openapi]: crate::guide::openapi"]
    cli = "cli.md";
    #[doc = "[images/desk-inbox.png]: data:image/png,"]
    #[doc = "[images/desk-try.png]: data:image/png,"]
    #[doc = "[images/desk-trace.png]: data:image/png,"]
    #[doc = "[images/desk-tools.png]: data:image/png,"]
    #[doc = "[images/desk-trace-dark.png]: data:image/png,"]
    #[doc = "[images/desk-phone-list.png]: data:image/png,"]
    #[doc = "[images/desk-phone-call.png]: data:image/png,"]
    #[doc = "[images/desk-state-decided.png]: data:image/png,"]
    #[doc = "[images/desk-state-expired.png]: data:image/png,"]
    #[doc = "[images/desk-state-busy.png]: data:image/png,"]
    #[doc = "[images/desk-state-full.png]: data:image/png,"]
    #[doc = "[images/desk-state-lost.png]: data:image/png,"]
    #[doc = "[images/desk-state-restart.png]: data:image/png,"]
    #[doc = "[approval]: crate::guide::approval"]
    #[doc = "[providers]: crate::guide::providers"]
    #[doc = "[identity]: crate::guide::identity"]
    desk = "desk.md";
    #[doc = "[tools]: crate::guide::tools"]
    openapi = "openapi.md";
    #[doc = "[functions]: crate::guide::functions"]
    commands = "commands.md";
    testing_your_tools = "testing-your-tools.md";
    #[doc = "[approval]: crate::guide::approval#what-the-reviewer-sees"]
    #[doc = "[tools]: crate::guide::tools"]
    #[doc = "[secrets]: crate::guide::secrets"]
    #[doc = "[tools#limits]: crate::guide::tools#limits"]
    #[doc = "[waiting]: crate::guide::waiting"]
    #[doc = "[secrets#what-the-redactor-finds]: crate::guide::secrets#what-the-redactor-finds"]
    #[doc = "[identity]: crate::guide::identity"]
    #[doc = "[workers#who-may-do-what]: crate::guide::workers#who-may-do-what"]
    security = "security.md";
    #[doc = "[hosts]: crate::guide::hosts"]
    #[doc = "[mcp]: crate::guide::mcp"]
    #[doc = "[attributes#schemars]: crate::guide::attributes#schemars"]
    migrating = "migrating.md";
}
