//! The pages of clients, which these tests follow from top to bottom: each command runs with the client itself, and each
//! file is written.

mod alpine;
mod conda;
mod go;
mod helm;
mod opkg;

#[cfg(feature = "clients")]
mod others;

use std::{env, fs, path::Path};

use suite::documents::{self, replace_word};

use crate::{
    client::Machine,
    scene::{PROGRAM, Scene},
};

/// Follows a page as Ada, with the host of the server and her key in place of the examples.
pub(crate) async fn follow(scene: &Scene, machine: &mut Machine, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let document = fs::read_to_string(path).expect("the page");
    let blocks = documents::followed_blocks(&fill(scene, machine, &document));
    assert!(!blocks.is_empty(), "{page} has no commands");
    prepare(scene, machine);
    let ran = machine.run_script(&documents::script(&blocks)).await;
    documents::check(page, &blocks, ran.output());
}

/// Replaces the examples of a page.
fn fill(scene: &Scene, machine: &Machine, page: &str) -> String {
    let (scheme, host) = scene.base.split_once("://").expect("a URL");
    let name = host.split(':').next().expect("a host");
    let page = page
        .replace("https://ada:API_KEY@packages.example.org", &format!("{scheme}://ada:API_KEY@{host}"))
        .replace("https://packages.example.org", &scene.base)
        // A line of `.netrc` names no port.
        .replace("machine packages.example.org", &format!("machine {name}"))
        .replace("packages.example.org", host)
        .replace("/etc/", &format!("{}/", machine.path("etc").display()));
    replace_word(&page, "API_KEY", scene.ada.key())
}

/// Installs the program under test and a `sudo` that changes nothing, and signs Ada in.
fn prepare(scene: &Scene, machine: &mut Machine) {
    machine.install("sudo", "exec \"$@\"");
    let folders = [machine.path("bin"), Path::new(PROGRAM).parent().expect("a folder").to_owned()];
    let inherited = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(folders.into_iter().chain(env::split_paths(&inherited))).expect("no folder has a colon");
    machine.set("PATH", path.to_string_lossy());
    for (name, value) in [("URL", scene.base.as_str()), ("USER", scene.ada.name()), ("API_KEY", scene.ada.key())] {
        machine.set(&format!("PACKHOUSE_{name}"), value);
    }
    if let Some(front) = &scene.front {
        machine.write("certificate.pem", &front.certificate);
        let file = machine.path("certificate.pem").display().to_string();
        machine.set("SSL_CERT_FILE", file.clone());
        machine.set("CURL_CA_BUNDLE", file);
    }
}
