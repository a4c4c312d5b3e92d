//! What formats with owners of paths, facts, taken names and indexes of packages make of uploads, publishes and deletions.

mod shelf;

use std::net::Ipv4Addr;

use bytes::Bytes;
use database::downloads::index_texts;
use futures_util::stream;
use model::{
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
    id::RepoId,
    names::{PackageName, RepoName, SubjectName, VersionName},
    package::PackageChange,
};
use operations::{
    Caller, Error, House, Principal, Result, UserIdentity, Via,
    accounts::users::{self, NewUser},
    catalogue::{packages, repos, versions},
    content::{self, ExpectedChecksums, UploadFlags, UploadTarget},
    format::Format,
    signing::SigningOptions,
};

/// A house with the repository `ada/shelf` and the package `cat`.
struct Scene {
    folder: tempfile::TempDir,
    house: House,
    ada: Caller,
    repo: RepoAddress,
    repo_id: RepoId,
}

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn staged() -> UploadFlags {
    UploadFlags::default()
}

fn published() -> UploadFlags {
    UploadFlags { publish: true, ..UploadFlags::default() }
}

impl Scene {
    async fn open() -> Self {
        Self::open_with(shelf::FORMATS).await
    }

    async fn open_with(formats: &'static [&'static dyn Format]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let house = shelf::open_house(folder.path(), formats).await;
        let name = SubjectName::parse("ada").expect("a name");
        let via = Via::Network { address: Ipv4Addr::LOCALHOST.into(), country: None };
        let nobody = Caller { principal: Principal::Anonymous, via, agent: None, request_id: String::new() };
        let new = NewUser { name: name.clone(), full_name: String::new(), email: None, password: None, plan: None };
        let subject = users::create(&house, &nobody, new).await.expect("created").0.subject;
        let ada = Caller { principal: Principal::User(UserIdentity::from(&subject)), ..nobody };
        let repo = RepoAddress { owner: name, repo: RepoName::parse("shelf").expect("a name") };
        let made = repos::create(&house, &ada, &repo, "npm", repos::RepoChange::default()).await.expect("created");
        let scene = Self { folder, house, ada, repo, repo_id: made.repo.id };
        scene.new_package("cat").await;
        scene
    }

    fn package(&self, name: &str) -> PackageAddress {
        PackageAddress { repo: self.repo.clone(), package: PackageName::parse(name).expect("a name") }
    }

    fn version(&self, name: &str, version: &str) -> VersionAddress {
        VersionAddress { package: self.package(name), version: VersionName::parse(version).expect("a name") }
    }

    async fn new_package(&self, name: &str) {
        let created = packages::create(&self.house, &self.ada, &self.package(name), PackageChange::default()).await;
        created.expect("created");
    }

    /// Uploads a file to the package and the version.
    async fn upload_to(&self, at: (&str, &str), place: &str, body: &[u8], flags: UploadFlags) -> Result<()> {
        let VersionAddress { package, version } = self.version(at.0, at.1);
        let (repo, package, version) = (self.repo.clone(), package.package, Some(version));
        let target = UploadTarget { repo, package, version, path: path(place), flags, hints: Vec::new() };
        let body = stream::iter([Ok::<_, std::io::Error>(Bytes::copy_from_slice(body))]);
        let (expected, with) = (ExpectedChecksums::default(), SigningOptions::default());
        content::upload(&self.house, &self.ada, &target, &expected, &with, body).await.map(drop)
    }

    /// Uploads a file to the package and the version that its path names.
    async fn upload(&self, place: &str, body: &str, flags: UploadFlags) -> Result<()> {
        let mut segments = place.split('/');
        let at = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
        self.upload_to(at, place, body.as_bytes(), flags).await
    }

    async fn publish(&self, name: &str, version: &str) -> Result<u64> {
        content::publish(&self.house, &self.ada, &self.version(name, version), &SigningOptions::default()).await
    }

    async fn delete_version(&self, name: &str, version: &str) {
        let deleted = content::delete_version(&self.house, &self.ada, &self.version(name, version)).await;
        deleted.expect("deleted");
    }

    async fn index(&self, name: &str) -> Option<String> {
        let found = index_texts::find(&self.house.db, self.repo_id, &path(&format!("index/{name}"))).await;
        found.expect("read").map(|index| index.content)
    }

    /// The latest version, which all ways to ask for it agree on.
    async fn latest(&self) -> Option<String> {
        let shown = packages::show(&self.house, &self.ada, &self.package("cat")).await.expect("shown").latest_version;
        let latest = versions::show_latest(&self.house, &self.ada, &self.package("cat")).await;
        assert_eq!(shown, latest.ok().map(|detail| detail.version.name.to_string()));
        shown
    }
}

