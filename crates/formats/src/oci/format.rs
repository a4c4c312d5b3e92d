//! Container images as a repository format. Clients push and pull below `/v2`; the files are ordinary ones.

use std::cmp::Ordering;

use model::file_path::FilePath;
use operations::format::{Command, CommandPlace, Format, ImageReader, PathKind, PathOwner};

use super::{name::package_of_image, reader::Reader, reference::OciReference};
use crate::generic::Generic;

/// Container images and other artifacts of OCI registries.
#[derive(Debug)]
pub struct Docker;

/// The kinds of files of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ImagePath {
    Tag,
    Digest,
    Blob,
}

/// Returns what a path of the repository is in an image.
fn image_path(path: &FilePath) -> Option<ImagePath> {
    let (rest, reference) = path.as_str().rsplit_once('/')?;
    let (image, kind) = rest.rsplit_once('/')?;
    package_of_image(image).ok()?;
    match (kind, OciReference::parse(reference).ok()?) {
        ("manifests", OciReference::Tag(_)) => Some(ImagePath::Tag),
        ("manifests", OciReference::Digest(_)) => Some(ImagePath::Digest),
        ("blobs", OciReference::Digest(_)) => Some(ImagePath::Blob),
        _ => None,
    }
}

impl Format for Docker {
    fn name(&self) -> &'static str {
        "docker"
    }

    fn title(&self) -> &'static str {
        "Container images"
    }

    /// Files of images come by pushes only, which know what a manifest names.
    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        Ok(match image_path(path) {
            Some(_) => PathKind::Reserved,
            None => PathKind::Payload(PathOwner::default()),
        })
    }

    fn is_lasting(&self, path: &FilePath) -> bool {
        image_path(path) != Some(ImagePath::Tag)
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        image_path(path) != Some(ImagePath::Blob)
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        image_path(path).map(|kind| match kind {
            ImagePath::Blob => "application/octet-stream",
            ImagePath::Tag | ImagePath::Digest => "application/json",
        })
    }

    fn image_reader(&self) -> Option<&dyn ImageReader> {
        Some(&Reader)
    }

    /// Manifests without a tag come before all tags.
    fn compare(&self, left: &str, right: &str) -> Ordering {
        match (left.contains(':'), right.contains(':')) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (true, true) => left.cmp(right),
            (false, false) => Generic.compare(left, right),
        }
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version.contains(':') || Generic.is_prerelease(version)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        let host = place.base.split_once("://").map_or(place.base, |(_, rest)| rest);
        let host = host.split('/').next().unwrap_or_default();
        let (owner, repo) = (place.owner.to_lowercase(), place.repo.to_lowercase());
        let image = place.package.unwrap_or("image").replace(':', "/");
        let at = match place.version {
            Some(version) if version.contains(':') => format!("@{version}"),
            Some(version) => format!(":{version}"),
            None => newest_tag(place.paths).map(|tag| format!(":{tag}")).unwrap_or_default(),
        };
        let name = format!("{host}/{owner}/{repo}/{image}");
        let user = place.user.unwrap_or("USER");
        let command = |caption: &str, text: String, publishes| Command {
            client: "docker",
            caption: caption.to_owned(),
            text,
            publishes,
        };
        let mut commands = Vec::new();
        if place.is_private {
            commands.push(command("Sign in", format!("docker login {host} -u {user}"), false));
        }
        commands.push(command("Pull", format!("docker pull {name}{at}"), false));
        if let Some(digest) = only_digest(place.paths).filter(|_| !at.starts_with('@')) {
            commands.push(command("Pull by digest", format!("docker pull {name}@{digest}"), false));
        }
        let push = format!("docker login {host} -u {user}\ndocker push {name}:TAG");
        commands.push(command("Push", push, true));
        commands
    }
}

/// The tag among the files of a version.
fn newest_tag(paths: &[String]) -> Option<&str> {
    paths.iter().filter_map(|path| reference(path)).find(|reference| !reference.contains(':'))
}

/// The digest of the manifest of a version that has no other.
fn only_digest(paths: &[String]) -> Option<&str> {
    let mut digests = paths.iter().filter_map(|path| reference(path)).filter(|reference| reference.contains(':'));
    digests.next().filter(|_| digests.next().is_none())
}

/// The tag or digest of a manifest's path.
fn reference(path: &str) -> Option<&str> {
    let (rest, reference) = path.rsplit_once('/')?;
    rest.ends_with("/manifests").then_some(reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::parse(text).expect("a path")
    }

    #[test]
    fn files_of_images_are_for_pushes_only() {
        let digest = format!("sha256:{}", "ab".repeat(32));
        for image in ["app/manifests/v1".to_owned(), format!("a/b/manifests/{digest}"), format!("a/blobs/{digest}")] {
            assert_eq!(Docker.classify(&path(&image)), Ok(PathKind::Reserved), "{image}");
        }
        for other in ["readme.md", "manifests/v1", "app/blobs/v1", "app/manifests/.x", "app/other/v1"] {
            assert_eq!(Docker.classify(&path(other)), Ok(PathKind::Payload(PathOwner::default())), "{other}");
        }
        assert!(!Docker.is_lasting(&path("app/manifests/v1")));
        assert!(Docker.is_lasting(&path(&format!("app/manifests/{digest}"))));
        assert!(!Docker.is_counted(&path(&format!("app/blobs/{digest}"))));
    }

    #[test]
    fn a_digest_is_never_the_latest_version() {
        let digest = format!("sha256:{}", "ab".repeat(32));
        assert_eq!(Docker.compare(&digest, "v1"), Ordering::Less);
        assert_eq!(Docker.compare("v2", &digest), Ordering::Greater);
        assert_eq!(Docker.compare("1.10", "1.9"), Ordering::Greater);
        assert!(Docker.is_prerelease(&digest) && !Docker.is_prerelease("1.0"));
    }

    #[test]
    fn commands_name_the_host_and_the_image() {
        let place = CommandPlace {
            base: "https://packages.example.com/dl/Acme/Img",
            owner: "Acme",
            repo: "Img",
            package: Some("team:app"),
            version: Some("v1"),
            user: None,
            is_private: false,
            paths: &[],
        };
        let commands = Docker.commands(&place);
        assert_eq!(commands[0].text, "docker pull packages.example.com/acme/img/team/app:v1");
        let digest = format!("sha256:{}", "ab".repeat(32));
        let paths = [
            format!("team/app/blobs/{digest}"),
            format!("team/app/manifests/{digest}"),
            "team/app/manifests/v2".to_owned(),
        ];
        let newest = Docker.commands(&CommandPlace { version: None, paths: &paths, ..place });
        assert_eq!(newest[0].text, "docker pull packages.example.com/acme/img/team/app:v2");
        assert_eq!(newest[1].text, format!("docker pull packages.example.com/acme/img/team/app@{digest}"));
        let private = CommandPlace { is_private: true, version: Some("sha256:ab"), ..place };
        let commands = Docker.commands(&private);
        assert_eq!(commands[0].text, "docker login packages.example.com -u USER");
        assert_eq!(commands[1].text, "docker pull packages.example.com/acme/img/team/app@sha256:ab");
    }
}
