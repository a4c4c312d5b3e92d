//! Finding a package, reading about it, and downloading it.

use serde_json::json;
use suite::chromium::Window;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    process::Command,
};

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

/// Serves a picture to everyone who asks; returns its URL.
async fn serve_picture() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/badge.svg", listener.local_addr().expect("bound"));
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let _ = connection.read(&mut [0; 4096]).await;
            let picture = r#"<svg xmlns="http://www.w3.org/2000/svg" width="88" height="20"><rect width="88" height="20"/></svg>"#;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", picture.len());
            let _ = connection.write_all((head + picture).as_bytes()).await;
        }
    });
    url
}

#[tokio::test]
async fn an_image_of_a_readme_is_shown_and_no_other_site_is_contacted() {
    let scene = Scene::set(Window::DESK).await;
    let readme = json!({ "syntax": "markdown", "content": format!("![build]({})", serve_picture().await) });
    scene.ada.post("/packages/ada/tools/cat/readme").json(readme).await.expect(200);
    scene.go("/ada/tools/cat").await;
    scene.tab.find("#readme img").await;
    let script = "const done = arguments[arguments.length - 1], image = document.querySelector('#readme img'); \
        image.loading = 'eager'; image.decode().then(() => done(image.naturalWidth), (error) => done(String(error)))";
    assert_eq!(scene.tab.run_async(script).await, json!(88));
    scene.check_quiet().await;
}
