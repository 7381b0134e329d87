//! Code that the examples share, and the pages of `docs/` and the README as doc-tests.

pub use callpact::schema::pretty;

#[cfg(doctest)]
mod pages {
    macro_rules! pages {
        ($($name:ident = $path:literal;)*) => {$(
            #[doc = include_str!($path)]
            struct $name;
        )*};
    }

    pages! {
        Readme = "../README.md";
        Index = "../docs/README.md";
        Approval = "../docs/approval.md";
        Waiting = "../docs/waiting.md";
        Attributes = "../docs/attributes.md";
        Benchmarks = "../docs/benchmarks.md";
        Decisions = "../docs/decisions.md";
        DecisionsOfTheRuntime = "../docs/decisions-runtime.md";
        Deriving = "../docs/deriving.md";
        Errors = "../docs/errors.md";
        Functions = "../docs/functions.md";
        Commands = "../docs/commands.md";
        Leniency = "../docs/leniency.md";
        Migrating = "../docs/migrating.md";
        Pipelines = "../docs/pipelines.md";
        Providers = "../docs/providers.md";
        Proofs = "../docs/testing.md";
        Repair = "../docs/repair.md";
        Secrets = "../docs/secrets.md";
        Security = "../docs/security.md";
        Start = "../docs/start.md";
        Streams = "../docs/streams.md";
        Testing = "../docs/testing-your-tools.md";
        ToolsAndResults = "../docs/tools-and-results.md";
    }
}
