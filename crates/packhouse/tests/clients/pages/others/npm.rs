//! npm, pnpm and yarn 4.

use crate::{client::folder, npm::fixture::Node, pages::follow, scene::Scene};

const PROGRAMS: [(&str, &str); 3] =
    [("npm", "npm/bin/npm-cli.js"), ("pnpm", "pnpm/bin/pnpm.cjs"), ("yarn", "@yarnpkg/cli-dist/bin/yarn.js")];

/// What yarn needs to talk to a server without TLS.
const YARN: &str = "unsafeHttpWhitelist: [\"127.0.0.1\"]\nnodeLinker: node-modules\nenableGlobalCache: false\n\
    enableImmutableInstalls: false\n";

#[tokio::test]
async fn the_page_of_npm_can_be_followed() {
    let scene = Scene::acme().await;
    let node = Node::without_registry();
    node.package_in("work/hello", "@acme/hello", "1.0.0");
    let Node { mut machine } = node;
    for (name, script) in PROGRAMS {
        let script = folder("PACKHOUSE_TEST_NPM").join(script);
        machine.install(name, &format!("exec node {} \"$@\"", script.display()));
    }
    for app in ["app", "app-of-pnpm", "app-of-yarn"] {
        machine.write(&format!("work/{app}/package.json"), r#"{"name": "app", "version": "1.0.0"}"#);
    }
    machine.write("work/app-of-yarn/yarn.lock", "");
    machine.write(".yarnrc.yml", YARN);
    follow(&scene, &mut machine, "docs/clients/npm.md").await;
}
