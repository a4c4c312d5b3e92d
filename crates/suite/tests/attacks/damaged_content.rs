//! Stored bytes that were damaged behind the server.
