//! A client that writes and reads without a pause, and records the responses.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use suite::{Answer, Call, Person};

use crate::{
    dice::Dice,
    door::Door,
    ledger::{Ledger, Write, content},
    shown::{Shown, sum},
    tally::Tally,
};

/// The packages that authors share.
pub(crate) const PACKAGES: [&str; 2] = ["cat", "dog"];

/// The number of versions that an author changes at a time, and of paths in each.
const VERSIONS: u64 = 3;
const PATHS: u64 = 6;

/// How long an author waits after a refusal.
const PAUSE: Duration = Duration::from_millis(200);

/// The number of contents that all authors upload.
const SHARED: u64 = 24;

/// The only writer of its versions, so that it knows their expected content.
pub(crate) struct Author {
    number: u64,
    dice: Dice,
    ledger: Ledger,
    /// Versions that were given up and replaced, because it is unknown whether their last write took effect.
    doubts: BTreeMap<String, Write>,
    /// The number of versions that were given up.
    given_up: u64,
    /// Versions with a publish request.
    pub(crate) released: BTreeSet<String>,
    pub(crate) tally: Tally,
}

impl Author {
    pub(crate) fn new(number: u64, dice: Dice) -> Self {
        let (ledger, doubts, released, tally) = Default::default();
        Self { number, dice, ledger, doubts, given_up: 0, released, tally }
    }

    /// Writes and reads until the time is over.
    pub(crate) async fn work(mut self, door: Door, key: String, is_over: Arc<AtomicBool>) -> Self {
        let (anyone, ada) = (door.anyone(), door.person("ada", &key));
        self.tally = Tally::default();
        while !is_over.load(Ordering::Relaxed) {
            match self.dice.below(3) {
                0 => self.read(&anyone).await,
                _ => self.write(&ada).await,
            }
        }
        self
    }

    async fn write(&mut self, ada: &Person) {
        let write = self.choose();
        let is_release = matches!(write, Write::Publish { .. } | Write::Upload { publish: true, .. });
        if is_release {
            self.released.insert(write.version().to_owned());
        }
        let (method, call) = self.call(ada, &write);
        let status = call.try_send().await.map_or(0, |answer| answer.status);
        self.tally.note(method, status);
        match status {
            200 | 201 => self.ledger.apply(&write),
            _ => {
                self.given_up += 1;
                self.doubts.insert(write.version().to_owned(), write);
                // Like a client that is asked to retry later.
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Reads a file that must exist. A response other than 503 must be the file.
    async fn read(&mut self, anyone: &Person) {
        let version = self.version();
        let published = self.ledger.shown(&version).map(|shown| shown.published).unwrap_or_default();
        let number = usize::try_from(self.dice.below(PATHS)).expect("a small number");
        let Some((path, expected)) = published.into_iter().nth(number) else { return };
        let answer = anyone.download(&format!("/ada/tools/{path}")).try_send().await;
        self.tally.note("GET", answer.as_ref().map_or(0, |answer| answer.status));
        if let Some(Answer { body, .. }) = answer.ok().filter(|answer| answer.status == 200) {
            assert_eq!(sum(&body), expected, "{path}");
        }
    }

    /// Finds out whether the writes in doubt took effect: each one did completely, or not at all.
    pub(crate) async fn resolve(mut self, door: Door, key: String) -> Self {
        let (anyone, ada) = (door.anyone(), door.person("ada", &key));
        for (version, write) in std::mem::take(&mut self.doubts) {
            let mut applied = self.ledger.clone();
            applied.apply(&write);
            let found = Shown::of(&anyone, &ada, self.package(), &version).await;
            if found == applied.shown(&version) {
                self.ledger = applied;
            }
            // Without a file, a version that the upload would have created does not exist either.
            assert_eq!(found, self.ledger.shown(&version), "{write:?} was not acknowledged");
        }
        self
    }

    /// Checks that everything that was ever acknowledged exists and can be read.
    pub(crate) async fn check(self, door: Door, key: String) -> Self {
        let (anyone, ada) = (door.anyone(), door.person("ada", &key));
        for version in self.ledger.versions() {
            let found = Shown::of(&anyone, &ada, self.package(), version).await;
            assert_eq!(found, self.ledger.shown(version), "{version} at {}", door.base);
            found.unwrap_or_default().reads_back(&anyone, &ada).await;
        }
        self
    }

    /// Returns the digests of its files.
    pub(crate) fn digests(&self) -> BTreeSet<String> {
        let shown = self.ledger.versions().filter_map(|version| self.ledger.shown(version));
        shown.flat_map(|shown| shown.digests()).collect()
    }

    /// Returns the versions with published files.
    pub(crate) fn published(&self) -> BTreeSet<String> {
        let is_published = |version: &&str| self.ledger.shown(version).is_some_and(|shown| !shown.published.is_empty());
        self.ledger.versions().filter(is_published).map(str::to_owned).collect()
    }

    fn package(&self) -> &'static str {
        PACKAGES[usize::from(self.number % 2 == 1)]
    }

    /// Returns one of the versions that it writes to. A version in doubt is replaced by one with a new name.
    fn version(&mut self) -> String {
        format!("{}-{}-{}", self.number, self.given_up, self.dice.below(VERSIONS))
    }

    fn choose(&mut self) -> Write {
        let version = self.version();
        let (choice, number) = (self.dice.below(20), self.dice.below(PATHS));
        let path = self.ledger.paths(&version).map(|paths| {
            let (_, path) = (0..=number).zip(paths.iter().cycle()).last()?;
            Some((*path).to_owned())
        });
        match (choice, path) {
            (0..=2, Some(_)) => Write::Publish { version },
            (3, Some(_)) => Write::Discard { version },
            (4..=5, Some(Some(path))) => Write::DeleteFile { version, path },
            (6, Some(_)) => Write::DeleteVersion { version },
            _ => {
                let path = format!("{version}/{number}.bin");
                Write::Upload { version, path, content: self.content(), publish: choice < 13 }
            }
        }
    }

    fn content(&mut self) -> u64 {
        match self.dice.below(2) {
            0 => self.dice.below(SHARED),
            _ => SHARED + self.dice.below(10_000),
        }
    }

    fn call(&self, ada: &Person, write: &Write) -> (&'static str, Call) {
        let package = self.package();
        let at = |version: &str| format!("/content/ada/tools/{package}/{version}");
        match write {
            Write::Upload { version, path, content: number, publish } => {
                let publish = u8::from(*publish);
                let url = format!("{}/{path}?override=1&publish={publish}", at(version));
                ("PUT", ada.put(&url).body(content(*number)))
            }
            Write::Publish { version } => ("POST", ada.post(&format!("{}/publish", at(version)))),
            Write::Discard { version } => {
                ("POST", ada.post(&format!("{}/publish", at(version))).json(json!({"discard": true})))
            }
            Write::DeleteFile { path, .. } => ("DELETE", ada.delete(&format!("/content/ada/tools/{path}"))),
            Write::DeleteVersion { version } => {
                ("DELETE", ada.delete(&format!("/packages/ada/tools/{package}/versions/{version}")))
            }
        }
    }
}
