//! Measures whether response times reveal hidden things: `cargo run -p suite --example hidden_timing`.
//!
//! For each kind of request it prints how well the two samples of a pair can be distinguished by time alone (AUC: 0.5
//! is by chance, 1 is always), and the medians. The requests of a pair alternate, so that both run under the same
//! conditions.

use std::time::Instant;

use serde_json::json;
use suite::{Call, Person, TestHouse};

const SAMPLES: usize = 2_000;

#[tokio::main]
async fn main() {
    let house = TestHouse::start().await;
    let (ada, eve) = (house.user("ada").await, house.user("eve").await);
    make(&ada, "ada/secret", true).await;
    make(&eve, "eve/own", false).await;
    ada.put("/content/ada/secret/cat/1.0/cat.bin?publish=1").body("bytes").await.expect(201);
    let anyone = house.anyone();
    let ask = |name: &str, hidden: &dyn Fn(usize) -> Call, missing: &dyn Fn(usize) -> Call| {
        let calls = (0..SAMPLES).map(|round| (hidden(round), missing(round))).collect::<Vec<_>>();
        let name = name.to_owned();
        async move {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            for (round, (hidden, missing)) in calls.into_iter().enumerate() {
                // The order within a pair alternates, too.
                if round % 2 == 0 {
                    one.push(time(hidden).await);
                    other.push(time(missing).await);
                } else {
                    other.push(time(missing).await);
                    one.push(time(hidden).await);
                }
            }
            report(&name, &mut one, &mut other);
        }
    };
    let repo = |who: &Person, repo: &str| who.get(&format!("/repos/{repo}"));
    ask("API, stranger", &|_| repo(&eve, "ada/secret"), &|_| repo(&eve, "ada/absent")).await;
    ask("API, anonymous", &|_| repo(&anyone, "ada/secret"), &|_| repo(&anyone, "ada/absent")).await;
    let file = |who: &Person, repo: &str| who.download(&format!("/{repo}/cat.bin"));
    ask("download, stranger", &|_| file(&eve, "ada/secret"), &|_| file(&eve, "ada/absent")).await;
    ask("download, anonymous", &|_| file(&anyone, "ada/secret"), &|_| file(&anyone, "ada/absent")).await;
    ask("the same twice", &|_| file(&eve, "ada/absent"), &|_| file(&eve, "ada/absent")).await;

    for round in 0..SAMPLES {
        let path = format!("/content/ada/secret/cat/1.0/hidden/{round}");
        ada.put(&path).body(format!("hidden {round:06}")).await.expect(201);
    }
    let put = |path: String, bytes: String| eve.put(&format!("/content/eve/own/cat/1.0/{path}")).body(bytes);
    let hidden = |round: usize| put(format!("a/{round}"), format!("hidden {round:06}"));
    let unknown = |round: usize| put(format!("b/{round}"), format!("absent {round:06}"));
    ask("upload, small", &hidden, &unknown).await;
}

async fn make(who: &Person, repo: &str, is_private: bool) {
    who.post(&format!("/repos/{repo}")).json(json!({"type": "generic", "private": is_private})).await.expect(201);
    who.post(&format!("/packages/{repo}")).json(json!({"name": "cat", "licenses": ["MIT"]})).await.expect(201);
}

async fn time(call: Call) -> u64 {
    let began = Instant::now();
    call.await;
    u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Prints the area under the curve, computed from the ranks of one sample among both.
fn report(name: &str, hidden: &mut [u64], missing: &mut [u64]) {
    hidden.sort_unstable();
    missing.sort_unstable();
    let below = |time: &u64| missing.partition_point(|other| other < time) as f64;
    let same = |time: &u64| missing.partition_point(|other| other <= time) as f64 - below(time);
    let wins: f64 = hidden.iter().map(|time| below(time) + same(time) / 2.0).sum();
    let area = wins / (hidden.len() as f64 * missing.len() as f64);
    let median = |times: &[u64]| times[times.len() / 2] / 1_000;
    println!("{name}: AUC {:.3}, medians {} and {} µs", area.max(1.0 - area), median(hidden), median(missing));
}
