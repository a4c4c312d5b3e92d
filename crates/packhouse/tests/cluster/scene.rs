//! A cluster with working authors and a receiver of release callbacks.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use suite::Receiver;
use tokio::task::JoinSet;

use crate::{
    author::{Author, PACKAGES},
    cluster::{Cluster, pass},
    dice::Dice,
    door::Door,
    tally::Tally,
};

const AUTHORS: u64 = 6;

/// How late a callback may arrive: a node that dies during a callback has the lease on it for half a minute.
const TOLD_WITHIN: Duration = Duration::from_secs(60);

/// How long a restored node may still execute earlier requests.
const SETTLE_SECS: u64 = 3;

/// Everything that a fault test needs.
pub(crate) struct Scene {
    pub(crate) cluster: Cluster,
    pub(crate) key: String,
    authors: Vec<Author>,
    receiver: Receiver,
}

/// Working authors.
pub(crate) struct Load {
    is_over: Arc<AtomicBool>,
    authors: JoinSet<Author>,
}

impl Scene {
    pub(crate) async fn start(seed: u64) -> Self {
        let began = Instant::now();
        let (cluster, receiver) = (Cluster::start().await, Receiver::start().await);
        println!("  the cluster is up after {:?}", began.elapsed());
        let ada = cluster.front().user("ada").await;
        ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
        for package in PACKAGES.iter().chain(&["probe", "counted"]) {
            ada.post("/packages/ada/tools").json(json!({ "name": package })).await.expect(201);
        }
        for package in PACKAGES {
            let hook = json!({ "url": receiver.url("/hook") });
            ada.post(&format!("/webhooks/ada/tools/{package}")).json(hook).await.expect(201);
        }
        let mut dice = Dice::of_this_run(seed);
        let authors = (0..AUTHORS).map(|number| Author::new(number, dice.split())).collect();
        Self { key: ada.key().to_owned(), cluster, authors, receiver }
    }

    /// Lets all authors work through the balancer.
    pub(crate) fn load(&mut self) -> Load {
        let is_over = Arc::new(AtomicBool::new(false));
        let (door, key) = (self.cluster.front(), self.key.clone());
        let work = |author: Author| author.work(door.clone(), key.clone(), is_over.clone());
        let authors = std::mem::take(&mut self.authors).into_iter().map(work).collect();
        Load { is_over, authors }
    }

    /// Waits until an address works again.
    pub(crate) async fn recovers(&self, door: &Door, after: &str) {
        door.recovers(after, &self.key).await;
    }

    /// Stops the work, and compares all responses with the content of every node. Besides success and 503, only these
    /// statuses may have occurred.
    pub(crate) async fn finish(&mut self, load: Load, allowed: &[(&str, u16)]) {
        let tally = self.end(load).await;
        let others = tally.others_than(&[allowed, &[("*", 503)]].concat());
        assert!(others.is_empty(), "{others:?} in {tally}");
        self.check(&tally).await;
    }

    /// Stops the work and compares like `finish`, but allows no failed request.
    pub(crate) async fn finish_without_a_failure(&mut self, load: Load) {
        let tally = self.end(load).await;
        assert!(tally.others_than(&[]).is_empty(), "{tally}");
        self.check(&tally).await;
    }

    async fn end(&mut self, load: Load) -> Tally {
        load.is_over.store(true, Ordering::Relaxed);
        self.authors = load.authors.join_all().await;
        let mut tally = Tally::default();
        self.authors.iter().for_each(|author| tally.add(&author.tally));
        println!("  clients were answered {tally}");
        tally
    }

    async fn check(&mut self, tally: &Tally) {
        assert!(tally.successes() > 100, "the authors were at work: {tally}");
        pass(SETTLE_SECS).await;
        let front = self.cluster.front();
        self.each(|author, key| author.resolve(front.clone(), key)).await;
        for door in self.cluster.doors() {
            self.each(|author, key| author.check(door.clone(), key)).await;
        }
        self.check_releases().await;
        self.cluster.administer(&["verify"]).await;
        assert_eq!(self.cluster.administer(&["check"]).await, "no damage found");
        let contents: BTreeSet<_> = self.authors.iter().flat_map(Author::digests).collect();
        println!("  every node has all files, of {} different contents", contents.len());
    }

    async fn each<F>(&mut self, what: impl Fn(Author, String) -> F)
    where
        F: Future<Output = Author> + Send + 'static,
    {
        let authors = std::mem::take(&mut self.authors).into_iter().map(|author| what(author, self.key.clone()));
        self.authors = authors.collect::<JoinSet<_>>().join_all().await;
    }

    /// Checks that the receiver got a callback for every published version, and for no others.
    async fn check_releases(&self) {
        let wanted: BTreeSet<String> = self.authors.iter().flat_map(Author::published).collect();
        let asked: BTreeSet<String> = self.authors.iter().flat_map(|author| author.released.clone()).collect();
        let began = Instant::now();
        while !wanted.is_subset(&self.told()) {
            let missing: Vec<_> = wanted.difference(&self.told()).cloned().collect();
            assert!(began.elapsed() < TOLD_WITHIN, "the receiver was not told of {missing:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let told = self.told();
        let invented: Vec<_> = told.difference(&asked).collect();
        assert!(invented.is_empty(), "nobody released {invented:?}");
        println!("  {} callbacks told of {} releases", self.receiver.callbacks().len(), told.len());
    }

    fn told(&self) -> BTreeSet<String> {
        let version = |body: &str| {
            let told: Value = serde_json::from_str(body).expect("a callback is JSON");
            told["version"].as_str().expect("a callback names a version").to_owned()
        };
        self.receiver.callbacks().iter().map(|told| version(&told.body)).collect()
    }
}
