//! From an empty account to a package that everyone can download.

use serde_json::json;
use suite::chromium::{Tab, Window, open};
use tokio::process::Command;

use crate::scene::Scene;

/// The SHA-256 of `meow`.
const MEOW_SHA256: &str = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52";

/// Drops files on the page: a small one, and one that is large enough for a visible upload.
const DROP: &str = r#"
    window.seen = [];
    new MutationObserver((changes) => {
      for (const change of changes) if (change.target.max === 1) window.seen.push(change.target.value);
    }).observe(document.getElementById("uploads"), { attributes: true, subtree: true });
    const data = new DataTransfer();
    data.items.add(new File(["meow"], "cat.txt", { type: "text/plain" }));
    data.items.add(new File([new Uint8Array(48 << 20)], "large.bin"));
    for (const name of ["dragenter", "dragover", "drop"]) {
      const event = new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data });
      document.getElementById("drop").dispatchEvent(event);
    }
"#;

async fn fill_in(tab: &Tab, fields: &[(&str, &str)], button: &str) {
    for (name, value) in fields {
        tab.find(&format!("#form [name={name}]")).await.type_text(value).await;
    }
    tab.find_button(button).await.click().await;
}

/// Creates the version `ada/shelf/cat` 1.0, starting from ada's page.
async fn create(scene: &Scene) {
    let tab = &scene.tab;
    scene.go("/ada").await;
    tab.find("#new-repo").await.click().await;
    fill_in(tab, &[("name", "shelf"), ("desc", "What I made")], "Create repository").await;
    tab.wait_for_url(&scene.at("/ada/shelf")).await;
    tab.wait_for_text("The repository has been created.").await;
    tab.find("#new-package").await.click().await;
    fill_in(tab, &[("name", "cat"), ("licenses", "MIT")], "Create package").await;
    tab.wait_for_url(&scene.at("/ada/shelf/cat")).await;
    tab.find("#new-version").await.click().await;
    fill_in(tab, &[("name", "1.0")], "Create version").await;
    tab.wait_for_url(&scene.at("/ada/shelf/cat/1.0")).await;
}

/// Runs the command that a page shows, like a visitor, and returns the content of this file afterwards.
async fn run_command(tab: &Tab, file: &str) -> String {
    let command = tab.find("#command-download").await.text().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{command} --silent --show-error")]).current_dir(folder.path());
    assert!(shell.status().await.expect("a shell").success(), "{command}");
    std::fs::read_to_string(folder.path().join(file)).expect("downloaded")
}

#[tokio::test]
async fn ada_creates_a_package_drops_files_and_publishes_them_for_everyone() {
    let scene = Scene::set(Window::DESK).await;
    scene.sign_in().await;
    create(&scene).await;
    let tab = &scene.tab;
    tab.find("#drop").await;
    tab.run(DROP, &[]).await;
    tab.wait_for_text("Stored 2 of 2").await;
    tab.find("#uploads li:nth-child(2)[data-state=stored]").await;
    assert!(tab.find("#uploads").await.text().await.contains(MEOW_SHA256));
    let seen = tab.run("return window.seen", &[]).await;
    let seen: Vec<f64> = seen.as_array().into_iter().flatten().filter_map(serde_json::Value::as_f64).collect();
    assert!(seen.iter().any(|part| (0.001..0.999).contains(part)) && seen.contains(&1.0), "{seen:?}");

    assert_eq!(tab.find("#staged-count").await.text().await, "2 files");
    let guest = open(Window::DESK).await;
    guest.go(&scene.at("/ada/shelf/cat/1.0")).await;
    guest.wait_for_text("This page does not exist").await;
    tab.find("#publish").await.click().await;
    tab.wait_for_text("Published: 2 files.").await;
    scene.check_quiet().await;

    guest.go(&scene.at("/ada/shelf/cat/1.0")).await;
    guest.find_link("cat/1.0/large.bin").await;
    assert_eq!(run_command(&guest, "cat.txt").await, "meow");
    assert_eq!(guest.run("return document.querySelectorAll('form').length", &[]).await, json!(1));
}

#[tokio::test]
async fn a_file_that_is_refused_says_why_and_the_next_one_goes_on() {
    let scene = Scene::set(Window::PHONE).await;
    scene.sign_in().await;
    scene.go("/ada/tools/cat/1.0").await;
    scene.tab.find("#upload-fold > summary").await.click().await;
    scene.tab.find("#upload-options > summary").await.click().await;
    let folder = scene.tab.find("#upload-folder").await;
    folder.clear().await;
    scene.tab.find("#upload-publish").await.click().await;
    let script = r#"
        const data = new DataTransfer();
        data.items.add(new File(["other"], "cat.txt"));
        data.items.add(new File(["purr"], "kitten.txt"));
        const drop = document.getElementById("drop");
        drop.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    "#;
    scene.tab.run(script, &[]).await;
    scene.tab.wait_for_text("Stored 1 of 2").await;
    let refused = scene.tab.find("#uploads li:first-child .bad").await.text().await;
    assert!(refused.contains("cat.txt"), "{refused}");
    scene.tab.find_link("kitten.txt").await;
}

#[tokio::test]
async fn everything_of_it_works_without_scripts() {
    let scene = Scene::set(Window { has_scripts: false, ..Window::DESK }).await;
    scene.sign_in().await;
    create(&scene).await;
    let (tab, folder) = (&scene.tab, tempfile::tempdir().expect("a folder"));
    let files = ["cat.txt", "kitten.txt"].map(|name| folder.path().join(name));
    for file in &files {
        std::fs::write(file, "meow").expect("written");
    }
    let chosen = files.map(|file| file.display().to_string()).join("\n");
    tab.find("#upload-files").await.type_text(&chosen).await;
    tab.find("#upload-button").await.click().await;
    tab.wait_for_text("2 files stored.").await;
    tab.find("#discard").await.click().await;
    // The page asks, because there is no script that could.
    tab.wait_for_text("Discard the staged files of ").await;
    tab.find_button("Discard").await.click().await;
    tab.wait_for_text("Discarded: 2 files.").await;
    tab.find("#upload-files").await.type_text(&chosen).await;
    tab.find("#upload-publish").await.click().await;
    tab.find("#upload-button").await.click().await;
    tab.wait_for_text("2 files stored.").await;
    tab.find_link("cat/1.0/kitten.txt").await;
    assert_eq!(run_command(tab, "cat.txt").await, "meow");
    scene.choose("#more", "#delete").await;
    fill_in(tab, &[("confirm", "1.0")], "Delete").await;
    tab.wait_for_url(&scene.at("/ada/shelf/cat")).await;
    tab.wait_for_text("The version 1.0 has been deleted.").await;
}
