//! Questions.

use model::address::RepoAddress;
use operations::{
    Error,
    catalogue::{
        repos::{self, RepoChange},
        versions::{self, VersionChange},
    },
    format::Question,
    native,
};

use crate::fixture::{Fixture, anonymous, name, repo, user, version};

fn search(text: &str, offset: u64, limit: u64) -> Question {
    Question::Search { text: text.into(), offset, limit }
}

#[tokio::test]
async fn lists_and_searches_have_published_packages() {
    let fixture = Fixture::open().await;
    for package in ["milk", "green-tea", "tea"] {
        fixture.add(package, "1").await;
    }
    let asked = async |question| fixture.ask(&anonymous(), question).await;
    assert_eq!(asked(Question::Packages).await.as_deref(), Ok("green-tea milk tea of 3"));
    assert_eq!(asked(search("TEA", 0, 10)).await.as_deref(), Ok("green-tea tea of 2"));
    assert_eq!(asked(search("tea", 1, 10)).await.as_deref(), Ok("tea of 2"));
    assert_eq!(asked(search("", 0, 2)).await.as_deref(), Ok("green-tea milk of 3"));
    assert_eq!(asked(Question::Repo).await.as_deref(), Ok("private false"));
    assert!(matches!(asked(search("a\0", 0, 1)).await, Err(Error::Refused(_))));
}

#[tokio::test]
async fn people_are_known_to_themselves_and_to_publishers() {
    let fixture = Fixture::open().await;
    let eve = user(&fixture.house, "eve").await;
    assert_eq!(fixture.ask(&eve, Question::Caller).await.as_deref(), Ok("eve"));
    assert!(matches!(fixture.ask(&anonymous(), Question::Caller).await, Err(Error::NotFound { .. })));
    assert_eq!(fixture.ask(&fixture.ada, Question::Publishers).await.as_deref(), Ok("ada"));
    assert!(matches!(fixture.ask(&eve, Question::Publishers).await, Err(Error::Denied(_))));
}

#[tokio::test]
async fn a_version_is_found_by_its_name_or_a_tag() {
    let fixture = Fixture::open().await;
    for number in ["1", "2", "3-beta"] {
        fixture.add("tea", number).await;
    }
    versions::create(&fixture.house, &fixture.ada, &version("tea", "4"), VersionChange::default())
        .await
        .expect("a version without files");
    native::set_tag(&fixture.house, &fixture.ada, &version("tea", "1"), "stable").await.expect("a tag");
    let found = async |wanted: &str| {
        let question = Question::Version(name("tea"), wanted.into());
        fixture.ask(&anonymous(), question).await.map_err(|error| error.to_string())
    };
    assert_eq!(found("3-beta").await.as_deref(), Ok("tea 3-beta /tea-3-beta.parcel:10 @stable=1"));
    assert_eq!(found("stable").await.as_deref(), Ok("tea 1 /tea-1.parcel:5 @stable=1"));
    assert_eq!(found("latest").await.as_deref(), Ok("tea 2 /tea-2.parcel:5 @stable=1"));
    for missing in ["4", "5", "other", ""] {
        assert_eq!(found(missing).await, Err("Path 'parcels/it' was not found".to_owned()), "{missing}");
    }
    let missing = fixture.ask(&anonymous(), Question::Package(name("milk"))).await;
    assert_eq!(missing, Err(Error::NotFound { what: "Path", name: "parcels/it".into() }));
}

#[tokio::test]
async fn a_private_repository_answers_its_members_only() {
    let fixture = Fixture::open().await;
    fixture.add("tea", "1").await;
    let hidden = RepoChange { is_private: Some(true), ..RepoChange::default() };
    repos::edit(&fixture.house, &fixture.ada, &repo(), hidden).await.expect("it changes");
    let eve = user(&fixture.house, "eve").await;
    for question in [Question::Packages, Question::Package(name("tea")), search("", 0, 9), Question::Caller] {
        let asked = fixture.ask(&anonymous(), question.clone()).await;
        assert!(matches!(asked, Err(Error::Unauthenticated(_))), "{question:?}");
        let asked = fixture.ask(&eve, question.clone()).await;
        assert!(matches!(asked, Err(Error::NotFound { what: "Repository", .. })), "{question:?}");
        assert!(fixture.ask(&fixture.ada, question).await.is_ok());
    }
}

#[tokio::test]
async fn a_format_without_native_requests_answers_none() {
    let fixture = Fixture::open().await;
    let mut plain = repo();
    plain.repo = model::names::RepoName::parse("plain").expect("a name");
    repos::create(&fixture.house, &fixture.ada, &plain, "generic", RepoChange::default()).await.expect("it is made");
    let asked = native::ask(&fixture.house, &fixture.ada, &plain, &crate::fixture::call(), &Question::Repo).await;
    assert!(matches!(asked, Err(Error::Refused(_))), "{asked:?}");
    let kind = async |at: &RepoAddress| {
        native::format_of(&fixture.house, at).await.expect("a look-up").map(|format| format.name())
    };
    assert_eq!((kind(&plain).await, kind(&repo()).await), (Some("generic"), Some("npm")));
    plain.repo = model::names::RepoName::parse("missing").expect("a name");
    assert_eq!(kind(&plain).await, None);
}
