//! Marks, tags and deletions.

use std::collections::BTreeMap;

use operations::{
    Error,
    format::{NativeChange, Question},
    native,
};

use crate::fixture::{DAY, Fixture, anonymous, name, number, package, user, version};

fn mark(mark: &'static str, versions: &[(&str, Option<&str>)]) -> NativeChange {
    let versions = versions.iter().map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned)));
    NativeChange::Mark { package: name("tea"), mark, versions: versions.collect::<BTreeMap<_, _>>() }
}

fn tag(tag: &str, version: &str) -> NativeChange {
    NativeChange::SetTag { package: name("tea"), tag: tag.into(), version: number(version) }
}

#[tokio::test]
async fn marks_and_tags_of_one_request_are_set_together() {
    let fixture = Fixture::open().await;
    fixture.add("tea", "1").await;
    fixture.add("tea", "2").await;
    let changes = [mark("deprecated", &[("1", Some("old")), ("3", Some("unknown"))]), tag("next", "2")];
    let answer = fixture.change(&fixture.ada, &changes).await.expect("it changes");
    assert_eq!(answer.status, 201);
    assert_eq!(fixture.shown("tea").await, "tea 1 !deprecated=old 2 @next=2");
    let audit = fixture.audit().await;
    assert_eq!(audit[0], "package.tag ada/parcels/tea tag next: none -> \"2\"");
    assert_eq!(audit[1], "package.mark ada/parcels/tea deprecated of 1: none -> \"old\"");
    // The same again is no change.
    fixture.change(&fixture.ada, &changes).await.expect("it stays");
    assert_eq!(fixture.audit().await.len(), audit.len());
    let failing = [mark("deprecated", &[("2", Some("new"))]), tag("next", "4")];
    let failed = fixture.change(&fixture.ada, &failing).await.map(|_| ());
    assert!(matches!(failed, Err(Error::NotFound { what: "Version", .. })), "{failed:?}");
    let gone =
        [mark("deprecated", &[("1", None)]), NativeChange::DeleteTag { package: name("tea"), tag: "next".into() }];
    fixture.change(&fixture.ada, &gone).await.expect("it changes");
    assert_eq!(fixture.shown("tea").await, "tea 1 2");
    let unknown = fixture.change(&fixture.ada, &[mark("yanked", &[("9", Some(""))])]).await.map(|_| ());
    assert!(matches!(unknown, Err(Error::NotFound { what: "Version", .. })), "{unknown:?}");
    let missing = native::delete_tag(&fixture.house, &fixture.ada, &package("tea"), "next").await;
    assert!(matches!(missing, Err(Error::NotFound { what: "Tag", .. })), "{missing:?}");
}

#[tokio::test]
async fn the_number_and_the_length_of_tags_are_bounded() {
    let fixture = Fixture::open().await;
    fixture.add("tea", "1").await;
    let at = version("tea", "1");
    let set = async |tag: &str| native::set_tag(&fixture.house, &fixture.ada, &at, tag).await;
    for bad in ["", "a b", "a/b", "a\n", &"x".repeat(201)] {
        assert!(matches!(set(bad).await, Err(Error::Refused(_))), "{bad:?}");
    }
    let tags: Vec<NativeChange> = (0..1_000).map(|index| tag(&format!("t{index}"), "1")).collect();
    fixture.change(&fixture.ada, &tags).await.expect("they are set");
    assert!(matches!(set("one-more").await, Err(Error::Refused(_))));
    assert_eq!(set("t7").await, Ok(()));
}

#[tokio::test]
async fn versions_and_packages_are_deleted_within_the_window() {
    let fixture = Fixture::open().await;
    for version in ["1", "2", "3"] {
        fixture.add("tea", version).await;
    }
    let delete = |version: &str| NativeChange::DeleteVersion { package: name("tea"), version: number(version) };
    let keep = |versions: &[&str]| NativeChange::KeepVersions {
        package: name("tea"),
        versions: versions.iter().map(|version| (*version).to_owned()).collect(),
    };
    fixture.change(&fixture.ada, &[delete("1"), delete("1")]).await.expect("it is gone");
    assert_eq!(fixture.shown("tea").await, "tea 2 3");
    fixture.change(&fixture.ada, &[keep(&["3"])]).await.expect("one is kept");
    assert_eq!(fixture.shown("tea").await, "tea 3");
    fixture.clock.advance(31 * DAY);
    fixture.add("tea", "4").await;
    // Nothing is deleted if one of the versions may not be.
    for late in [delete("3"), keep(&[]), NativeChange::DeletePackage { package: name("tea") }] {
        let refused = fixture.change(&fixture.ada, std::slice::from_ref(&late)).await.map(|_| ());
        assert!(matches!(refused, Err(Error::Denied(_))), "{late:?} {refused:?}");
    }
    assert_eq!(fixture.shown("tea").await, "tea 3 4");
    fixture.add("milk", "1").await;
    fixture.change(&fixture.ada, &[NativeChange::DeletePackage { package: name("milk") }]).await.expect("it goes");
    assert_eq!(fixture.ask(&fixture.ada, Question::Packages).await.as_deref(), Ok("tea of 1"));
}

#[tokio::test]
async fn only_publishers_change() {
    let fixture = Fixture::open().await;
    fixture.add("tea", "1").await;
    let eve = user(&fixture.house, "eve").await;
    for change in
        [mark("yanked", &[("1", Some(""))]), tag("a", "1"), NativeChange::DeletePackage { package: name("tea") }]
    {
        let changes = std::slice::from_ref(&change);
        assert!(matches!(fixture.change(&eve, changes).await, Err(Error::Denied(_))), "{change:?}");
        assert!(matches!(fixture.change(&anonymous(), changes).await, Err(Error::Unauthenticated(_))), "{change:?}");
    }
    assert_eq!(fixture.shown("tea").await, "tea 1");
}

#[tokio::test]
async fn a_body_can_ask_for_changes() {
    let fixture = Fixture::open().await;
    fixture.add("tea", "1").await;
    fixture.add("tea", "2").await;
    fixture.publish(&fixture.ada, &[("package", "tea"), ("keep", "2")], "").await.expect("it changes");
    assert_eq!(fixture.shown("tea").await, "tea 2");
}
