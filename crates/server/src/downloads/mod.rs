//! Sends files: which bytes of a file a request asks for, under which conditions, and how they are sent.
//!
//! Access, and the source of the bytes, are decided before.

mod answer;
mod assembled;
mod base;
mod body;
mod cache;
mod caching;
mod conditional;
pub(crate) mod download_logs;
mod etag;
mod file;
mod handler;
mod handoff;
mod image;
mod listing;
mod media_type;
mod multipart;
mod permit;
mod range;
mod signed;
pub(crate) mod signed_urls;
mod source;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use answer::{ChecksumHeaders, Download};
pub(crate) use base::{filled, path as repo_path};
pub(crate) use body::{Completed, DownloadBody, NoBody};
pub(crate) use cache::{CachedDownload, DownloadCache, LookupPermit, Ready, Validity};
pub(crate) use caching::CredentialsExpiry;
pub(crate) use etag::{Comparison, ETag};
pub(crate) use handler::{NativeRead, download, download_maven, missing, read, repo_address};
pub(crate) use image::{ImageDownload, send_image};
#[cfg(test)]
pub(crate) use media_type::media_type;
pub(crate) use signed::is_signed;
pub(crate) use source::{SendMethod, Source};
