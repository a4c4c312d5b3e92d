//! Indexes for a caller who may read only parts of a repository: the same documents over exactly the files in them.
//!
//! A view is a function of a generation and the set of files, with the generation's time in its documents and
//! signatures, so every node makes the same bytes.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use database::indexes::{heads::IndexHead, sources, streams::IndexStream};
use model::{access::GrantScope, file_path::FilePath, timestamp::Timestamp};
use sha2::{Digest, Sha256};

use crate::{
    Caller, Error, House, Result, blocking,
    format::{BuiltForm, BuiltStream, Frame, SealedContent, WrappedStream},
    indexes::{
        IndexedRepo,
        assemble::IndexContent,
        blocks::{BLOCK_ENTRIES, GroupedFile, RenderedBlock, Renderer},
        deflate, diff,
        digests::Digests,
        index_keys::IndexKeys,
        parts, shares,
        view_history::{self, VIEW_MS},
        whole,
    },
    signing::{
        SigningOptions,
        signer::{SignatureForm, Signer},
        usign,
    },
};

/// The maximum number of files in a view.
const VIEW_FILES: usize = 20_000;

/// The maximum size of the facts that a view is made of.
const VIEW_BYTES: i64 = 256 << 20;

/// The files of a view by path.
#[derive(Debug, Default)]
pub(crate) struct View(HashMap<String, Arc<IndexContent>>);

/// Finds a file of the view of these scopes.
pub(super) async fn find(
    house: &House,
    repo: &IndexedRepo,
    head: IndexHead,
    scopes: &[GrantScope],
    path: &FilePath,
) -> Result<Option<Arc<IndexContent>>> {
    let limit = i64::try_from(VIEW_FILES + 1).unwrap_or(i64::MAX);
    let ids = sources::list_in_scopes(&house.db, repo.id(), scopes, limit).await?;
    if ids.len() > VIEW_FILES {
        return Err(too_large());
    }
    let view = cached(house, repo, head, &ids, async |view| {
        view_history::store(house, repo.id(), scopes, &view.0).await;
    });
    let view = view.await?;
    match view.0.get(path.as_str()) {
        Some(content) => Ok(Some(Arc::clone(content))),
        None => view_history::find(house, repo.id(), scopes, path.as_str()).await,
    }
}

/// Finds a file of the indexes of no files, as they are before the first generation.
pub(super) async fn find_empty(
    house: &House,
    repo: &IndexedRepo,
    path: &FilePath,
) -> Result<Option<Arc<IndexContent>>> {
    let generated = repo.repo.created.millis();
    let head = IndexHead { generation: 0, generated, edition: repo.indexes.edition(), seal_by: None };
    let view = cached(house, repo, head, &[], async |_| {}).await?;
    Ok(view.0.get(path.as_str()).map(Arc::clone))
}

/// Returns the view of these files, which is made at most twice a day, and passes a new one to `store`.
async fn cached(
    house: &House,
    repo: &IndexedRepo,
    head: IndexHead,
    ids: &[i64],
    store: impl AsyncFnOnce(&View),
) -> Result<Arc<View>> {
    let half_day = house.clock.now().millis() / VIEW_MS;
    let profile = &repo.repo.profile;
    let signing = [profile.gpg_sign_metadata, profile.gpg_use_owner_key].map(u8::from);
    let digest = Sha256::new().chain_update(half_day.to_be_bytes()).chain_update(signing);
    let digest = ids.iter().fold(digest, |digest, id| digest.chain_update(id.to_be_bytes())).finalize();
    let key = (repo.id(), head.generation, digest.into());
    let made = async {
        let view = make(house, repo, head, ids).await?;
        store(&view).await;
        Ok::<_, Error>(view)
    };
    house.index_caches.views.get_or_insert_async(&key, made).await
}

fn too_large() -> Error {
    Error::Denied(format!(
        "An index of more than {VIEW_FILES} files is not made for a part of a repository; grant the repository"
    ))
}

