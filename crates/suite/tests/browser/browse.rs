//! Finding a package, reading about it, and downloading it.

use serde_json::json;
use suite::chromium::Window;
use tokio::process::Command;

use crate::scene::Scene;

#[tokio::test]
async fn a_visitor_finds_a_package_while_typing_and_reads_about_it() {
    let scene = Scene::set(Window::DESK).await;
    scene.go("/").await;
    scene.tab.find("#q").await.type_text("cat").await;
    let suggestion = scene.tab.find("#suggestions a").await;
    suggestion.click().await;
    scene.tab.wait_for_url(&scene.at("/ada/tools/cat")).await;
    let text = scene.tab.text().await;
    for told in ["An animal", "It meows.", "MIT", "animal", "loud", "legs", "black", "1.0", "Downloads in 30 days"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert_eq!(scene.tab.find("#readme em").await.text().await, "meows");
    scene.tab.find("#latest").await.click().await;
    scene.tab.wait_for_url(&scene.at("/ada/tools/cat/1.0")).await;
    scene.tab.find_link("cat.txt").await;
    scene.check_quiet().await;
}

#[tokio::test]
async fn the_command_on_a_page_works_when_pasted() {
    let scene = Scene::set(Window::DESK).await;
    scene.go("/ada/tools/cat/1.0").await;
    let command = scene.tab.find("#command-download").await.text().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{command} --silent --show-error")]).current_dir(folder.path());
    assert!(shell.status().await.expect("a shell").success(), "{command}");
    assert_eq!(std::fs::read_to_string(folder.path().join("cat.txt")).expect("downloaded"), "meow");
}

#[tokio::test]
async fn a_button_copies_the_command() {
    let scene = Scene::set(Window::DESK).await;
    scene.go("/ada/tools/cat/1.0").await;
    let (command, button) =
        (scene.tab.find("#command-download").await, scene.tab.find("#command-download + button").await);
    button.click().await;
    scene.tab.wait_for_text("Copied").await;
    let pasted =
        scene.tab.run_async("navigator.clipboard.readText().then(arguments[0], error => arguments[0](`${error}`))");
    assert_eq!(pasted.await, json!(command.text().await));
}
