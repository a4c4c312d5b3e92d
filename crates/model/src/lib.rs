//! Pure rules and names of the service: no I/O, no HTTP, no SQL, no clock.

pub mod access;
pub mod address;
pub mod api_key;
pub mod attribute;
pub mod attribute_query;
pub mod checksum;
pub mod day;
pub mod digest;
pub mod document;
pub mod email;
pub mod file_path;
pub mod license;
pub mod month;
pub mod names;
pub mod page;
pub mod plan;
pub mod prefix;
pub mod rating;
pub mod repo_type;
pub mod role;
pub mod search_term;
pub mod target;
pub mod text;
pub mod timestamp;
pub mod webhook;
pub mod wildcard;
