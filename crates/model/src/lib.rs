//! Pure rules and names of the service: no I/O, no HTTP, no SQL, no clock.

pub mod access;
pub mod api_key;
pub mod digest;
pub mod email;
pub mod file_path;
pub mod names;
pub mod page;
pub mod plan;
pub mod role;
pub mod target;
pub mod text;
pub mod timestamp;
