//! Access keys that may see or publish parts of a repository only.

use model::{
    access::{Networks, Right},
    names::{AccessKeyName, SubjectName},
    subject::SubjectKind,
};
use operations::{
    AccessKeyIdentity, Caller, Error, Principal,
    access::{
        access_keys::{self, KeyAddress, KeyChange},
        entitlements::{self, EntitlementAddress, EntitlementChange, ListChange},
    },
    catalogue::repos::{self, RepoChange},
    format::{NativeChange, Question},
};

use crate::fixture::{Fixture, caller, name, package, repo, version};

/// A key with this right in a part of the repository.
async fn key(fixture: &Fixture, text: &str, at: EntitlementAddress, right: Right, path: Option<&str>) -> Caller {
    let (owner, key) = (SubjectName::parse("ada").expect("a name"), AccessKeyName::parse(text).expect("a name"));
    let address = KeyAddress { kind: SubjectKind::User, owner, key: key.clone() };
    access_keys::create(&fixture.house, &fixture.ada, &address, &KeyChange::default()).await.expect("a key");
    let access_keys = ListChange { all: Some(vec![text.to_owned()]), ..ListChange::default() };
    let path = path.map(|path| Some(path.to_owned()));
    let change = EntitlementChange { right: Some(right), access_keys, path, ..EntitlementChange::default() };
    entitlements::create(&fixture.house, &fixture.ada, &at, change).await.expect("an entitlement");
    let id = access_keys::show(&fixture.house, &fixture.ada, &address).await.expect("a key").id;
    let owner = fixture.ada.user().expect("a user").clone();
    caller(Principal::Key(Box::new(AccessKeyIdentity {
        id,
        name: key,
        owner,
        is_api_only: false,
        has_download_limit: false,
        networks: Networks::default(),
        good_until: None,
    })))
}

async fn private() -> Fixture {
    let fixture = Fixture::open().await;
    for (package, version) in [("milk", "1"), ("tea", "1"), ("tea", "2")] {
        fixture.add(package, version).await;
    }
    let hidden = RepoChange { is_private: Some(true), ..RepoChange::default() };
    repos::edit(&fixture.house, &fixture.ada, &repo(), hidden).await.expect("it changes");
    fixture
}

#[tokio::test]
async fn a_key_sees_its_parts_and_no_name_more() {
    let fixture = private().await;
    let of_package = key(&fixture, "a", EntitlementAddress::Package(package("tea")), Right::Read, None).await;
    let of_version = key(&fixture, "b", EntitlementAddress::Version(version("tea", "2")), Right::Read, None).await;
    let of_path = key(&fixture, "c", EntitlementAddress::Repo(repo()), Right::Read, Some("tea-1.parcel")).await;
    let found = Question::Search { text: "t".into(), offset: 0, limit: 9 };
    for part in [&of_package, &of_version, &of_path] {
        assert_eq!(fixture.ask(part, Question::Packages).await.as_deref(), Ok("tea of 1"));
        assert_eq!(fixture.ask(part, found.clone()).await.as_deref(), Ok("tea of 1"));
        let milk = fixture.ask(part, Question::Package(name("milk"))).await;
        assert!(matches!(milk, Err(Error::NotFound { .. })), "{milk:?}");
    }
    let tea = Question::Package(name("tea"));
    assert_eq!(fixture.ask(&of_package, tea.clone()).await.as_deref(), Ok("tea 1 2"));
    assert_eq!(fixture.ask(&of_version, tea.clone()).await.as_deref(), Ok("tea 2"));
    let one = |version: &str| Question::Version(name("tea"), version.into());
    assert!(fixture.ask(&of_version, one("1")).await.is_err());
    assert_eq!(fixture.ask(&of_version, one("2")).await.as_deref(), Ok("tea 2 /tea-2.parcel:5"));
    assert_eq!(fixture.ask(&of_path, one("1")).await.as_deref(), Ok("tea 1 /tea-1.parcel:5"));
    assert!(fixture.ask(&of_path, one("2")).await.is_err());
}

#[tokio::test]
async fn a_key_for_one_package_makes_no_other() {
    let fixture = private().await;
    let key = key(&fixture, "a", EntitlementAddress::Package(package("tea")), Right::Publish, None).await;
    fixture.publish(&key, &[("package", "tea"), ("version", "3")], "3").await.expect("it is published");
    for other in ["coffee", "milk"] {
        let refused = fixture.publish(&key, &[("package", other), ("version", "3")], "3").await;
        assert!(matches!(refused, Err(Error::NotFound { .. } | Error::Denied(_))), "{other}: {refused:?}");
    }
    let delete = NativeChange::DeletePackage { package: name("milk") };
    assert!(fixture.change(&key, &[delete]).await.is_err());
    assert_eq!(fixture.ask(&fixture.ada, Question::Packages).await.as_deref(), Ok("milk tea of 2"));
    assert_eq!(fixture.shown("tea").await, "tea 1 2 3");
}
