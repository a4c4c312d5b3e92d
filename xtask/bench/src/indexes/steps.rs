//! What a change of a repository costs at a given size.

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use crate::client::Client;
use crate::indexes::scene::{Scene, delete, publish};
use crate::indexes::tools::Other;
use crate::table::grouped;
use xtask::failure::Result;

/// The number of packages that are published before the first measurement: connections plan their statements.
const WARM_UP: u64 = 20;

/// The number of publishers at once.
const PUBLISHERS: u64 = 100;

/// The highest number of generations that they may cause.
const MOST_GENERATIONS: i64 = 10;

/// The longest removal of an old package.
const LONGEST_REMOVAL: Duration = Duration::from_secs(1);

/// The results at one size.
pub(crate) struct Steps {
    size: u64,
    /// The number of packages that were published one by one.
    publishes: u32,
    /// The median duration of a publish.
    publish: Duration,
    /// The processor time of a publish.
    processor_ms: f64,
    /// The number of generations of all publishers together.
    generations: i64,
    /// The duration of the removal of the oldest package.
    removal: Duration,
    /// What other tools take.
    pub(crate) others: Vec<Other>,
}

impl Steps {
    /// Publishes packages one by one, then many at once, and removes the oldest one.
    pub(crate) async fn measure(scene: &Scene, publishes: u32) -> Result<Self> {
        let size = scene.size;
        let mut client = Client::connect(&scene.owner).await?;
        for number in size..size + WARM_UP {
            client.send(&publish(number)?).await?;
        }
        let first = size + WARM_UP;
        let next = first + u64::from(publishes);
        let calls: Result<Vec<_>> = (first..next).map(publish).collect();
        let before = scene.processor_seconds()?;
        let mut durations = Vec::new();
        for call in calls? {
            let began = Instant::now();
            client.send(&call).await?;
            durations.push(began.elapsed());
        }
        let processor_ms = (scene.processor_seconds()? - before) * 1_000.0 / f64::from(publishes);
        durations.sort();
        let generations = Self::crowd(scene, next).await?;
        let began = Instant::now();
        client.send(&delete(0)).await?;
        let removal = began.elapsed();
        let publish = durations[durations.len() / 2];
        Ok(Self { size, publishes, publish, processor_ms, generations, removal, others: Vec::new() })
    }

    /// Publishes a package on each of many connections, and returns the number of generations.
    async fn crowd(scene: &Scene, first: u64) -> Result<i64> {
        let mut clients = Vec::new();
        for number in first..first + PUBLISHERS {
            clients.push((Client::connect(&scene.owner).await?, publish(number)?));
        }
        let before = scene.generation().await?;
        try_join_all(clients.iter_mut().map(|(client, call)| client.send(call))).await?;
        Ok(scene.generation().await? - before)
    }

    /// The number of packages at the end: all but the removed one.
    pub(crate) fn packages(&self) -> u64 {
        self.size + WARM_UP + u64::from(self.publishes) + PUBLISHERS - 1
    }

    /// The highest processor time of a publish, in milliseconds.
    fn most_processor_ms(&self) -> f64 {
        if self.size > 10_000 { 40.0 } else { 20.0 }
    }

    /// Returns a message for every bound that was missed.
    pub(crate) fn misses(&self) -> Vec<String> {
        let (size, most) = (grouped(self.size as f64), self.most_processor_ms());
        let cost = (self.processor_ms > most)
            .then(|| format!("one more package at {size} takes {:.1} ms, more than {most}", self.processor_ms));
        let shared = (self.generations > MOST_GENERATIONS)
            .then(|| format!("{PUBLISHERS} publishers at {size} made {} generations", self.generations));
        let slow = (self.removal > LONGEST_REMOVAL)
            .then(|| format!("a removal at {size} takes {:.2} s", self.removal.as_secs_f64()));
        [cost, shared, slow].into_iter().flatten().collect()
    }

    fn line(&self) -> String {
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1_000.0;
        let other = |name: &str| match self.others.iter().find(|other| other.name == name) {
            Some(other) => format!("{:.0} ms", other.processor_ms),
            None => "-".to_owned(),
        };
        format!(
            "| {} | {:.1} ms | {:.1} ms (at most {}) | {} | {} | {} (at most {MOST_GENERATIONS}) | {:.0} ms (at most {}) |\n",
            grouped(self.size as f64),
            milliseconds(self.publish),
            self.processor_ms,
            self.most_processor_ms(),
            other("reprepro"),
            other("aptly"),
            self.generations,
            milliseconds(self.removal),
            LONGEST_REMOVAL.as_millis(),
        )
    }
}

/// Returns a table with a line for each size.
pub(crate) fn markdown(steps: &[Steps]) -> String {
    let head = "| packages | one more, p50 | its processor time | of reprepro | of aptly \
        | generations of 100 publishers | removal of the oldest |\n|---|---|---|---|---|---|---|\n";
    steps.iter().fold(head.to_owned(), |table, step| table + &step.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_bounds_are_reported() {
        let ms = Duration::from_millis;
        let mut steps = Steps {
            size: 10_000,
            publishes: 50,
            publish: ms(5),
            processor_ms: 19.0,
            generations: 10,
            removal: ms(900),
            others: vec![Other { name: "aptly", processor_ms: 5_100.4 }],
        };
        assert!(steps.misses().is_empty());
        assert!(markdown(&[]).ends_with("|---|\n"));
        let line =
            "| 10,000 | 5.0 ms | 19.0 ms (at most 20) | - | 5100 ms | 10 (at most 10) | 900 ms (at most 1000) |\n";
        assert_eq!(steps.line(), line);
        steps = Steps { processor_ms: 21.0, generations: 11, removal: ms(1_001), ..steps };
        assert_eq!(steps.misses().len(), 3);
        assert!(Steps { size: 100_000, ..steps }.misses()[0].starts_with("100 publishers"));
    }
}
