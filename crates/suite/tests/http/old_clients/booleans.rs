//! Booleans sent as strings.
