//! A house with one of everything.

use std::sync::OnceLock;

use operations::jobs;
use serde_json::Value;
use suite::{Answer, Gpg, NewKey, Receiver, TestHouse};

use super::{
    callers::Callers,
    mask::Mask,
    step::{Line, Step, lines, steps},
};
use crate::{
    content::{DAY, INSIDE},
    events::webhooks::deliver,
};

const FURNITURE: &str = include_str!("scripts/scene.txt");

/// A filled house, and its callers.
pub(super) struct Scene {
    pub(super) house: TestHouse,
    pub(super) callers: Callers,
    pub(super) mask: Mask,
    receiver: Receiver,
    /// The last id in a response.
    last: String,
    /// A signing key, created when a script first names it.
    private_key: OnceLock<String>,
}

impl Scene {
    /// Starts a scene.
    pub(super) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a scene with more settings.
    pub(super) async fn start_with(settings: &[(&str, &str)]) -> Self {
        let house = TestHouse::start_with(&[&[INSIDE], settings].concat()).await;
        let (callers, receiver) = (Callers::new(&house).await, Receiver::start().await);
        let texts = vec![
            (house.address.to_string(), "HOST"),
            (receiver.address.to_string(), "RECEIVER"),
            ("a folder; writing".to_owned(), "a STORE; writing"),
            ("an S3 store; writing".to_owned(), "a STORE; writing"),
        ];
        let mut mask = Mask::new(texts);
        // Digests of the email addresses, which avatars use.
        for email in ["ada@example.org", "stan@example.org"] {
            mask.know(email);
        }
        let mut scene = Self { house, callers, mask, receiver, last: String::new(), private_key: OnceLock::new() };
        for line in lines(FURNITURE) {
            match line {
                Line::Chore(chore) => scene.do_chore(chore).await,
                // Only the last caller sends it, which is the one that may.
                Line::Request(step) => {
                    let caller = step.callers.last().expect("somebody");
                    let answer = scene.ask(&step, caller).await;
                    assert!(answer.status < 300, "{}: {}", step.request, answer.text());
                }
            }
        }
        scene
    }

    /// Sends a request, and remembers the id in the response.
    pub(super) async fn ask(&mut self, step: &Step, caller: &str) -> Answer {
        self.mask.know(step.body);
        let answer = step.by(self.callers.get(caller), |text| self.fill(text)).await;
        if let Some(id) = told_id(&answer) {
            self.last = id;
        }
        answer
    }

    /// Fills in the values of a script that differ in every run.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut text = text.replace("{last}", &self.last).replace("{receiver}", &self.receiver.url("/hook"));
        text = text.replace("{api_key}", self.callers.get("owner").key());
        if text.contains("{private_key}") {
            text = text.replace("{private_key}", self.private_key.get_or_init(private_key));
        }
        text
    }

    /// Does a part of the background work of a running server.
    pub(super) async fn do_chore(&self, chore: &str) {
        let house = self.house.app().house();
        match chore {
            "count downloads" => self.house.flush().await,
            "send callbacks" => drop(deliver(&self.house).await),
            "note storage" => jobs::run_once(house, "storage_usage").await.expect("noted"),
            "let a day pass" => self.house.clock.advance(DAY),
            "store logs" => jobs::run_once(house, "download_logs").await.expect("stored"),
            _ => panic!("nobody does this: {chore}"),
        }
    }
}

/// Returns the requests that fill the house.
pub(super) fn furniture() -> impl Iterator<Item = Step> {
    steps(FURNITURE)
}

/// Returns the id in a response, or of the first item in a list.
fn told_id(answer: &Answer) -> Option<String> {
    let told: Value = serde_json::from_slice(&answer.body).ok()?;
    let one = told.get(0).unwrap_or(&told);
    one["id"].as_str().map(str::to_owned)
}

/// Returns a private key of `gpg`, escaped for JSON and a script line.
fn private_key() -> String {
    let key = Gpg::new().private_key(NewKey { expires: "20d", ..NewKey::default() });
    key.replace('\n', "\\n")
}
