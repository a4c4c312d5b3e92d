//! The real binary, from outside.
