//! Downloads that must all be in the statistics.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use crate::scene::Scene;

const READERS: usize = 2;

/// How late a download may be counted: nodes flush their counts every second.
const COUNTED_WITHIN: Duration = Duration::from_secs(5);

/// Readers of one file, each of which counts its downloads.
pub(crate) struct Readers {
    is_over: Arc<AtomicBool>,
    downloads: JoinSet<u64>,
}

impl Readers {
    pub(crate) async fn start(scene: &Scene) -> Self {
        let front = scene.cluster.front();
        let ada = front.person("ada", &scene.key);
        ada.put("/content/ada/tools/counted/1.0/counted.bin?publish=1").body("meow").await.expect(201);
        let is_over = Arc::new(AtomicBool::new(false));
        let mut downloads = JoinSet::new();
        for _ in 0..READERS {
            let (anyone, is_over) = (front.anyone(), is_over.clone());
            downloads.spawn(async move {
                let mut count = 0;
                while !is_over.load(Ordering::Relaxed) {
                    assert_eq!(anyone.download("/ada/tools/counted.bin").await.expect(200).text(), "meow");
                    count += 1;
                }
                count
            });
        }
        Self { is_over, downloads }
    }

    /// Stops the readers, and waits until the statistics match their counts exactly.
    pub(crate) async fn are_all_counted(self, scene: &Scene) {
        self.is_over.store(true, Ordering::Relaxed);
        let read: u64 = self.downloads.join_all().await.iter().sum();
        let ada = scene.cluster.front().person("ada", &scene.key);
        let began = Instant::now();
        loop {
            let answer = ada.get("/packages/ada/tools/counted/stats/total_downloads").await.expect(200).json();
            let counted = answer["records"].as_array().expect("a list").iter().map(|record| &record["count"]);
            let counted: u64 = counted.map(|count| count.as_u64().expect("a number")).sum();
            if counted == read {
                println!("  {read} downloads were counted");
                return;
            }
            assert!(began.elapsed() < COUNTED_WITHIN, "{counted} of {read} downloads were counted");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}
