//! Attempts to change bytes that were published for good.
