//! Names that look like other names.
