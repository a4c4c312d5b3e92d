//! Names from the request's path. All of them come from the one path parser.

use axum::{
    extract::{FromRequestParts, MatchedPath},
    http::request::Parts,
};
use model::{
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
    names::{
        AccessKeyName, EulaName, LATEST, LicenseName, PackageName, ProductName, RepoName, SubjectName, TeamName,
        VersionName,
    },
    page,
    subject::SubjectKind,
    target::Target,
};

use operations::access::{eulas::EulaAddress, products::ProductAddress};

use crate::error::{Failure, Result};

/// The variable segments of the path, by the names that the route gives them.
pub struct PathNames {
    route: MatchedPath,
    target: Target,
}

impl<S: Send + Sync> FromRequestParts<S> for PathNames {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Self::of(parts).ok_or_else(Failure::nothing)
    }
}

impl PathNames {
    /// The names of a request after routing.
    pub fn of(parts: &Parts) -> Option<Self> {
        let (route, target) = (parts.extensions.get::<MatchedPath>()?, parts.extensions.get::<Target>()?);
        Some(Self { route: route.clone(), target: target.clone() })
    }

    /// Whether the call searches the resources of all subjects.
    pub fn is_search(&self) -> bool {
        self.route.as_str().starts_with("/api/search/")
    }

    /// The subject whose resource the call is about, if the route names one.
    pub fn named_subject(&self) -> Option<SubjectName> {
        ["subject", "user", "org"].into_iter().find_map(|place| SubjectName::parse(self.segment(place)).ok())
    }

    /// The subject in this segment of the route.
    pub fn subject(&self, place: &str) -> Result<SubjectName> {
        SubjectName::parse(self.segment(place)).map_err(Failure::bad_request)
    }

    /// The account in the route's `org` or `user`.
    pub fn account(&self) -> Result<(SubjectKind, SubjectName)> {
        if self.has("org") {
            Ok((SubjectKind::Org, self.subject("org")?))
        } else {
            Ok((SubjectKind::User, self.subject("user")?))
        }
    }

    /// The licence in the route's `license`.
    pub fn license(&self) -> Result<LicenseName> {
        LicenseName::parse(self.segment("license")).map_err(Failure::bad_request)
    }

    /// The team in the route's `team`.
    pub fn team(&self) -> Result<TeamName> {
        TeamName::parse(self.segment("team")).map_err(Failure::bad_request)
    }

    /// The product in the route's `product`.
    pub fn product(&self) -> Result<ProductName> {
        ProductName::parse(self.segment("product")).map_err(Failure::bad_request)
    }

    /// The route's `entitlement`, not validated.
    pub fn entitlement(&self) -> &str {
        self.segment("entitlement")
    }

    /// The route's `event`, not validated.
    pub fn event(&self) -> &str {
        self.segment("event")
    }

    /// The route's `token`, not validated.
    pub fn token(&self) -> &str {
        self.segment("token")
    }

    /// The route's `session`, not validated.
    pub fn session(&self) -> &str {
        self.segment("session")
    }

    /// The route's `publisher`, not validated.
    pub fn publisher(&self) -> &str {
        self.segment("publisher")
    }

    /// The route's `invitation`, not validated.
    pub fn invitation(&self) -> &str {
        self.segment("invitation")
    }

    /// The route's `tag`, not validated.
    pub fn tag(&self) -> &str {
        self.segment("tag")
    }

    /// The route's `key_file`, not validated.
    pub fn key_file(&self) -> &str {
        self.segment("key_file")
    }

    /// The route's `log_name`, not validated.
    pub fn log_name(&self) -> &str {
        self.segment("log_name")
    }

    /// The route's `asset`, not validated.
    pub fn asset(&self) -> &str {
        self.segment("asset")
    }

    /// The access key in the route's `access_key`.
    pub fn access_key(&self) -> Result<AccessKeyName> {
        AccessKeyName::parse(self.segment("access_key")).map_err(Failure::bad_request)
    }

    /// The product in the route's `subject` and `product`.
    pub fn product_address(&self) -> Result<ProductAddress> {
        Ok(ProductAddress { owner: self.subject("subject")?, product: self.product()? })
    }

