//! `packhouse admin backup` and `packhouse admin restore`.

use std::path::Path;

use operations::{
    Clock, Entropy, House,
    maintenance::{
        backup::{self, EmptyStores, Options, Summary},
        verify::{Finding, Progress},
    },
};
use server::{OpenStores, open_stores};
use settings::Settings;

use crate::admin::{garbage::amount, progress::watch};

pub(super) async fn take(house: &House, key: &Path, folder: &Path, with_master_key: bool) -> Result<(), String> {
    let progress = Progress::default();
    let options = Options { master_key: with_master_key.then_some(key) };
    let taken = backup::take(house, folder, options, &progress, print);
    let summary = watch(taken, "copied", &progress).await.map_err(|error| error.to_string())?;
    println!("backed up {}", describe(&summary));
    println!("copied {}", amount(summary.copied));
    if with_master_key {
        eprintln!("WARNING: the backup holds the master key: anyone who has it can read every secret of this server");
    } else {
        eprintln!(
            "WARNING: the master key is NOT in the backup: without {} no secret of this server \
             can be used; keep a copy of it elsewhere",
            key.display()
        );
    }
    Ok(())
}

pub(super) async fn restore(settings: &Settings, folder: &Path) -> Result<(), String> {
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let OpenStores { db, blobs, lock: _lock } = open_stores(settings, &entropy).await?;
    let key = settings.master_key_path();
    let stores = EmptyStores { db: &db, blobs: &blobs, master_key: &key, data: &settings.data, entropy: &entropy };
    let progress = Progress::default();
    let restored = backup::restore(&stores, folder, clock.now(), &progress, print);
    let summary = watch(restored, "restored", &progress).await.map_err(|error| error.to_string())?;
    db.settle().await.map_err(|error| error.to_string())?;
    println!("restored {}", describe(&summary));
    print_tables(&summary);
    if !key.exists() {
        eprintln!("WARNING: the backup has no master key: put it at {} before you start the server", key.display());
    }
    Ok(())
}

pub(super) fn print(finding: Finding) {
    println!("{finding}");
}

/// Prints a line for each table that has rows.
pub(super) fn print_tables(summary: &Summary) {
    summary.rows.iter().filter(|(_, count)| **count > 0).for_each(|(table, count)| println!("  {table} {count}"));
}

pub(super) fn describe(summary: &Summary) -> String {
    format!("{} rows and {}", summary.rows.values().sum::<i64>(), amount(summary.content))
}
