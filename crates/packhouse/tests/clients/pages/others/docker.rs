//! podman, buildah, skopeo, helm and packhouse.

use crate::{
    docker::fixture::Images,
    pages::{follow, helm},
    scene::Scene,
};

#[tokio::test]
async fn the_page_of_container_images_can_be_followed() {
    let scene = Scene::acme().await;
    let images = Images::new(&scene, &scene.ada);
    images.write("hello");
    let Images { mut machine, .. } = images;
    machine.write("work/web-0.1.0.tgz", helm::chart("0.1.0"));
    helm::install(&machine);
    let at = machine.path("").display().to_string();
    machine.set("REGISTRY_AUTH_FILE", format!("{at}auth.json"));
    machine.write("auth.json", "{}");
    // A server without TLS, which helm expects at 127.0.0.1 without being asked.
    let host = scene.base.trim_start_matches("http://");
    let registry = format!("[[registry]]\nlocation = \"{host}\"\ninsecure = true\n");
    machine.write(".config/containers/registries.conf", registry);
    let store = format!("--root {at}store --runroot {at}store-run --storage-driver vfs");
    for program in ["podman", "buildah"] {
        machine.install(program, &format!("exec /usr/bin/{program} {store} \"$@\""));
    }
    follow(&scene, &mut machine, "docs/clients/docker.md").await;
}
