//! Publishing.

use operations::{
    Caller, Error,
    catalogue::{
        packages,
        repos::{self, RepoChange},
        versions,
    },
    content,
    downloads::{self, Resolved},
    format::Question,
    native::{self, NativeUpload},
};

use crate::fixture::{DAY, Fixture, anonymous, name, number, package, path, repo, user, version};

#[tokio::test]
async fn a_publish_makes_package_version_file_and_tag_at_once() {
    let fixture = Fixture::open().await;
    let sent = [
        ("package", "tea"),
        ("version", "1.0"),
        ("tag", "latest"),
        ("desc", "Leaves"),
        ("website", "https://tea.example"),
        ("license", "MIT"),
        ("metadata", "leaves"),
    ];
    fixture.publish(&fixture.ada, &sent, "leaves").await.expect("it is published");
    assert_eq!(fixture.shown("tea").await, "tea 1.0 @latest=1.0");
    let whole = Question::Version(name("tea"), "latest".into());
    assert_eq!(fixture.ask(&anonymous(), whole).await.as_deref(), Ok("tea 1.0 /tea-1.0.parcel:6 @latest=1.0"));
    let detail = packages::show(&fixture.house, &anonymous(), &package("tea")).await.expect("a package");
    let profile = &detail.access.package.profile;
    assert_eq!((profile.description.as_str(), profile.licenses.as_slice()), ("Leaves", &["MIT".to_owned()][..]));
    assert_eq!(profile.website_url.as_deref(), Some("https://tea.example"));
    assert_eq!(detail.tags, [("latest".to_owned(), "1.0".to_owned())]);
    let found = downloads::find(&fixture.house, &anonymous(), &repo(), Some(&path("tea-1.0.parcel"))).await;
    assert!(matches!(found, Ok(Resolved::File(_))), "{found:?}");
    let audit = fixture.audit().await;
    assert_eq!(audit[0], "package.create ada/parcels/tea native");
    assert_eq!(audit[1], "content.publish ada/parcels/tea/1.0 native");
}

#[tokio::test]
async fn a_refusal_leaves_nothing() {
    let fixture = Fixture::open().await;
    let ada = &fixture.ada;
    let of = |more: (&'static str, &'static str)| [("package", "tea"), ("version", "1.0"), ("tag", "latest"), more];
    let refused = |text: &str| Err(Error::Refused(text.to_owned()));
    let bad = fixture.publish(ada, &of(("desc", "")), "bad leaves").await;
    assert_eq!(bad, refused("The parcel is bad"));
    let other = fixture.publish(ada, &of(("metadata", "roots")), "leaves").await;
    assert_eq!(other, refused("The metadata differs"));
    let index = fixture.publish(ada, &of(("path", "index")), "leaves").await;
    assert_eq!(index, refused("'index' is a name that the server needs itself"));
    let nameless = fixture.publish(ada, &[("version", "1.0")], "leaves").await;
    assert_eq!(nameless, refused("There is no package"));
    let tag = fixture.publish(ada, &[("package", "tea"), ("version", "1.0"), ("tag", "a b")], "leaves").await;
    assert!(matches!(tag, Err(Error::Refused(_))), "{tag:?}");
    let big = fixture.publish(ada, &of(("desc", "")), &"x".repeat(1_001)).await;
    assert!(matches!(big, Err(Error::TooLarge(_))), "{big:?}");
    let missing = packages::show(&fixture.house, ada, &package("tea")).await;
    assert!(matches!(missing, Err(Error::NotFound { what: "Package", .. })), "{missing:?}");
    let none = Ok(" of 0");
    assert_eq!(fixture.ask(ada, Question::Packages).await.as_deref(), none);
    // A quota that is reached, after the files of an existing version.
    fixture.add("tea", "0.9").await;
    let full = NativeUpload::begin(&fixture.house, ada, &repo(), Some(20_000)).await;
    assert!(matches!(full.map(|_| ()), Err(Error::QuotaReached(_))));
}

#[tokio::test]
async fn the_same_content_may_come_again_unless_the_format_refuses() {
    let fixture = Fixture::open().await;
    let (ada, tea, once) =
        (&fixture.ada, [("package", "tea"), ("version", "1")], [("package", "once"), ("version", "1")]);
    for sent in [tea, once] {
        fixture.publish(ada, &sent, "same").await.expect("it is published");
    }
    assert_eq!(fixture.publish(ada, &tea, "same").await, Ok(()));
    let exists = "No: The file 'tea-1.parcel' already exists with other content";
    assert_eq!(fixture.publish(ada, &tea, "other").await, Err(Error::Denied(exists.into())));
    assert_eq!(fixture.publish(ada, &once, "same").await, Err(Error::Conflict("It exists once".into())));
    // A path of another version, and a name that differs by case alone.
    let taken = [("package", "tea"), ("version", "2"), ("path", "tea-1.parcel")];
    assert!(matches!(fixture.publish(ada, &taken, "same").await, Err(Error::Denied(_))));
    let case = fixture.publish(ada, &[("package", "TEA"), ("version", "1")], "same").await;
    assert_eq!(case, Err(Error::Denied("No: Package 'TEA' already exists".into())));
    assert_eq!(fixture.shown("tea").await, "tea 1");
}

