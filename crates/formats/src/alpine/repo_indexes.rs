//! The indexes of an Alpine repository: one APKINDEX for each folder of packages.

use model::{file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, FileView, Frame, IndexSigning, Inspected, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
    WrappedStream,
};

use super::{
    Alpine,
    format::is_apk,
    index::{self, SignatureDigest},
    inspect::ApkFacts,
    placement::ApkFolder,
};
use crate::indexed::{DescribedFile, decode};

impl RepoIndexes for Alpine {
    fn edition(&self) -> i64 {
        4
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        let about = file.about.as_deref().filter(|_| is_apk(&file.path));
        let is_read = about.is_some_and(|about| decode::<ApkFacts>(about).is_ok());
        let folder = ApkFolder::of_path(file.path.as_str()).filter(|_| is_read);
        folder.map(|folder| StreamEntry { stream: folder.to_string(), group: None }).into_iter().collect()
    }

    fn identities(&self, path: &FilePath, content: &Inspected, _repo: &Repo) -> Vec<String> {
        let apk = content.about.as_deref().filter(|_| is_apk(path)).and_then(|about| decode::<ApkFacts>(about).ok());
        let Some((folder, apk)) = ApkFolder::of_path(path.as_str()).zip(apk) else { return Vec::new() };
        vec![format!("{} {} {} {}", folder.repository, apk.name, apk.version, apk.architecture)]
    }

    fn shares(&self, stream: &str, with: &str) -> bool {
        let parsed = ApkFolder::parse(stream).zip(ApkFolder::parse(with));
        parsed.is_some_and(|(folder, with)| folder.shares(&with))
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        Frame { is_compressed: true, ..Frame::default() }
    }

    fn render(&self, stream: &str, files: &[FileView]) -> Vec<u8> {
        let architecture = stream.rsplit('/').next().unwrap_or(stream);
        let read = DescribedFile::<ApkFacts>::read_all(files);
        index::block(architecture, read.iter().map(|apk| (&apk.facts, apk.file()))).into_bytes()
    }

    fn signing(&self) -> IndexSigning {
        IndexSigning::Rsa
    }

    fn signature_tar(&self, key_name: &str, signature: &[u8]) -> Vec<u8> {
        index::signature(key_name, signature, SignatureDigest::Sha1)
    }

    fn seal(&self, streams: &[BuiltStream], repo: &Repo, at: Timestamp) -> Sealed {
        let description = format!("{}/{}", repo.owner, repo.name);
        let key_name = format!("{}-{}.rsa.pub", repo.owner, repo.name);
        let file = |built: &BuiltStream| {
            let size = built.plain.size_bytes;
            let wrapped = WrappedStream {
                stream: built.name.clone(),
                before: index::before(&description, size, at.millis()),
                after: index::after(size),
                key_name: key_name.clone(),
            };
            let path = format!("{}/APKINDEX.tar.gz", built.name);
            SealedFile::new(path, SealedContent::Wrapped(Box::new(wrapped)), std::slice::from_ref(&built.name))
        };
        let mut files: Vec<SealedFile> = streams.iter().map(file).collect();
        files.push(SealedFile::new(format!("keys/{key_name}"), SealedContent::RsaPublicKey, &[]));
        Sealed { files, seal_by: None }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::{digest::Digest, file_path::FilePath};
    use operations::format::{BuiltForm, Format};

    use super::{
        super::samples::{PKGINFO, apk},
        *,
    };
    use crate::samples::repo;

    #[test]
    fn a_folder_has_an_index_with_its_architecture() {
        let path = FilePath::parse("v3.20/main/x86_64/hello-1.0-r0.apk").expect("a path");
        let about = Alpine.inspect(&path, &mut Cursor::new(apk(PKGINFO))).expect("valid").about;
        let (sha256, published) = (Digest::from_bytes([7; 32]), Timestamp::from_millis(5_000));
        let (sha1, md5, sha512) = (String::new(), None, None);
        let view = FileView { path, size_bytes: 9, sha256, sha1, md5, sha512, published, facts: None, about };
        let stream = Alpine.entries(&view, &repo("alpine")).remove(0).stream;
        assert_eq!(stream, "v3.20/main/x86_64");
        let text = Alpine.render(&stream, &[view]);
        let form = |size_bytes| BuiltForm { size_bytes, sha256: String::new() };
        let built = BuiltStream { name: stream, entries: 1, plain: form(text.len() as u64), gzip: Some(form(9)) };
        let sealed = Alpine.seal(&[built], &repo("alpine"), Timestamp::from_millis(0));
        let paths: Vec<&str> = sealed.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["v3.20/main/x86_64/APKINDEX.tar.gz", "keys/acme-repo.rsa.pub"]);
        for wrong in ["hello-1.0-r0.apk", "v3.20/main/armv7/hello-1.0-r0.apk", "v3.20/main/x86_64/other-1.0-r0.apk"] {
            let path = FilePath::parse(wrong).expect("a path");
            assert!(Alpine.inspect(&path, &mut Cursor::new(apk(PKGINFO))).is_err(), "{wrong}");
        }
        let noarch = FilePath::parse("v3.20/main/armv7/hello-1.0-r0.apk").expect("a path");
        let package = apk(&PKGINFO.replace("arch = x86_64", "arch = noarch"));
        assert!(Alpine.inspect(&noarch, &mut Cursor::new(package)).is_ok());
        assert!(Alpine.shares("v3.20/main/noarch", "v3.20/main/armv7"));
        let stand_in = FilePath::parse("v3.20/main/noarch/hello-1.0-r0.apk").expect("a path");
        assert_eq!((Alpine.stand_in(&noarch), Alpine.stand_in(&stand_in)), (Some(stand_in.clone()), None));
    }
}