    /// The EULA in the route's `subject`, `product` and `eula`.
    pub fn eula_address(&self) -> Result<EulaAddress> {
        let eula = EulaName::parse(self.segment("eula")).map_err(Failure::bad_request)?;
        Ok(EulaAddress { product: self.product_address()?, eula })
    }

    /// The version in the route's `version`.
    pub fn version(&self) -> Result<VersionName> {
        VersionName::parse(self.segment("version")).map_err(Failure::bad_request)
    }

    /// The repository in the route's `subject`, or `org`, and `repo`.
    pub fn repo_address(&self) -> Result<RepoAddress> {
        let repo = RepoName::parse(self.segment("repo")).map_err(Failure::bad_request)?;
        let owner = if self.has("org") { "org" } else { "subject" };
        Ok(RepoAddress { owner: self.subject(owner)?, repo })
    }

    /// The package in the route's `subject`, `repo` and `package`.
    pub fn package_address(&self) -> Result<PackageAddress> {
        let package = PackageName::parse(self.segment("package")).map_err(Failure::bad_request)?;
        Ok(PackageAddress { repo: self.repo_address()?, package })
    }

    /// The package in the route's `source_subject`, `source_repo` and `source_package`.
    pub fn source_address(&self) -> Result<PackageAddress> {
        let repo = RepoName::parse(self.segment("source_repo")).map_err(Failure::bad_request)?;
        let package = PackageName::parse(self.segment("source_package")).map_err(Failure::bad_request)?;
        Ok(PackageAddress { repo: RepoAddress { owner: self.subject("source_subject")?, repo }, package })
    }

    /// The version in the route's `subject`, `repo`, `package` and `version`.
    pub fn version_address(&self) -> Result<VersionAddress> {
        let version = VersionName::parse(self.segment("version")).map_err(Failure::bad_request)?;
        Ok(VersionAddress { package: self.package_address()?, version })
    }

    /// Whether the route's `version` is the keyword for the latest one.
    pub fn is_latest(&self) -> bool {
        self.segment("version") == LATEST
    }

    /// The file in the route's `file_path`.
    pub fn file_path(&self) -> Result<FilePath> {
        FilePath::parse(&self.rest().join("/")).map_err(Failure::bad_request)
    }

    /// The same for a file that may be new.
    pub fn new_file_path(&self) -> Result<FilePath> {
        FilePath::parse_new(&self.rest().join("/")).map_err(Failure::bad_request)
    }

    /// The segments from the route's `file_path` on. Generated clients send the slashes of a path as `%2F`.
    pub fn rest(&self) -> Vec<String> {
        let rest = self.place("*file_path").and_then(|index| self.target.segments.get(index..)).unwrap_or_default();
        rest.iter().flat_map(|segment| segment.split('/')).map(str::to_owned).collect()
    }

    /// The first position of a page: the query's `start_pos`.
    pub fn start_position(&self) -> Result<u64> {
        let start = page::start_position(self.query("start_pos")?);
        start.map_err(|error| Failure::bad_request(format!("start_pos: {error}")))
    }

    /// A query parameter, for handlers that take some.
    pub fn query(&self, name: &str) -> Result<Option<&str>> {
        Ok(self.target.query(name)?)
    }

    /// Whether the route has this segment.
    pub fn has(&self, place: &str) -> bool {
        !self.segment(place).is_empty()
    }

    /// Whether a parameter that is 0 or 1 is set.
    pub fn flag(&self, name: &str) -> Result<bool> {
        match self.query(name)? {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => {
                let other: String = other.chars().take(40).collect();
                Err(Failure::bad_request(format!("{name}: '{other}' is not 0 or 1")))
            }
        }
    }

    /// A segment by its name. The route and the parsed path have the same segments, because the path was rewritten from
    /// the parsed ones.
    fn segment(&self, place: &str) -> &str {
        self.place(place).and_then(|index| self.target.segments.get(index)).map_or("", String::as_str)
    }

    fn place(&self, name: &str) -> Option<usize> {
        let mut pattern = self.route.as_str().split('/').filter(|part| !part.is_empty());
        // Skips a fixed segment of the same name.
        pattern.position(|part| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) == Some(name))
    }
}
