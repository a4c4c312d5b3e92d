//! Clients that ask once for all files.