#[tokio::test]
async fn one_of_two_publishers_wins() {
    let fixture = Fixture::open().await;
    let sent = [("package", "once"), ("version", "1")];
    let (one, other) =
        tokio::join!(fixture.publish(&fixture.ada, &sent, "one"), fixture.publish(&fixture.ada, &sent, "other"));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let lost = one.and(other).expect_err("one loses");
    assert!(matches!(lost, Error::Conflict(_) | Error::Denied(_)), "{lost:?}");
}

#[tokio::test]
async fn only_empty_fields_of_an_existing_package_are_filled() {
    let fixture = Fixture::open().await;
    let sent = [("package", "tea"), ("version", "1"), ("desc", "First"), ("license", "Unheard-of")];
    fixture.publish(&fixture.ada, &sent, "1").await.expect("it is published");
    let sent = [("package", "tea"), ("version", "2"), ("desc", "Second"), ("license", "MIT")];
    fixture.publish(&fixture.ada, &sent, "2").await.expect("it is published");
    let profile = packages::show(&fixture.house, &fixture.ada, &package("tea")).await.expect("a package");
    let profile = profile.access.package.profile;
    assert_eq!((profile.description.as_str(), profile.licenses), ("First", vec!["MIT".to_owned()]));
    assert_eq!(fixture.audit().await[0], "package.edit ada/parcels/tea native; licenses: [] -> [\"MIT\"]");
}

#[tokio::test]
async fn staged_uploads_are_for_publishers_until_they_are_published() {
    let fixture = Fixture::open().await;
    let change = RepoChange { native_staged: Some(true), ..RepoChange::default() };
    repos::edit(&fixture.house, &fixture.ada, &repo(), change).await.expect("it changes");
    let sent = [("package", "tea"), ("version", "1"), ("tag", "latest")];
    fixture.publish(&fixture.ada, &sent, "1").await.expect("it is staged");
    assert_eq!(fixture.shown("tea").await, "tea");
    let tags = packages::show(&fixture.house, &anonymous(), &package("tea")).await.expect("a package").tags;
    assert!(tags.is_empty(), "{tags:?}");
    let published = content::publish(&fixture.house, &fixture.ada, &version("tea", "1"), &Default::default()).await;
    assert_eq!(published, Ok(1));
    assert_eq!(fixture.shown("tea").await, "tea 1 @latest=1");
}

#[tokio::test]
async fn the_window_binds_and_marks_are_free() {
    let fixture = Fixture::open().await;
    fixture.add("tea", "1").await;
    fixture.clock.advance(6 * DAY);
    let late = [("package", "tea"), ("version", "1"), ("path", "tea-1-late.parcel")];
    let refused = fixture.publish(&fixture.ada, &late, "late").await;
    assert!(matches!(&refused, Err(Error::Denied(text)) if text.contains("can no longer be changed")), "{refused:?}");
    fixture.add("tea", "2").await;
    let first = version("tea", "1");
    let yanked = native::set_mark(&fixture.house, &fixture.ada, &first, "yanked", Some("old".into())).await;
    assert_eq!(yanked, Ok(()));
    assert_eq!(fixture.shown("tea").await, "tea 1 !yanked=old 2");
    let detail = versions::show(&fixture.house, &anonymous(), &version("tea", "1")).await.expect("a version");
    assert_eq!(detail.marks.len(), 1);
    assert_eq!(detail.version.name, number("1"));
}

#[tokio::test]
async fn only_publishers_begin() {
    let fixture = Fixture::open().await;
    let eve = user(&fixture.house, "eve").await;
    let begin = async |caller: &Caller| NativeUpload::begin(&fixture.house, caller, &repo(), None).await.map(|_| ());
    assert!(matches!(begin(&anonymous()).await, Err(Error::Unauthenticated(_))));
    assert!(matches!(begin(&eve).await, Err(Error::Denied(_))));
    let hidden = RepoChange { is_private: Some(true), ..RepoChange::default() };
    repos::edit(&fixture.house, &fixture.ada, &repo(), hidden).await.expect("it changes");
    assert!(matches!(begin(&eve).await, Err(Error::NotFound { what: "Repository", .. })));
    let check = async |caller: &Caller| native::check_read(&fixture.house, caller, &repo()).await;
    assert!(matches!(check(&anonymous()).await, Err(Error::Unauthenticated(_))));
    assert!(matches!(check(&eve).await, Err(Error::NotFound { .. })));
    assert_eq!(check(&fixture.ada).await, Ok(true));
}
