//! A push on a terminal: progress bars with rate and time left. Without a terminal, no bars are drawn.

use std::{
    fs::File,
    io::{Read, Write},
    os::fd::OwnedFd,
    process::Stdio,
};

use nix::pty::{Winsize, openpty};

use crate::scene::{Scene, bytes};

#[tokio::test]
async fn bars_are_drawn_on_a_terminal() {
    let scene = Scene::start().await;
    scene.file("dist/big.bin", bytes(24 << 20));
    scene.file("dist/small.bin", bytes(1_000));

    let drawn = on_a_terminal(&scene, &["push", "ada/tools/cat/1.0", "dist", "--create", "--publish"]).await;

    assert!(drawn.contains("all files"), "the bar of all: {drawn:?}");
    assert!(drawn.contains("big.bin"), "the bar of a file: {drawn:?}");
    assert!(drawn.contains("/s  ETA "), "rate and time left: {drawn:?}");
    assert!(drawn.contains("\u{1b}["), "bars are drawn over: {drawn:?}");
}

#[tokio::test]
async fn quiet_commands_and_pipes_have_no_bars() {
    let scene = Scene::start().await;
    scene.file("dist/big.bin", bytes(4 << 20));

    let quiet = ["push", "ada/tools/cat/1.0", "dist", "--create", "--quiet"];
    assert_eq!(on_a_terminal(&scene, &quiet).await, "");
    let piped = scene.run(&["push", "ada/tools/cat/2.0", "dist", "--create", "--to", "2"]).await;
    assert_eq!(piped.stderr, "staged: readers see new files after `packhouse publish ada/tools/cat/2.0`\n");
}

#[tokio::test]
async fn errors_are_coloured_on_a_terminal_only() {
    let scene = Scene::start().await;

    let on_terminal = on_a_terminal(&scene, &["show", "ada/nothing"]).await;
    let piped = scene.run(&["show", "ada/nothing"]).await;

    assert!(on_terminal.starts_with("\u{1b}[31mpackhouse\u{1b}[0m: the server answered 404"), "{on_terminal:?}");
    assert!(piped.stderr.starts_with("packhouse: the server answered 404"), "{piped:?}");
}

#[tokio::test]
async fn a_person_is_asked_before_something_is_removed() {
    let scene = Scene::with_cat().await;
    let delete = ["delete", "ada/tools/cat"];

    let refused = typing(&scene, &delete, "n\n").await;
    assert!(refused.contains("Really delete the package ada/tools/cat with all its versions? [y/N] "), "{refused}");
    assert!(refused.contains("nothing was done"), "{refused}");
    scene.ada.get("/packages/ada/tools/cat").await.expect(200);

    typing(&scene, &delete, "y\n").await;
    scene.ada.get("/packages/ada/tools/cat").await.expect(404);
}

/// Returns the output of a command on a terminal of a hundred columns.
async fn on_a_terminal(scene: &Scene, arguments: &[&str]) -> String {
    typing(scene, arguments, "").await
}

/// Returns the output of a command on a terminal, while a user types this text.
async fn typing(scene: &Scene, arguments: &[&str], typed: &str) -> String {
    let size = Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(&size, None).expect("a terminal");
    let mut command = scene.command_as(&scene.ada, arguments);
    command.env("TERM", "xterm").env_remove("NO_COLOR").stdout(Stdio::null());
    command.stdin(Stdio::from(pty.slave.try_clone().expect("another handle"))).stderr(Stdio::from(pty.slave));
    let mut keyboard = File::from(pty.master.try_clone().expect("another handle"));
    keyboard.write_all(typed.as_bytes()).expect("typed");
    let mut child = command.spawn().expect("it starts");
    // It has copies of the other end of the terminal; with one of them open, the reader would wait forever.
    drop(command);
    let reader = tokio::task::spawn_blocking(move || read(pty.master));
    let drawn = reader.await.expect("it reads");
    child.wait().expect("it ends");
    drawn
}

/// Reads until an error: a terminal whose other end is closed returns one instead of an end of file.
fn read(master: OwnedFd) -> String {
    let (mut terminal, mut drawn, mut piece) = (File::from(master), Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = terminal.read(&mut piece) {
        drawn.extend_from_slice(&piece[..read]);
    }
    String::from_utf8_lossy(&drawn).into_owned()
}
