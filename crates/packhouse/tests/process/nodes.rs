//! `packhouse admin nodes`: the servers that use the database.

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use suite::Stack;

use crate::program::{run, start_with};

/// How often to ask until a new server has sent its first heartbeat.
const TRIES: usize = 200;

#[tokio::test]
async fn a_server_is_listed_while_it_runs() {
    let stack = Stack::create().await;
    let mut server = start_with(&stack, &[("PACKHOUSE_NODE_NAME", "north")]).await;
    let mut listed = String::new();
    for _ in 0..TRIES {
        listed = run(&stack, &["admin", "nodes"]).await.succeeds();
        if !listed.is_empty() {
            break;
        }
    }
    let (head, row) = listed.split_once('\n').expect("a head and a row");
    assert_eq!(head.split_whitespace().collect::<Vec<_>>(), ["NAME", "VERSION", "STARTED", "SEEN", "STATE"]);
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words.len(), 5, "{listed}");
    assert_eq!((words[0], words[1], words[4]), ("north", env!("CARGO_PKG_VERSION"), "running"));

    let id = i32::try_from(server.id()).expect("a process has a number");
    kill(Pid::from_raw(id), Signal::SIGTERM).expect("it runs");
    assert!(server.wait(), "it ends well");
    assert_eq!(run(&stack, &["admin", "nodes"]).await.succeeds(), "");
}
