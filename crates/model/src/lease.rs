//! Numbers of leases.

/// The number of bits for the leases of one run of a server.
const LEASE_BITS: u32 = 23;

/// The number of a lease, unique among all runs of all nodes. It names the run that has the lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseNumber(i64);

impl LeaseNumber {
    /// The number of a run, from a random one: 40 bits, never zero.
    pub fn run_from(random: u64) -> u64 {
        (random & ((1 << (63 - LEASE_BITS)) - 1)).max(1)
    }

    /// A lease of a run. The numbers of its leases begin again after some millions.
    pub fn new(run: u64, lease: i64) -> Self {
        Self((run << LEASE_BITS).cast_signed() | (lease & ((1 << LEASE_BITS) - 1)))
    }

    /// A lease as it is stored.
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// The number to store.
    pub fn number(self) -> i64 {
        self.0
    }

    /// The run that has the lease.
    pub fn run(self) -> u64 {
        self.0.cast_unsigned() >> LEASE_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_names_its_run() {
        for run in [0, 1, 7, u64::MAX].map(LeaseNumber::run_from) {
            for lease in [0, 1, i64::MAX] {
                let number = LeaseNumber::new(run, lease);
                assert!(number.number() > 0);
                assert_eq!(LeaseNumber::from_number(number.number()).run(), run);
            }
        }
    }

    #[test]
    fn two_leases_of_a_run_differ() {
        assert_ne!(LeaseNumber::new(5, 1), LeaseNumber::new(5, 2));
        assert_ne!(LeaseNumber::new(5, 1), LeaseNumber::new(6, 1));
    }
}
