//! A client that writes until the server dies, and then checks the result.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::json;
use suite::{Call, Person};

use super::{
    dice::Dice,
    ledger::{Ledger, Write, content},
};
use crate::shown::Shown;

/// The packages that authors share.
pub(super) const PACKAGES: [&str; 2] = ["cat", "dog"];

/// The number of versions that an author changes, and of paths in each.
const VERSIONS: u64 = 3;
const PATHS: u64 = 6;

/// The number of contents that all authors upload.
const SHARED: u64 = 24;

/// The number of permanent files in a version: less than a page.
const KEPT_TOGETHER: u64 = 40;

/// The only writer of its versions, so that it knows their expected content.
pub(super) struct Author {
    number: u64,
    dice: Dice,
    ledger: Ledger,
    touched: BTreeSet<String>,
    in_flight: Option<Write>,
    /// The number of acknowledged writes of all authors.
    done: Arc<AtomicU64>,
    /// The number of permanently published files.
    pub(super) kept: u64,
}

impl Author {
    pub(super) fn new(number: u64, dice: Dice, done: Arc<AtomicU64>) -> Self {
        let (ledger, touched) = (Ledger::default(), BTreeSet::new());
        Self { number, dice, ledger, touched, in_flight: None, done, kept: 0 }
    }

    /// Writes until the server no longer answers.
    pub(super) async fn work(mut self, ada: Person) -> Self {
        self.touched.clear();
        while self.in_flight.is_none() {
            let write = self.choose();
            self.touched.insert(write.version().to_owned());
            match self.call(&ada, &write).try_send().await {
                // The same content is just being removed; a later round uploads it again.
                Ok(answer) if answer.status == 503 && matches!(write, Write::Upload { .. }) => {}
                Ok(answer) => {
                    assert!(matches!(answer.status, 200 | 201), "{write:?}: {} {}", answer.status, answer.text());
                    self.ledger.apply(&write);
                    self.done.fetch_add(1, Ordering::Relaxed);
                }
                Err(_) => self.in_flight = Some(write),
            }
        }
        self
    }

    /// Checks that acknowledged writes took effect, and the others completely or not at all.
    pub(super) async fn check(mut self, anyone: Person, ada: Person) -> Self {
        if let Some(write) = self.in_flight.take() {
            let mut applied = self.ledger.clone();
            applied.apply(&write);
            let found = Shown::of(&anyone, &ada, self.package(), write.version()).await;
            if found == applied.shown(write.version()) {
                self.ledger = applied;
            }
            assert_eq!(found, self.ledger.shown(write.version()), "{write:?} was not acknowledged");
            found.unwrap_or_default().reads_back(&anyone, &ada).await;
        }
        for version in &self.touched {
            let found = Shown::of(&anyone, &ada, self.package(), version).await;
            assert_eq!(found, self.ledger.shown(version), "{version}");
        }
        self
    }

    /// Checks that everything that was ever acknowledged, and not changed since, can be read.
    pub(super) async fn check_all(self, anyone: Person, ada: Person) -> Self {
        for version in self.ledger.versions() {
            let found = Shown::of(&anyone, &ada, self.package(), version).await;
            assert_eq!(found, self.ledger.shown(version), "{version}");
            found.unwrap_or_default().reads_back(&anyone, &ada).await;
        }
        self
    }

    /// Returns the digests that the store must have for this author.
    pub(super) fn digests(&self) -> BTreeSet<String> {
        let shown = self.ledger.versions().filter_map(|version| self.ledger.shown(version));
        shown.flat_map(|shown| shown.digests()).collect()
    }

    fn package(&self) -> &'static str {
        PACKAGES[usize::from(self.number % 2 == 1)]
    }

    fn choose(&mut self) -> Write {
        let version = format!("{}-{}", self.number, self.dice.below(VERSIONS));
        let choice = self.dice.below(20);
        let number = self.dice.below(PATHS);
        let path = self.ledger.paths(&version).map(|paths| {
            let (_, path) = (0..=number).zip(paths.iter().cycle()).last()?;
            Some((*path).to_owned())
        });
        match (choice, path) {
            (0..=2, Some(_)) => Write::Publish { version },
            (3, Some(_)) => Write::Discard { version },
            (4..=5, Some(Some(path))) => Write::DeleteFile { version, path },
            (6, Some(_)) => Write::DeleteVersion { version },
            (7, _) => self.keep(),
            _ => {
                let path = format!("{version}/{number}.bin");
                Write::Upload { version, path, content: self.content(), publish: choice < 12 }
            }
        }
    }

    /// Returns the upload of a file that is never changed again, with content that other files add and remove.
    fn keep(&mut self) -> Write {
        let number = self.kept;
        self.kept += 1;
        let version = format!("{}-kept-{}", self.number, number / KEPT_TOGETHER);
        let path = format!("{version}/{number}.bin");
        Write::Upload { version, path, content: self.content(), publish: true }
    }

    fn content(&mut self) -> u64 {
        match self.dice.below(2) {
            0 => self.dice.below(SHARED),
            _ => SHARED + self.dice.below(10_000),
        }
    }

    fn call(&self, ada: &Person, write: &Write) -> Call {
        let package = self.package();
        let at = |version: &str| format!("/content/ada/tools/{package}/{version}");
        match write {
            Write::Upload { version, path, content: number, publish } => {
                let publish = u8::from(*publish);
                let url = format!("{}/{path}?override=1&publish={publish}", at(version));
                ada.put(&url).body(content(*number))
            }
            Write::Publish { version } => ada.post(&format!("{}/publish", at(version))),
            Write::Discard { version } => ada.post(&format!("{}/publish", at(version))).json(json!({"discard": true})),
            Write::DeleteFile { path, .. } => ada.delete(&format!("/content/ada/tools/{path}")),
            Write::DeleteVersion { version } => {
                ada.delete(&format!("/packages/ada/tools/{package}/versions/{version}"))
            }
        }
    }
}