fn reason(refused: Result<()>) -> String {
    refused.expect_err("it is refused").to_string()
}

#[tokio::test]
async fn an_index_follows_every_change_of_its_package() {
    let scene = Scene::open().await;
    scene.upload("cat/1/a.bin", "meow", staged()).await.expect("stored");
    assert_eq!(scene.index("cat").await, None);
    scene.publish("cat", "1").await.expect("published");
    assert_eq!(scene.index("cat").await.as_deref(), Some("cat by ada: \n1 cat/1/a.bin 4 meow 128\n"));
    scene.upload("cat/2/b.bin", "purr", published()).await.expect("stored");
    let change = PackageChange { description: Some("A cat".into()), ..PackageChange::default() };
    packages::edit(&scene.house, &scene.ada, &scene.package("cat"), change).await.expect("changed");
    let both = "cat by ada: A cat\n1 cat/1/a.bin 4 meow 128\n2 cat/2/b.bin 4 purr 128\n";
    assert_eq!(scene.index("cat").await.as_deref(), Some(both));
    content::delete(&scene.house, &scene.ada, &scene.repo, &path("cat/1/a.bin")).await.expect("deleted");
    assert_eq!(scene.index("cat").await.as_deref(), Some("cat by ada: A cat\n2 cat/2/b.bin 4 purr 128\n"));
    scene.delete_version("cat", "2").await;
    assert_eq!(scene.index("cat").await, None);
    scene.upload("cat/3/c.bin", "hiss", published()).await.expect("stored");
    content::delete_package(&scene.house, &scene.ada, &scene.package("cat")).await.expect("deleted");
    assert_eq!(scene.index("cat").await, None);
}

#[tokio::test]
async fn an_index_of_many_versions_is_joined_from_blocks() {
    let mut scene = Scene::open_with(shelf::EARLIER).await;
    scene.upload("cat/0/0.bin", "0", published()).await.expect("stored");
    scene.house = shelf::open_house(scene.folder.path(), shelf::FORMATS).await;
    let mut expected: Vec<String> = vec!["0 cat/0/0.bin 1 ? 128\n".into()];
    for number in 1..=70 {
        let place = format!("cat/{number}/{number}.bin");
        scene.upload(&place, "meow", published()).await.expect("stored");
        expected.push(format!("{number} {place} 4 meow 128\n"));
    }
    let text = |lines: &[String]| Some(format!("cat by ada: \n{}", lines.concat()));
    assert_eq!(scene.index("cat").await, text(&expected), "also the version that an earlier edition published");
    for version in ["70", "33", "0"] {
        scene.delete_version("cat", version).await;
        expected.retain(|line| !line.starts_with(&format!("{version} ")));
        assert_eq!(scene.index("cat").await, text(&expected), "without {version}");
    }
    scene.upload("cat/33/b.bin", "purr", published()).await.expect("stored");
    expected.push("33 cat/33/b.bin 4 purr 128\n".into());
    assert_eq!(scene.index("cat").await, text(&expected));
}

