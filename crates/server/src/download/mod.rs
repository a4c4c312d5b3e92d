//! Files on their way out: what of a file is asked for, under which conditions, and how it is sent.
//!
//! Who may have a file, and where its bytes come from, is decided before.

mod answer;
mod body;
mod conditional;
mod elsewhere;
mod etag;
mod handler;
mod kept;
mod listing;
mod media_type;
mod multipart;
mod permit;
mod range;
mod signed;
mod source;
#[cfg(test)]
pub(crate) mod told;
#[cfg(test)]
mod transfers;

pub(crate) use answer::{ChecksumHeaders, Download};
pub(crate) use body::{Completed, DownloadBody};
pub(crate) use handler::{download, download_maven};
pub(crate) use kept::{CachedDownload, DownloadCache, LookupPermit, Ready};
#[cfg(test)]
pub(crate) use media_type::media_type;
pub(crate) use signed::query;
pub(crate) use source::{Source, Way};
