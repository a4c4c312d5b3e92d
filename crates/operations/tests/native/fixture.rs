//! A house with a repository of the test's format.

use std::{convert::Infallible, net::Ipv4Addr, time::Duration};

use blobs::Location;
use bytes::Bytes;
use futures_util::stream;
use model::{
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
    names::{PackageName, RepoName, SubjectName, VersionName},
    plan::Plan,
    timestamp::Timestamp,
};
use operations::{
    Caller, Clock, Entropy, Error, House, Policy, Principal, UserIdentity, Via,
    accounts::users::{self, NewUser},
    catalogue::repos::{self, RepoChange},
    format::{NativeAnswer, NativeCall, NativeChange, Question},
    maintenance::scrub,
    native::{self, NativeUpload},
    open::{self, HouseConfig, Purpose, StoreConfig},
    outbound::OutboundRules,
    rendering::images::ImageRules,
};
use tempfile::TempDir;

use crate::parcel::{FORMATS, ROUTE};

/// A day in milliseconds.
pub(crate) const DAY: i64 = 24 * 60 * 60 * 1_000;

/// A house, with the repository `ada/parcels`.
pub(crate) struct Fixture {
    pub(crate) house: House,
    pub(crate) clock: Clock,
    pub(crate) ada: Caller,
    _folder: TempDir,
}

fn policy(folder: &TempDir) -> Policy {
    Policy {
        default_plan: Plan::Enterprise,
        open_registration: true,
        free_queries_per_day: 1_000,
        premium_queries_per_day: 1_000,
        upload_days: 5,
        delete_days: 30,
        signed_url_hours: 1,
        upload_bytes: 1_000,
        spool: folder.path().join("spool"),
        download_log_days: 30,
        garbage_grace_hours: 24,
        scrub: scrub::Rules { period_days: 0, bytes_per_second: 1, replica: None },
        geo_database: None,
        outgoing: OutboundRules { allow_private: false, refused: Vec::new() },
        readme_images: ImageRules { is_on: false, cache_bytes: 1, folder: folder.path().join("images") },
        extra_licenses: Vec::new(),
        staging: None,
        mail: None,
        free_storage_bytes: i64::MAX,
        premium_storage_bytes: i64::MAX,
        enterprise_storage_bytes: 10_000,
        webhooks_per_user: 10,
        webhook_failures: 10,
        wrong_credentials_per_name: 10,
        wrong_credentials_per_address: 10,
        node_name: "test".into(),
        oidc: None,
        tells_old_names: false,
    }
}

impl Fixture {
    /// Opens a house with two users, `ada` and `eve`, and a repository of the first.
    pub(crate) async fn open() -> Self {
        let folder = TempDir::new().expect("a folder");
        let url = format!("sqlite://{}", folder.path().join("db.sqlite").display());
        let stores = StoreConfig {
            database_url: url.clone(),
            shown_database_url: url,
            connections: 2,
            timeout: Duration::from_secs(30),
            ca_file: None,
            blobs: Location::Folder(folder.path().join("blobs")),
        };
        let config = HouseConfig {
            stores,
            master_key: folder.path().join("master.key"),
            runs: folder.path().join("runs"),
            policy: policy(&folder),
            formats: FORMATS,
        };
        let clock = Clock::frozen(Timestamp::from_millis(1_700_000_000_000));
        let opened = open::house(config, clock.clone(), Entropy::seeded(1), Purpose::Serve).await;
        let house = opened.map_err(|error| error.to_string()).expect("the house opens").house;
        let ada = user(&house, "ada").await;
        repos::create(&house, &ada, &repo(), "npm", RepoChange::default()).await.expect("a repository");
        Self { house, clock, ada, _folder: folder }
    }

    /// Publishes a parcel with this content.
    pub(crate) async fn publish(&self, caller: &Caller, fields: &[(&str, &str)], content: &str) -> Result<(), Error> {
        let mut upload = NativeUpload::begin(&self.house, caller, &repo(), Some(content.len() as u64)).await?;
        for (name, value) in fields {
            upload.add_field((*name).to_owned(), (*value).to_owned());
        }
        let body = stream::iter([Ok::<_, Infallible>(Bytes::from(content.to_owned()))]);
        upload.receive("content".into(), "file".into(), body).await?;
        let answer = upload.finish(&call()).await?;
        assert_eq!((answer.status, answer.content.as_str()), (201, "done"));
        Ok(())
    }

    /// Publishes a parcel as its owner.
    pub(crate) async fn add(&self, package: &str, version: &str) {
        let sent = [("package", package), ("version", version)];
        self.publish(&self.ada, &sent, &format!("{package} {version}")).await.expect("it is published");
    }

    pub(crate) async fn change(&self, caller: &Caller, changes: &[NativeChange]) -> Result<NativeAnswer, Error> {
        native::change(&self.house, caller, &repo(), &call(), changes).await
    }

    pub(crate) async fn ask(&self, caller: &Caller, question: Question) -> Result<String, Error> {
        Ok(native::ask(&self.house, caller, &repo(), &call(), &question).await?.content)
    }

    /// The package as its document shows it to the owner.
    pub(crate) async fn shown(&self, package: &str) -> String {
        self.ask(&self.ada, Question::Package(name(package))).await.unwrap_or_else(|error| error.to_string())
    }

    /// The actions and details in the audit log, newest first.
    pub(crate) async fn audit(&self) -> Vec<String> {
        let log = operations::access::audit_log::list(&self.house, &admin(&self.ada), 0).await.expect("the log");
        log.items.into_iter().map(|entry| format!("{} {} {}", entry.action, entry.target, entry.detail)).collect()
    }
}

pub(crate) async fn user(house: &House, name: &str) -> Caller {
    let name = SubjectName::parse(name).expect("a name");
    let new = NewUser { name, full_name: String::new(), email: None, password: None, plan: None };
    let (profile, _) = users::create(house, &anonymous(), new).await.expect("a user");
    caller(Principal::User(UserIdentity::from(&profile.subject)))
}

/// A site administrator with the name of a user.
fn admin(user: &Caller) -> Caller {
    match &user.principal {
        Principal::User(identity) => caller(Principal::User(UserIdentity { is_site_admin: true, ..identity.clone() })),
        _ => user.clone(),
    }
}

pub(crate) fn caller(principal: Principal) -> Caller {
    let via = Via::Network { address: Ipv4Addr::LOCALHOST.into(), country: None };
    Caller { principal, via, agent: None, request_id: String::new() }
}

pub(crate) fn anonymous() -> Caller {
    caller(Principal::Anonymous)
}

pub(crate) fn call() -> NativeCall<'static> {
    NativeCall {
        route: &ROUTE,
        values: vec![("package", "it".into())],
        query: &[],
        accept: "",
        user: None,
        repo: "repo",
        is_private: false,
        now: Timestamp::EPOCH,
    }
}

pub(crate) fn repo() -> RepoAddress {
    RepoAddress { owner: SubjectName::parse("ada").expect("a name"), repo: RepoName::parse("parcels").expect("a name") }
}

pub(crate) fn name(package: &str) -> PackageName {
    PackageName::parse(package).expect("a name")
}

pub(crate) fn number(version: &str) -> VersionName {
    VersionName::parse(version).expect("a name")
}

pub(crate) fn package(name: &str) -> PackageAddress {
    PackageAddress { repo: repo(), package: self::name(name) }
}

pub(crate) fn version(name: &str, version: &str) -> VersionAddress {
    VersionAddress { package: package(name), version: number(version) }
}

pub(crate) fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}
