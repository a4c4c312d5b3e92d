//! Guessing of passwords and keys.
