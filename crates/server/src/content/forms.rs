//! The parameters of an upload: in the path, in headers, as matrix parameters or in the query.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use model::{
    file_path::FilePath,
    names::{PackageName, VersionName},
    target::Target as Request,
};
use operations::content::{UploadFlags, UploadTarget};
use web::{
    error::{Failure, Result},
    path_names::PathNames,
};

/// The parameters that say where indexes list a file, each with its name in a header.
const HINTS: [(&str, &str); 3] = [
    ("deb_distribution", "debian-distribution"),
    ("deb_component", "debian-component"),
    ("deb_architecture", "debian-architecture"),
];

/// The parameters of a request outside its path.
pub(crate) struct Forms {
    headers: HeaderMap,
    request: Request,
}

impl<S: Send + Sync> FromRequestParts<S> for Forms {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let request = parts.extensions.get::<Request>().cloned().unwrap_or_default();
        Ok(Self { headers: parts.headers.clone(), request })
    }
}

impl Forms {
    /// The target of an upload to `/content`. If headers or parameters name package and version, the path does not
    /// contain them.
    pub(crate) fn content_target(&self, path: &PathNames) -> Result<UploadTarget> {
        let (repo, flags) = (path.repo_address()?, self.flags()?);
        let named = (self.value("package")?, self.value("version")?);
        let (package, version, rest) = match named {
            (Some(package), Some(version)) => (package, version, path.rest()),
            (None, None) => {
                let mut segments = path.rest();
                if segments.len() < 3 {
                    return Err(Failure::bad_request(
                        "Package and version are required: in the path, as X-Service-Package and X-Service-Version \
                         headers, or as svc_package and svc_version matrix parameters",
                    ));
                }
                let rest = segments.split_off(2);
                let version = segments.pop().unwrap_or_default();
                (segments.pop().unwrap_or_default(), version, rest)
            }
            (None, Some(_)) => return Err(Failure::bad_request("The version is given without the package")),
            (Some(_), None) => return Err(Failure::bad_request("The package is given without the version")),
        };
        let package = PackageName::parse(&package).map_err(Failure::bad_request)?;
        let version = Some(VersionName::parse_new(&version).map_err(Failure::bad_request)?);
        let path = FilePath::parse_new(&rest.join("/")).map_err(Failure::bad_request)?;
        Ok(UploadTarget { repo, package, version, path, flags, hints: self.hints()? })
    }

    /// The target of an upload to `/maven`: the path contains the version.
    pub(crate) fn maven_target(&self, path: &PathNames) -> Result<UploadTarget> {
        let address = path.package_address()?;
        let (package, repo) = (address.package, address.repo);
        let (path, flags) = (path.new_file_path()?, self.flags()?);
        Ok(UploadTarget { repo, package, version: None, path, flags, hints: Vec::new() })
    }

    fn flags(&self) -> Result<UploadFlags> {
        Ok(UploadFlags {
            publish: self.flag("publish")?,
            replace: self.flag("override")?,
            explode: self.flag("explode")?,
        })
    }

    /// The parameters that say where indexes list the file.
    fn hints(&self) -> Result<Vec<(String, String)>> {
        let mut hints = Vec::new();
        for (name, header) in HINTS {
            let forms = [self.request.query(name)?, self.request.matrix(name)?, self.header(header)?];
            hints.extend(agreed(name, forms)?.map(|value| (name.to_owned(), value.to_owned())));
        }
        Ok(hints)
    }

    /// A flag from any source; contradicting values are rejected.
    fn flag(&self, name: &str) -> Result<bool> {
        let forms = [self.request.query(name)?, self.request.matrix(name)?, self.header(name)?];
        match agreed(name, forms)? {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => Err(Failure::bad_request(format!("{name}: '{}' is not 0 or 1", cut(other)))),
        }
    }

    /// A value from any source; parameters carry a prefix before the name.
    pub(crate) fn value(&self, name: &str) -> Result<Option<String>> {
        let parameter = format!("svc_{name}");
        let forms = [self.request.query(&parameter)?, self.request.matrix(&parameter)?, self.header(name)?];
        Ok(agreed(name, forms)?.map(str::to_owned))
    }

    fn header(&self, name: &str) -> Result<Option<&str>> {
        let name = format!("x-service-{name}");
        let mut values = self.headers.get_all(&name).iter();
        let Some(first) = values.next() else { return Ok(None) };
        if values.any(|other| other != first) {
            return Err(Failure::bad_request(format!("{name} was given several times with different values")));
        }
        let text = std::str::from_utf8(first.as_bytes());
        text.map(Some).map_err(|_| Failure::bad_request(format!("{name} is not UTF-8")))
    }
}

fn agreed<'v>(name: &str, forms: [Option<&'v str>; 3]) -> Result<Option<&'v str>> {
    let mut given = forms.into_iter().flatten();
    let first = given.next();
    match given.find(|other| Some(*other) != first) {
        Some(other) => {
            let first = cut(first.unwrap_or_default());
            Err(Failure::bad_request(format!("{name} is given as '{first}' and as '{}'", cut(other))))
        }
        None => Ok(first),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(220).collect()
}
