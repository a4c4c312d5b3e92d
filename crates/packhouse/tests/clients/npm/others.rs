//! pnpm, yarn 4 and yarn 1.

use super::fixture::{HELLO, Node, code};
use crate::{matrix::shows, scene::Scene};

const PNPM: &str = "pnpm/bin/pnpm.cjs";
const YARN: &str = "@yarnpkg/cli-dist/bin/yarn.js";
const YARN_1: &str = "yarn/bin/yarn.js";

#[tokio::test]
async fn pnpm_publishes_and_installs() {
    let _shown = shows("pnpm", "publish, install, private");
    let scene = Scene::private("npm").await;
    let pnpm = Node::new(&scene.url(), &scene.ada);
    let folder = pnpm.package(HELLO, "1.0.0");
    pnpm.run(PNPM, &folder, &["publish", "--no-git-checks"]).await.succeeds();
    let store = pnpm.machine.path("store").display().to_string();
    pnpm.run(PNPM, "work", &["add", "--store-dir", &store, HELLO]).await.succeeds();
    assert_eq!(pnpm.installed(), code("1.0.0"));
    let stranger = Node::new(&scene.url(), &scene.server.anyone());
    let store = stranger.machine.path("store").display().to_string();
    stranger.run(PNPM, "work", &["add", "--store-dir", &store, HELLO]).await.fails_with(&["401", "UNAUTHORIZED"]);
}

#[tokio::test]
async fn yarn_publishes_and_installs() {
    let _shown = shows("yarn 4", "publish, install, private");
    let scene = Scene::private("npm").await;
    let yarn = Node::new(&scene.url(), &scene.ada);
    let folder = yarn.package(HELLO, "1.0.0");
    yarn.machine.write(&format!("{folder}/.yarnrc.yml"), yarn.machine.read("work/.yarnrc.yml"));
    yarn.machine.write(&format!("{folder}/yarn.lock"), "");
    yarn.run(YARN, &folder, &["install"]).await.succeeds();
    yarn.run(YARN, &folder, &["npm", "publish"]).await.succeeds();
    yarn.run(YARN, "work", &["add", HELLO]).await.succeeds();
    assert_eq!(yarn.installed(), code("1.0.0"));
    let who = yarn.run(YARN, "work", &["npm", "whoami"]).await.succeeds();
    assert!(who.contains("ada"), "{who}");
    let stranger = Node::new(&scene.url(), &scene.server.anyone());
    stranger.run(YARN, "work", &["add", HELLO]).await.fails_with(&["401", "authentication", "YN0041"]);
}

#[tokio::test]
async fn the_old_yarn_installs() {
    let _shown = shows("yarn 1", "install, private");
    let scene = Scene::private("npm").await;
    let node = Node::new(&scene.url(), &scene.ada);
    node.publish(HELLO, "1.0.0").await.succeeds();
    node.run(YARN_1, "work", &["add", "--no-progress", HELLO]).await.succeeds();
    assert_eq!(node.installed(), code("1.0.0"));
    let stranger = Node::new(&scene.url(), &scene.server.anyone());
    stranger.run(YARN_1, "work", &["add", "--no-progress", HELLO]).await.fails_with(&[
        "401",
        "Unauthorized",
        "Couldn't find package",
    ]);
}
