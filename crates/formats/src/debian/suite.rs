//! The indexes of one suite, and the document over them.

use std::collections::BTreeSet;

use model::{repo::Repo, timestamp::Timestamp};
use operations::format::{BuiltForm, BuiltStream, SealedContent, SealedFile};

use super::{
    release::{SuiteInfo, release},
    stream::PackagesStream,
};
use crate::indexed::BuiltIndexFile;

/// The number of days after which clients refuse the indexes.
pub(super) fn valid_days(repo: &Repo) -> Option<u32> {
    repo.profile.debian_valid_days.and_then(|days| u32::try_from(days).ok())
}

/// The streams of one suite.
#[derive(Default)]
pub(super) struct Suite<'b> {
    streams: Vec<(PackagesStream, &'b BuiltStream)>,
    components: BTreeSet<String>,
    architectures: BTreeSet<String>,
}

impl<'b> Suite<'b> {
    /// Adds a stream.
    pub(super) fn add(&mut self, stream: PackagesStream, built: &'b BuiltStream) {
        self.components.insert(stream.component.clone());
        if !stream.is_source() && !stream.is_contents {
            self.architectures.insert(stream.architecture.clone());
        }
        self.streams.push((stream, built));
    }

    /// Makes the files of the suite.
    pub(super) fn seal(&self, name: &str, repo: &Repo, at: Timestamp, files: &mut Vec<SealedFile>) {
        let folder = format!("dists/{name}");
        let mut listed: Vec<(String, &BuiltForm)> = Vec::new();
        for (stream, built) in &self.streams {
            let path = stream.path_in_suite();
            let by_hash = format!("{}/by-hash/SHA256", stream.folder_in_suite());
            let names = [built.name.clone()];
            let gzip =
                built.gzip.as_ref().map(|form| (form, format!("{path}.gz"), SealedContent::Gzip(names[0].clone())));
            let plain = (&built.plain, path, SealedContent::Plain(names[0].clone()));
            for (form, path, content) in gzip.into_iter().chain([plain]) {
                let lasting = format!("{folder}/{by_hash}/{}", form.sha256);
                files.push(SealedFile::lasting(lasting, content.clone(), &names));
                files.push(SealedFile::new(format!("{folder}/{path}"), content, &names));
                listed.push((path, form));
            }
        }
        let text = self.release(name, repo, &listed, at);
        let names: Vec<String> = self.streams.iter().map(|(_, built)| built.name.clone()).collect();
        let release = format!("{folder}/Release");
        files.push(SealedFile::new(release.clone(), SealedContent::Document(text.into_bytes()), &names));
        for (path, content) in [
            ("Release.gpg", SealedContent::Detached(release.clone())),
            ("InRelease", SealedContent::Cleartext(release.clone())),
        ] {
            files.push(SealedFile::new(format!("{folder}/{path}"), content, &names));
        }
    }

    fn release(&self, suite: &str, repo: &Repo, listed: &[(String, &BuiltForm)], at: Timestamp) -> String {
        let (owner, label) = (repo.owner.to_string(), format!("{}/{}", repo.owner, repo.name));
        let description = &repo.profile.description;
        let [architectures, components] =
            [&self.architectures, &self.components].map(|names| names.iter().cloned().collect::<Vec<_>>());
        let info = SuiteInfo {
            origin: &owner,
            label: &label,
            suite,
            description: if description.is_empty() { &label } else { description },
            architectures: &architectures,
            components: &components,
            valid_days: valid_days(repo),
            ..SuiteInfo::default()
        };
        let files: Vec<BuiltIndexFile<'_>> = listed
            .iter()
            .map(|(path, form)| BuiltIndexFile { path, size_bytes: form.size_bytes, sha256: &form.sha256 })
            .collect();
        release(&info, &files, at.millis())
    }
}
