//! `packhouse admin migrate`.

use operations::{
    Clock, Entropy, House,
    maintenance::{
        backup::{self, EmptyStores},
        verify::Progress,
    },
};
use server::{OpenStores, open_stores};
use settings::{DatabaseUrl, Settings};

use crate::admin::{
    backup::{describe, print, print_tables},
    progress::watch,
};

/// Returns the error for a house that another process may be using.
pub(super) fn refusal() -> String {
    "only data on SQLite can be moved, and only while its server is stopped; otherwise make a backup and restore it \
     with the new settings"
        .into()
}

/// Copies a house that no other process uses to other stores.
pub(super) async fn run(house: &House, settings: &Settings, to: &[String]) -> Result<(), String> {
    let [database, content] = to else { return Err("name a database and a location for content".into()) };
    let target =
        Settings { database_url: Some(DatabaseUrl::new(database)), blobs: Some(content.clone()), ..settings.clone() };
    target.validate().map_err(|error| error.to_string())?;
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let OpenStores { db, blobs, lock: _lock } = open_stores(&target, &entropy).await?;
    let key = settings.master_key_path();
    let stores = EmptyStores { db: &db, blobs: &blobs, master_key: &key, data: &settings.data, entropy: &entropy };
    let progress = Progress::default();
    let moved = backup::migrate(house, &stores, clock.now(), &progress, print);
    let summary = watch(moved, "copied or read", &progress).await.map_err(|error| error.to_string())?;
    db.settle().await.map_err(|error| error.to_string())?;
    println!("moved {}", describe(&summary));
    print_tables(&summary);
    eprintln!(
        "The old data is unchanged. Set `database_url` and `blobs` to the new locations before you start the server, and \
         keep {}: the new server needs the same master key.",
        key.display()
    );
    Ok(())
}