#[tokio::test]
async fn a_rejected_file_changes_nothing_and_deployed_content_is_inspected_too() {
    let scene = Scene::open().await;
    assert_eq!(reason(scene.upload("cat/1/a.bin", "rotten", published()).await), "content: it is rotten");
    assert_eq!(scene.index("cat").await, None);
    scene.upload("cat/1/a.bin", "meow", published()).await.expect("stored");
    let sha256 = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52".parse().expect("a digest");
    let target = UploadTarget {
        repo: scene.repo.clone(),
        package: scene.package("cat").package,
        version: Some(scene.version("cat", "2").version),
        path: path("cat/2/b.bin"),
        flags: published(),
        hints: Vec::new(),
    };
    let expected = ExpectedChecksums { sha256: Some(sha256), ..ExpectedChecksums::default() };
    let deployed = content::deploy(&scene.house, &scene.ada, &target, &expected, &SigningOptions::default()).await;
    deployed.expect("deployed");
    let both = "cat by ada: \n1 cat/1/a.bin 4 meow 128\n2 cat/2/b.bin 4 meow 128\n";
    assert_eq!(scene.index("cat").await.as_deref(), Some(both));
}

#[tokio::test]
async fn a_path_belongs_to_the_package_and_the_version_that_it_names() {
    let scene = Scene::open().await;
    let refused = scene.upload_to(("cat", "1"), "dog/1/a.bin", b"meow", published()).await;
    assert_eq!(reason(refused), "path: the path belongs to package 'dog', and the upload is for another one");
    let refused = scene.upload_to(("cat", "1"), "cat/2/a.bin", b"meow", published()).await;
    assert_eq!(reason(refused), "path: the path belongs to version '2', and the upload is for another one");
    let refused = scene.upload_to(("cat", "1"), "reserved/a.bin", b"meow", published()).await;
    assert_eq!(reason(refused), "path: 'reserved/a.bin' is a name that the server needs itself");
    scene.upload_to(("cat", "1"), "readme", b"meow", published()).await.expect("a plain file");
}

#[tokio::test]
async fn files_of_an_archive_follow_the_same_rules() {
    let scene = Scene::open().await;
    let explode = UploadFlags { explode: true, ..published() };
    let archive = |place: &str, body: &str| {
        let (mut tar, mut header) = (tar::Builder::new(Vec::new()), tar::Header::new_gnu());
        header.set_size(body.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, place, body.as_bytes()).expect("a file");
        tar.into_inner().expect("an archive")
    };
    for (place, body, expected) in [
        ("dog/1/a.bin", "meow", "path: the path belongs to package 'dog', and the upload is for another one"),
        ("reserved/a.bin", "meow", "path: 'reserved/a.bin' is a name that the server needs itself"),
        ("cat/1/a.bin", "rotten", "content: it is rotten"),
    ] {
        let refused = scene.upload_to(("cat", "1"), "all.tar", &archive(place, body), explode).await;
        assert_eq!(reason(refused), expected);
    }
    scene.upload_to(("cat", "1"), "all.tar", &archive("cat/1/a.bin", "meow"), explode).await.expect("stored");
    assert_eq!(scene.index("cat").await.as_deref(), Some("cat by ada: \n1 cat/1/a.bin 4 meow 128\n"));
}

#[tokio::test]
async fn a_published_name_never_comes_back() {
    let scene = Scene::open().await;
    scene.upload("cat/1/a.bin", "meow", published()).await.expect("stored");
    let refused = scene.upload("cat/2/a.bin", "purr", published()).await;
    assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
    scene.upload("cat/2/a.bin", "meow", published()).await.expect("the same bytes, while the version exists");
    scene.delete_version("cat", "2").await;
    scene.delete_version("cat", "1").await;
    let refused = reason(scene.upload("cat/3/a.bin", "meow", published()).await);
    assert!(refused.contains("taken by a version that was deleted; names are never reused"), "{refused}");
    scene.upload("cat/3/b.bin", "purr", published()).await.expect("the name of the package may come back");
}

