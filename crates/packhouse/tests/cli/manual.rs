//! `packhouse completions`, `packhouse man`, and help.

use std::fs;

use crate::scene::Scene;

#[tokio::test]
async fn every_shell_gets_its_completions() {
    let scene = Scene::start().await;

    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = scene.run(&["completions", shell]).await.succeeds();
        assert!(text.contains("sign-url") && text.contains("entitlements"), "{shell}");
    }
    assert_eq!(scene.run(&["completions", "cobol"]).await.code, Some(2));
}

#[tokio::test]
async fn the_manual_has_a_page_for_every_command() {
    let scene = Scene::start().await;

    let page = scene.run(&["man"]).await.succeeds();
    scene.run(&["man", "--folder", "pages"]).await.succeeds();

    assert!(page.starts_with(".ie") || page.contains(".TH packhouse 1"), "{page}");
    let pages = fs::read_dir(scene.folder.path().join("pages")).expect("a folder");
    let names: Vec<String> =
        pages.map(|page| page.expect("listed").file_name().to_string_lossy().into_owned()).collect();
    let push = fs::read_to_string(scene.folder.path().join("pages/packhouse-push.1")).expect("a page");
    assert!(push.contains(".SH EXAMPLES") && push.contains(".SH \"EXIT STATUS\""), "{push}");
    for name in ["packhouse.1", "packhouse-push.1", "packhouse-repo-create.1", "packhouse-admin-gc.1"] {
        assert!(names.contains(&name.to_owned()), "{name} is not among {names:?}");
    }
}

#[tokio::test]
async fn the_manual_page_of_a_command_is_printed_by_its_name() {
    let scene = Scene::start().await;

    let page = scene.run(&["man", "admin", "backup"]).await.succeeds();
    let refused = scene.run(&["man", "psuh"]).await.fails();

    assert!(page.contains(".TH packhouse-admin-backup 1") && page.contains("/backup/packhouse"), "{page}");
    assert!(refused.contains("there is no command `psuh`"), "{refused}");
    assert!(!scene.folder.path().join("psuh").exists());
}

#[tokio::test]
async fn every_command_says_what_it_is_for() {
    let scene = Scene::start().await;

    let help = scene.run(&["--help"]).await.succeeds();

    for command in
        ["serve", "admin", "login", "logout", "whoami", "can-i", "push", "pull", "publish", "discard", "delete"]
    {
        let line = help.lines().find(|line| line.trim_start().starts_with(command));
        assert!(line.is_some_and(|line| line.split_whitespace().count() > 2), "{command}: {help}");
    }
}
