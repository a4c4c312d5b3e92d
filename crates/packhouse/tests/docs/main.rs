//! Runs the examples and checks the statements of the documents with the real program.

mod chart;
mod coverage;
mod deployment;
mod guides;
mod links;
mod monitoring;
mod operating;
mod snippets;

use std::{env, ffi::OsString, fs, path::Path};

use suite::{
    Ended, Process, Stack,
    documents::{self, Block},
};

const API: &str = include_str!("../../../../docs/api.md");
const CLI: &str = include_str!("../../../../docs/cli.md");
const BINTRAY: &str = include_str!("../../../../docs/migrate/bintray.md");
const README: &str = include_str!("../../../../README.md");
const SECURITY: &str = include_str!("../../../../SECURITY.md");

#[tokio::test]
async fn every_line_of_the_api_manual_answers_as_it_says() {
    let blocks = documents::followed_blocks(API);
    assert!(blocks.len() > server::endpoints().len(), "only {} blocks were found", blocks.len());
    try_out("docs/api.md", &blocks).await;
}

#[tokio::test]
async fn every_line_of_the_manual_of_the_command_line_works() {
    let blocks = documents::followed_blocks(CLI);
    assert!(lines(&blocks) > 45, "only {} lines were found", lines(&blocks));
    let printed = try_out_as("docs/cli.md", &blocks, Some("ada")).await;
    assert!(printed.contains("2 files (10 B) in ada/tools/hello/1.0.0: 2 uploaded\npublished 2 files\n"), "{printed}");
    assert!(printed.contains("2 signatures verified\n"), "{printed}");
}

#[tokio::test]
async fn what_old_clients_send_is_answered_as_the_page_for_them_says() {
    let blocks = documents::followed_blocks(BINTRAY);
    assert!(blocks.len() > 25, "only {} blocks were found", blocks.len());
    let printed = try_out("docs/migrate/bintray.md", &blocks).await;
    assert!(printed.contains("\nmeow\n"), "{printed}");
    assert!(printed.contains(r##""bintray":{"syntax":"markdown","content":"# Cat"}"##), "{printed}");
}

#[tokio::test]
async fn the_examples_of_the_readme_work() {
    let blocks = documents::followed_blocks(README);
    assert!(blocks.len() >= 4, "only {} blocks were found", blocks.len());
    let printed = try_out("README.md", &blocks).await;
    assert!(printed.contains("\nmeow\n"), "{printed}");
    assert!(printed.contains("1 file (5 B) of ada/tools/cat/2.0: 1 downloaded\n"), "{printed}");
    assert!(printed.contains("ada (Ada Lovelace)\n  member of acme\n"), "{printed}");
}

#[test]
fn the_api_manual_has_every_call_in_the_order_of_the_router() {
    let calls: Vec<String> = server::endpoints().iter().map(|call| format!("{} {}", call.method, call.path)).collect();
    let headings = API.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    let written: Vec<&str> = headings.take(calls.len()).collect();
    assert_eq!(written, calls);
}

#[test]
fn the_tests_that_the_security_page_names_are_there() {
    // The name of a setting contains a dot.
    let is_test = |word: &&str| word.matches('_').count() > 2 && !word.contains('.');
    let named = SECURITY.split('`').skip(1).step_by(2).filter(is_test);
    let mut sources = String::new();
    collect_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut sources);
    let missing: Vec<&str> = named.filter(|name| !sources.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty(), "SECURITY.md names tests that do not exist: {missing:?}");
}

fn collect_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).expect("the sources are readable") {
        let path = entry.expect("the sources are readable").path();
        match path.extension() {
            _ if path.is_dir() => collect_sources(&path, sources),
            Some(extension) if extension == "rs" => {
                sources.push_str(&fs::read_to_string(&path).expect("the sources are readable"));
            }
            _ => {}
        }
    }
}

/// Runs the blocks one after the other in one shell, like a reader, against a fresh server. Returns their output.
async fn try_out(document: &str, blocks: &[Block]) -> String {
    try_out_as(document, blocks, None).await
}

/// Runs the blocks like a client who has set the variables for this user.
pub(crate) async fn try_out_as(document: &str, blocks: &[Block], user: Option<&str>) -> String {
    let stack = Stack::create().await;
    // An example calls the server itself.
    let server = Process::start_with(program(), &stack, &[("PACKHOUSE_OUTGOING__ALLOW_PRIVATE", "true")]).await;
    let blocks = fill(blocks, &server.base);
    let mut shell = Process::command(Path::new("bash"), &stack);
    shell.args(["-c", &documents::script(&blocks)]).env("PATH", search_path(program()));
    shell.env("BASE", &server.base).env("ADMIN_KEY", server.admin().key()).env("NO_PROXY", "127.0.0.1");
    // Existing credentials of the user are neither read nor overwritten.
    shell.env("XDG_CONFIG_HOME", stack.data.path().join("config"));
    if let Some(user) = user {
        let user = server.user(user).await;
        shell
            .env("PACKHOUSE_URL", &server.base)
            .env("PACKHOUSE_USER", user.name())
            .env("PACKHOUSE_API_KEY", user.key());
    }
    let ended = Ended::run(shell).await;
    documents::check(document, &blocks, &format!("{}\n{}", ended.stdout, ended.stderr));
    ended.stdout
}

/// The number of lines in blocks.
pub(crate) fn lines(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.content.lines().count()).sum()
}

/// Replaces the URLs of examples with that of a server.
fn fill(blocks: &[Block], base: &str) -> Vec<Block> {
    let replace = |text: &str| {
        ["http://127.0.0.1:8080", "https://packages.example.com"]
            .iter()
            .fold(text.to_owned(), |text, url| text.replace(url, base))
    };
    blocks.iter().map(|block| block.map(replace)).collect()
}

/// The program under test.
fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_packhouse"))
}

/// Returns a search path with the program under test first.
fn search_path(program: &Path) -> OsString {
    let folder = program.parent().expect("the program lies in a folder").to_owned();
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths([folder].into_iter().chain(env::split_paths(&inherited))).expect("no folder has a colon")
}
