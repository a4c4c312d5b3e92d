//! `packhouse admin scrub`.

use std::path::Path;

use model::id::BlobId;
use operations::{
    House,
    maintenance::{
        scrub::{self, DamagedContent, ExaminationOutcome},
        verify::Progress,
    },
};
use settings::Settings;

use crate::admin::{progress::watch, text};

/// Reads all content if requested, repairs damaged content from another location, and prints the status.
pub(super) async fn run(house: &House, settings: &Settings, now: bool, heal_from: Option<&str>) -> Result<(), String> {
    if now {
        let progress = Progress::default();
        let print = |blob: &operations::maintenance::scrub::Blob, outcome: ExaminationOutcome| match outcome {
            ExaminationOutcome::Healed => println!("healed {}", blob.sha256),
            ExaminationOutcome::Damaged(_) | ExaminationOutcome::Right(_) => {}
        };
        watch(scrub::run_now(house, &progress, print), "read", &progress).await.map_err(text)?;
        println!("read {} blobs of {} bytes", progress.blobs(), progress.bytes());
    }
    if let Some(place) = heal_from {
        let location = server::place(settings, &content_of(place))?;
        let print = |listed: &DamagedContent, is_healed: bool| {
            let word = if is_healed { "healed" } else { "not there" };
            println!("{word} {}", listed.damaged.blob.sha256);
        };
        scrub::heal_from(house, location, print).await.map_err(text)?;
    }
    show(house).await
}

/// Returns the location of the content: a backup has it in a subfolder.
fn content_of(place: &str) -> String {
    let inner = Path::new(place).join("blobs");
    if inner.is_dir() { inner.display().to_string() } else { place.to_owned() }
}

async fn show(house: &House) -> Result<(), String> {
    let status = scrub::status(house).await.map_err(text)?;
    match status.scrub {
        None => println!("no pass has begun"),
        Some(scrub) => {
            if let Some(last) = scrub.last {
                let (read, damaged) = (last.read, last.damaged);
                println!(
                    "last pass: {} to {}, {} blobs of {} bytes, {damaged} damaged",
                    last.started, last.ended, read.blobs, read.bytes
                );
            }
            if scrub.reached > BlobId::NONE {
                println!(
                    "pass since {}: {} blobs of {} bytes so far",
                    scrub.started, scrub.read.blobs, scrub.read.bytes
                );
            }
        }
    }
    let mut last = BlobId::NONE;
    loop {
        let page = scrub::list_damaged(house, last).await.map_err(text)?;
        let Some(end) = page.last() else { break };
        last = end.damaged.blob.id;
        page.iter().for_each(print_damaged);
    }
    match status.damaged {
        0 => Ok(()),
        count => Err(format!("{count} blobs are damaged")),
    }
}

/// Prints one line per file, in the format of `admin verify`.
fn print_damaged(listed: &DamagedContent) {
    let (blob, reason) = (&listed.damaged.blob, &listed.damaged.reason);
    if listed.files.is_empty() {
        println!("damaged {} of no file: {reason}", blob.sha256);
    } else {
        listed.files.iter().for_each(|file| println!("damaged {} {file}: {reason}", blob.sha256));
    }
}
