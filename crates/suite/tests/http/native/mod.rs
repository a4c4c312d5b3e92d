//! Requests of package managers: their credentials, their methods, and the texts that they read.

pub(crate) mod composer;
pub(crate) mod conan;
pub(crate) mod conan_tokens;
pub(crate) mod credentials;
pub(crate) mod go;
pub(crate) mod hidden;
pub(crate) mod lists;
pub(crate) mod nuget;
pub(crate) mod parts;
pub(crate) mod rubygems;
pub(crate) mod rubygems_log;
pub(crate) mod rubygems_wire;
pub(crate) mod texts;
pub(crate) mod vagrant;
pub(crate) mod vagrant_uploads;
