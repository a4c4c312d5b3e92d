//! helm.

use suite::archives::tar_gz;

use crate::{
    client::{Machine, folder},
    pages::follow,
    scene::Scene,
};

#[tokio::test]
async fn the_page_of_helm_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = Machine::new();
    for version in ["1.2.0", "1.3.0", "1.4.0"] {
        machine.write(&format!("work/web-{version}.tgz"), chart(version));
    }
    install(&machine);
    follow(&scene, &mut machine, "docs/clients/helm.md").await;
}

/// Installs helm.
pub(crate) fn install(machine: &Machine) {
    let program = folder("PACKHOUSE_TEST_HELM").join("helm");
    machine.install("helm", &format!("exec {} \"$@\"", program.display()));
}

/// A chart with one object.
pub(crate) fn chart(version: &str) -> Vec<u8> {
    let about = format!("apiVersion: v2\nname: web\nversion: {version}\ndescription: of ada\n");
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hello\n";
    tar_gz(&[("web/Chart.yaml", about.as_bytes()), ("web/templates/hello.yaml", template.as_bytes())])
}
