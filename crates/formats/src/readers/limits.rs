//! The limits of a look into a package.

const MIB: u64 = 1024 * 1024;

/// The limits that every reader of one package keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The number of bytes that are read from the store, and the number of bytes that they inflate to.
    pub bytes: u64,
    /// The size of one member whose content is needed.
    pub member_bytes: u64,
    /// The number of files and folders in an archive.
    pub entries: usize,
    /// The maximum ratio of the inflated size to the packed size.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 * MIB, member_bytes: MIB, entries: 100_000, ratio: 200 }
    }
}

impl Limits {
    /// The limits of archives that must be inflated as a whole. Ordinary packages with binaries inflate to hundreds of
    /// megabytes; a gigabyte takes some seconds.
    pub fn whole_archive() -> Self {
        Self { bytes: 1024 * MIB, entries: 250_000, ..Self::default() }
    }

    /// The number of bytes that a packed size may inflate to by the ratio. Small content has no ratio.
    pub(super) fn inflated_bytes(&self, packed_bytes: u64, small_bytes: u64) -> u64 {
        packed_bytes.saturating_mul(self.ratio).max(small_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_archives_may_hold_large_binaries() {
        let (whole, default) = (Limits::whole_archive(), Limits::default());
        assert_eq!(whole.bytes, 16 * default.bytes);
        assert_eq!((whole.member_bytes, whole.ratio), (default.member_bytes, default.ratio), "metadata stays small");
    }
}
