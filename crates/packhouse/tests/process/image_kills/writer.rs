//! One writer of images, which remembers what was acknowledged.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use suite::{Answer, Call, Person};

use crate::{content_kill::dice::Dice, images::digest};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// The manifests by tag or digest; `None` where there is none.
type References = BTreeMap<String, Option<String>>;

/// A writer with an image of its own, whose layers other images have, too.
pub(super) struct Writer {
    image: String,
    number: u64,
    dice: Dice,
    pushes: u64,
    acknowledged: References,
    /// The change that was sent last, if it was not acknowledged.
    in_flight: References,
    done: Arc<AtomicU64>,
}

/// The server is dead.
struct Dead;

impl Writer {
    pub(super) fn new(number: u64, dice: Dice, done: Arc<AtomicU64>) -> Self {
        let (acknowledged, in_flight) = (References::new(), References::new());
        Self { image: format!("ada/img/w{number}"), number, dice, pushes: 0, acknowledged, in_flight, done }
    }

    /// Changes the image until the server dies.
    pub(super) async fn work(mut self, ada: Person) -> Self {
        while self.step(&ada).await.is_ok() {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        self
    }

    async fn step(&mut self, ada: &Person) -> Result<(), Dead> {
        self.pushes += 1;
        let tag = format!("t{}", self.dice.below(3));
        match (self.dice.below(8), self.known(&tag)) {
            // A tag that stays, and a manifest that only its digest names.
            (0, _) => self.push(ada, format!("kept{}", self.pushes)).await,
            (1, _) => self.push(ada, String::new()).await,
            // The manifest of one tag gets another one.
            (2, Some(text)) => {
                let other = format!("t{}", self.dice.below(3));
                self.put(ada, &other, text).await
            }
            (3, Some(_)) => self.delete(ada, &tag, |reference, _| reference == tag).await,
            (4 | 5, Some(text)) => {
                let sum = digest(text.as_bytes());
                self.delete(ada, &sum, |_, found| found == text).await
            }
            _ => self.push(ada, tag).await,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.dice.below(end as u64)).expect("below a size")
    }

    fn known(&self, reference: &str) -> Option<String> {
        self.acknowledged.get(reference)?.clone()
    }

    /// Pushes a layer that others push, too, and one in pieces; without a tag, the digest names the manifest.
    async fn push(&mut self, ada: &Person, tag: String) -> Result<(), Dead> {
        let own = format!("own {} {} ", self.number, self.pushes).repeat(1 + self.below(2_000));
        let layers = [format!("common {}", self.dice.below(4)), own];
        let descriptor =
            |text: &str| json!({ "mediaType": "x/y", "digest": digest(text.as_bytes()), "size": text.len() });
        let text = json!({ "schemaVersion": 2, "config": descriptor("{}"), "layers": layers.each_ref().map(|layer| descriptor(layer)) });
        for bytes in ["{}", &layers[0]] {
            let at = format!("//v2/{}/blobs/uploads/?digest={}", self.image, digest(bytes.as_bytes()));
            sent(|| ada.post(&at).body(bytes.to_owned())).await?.expect(201);
        }
        self.push_in_pieces(ada, &layers[1]).await?;
        let text = text.to_string();
        let reference = if tag.is_empty() { digest(text.as_bytes()) } else { tag };
        self.put(ada, &reference, text).await
    }

    async fn push_in_pieces(&mut self, ada: &Person, layer: &str) -> Result<(), Dead> {
        let begun = sent(|| ada.post(&format!("//v2/{}/blobs/uploads/", self.image))).await?.expect(202);
        let at = format!("/{}", begun.header("location"));
        let cut = self.below(layer.len());
        for piece in [&layer[..cut], &layer[cut..]] {
            sent(|| ada.patch(&at).body(piece.to_owned())).await?.expect(202);
        }
        sent(|| ada.put(&format!("{at}?digest={}", digest(layer.as_bytes())))).await?.expect(201);
        Ok(())
    }

    async fn put(&mut self, ada: &Person, reference: &str, text: String) -> Result<(), Dead> {
        self.in_flight = [(reference.to_owned(), Some(text.clone()))].into();
        let at = format!("//v2/{}/manifests/{reference}", self.image);
        sent(|| ada.put(&at).header("content-type", MANIFEST).body(text.clone())).await?.expect(201);
        self.acknowledge();
        Ok(())
    }

    /// Deletes a tag, or a manifest with all its tags.
    async fn delete(&mut self, ada: &Person, reference: &str, goes: impl Fn(&str, &str) -> bool) -> Result<(), Dead> {
        let gone = self.acknowledged.iter().filter(|(tag, text)| text.as_ref().is_some_and(|text| goes(tag, text)));
        self.in_flight = gone.map(|(tag, _)| (tag.clone(), None)).collect();
        sent(|| ada.delete(&format!("//v2/{}/manifests/{reference}", self.image))).await?.expect(202);
        self.acknowledge();
        Ok(())
    }

    fn acknowledge(&mut self) {
        self.acknowledged.append(&mut self.in_flight);
    }

    /// Finds out whether the last change happened, as a whole, and pulls what can change.
    pub(super) async fn check_changing(&mut self, ada: &Person) {
        if let Some((reference, after)) = self.in_flight.first_key_value() {
            let happened = self.pulled(ada, reference).await == *after;
            if happened {
                self.acknowledge();
            } else {
                self.in_flight.clear();
            }
        }
        for number in 0..3 {
            let tag = format!("t{number}");
            assert_eq!(self.pulled(ada, &tag).await, self.known(&tag), "{}:{tag}", self.image);
        }
    }

    /// Pulls everything; returns the number of images.
    pub(super) async fn check_all(&self, ada: &Person) -> usize {
        for (reference, text) in &self.acknowledged {
            assert_eq!(self.pulled(ada, reference).await, *text, "{}:{reference}", self.image);
        }
        self.acknowledged.values().flatten().count()
    }

    /// Pulls an image, and compares every digest; returns its manifest.
    async fn pulled(&self, ada: &Person, reference: &str) -> Option<String> {
        let at = |part: &str| format!("//v2/{}/{part}", self.image);
        let answer = ada.get(&at(&format!("manifests/{reference}"))).await;
        if answer.status == 404 {
            return None;
        }
        let text = answer.expect(200).text();
        let manifest: Value = serde_json::from_str(&text).expect("a manifest");
        let layers = manifest["layers"].as_array().expect("layers").iter();
        for sum in layers.chain([&manifest["config"]]).map(|layer| layer["digest"].as_str().expect("a digest")) {
            let blob = ada.get(&at(&format!("blobs/{sum}"))).await.expect(200).body;
            assert_eq!(digest(&blob), sum, "{}:{reference}", self.image);
        }
        Some(text)
    }
}

/// Repeats a call while the same content is being removed; fails when the server is dead.
async fn sent(call: impl Fn() -> Call) -> Result<Answer, Dead> {
    for _ in 0..500 {
        match call().try_send().await {
            Err(_) => return Err(Dead),
            Ok(answer) if answer.status == 503 => tokio::time::sleep(Duration::from_millis(20)).await,
            Ok(answer) => return Ok(answer),
        }
    }
    panic!("the call is not taken");
}
