# What lands.
check:
    .ci/run

fmt:
    cargo fmt --all --check

lint:
    cargo clippy --workspace --all-targets --all-features --locked -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --all-features --no-deps --locked

test:
    scripts/nats_server --install >/dev/null || echo "skipped: no nats-server"
    cargo test --workspace --all-features --locked

# The protocol's own tools against our server; needs npm and python3, and skips what it cannot have.
conformance:
    scripts/conformance

# The desk in a real browser, with new pictures for the guide.
desk-pictures:
    CALLPACT_AXE=$(scripts/browser) UPDATE_EXPECT=1 cargo test --workspace --all-features --locked --test desk

# The first look: a schema, a bad call, a good call.
quickstart:
    cargo run --example quickstart -p callpact-examples

# Reading against serde's derive; `just bench items-2000` for one input.
bench filter="":
    cargo bench -p callpact-bench -- {{filter}}

# Beside rig, rmcp, AutoAgents, schemars, jsonschema: results, tables and plot; forty minutes. Needs valgrind.
bench-peers *options:
    scripts/bench {{options}}

# Instructions of one read, by valgrind: `just count items-2000 callpact-lax 10`.
count input way times:
    cargo build --release -p callpact-bench
    valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/instructions {{input}} {{way}} {{times}}

# Every fuzz target for some seconds; needs nightly and `cargo install cargo-fuzz --locked`.
fuzz seconds="60":
    scripts/fuzz {{seconds}}

# Every mutant of a part: reader, secrets, approval, address, sandbox; needs `cargo install cargo-mutants`.
mutants part *options:
    scripts/mutants {{part}} {{options}}

# What the derive writes; needs `cargo install cargo-expand`.
expand example="quickstart":
    cargo expand --example {{example}} -p callpact-examples

# What every example prints, written anew; read the difference.
examples:
    cargo build -p callpact-examples --examples
    UPDATE_EXPECT=1 cargo test -p callpact-examples --test examples

# What docs/start.md says, in an empty directory.
new-user:
    scripts/new_user.py

# Every feature of every published crate alone; needs `cargo install cargo-hack`.
features:
    cargo hack check --workspace --ignore-private --each-feature --no-dev-deps

# With what another crate of a program may turn on in serde_json: digits kept, keys in their order, no bound.
json-features:
    cargo test -p callpact --lib --locked --features serde_json/arbitrary_precision
    cargo test -p callpact --lib --locked --features serde_json/preserve_order,serde_json/unbounded_depth
    cargo test -p callpact-tests --test contract --locked --features serde_json/arbitrary_precision

# The oldest versions that the manifests allow, in a copy of the tree; needs a nightly cargo.
minimal:
    scripts/minimal_versions

# Licences alone, with nothing to install.
licences:
    scripts/licences

# Licences, sources and banned crates; needs `cargo install cargo-deny`.
deny:
    cargo deny --all-features check licenses bans sources

# Packs every published crate and builds it from its package with all features, without publishing.
publish-check:
    cargo publish --workspace --dry-run --locked --all-features
