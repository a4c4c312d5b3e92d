//! oras, as its Python library has it.

use suite::Person;

use super::fixture::Images;
use crate::{
    client::{Ran, folder},
    matrix::shows,
    scene::Scene,
};

async fn oras(images: &Images, action: &str, target: &str, who: &Person) -> Ran {
    images.machine.write("work/run.py", include_str!("oras.py"));
    let python = folder("PACKHOUSE_TEST_PYTHON").join("python");
    let target = images.name(target);
    images.machine.run(python, "work", &["run.py", action, &target, who.name(), who.key()]).await
}

#[tokio::test]
async fn oras_pushes_and_pulls_files() {
    let _shown = shows("oras", "publish, install, private, key holder");
    let scene = Scene::private("docker").await;
    let (own, anyone) = (Images::new(&scene, &scene.ada), scene.server.anyone());
    own.machine.write("work/things.txt", "things");
    oras(&own, "push", "things:v1", &scene.ada).await.succeeds();
    assert!(oras(&own, "tags", "things", &scene.ada).await.succeeds().contains("v1"));
    let reader = Images::new(&scene, &scene.ada);
    oras(&reader, "pull", "things:v1", &scene.ada).await.succeeds();
    assert_eq!(reader.machine.read("work/pulled/things.txt"), "things");
    oras(&own, "push", "other:v1", &scene.ada).await.succeeds();
    let client = scene.key_for("things").await;
    let holder = Images::new(&scene, &client);
    oras(&holder, "pull", "things:v1", &client).await.succeeds();
    assert_eq!(holder.machine.read("work/pulled/things.txt"), "things");
    oras(&holder, "pull", "other:v1", &client).await.fails_with(&["404", "unknown", "not found"]);
    oras(&reader, "pull", "things:v1", &anyone).await.fails_with(&["401", "nauthorized"]);
    reader.machine.write("work/things.txt", "other things");
    oras(&reader, "push", "things:v2", &anyone).await.fails_with(&["401", "nauthorized", "UNAUTHORIZED"]);
    assert!(!oras(&own, "tags", "things", &scene.ada).await.succeeds().contains("v2"));
}
