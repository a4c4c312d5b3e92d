//! Signing keys that are expensive to unlock.
