//! Clients that cannot leave out an optional object.