async fn make(house: &House, repo: &IndexedRepo, head: IndexHead, ids: &[i64]) -> Result<Arc<View>> {
    let at = Timestamp::from_millis(head.generated);
    let bytes: i64 = repo.facts_sizes(&house.db, ids).await?.values().sum();
    if bytes > VIEW_BYTES {
        return Err(too_large());
    }
    let mut wanted = diff::wanted(house, repo, ids).await?;
    let fixed = repo.indexes.fixed_streams().iter().map(|name| (*name).to_owned());
    let names: BTreeSet<String> = fixed.chain(wanted.keys().map(|(_, name)| name.clone())).collect();
    shares::copy(repo.indexes, &names, &mut wanted);
    let mut streams: BTreeMap<String, Vec<GroupedFile>> = names.into_iter().map(|name| (name, Vec::new())).collect();
    for ((_, name), file) in wanted {
        streams.entry(name).or_default().push(file);
    }
    let mut texts = Vec::new();
    for (name, files) in streams {
        texts.push(StreamText::make(repo, name, files, at).await?);
    }
    seal(house, repo, &texts, at).await.map(Arc::new)
}

/// A stream in memory.
struct StreamText {
    built: BuiltStream,
    plain: Vec<u8>,
    gzip: Vec<u8>,
}

impl StreamText {
    async fn make(repo: &IndexedRepo, name: String, files: Vec<GroupedFile>, at: Timestamp) -> Result<Self> {
        let frame = repo.indexes.frame(&name, at);
        let entries = files.len() as u64;
        let renderer = Renderer { indexes: repo.indexes, stream: name.clone(), is_compressed: frame.is_compressed };
        let blocks = renderer.blocks(files, BLOCK_ENTRIES).await?;
        Ok(Self::join(&frame, &IndexStream { id: 0, name, entries: 0 }.name, entries, &blocks))
    }

    fn join(frame: &Frame, name: &str, entries: u64, blocks: &[RenderedBlock]) -> Self {
        let (mut plain, mut gzip) = (frame.before.clone(), deflate::head(&frame.before));
        let mut digests = Digests::new(frame);
        for (index, block) in blocks.iter().enumerate() {
            if index > 0 {
                plain.extend_from_slice(&frame.between);
                gzip.extend(deflate::joint(&frame.between));
            }
            plain.extend_from_slice(&block.text);
            if let Some(piece) = &block.piece {
                gzip.extend_from_slice(piece);
                digests.add(frame, &block.text, piece);
            }
        }
        plain.extend_from_slice(&frame.after);
        if frame.is_compressed {
            let finished = digests.finish(frame, name, entries);
            gzip.extend(finished.tail);
            return Self { built: finished.built, plain, gzip };
        }
        let form = BuiltForm { size_bytes: plain.len() as u64, sha256: String::new() };
        Self { built: BuiltStream { name: name.to_owned(), entries, plain: form, gzip: None }, plain, gzip: Vec::new() }
    }
}

