//! Runs the commands of the page for operators, on a server with a folder.

use std::{ffi::OsStr, path::Path, process::Command};

use suite::{
    ADMIN_KEY, Ended, Process,
    documents::{self, Block},
};
use tempfile::TempDir;

use crate::{coverage::top, fill, program, search_path};

const OPERATING: &str = include_str!("../../../../docs/operating.md");

#[tokio::test]
async fn the_commands_for_operators_work() {
    let blocks = documents::followed_blocks(OPERATING);
    assert!(blocks.len() > 12, "only {} blocks were found", blocks.len());
    let folder = TempDir::new().expect("a folder");
    let command = |name: &OsStr| {
        let mut command = Command::new(name);
        command.env_clear().env("PATH", search_path(program())).env("HOME", folder.path());
        command.env("PACKHOUSE_DATA", folder.path().join("data")).current_dir(folder.path());
        command
    };
    let mut serve = command(program().as_os_str());
    serve.env("PACKHOUSE_ADMIN_KEY", ADMIN_KEY);
    let server = Process::launch(serve).await;
    let blocks: Vec<_> = fill(&blocks, &server.base).into_iter().map(|block| at_home(block, folder.path())).collect();
    let mut shell = command("bash".as_ref());
    shell.args(["-c", &documents::script(&blocks)]).env("ADMIN_KEY", ADMIN_KEY).env("NO_PROXY", "127.0.0.1");
    let ended = Ended::run(shell).await;
    documents::check("docs/operating.md", &blocks, &format!("{}\n{}", ended.stdout, ended.stderr));
}

/// Replaces the folders of a machine with those of the test, and `deploy` with that of the sources.
fn at_home(block: Block, folder: &Path) -> Block {
    let at = folder.display();
    block.map(|text| {
        text.replace("/backup/", &format!("{at}/backup/"))
            .replace("/somewhere/else/", &format!("{at}/data/"))
            .replace("/tmp/trial", &format!("{at}/trial"))
            .replace(" deploy/", &format!(" {}/deploy/", top().display()))
    })
}
