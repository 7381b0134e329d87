# What lands: the same steps as .ci/run.
check: fmt lint doc test

fmt:
    cargo fmt --all --check

lint:
    cargo clippy --workspace --all-targets --all-features --locked -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --all-features --no-deps --locked

test:
    cargo test --workspace --all-features --locked

# The first look: a schema, a bad call, a good call.
quickstart:
    cargo run --example quickstart -p toolwright-examples

# Reading against serde's derive; `just bench items-2000` for one input.
bench filter="":
    cargo bench -p toolwright-bench -- {{filter}}

# Beside rig, rmcp, AutoAgents, schemars, jsonschema: results, tables and plot; half an hour. Needs valgrind.
bench-peers *options:
    scripts/bench {{options}}

# Instructions of one read, by valgrind: `just count items-2000 toolwright-lax 10`.
count input way times:
    cargo build --release -p toolwright-bench
    valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/instructions {{input}} {{way}} {{times}}

# What the derive writes; needs `cargo install cargo-expand`.
expand example="quickstart":
    cargo expand --example {{example}} -p toolwright-examples

# Every feature alone; needs `cargo install cargo-hack`.
features:
    cargo hack check -p toolwright --each-feature --no-dev-deps
