//! A change ends the cached responses that depend on it, and no others.

use suite::{Log, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    cluster::two_servers::TRIES,
    content::{cat, discard, publish, upload, upload_published},
};

const FILE: &str = "/ada/tools/cat.bin";

/// A server with a published file.
struct Scene {
    log: Log,
    house: TestHouse,
    ada: Person,
}

impl Scene {
    async fn start() -> Self {
        let log = Log::listen();
        let (house, ada) = cat().await;
        upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
        Self { log, house, ada }
    }

    /// Downloads the file, and returns whether the response came from the cache, which writes no line to the log.
    async fn is_cached(&self, server: &TestHouse) -> bool {
        let line = format!("answered GET /dl{FILE} with 200");
        let before = self.log.count(&line);
        assert_eq!(server.anyone().download(FILE).await.expect(200).text(), "meow");
        self.log.count(&line) == before
    }

    /// Asserts that a change leaves the cached file alone. Time may end what is cached as well, so it may be tried again.
    async fn survives(&self, server: &TestHouse, change: impl AsyncFn(usize)) {
        for attempt in 0..TRIES {
            while !self.is_cached(server).await {}
            change(attempt).await;
            if self.is_cached(server).await {
                return;
            }
        }
        panic!("each change ends what is cached");
    }
}

#[tokio::test]
async fn staged_content_ends_nothing() {
    let scene = Scene::start().await;
    let ada = &scene.ada;
    scene.survives(&scene.house, async |n| upload(ada, &format!("ada/tools/cat/1.0/{n}.bin"), "new").await).await;
    let replace = "/content/ada/tools/cat/1.0/cat.bin?override=1";
    scene.survives(&scene.house, async |n| drop(ada.put(replace).body(format!("{n}")).await.expect(201))).await;
    let stage_and_discard = async |n| {
        upload(ada, &format!("ada/tools/cat/1.0/again{n}.bin"), "new").await;
        discard(ada, "ada/tools/cat/1.0").await;
    };
    scene.survives(&scene.house, stage_and_discard).await;
}

#[tokio::test]
async fn a_new_path_leaves_other_files_alone() {
    let scene = Scene::start().await;
    let new = async |n| upload_published(&scene.ada, &format!("ada/tools/cat/1.0/{n}.bin"), "new").await;
    scene.survives(&scene.house, new).await;
}

#[tokio::test]
async fn a_new_path_leaves_other_files_alone_on_other_servers() {
    let scene = Scene::start().await;
    let second = scene.house.start_another().await;
    // An embedded database has one server, which then plays both roles.
    let other = second.as_ref().unwrap_or(&scene.house);
    let new = async |n: usize| {
        let path = format!("/ada/tools/{n}.bin");
        other.anyone().download(&path).await.expect(404);
        upload_published(&scene.ada, &format!("ada/tools/cat/1.0/{n}.bin"), "new").await;
        other.anyone().download(&path).await.expect(200);
    };
    scene.survives(other, new).await;
}

#[tokio::test]
async fn a_replacement_is_seen_once_it_is_published() {
    let scene = Scene::start().await;
    while !scene.is_cached(&scene.house).await {}
    scene.ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1").body("purr").await.expect(201);
    assert_eq!(scene.house.anyone().download(FILE).await.expect(200).text(), "meow");
    publish(&scene.ada, "ada/tools/cat/1.0").await;
    assert_eq!(scene.house.anyone().download(FILE).await.expect(200).text(), "purr");
}

#[tokio::test]
async fn staged_content_is_not_cached() {
    let scene = Scene::start().await;
    for content in ["one", "two", "three"] {
        scene.ada.put("/content/ada/tools/cat/2.0/draft.bin?override=1").body(content).await.expect(201);
        for _ in 0..3 {
            assert_eq!(scene.ada.download("/ada/tools/draft.bin").await.expect(200).text(), content);
        }
    }
    publish(&scene.ada, "ada/tools/cat/2.0").await;
    assert_eq!(scene.house.anyone().download("/ada/tools/draft.bin").await.expect(200).text(), "three");
}

#[tokio::test]
async fn a_new_path_replaces_what_was_served_in_its_stead() {
    let scene = Scene::start().await;
    let (ada, anyone) = (&scene.ada, scene.house.anyone());
    new_repo(ada, "ada/mirror").await;
    ada.put("/repository/ada/mirror/links/ada/tools/cat").await.expect(201);
    let (linked, sum) = ("/ada/mirror/cat.bin", "/ada/tools/cat.bin.sha1");
    for _ in 0..3 {
        assert_eq!(anyone.download(linked).await.expect(200).text(), "meow");
        assert_eq!(anyone.download(sum).await.expect(200).text().len(), 40);
    }
    new_package(ada, "ada/mirror", "own").await;
    upload_published(ada, "ada/mirror/own/1.0/cat.bin", "hiss").await;
    assert_eq!(anyone.download(linked).await.expect(200).text(), "hiss");
    upload_published(ada, "ada/tools/cat/1.0/cat.bin.sha1", "mine").await;
    assert_eq!(anyone.download(sum).await.expect(200).text(), "mine");
}