async fn seal(house: &House, repo: &IndexedRepo, texts: &[StreamText], at: Timestamp) -> Result<View> {
    let built: Vec<BuiltStream> = texts.iter().map(|text| text.built.clone()).collect();
    let sealed = repo.indexes.seal(&built, &repo.repo, at).files;
    let mut signer = signer(house, repo).await?;
    let keys = IndexKeys::read(house, repo, signer.as_mut(), &sealed).await?;
    let mut files: HashMap<String, (Vec<u8>, bool)> = HashMap::new();
    let stream = |name: &str| texts.iter().find(|text| text.built.name == name);
    let plain = |name: &str| stream(name).map(|text| text.plain.clone());
    for file in sealed {
        let bytes = match &file.content {
            SealedContent::Plain(name) => plain(name).map(|text| repo.indexes.derive(&file.path, text)),
            SealedContent::Gzip(name) => stream(name).map(|text| text.gzip.clone()),
            SealedContent::Pair(pair) => {
                let [first, second] = [&pair.first, &pair.second].map(|name| plain(name).unwrap_or_default());
                let text = [&pair.before[..], &first, &pair.between, &second, &pair.after].concat();
                let (indexes, path) = (repo.indexes, file.path.clone());
                Some(blocking::run(move || indexes.derive(&path, text)).await?)
            }
            SealedContent::Wrapped(wrapped) => match plain(&wrapped.stream) {
                Some(text) => Some(wrap(repo, &mut signer, &keys, wrapped, &text).await?),
                None => None,
            },
            SealedContent::Document(bytes) => Some(bytes.clone()),
            SealedContent::Detached(of) => sign(&mut signer, files.get(of), SignatureForm::Detached, at).await?,
            SealedContent::Cleartext(of) => sign(&mut signer, files.get(of), SignatureForm::Cleartext, at).await?,
            SealedContent::DetachedGzip(of) => match (signer.as_mut(), files.get(of)) {
                (Some(signer), Some((bytes, _))) => Some(signer.sign_binary(bytes, at).await?),
                _ => None,
            },
            SealedContent::Usign(name) => match (&keys.usign, plain(name)) {
                (Some(key), Some(text)) => Some(usign::sign(house, key, text).await?),
                _ => None,
            },
            SealedContent::PublicKey { .. } | SealedContent::RsaPublicKey | SealedContent::UsignPublicKey => {
                keys.bytes(&file.content)?
            }
        };
        if let Some(bytes) = bytes.clone().filter(|_| repo.indexes.has_parts(&file.path)) {
            files.extend(parts::list(repo.indexes, file.path.clone(), bytes).await?);
        }
        files.extend(bytes.map(|bytes| (file.path, (bytes, file.is_lasting))));
    }
    let content = |(path, (bytes, is_lasting)): (String, (Vec<u8>, bool))| {
        let content = IndexContent::in_memory(bytes, at, is_lasting).tagged(repo.format, &path);
        (path, Arc::new(content))
    };
    Ok(View(files.into_iter().map(content).collect()))
}

async fn sign(
    signer: &mut Option<Signer<'_>>,
    document: Option<&(Vec<u8>, bool)>,
    form: SignatureForm,
    at: Timestamp,
) -> Result<Option<Vec<u8>>> {
    let (Some(signer), Some((text, _))) = (signer.as_mut(), document) else { return Ok(None) };
    Ok(Some(signer.sign_document(text, form, at).await?.into_bytes()))
}

/// The gzip file of a text with others around it, after one with the RSA signature of its bytes.
async fn wrap(
    repo: &IndexedRepo,
    signer: &mut Option<Signer<'_>>,
    keys: &IndexKeys,
    wrapped: &WrappedStream,
    text: &[u8],
) -> Result<Vec<u8>> {
    let gzip = whole::member(&[&wrapped.before[..], text, &wrapped.after].concat());
    let (Some(signer), Some(_)) = (signer.as_mut(), &keys.rsa) else { return Ok(gzip) };
    let signature = signer.sign_rsa(gzip.clone()).await?;
    let front = whole::member(&repo.indexes.signature_tar(&wrapped.key_name, &signature));
    Ok([front, gzip].concat())
}

/// The key of the signatures. A view is not signed if the key needs a passphrase.
async fn signer<'h>(house: &'h House, repo: &IndexedRepo) -> Result<Option<Signer<'h>>> {
    if !repo.signs_with_gpg() {
        return Ok(None);
    }
    let options = SigningOptions::default();
    match Signer::with_key(house, &Caller::job(), &repo.repo, &options).await {
        Ok(signer) if signer.check_passphrase().is_ok() => Ok(Some(signer)),
        Ok(_) | Err(Error::Invalid { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}
