//! Sends files: which bytes of a file a request asks for, under which conditions, and how they are sent.
//!
//! Access, and the source of the bytes, are decided before.

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
pub(crate) use source::{Source, Way};