#[tokio::test]
async fn two_packages_do_not_share_a_name() {
    let scene = Scene::open().await;
    scene.new_package("big-cat").await;
    scene.new_package("big_cat").await;
    scene.upload("big-cat/1/a.bin", "meow", published()).await.expect("stored");
    let refused = reason(scene.upload("big_cat/1/b.bin", "purr", published()).await);
    assert!(refused.contains("'package big-cat' was taken by 'big-cat'"), "{refused}");
}

#[tokio::test]
async fn names_that_were_never_published_are_free_again() {
    let scene = Scene::open().await;
    scene.upload("cat/1/a.bin", "meow", staged()).await.expect("stored");
    assert!(scene.upload("cat/2/a.bin", "purr", staged()).await.is_err());
    let replace = UploadFlags { replace: true, ..staged() };
    scene.upload("cat/1/a.bin", "other", replace).await.expect("other content for the same name");
    content::delete(&scene.house, &scene.ada, &scene.repo, &path("cat/1/a.bin")).await.expect("deleted");
    scene.upload("cat/1/a.bin", "third", staged()).await.expect("again");
    content::discard(&scene.house, &scene.ada, &scene.version("cat", "1")).await.expect("discarded");
    scene.upload("cat/2/a.bin", "purr", staged()).await.expect("the name is free");
    scene.delete_version("cat", "2").await;
    scene.upload("cat/3/a.bin", "hiss", staged()).await.expect("the name is free");
}

#[tokio::test]
async fn a_published_version_takes_names_over_from_one_that_is_discarded() {
    let scene = Scene::open().await;
    scene.new_package("big-cat").await;
    scene.new_package("big_cat").await;
    scene.upload("big-cat/1/a.bin", "meow", staged()).await.expect("stored");
    scene.upload("big-cat/2/b.bin", "purr", staged()).await.expect("stored");
    scene.publish("big-cat", "2").await.expect("published");
    scene.delete_version("big-cat", "1").await;
    assert!(scene.upload("big_cat/1/c.bin", "hiss", published()).await.is_err(), "version 2 still has the name");
}

#[tokio::test]
async fn calculating_metadata_inspects_content_of_an_earlier_edition() {
    let mut scene = Scene::open_with(shelf::EARLIER).await;
    scene.upload("cat/1/a.bin", "meow", published()).await.expect("stored");
    assert_eq!(scene.index("cat").await.as_deref(), Some("cat by ada: \n1 cat/1/a.bin 4 ? 128\n"));
    scene.house = shelf::open_house(scene.folder.path(), shelf::FORMATS).await;
    let rebuilt = content::rebuild_all(&scene.house, &scene.ada, &scene.repo, None, &SigningOptions::default()).await;
    rebuilt.expect("rebuilt");
    assert_eq!(scene.index("cat").await.as_deref(), Some("cat by ada: \n1 cat/1/a.bin 4 meow 128\n"));
}

#[tokio::test]
async fn the_latest_version_follows_the_format_through_publishes_and_deletions() {
    let scene = Scene::open().await;
    assert_eq!(scene.latest().await, None);
    for (version, expected) in [("2rc", "2rc"), ("3rc", "3rc"), ("1", "1"), ("4rc", "1"), ("2", "2"), ("0", "2")] {
        scene.upload(&format!("cat/{version}/{version}.bin"), version, published()).await.expect("stored");
        assert_eq!(scene.latest().await.as_deref(), Some(expected), "after {version}");
    }
    scene.upload("cat/9/9.bin", "9", staged()).await.expect("stored");
    assert_eq!(scene.latest().await.as_deref(), Some("2"), "published ones come first");
    content::delete(&scene.house, &scene.ada, &scene.repo, &path("cat/2/2.bin")).await.expect("deleted");
    assert_eq!(scene.latest().await.as_deref(), Some("1"));
    scene.delete_version("cat", "1").await;
    scene.delete_version("cat", "0").await;
    assert_eq!(scene.latest().await.as_deref(), Some("4rc"));
    for version in ["2rc", "3rc", "4rc"] {
        scene.delete_version("cat", version).await;
    }
    assert_eq!(scene.latest().await.as_deref(), Some("9"), "without a published file, the greatest");
}
