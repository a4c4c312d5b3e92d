//! Files as they are: any path, no index.

use crate::Format;

/// Takes everything and builds nothing.
pub const FORMAT: Format = Format { name: "generic" };
