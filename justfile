# List the recipes
default:
    @just --list

# Serve on 127.0.0.1:8080 with SQLite and a folder
serve *arguments:
    cargo run -- serve {{ arguments }}

# Run the suite on both stacks, or the tests that match
test *filters:
    cargo xtask test {{ filters }}

# Run the suite on SQLite and a folder only
test-embedded *filters:
    cargo xtask test --stack embedded {{ filters }}

# Run the attacks that once worked, in a separate network
attack *filters:
    cargo xtask attack {{ filters }}

# Run the tests that repeatedly kill servers, for a long time
soak:
    cargo xtask soak

# Publish and install with real package managers on both stacks, of one format or of all
test-clients *arguments:
    cargo xtask test-clients {{ arguments }}

# Start a whole cluster and break parts of it, or run the tests that match
test-cluster *filters:
    cargo xtask test-cluster {{ filters }}

# Start the tests' PostgreSQL and S3 servers and print their environment
servers:
    cargo xtask servers

# Type-check everything
check:
    cargo check --workspace --all-targets --features packhouse/cluster

# Format everything
fmt:
    cargo fmt --all

# Lint everything
lint:
    cargo clippy --workspace --all-targets --features packhouse/cluster -- -D warnings

# Build the documentation of the code
docs:
    RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps

# Check the licenses, sources and bans of dependencies (needs cargo-deny)
deny:
    cargo deny check bans licenses sources

# Run what CI runs
ci:
    .ci/run
