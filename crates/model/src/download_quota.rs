//! Counts downloads of a key that has a download limit. The key pays for bytes of a file, in units of the file size.
//!
//! Ranges and interrupted transfers cannot bypass the limit, because every byte counts. The ranges of one download
//! still count as one download, in parallel or in sequence, because together they have the size of the file.

use crate::id::BlobId;

/// The rest of the downloads of one file that a key has paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paid {
    size: i64,
    left: i64,
}

impl Paid {
    /// Creates the balance for a file of this size. `left` is the number of bytes left; it is negative if more was sent
    /// than was paid for.
    pub fn new(size: i64, left: i64) -> Self {
        Self { size, left }
    }

    /// The number of bytes left.
    pub fn left(self) -> i64 {
        self.left
    }

    /// Returns the number of downloads to pay for before this many bytes may be sent.
    ///
    /// A transfer uses the remaining bytes first. Half a file size more is free, once, so that a client can restart a
    /// transfer that broke off early. Two transfers of nearly the whole file are two downloads.
    pub fn price(self, bytes: i64) -> i64 {
        if self.size <= 0 {
            return 1;
        }
        if self.left > 0 && bytes <= self.left + self.forgiven() {
            return 0;
        }
        let missing = bytes - self.left - self.forgiven();
        (missing.max(0) / self.size + i64::from(missing.max(0) % self.size > 0)).max(1)
    }

    /// Pays for this many downloads, and subtracts this many bytes.
    pub fn send(&mut self, downloads: i64, bytes: i64) {
        self.left += downloads.saturating_mul(self.size) - bytes;
    }

    /// Returns bytes that were not sent to the balance. Returns the number of downloads that are refunded with them.
    pub fn give_back(&mut self, bytes: i64) -> i64 {
        self.left += bytes;
        let downloads = if self.size > 0 { self.left.max(0) / self.size } else { 0 };
        self.left -= downloads * self.size;
        downloads
    }

    fn forgiven(self) -> i64 {
        self.size / 2
    }
}

/// Content that an access key downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PaidContent {
    /// The id of the content.
    pub blob_id: BlobId,
    /// Its size in bytes.
    pub size: i64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the number of downloads that a key pays for transfers of these sizes, in sequence.
    fn paid(size: i64, transfers: &[i64]) -> i64 {
        let mut paid = Paid::new(size, 0);
        let pay = |bytes: &i64| {
            let price = paid.price(*bytes);
            paid.send(price, *bytes);
            price
        };
        transfers.iter().map(pay).sum()
    }

    #[test]
    fn ranges_of_one_download_are_one() {
        assert_eq!(paid(100, &[100]), 1);
        assert_eq!(paid(100, &[25, 25, 25, 25]), 1);
        assert_eq!(paid(100, &[1; 100]), 1);
        assert_eq!(paid(100, &[25, 25, 25, 25, 1]), 2);
    }

    #[test]
    fn nearly_all_of_a_file_is_a_download_each_time() {
        assert_eq!(paid(100, &[99; 10]), 10);
        assert_eq!(paid(1 << 40, &[(1 << 40) - 1; 10]), 10);
    }

    #[test]
    fn a_client_that_begins_again_pays_once() {
        assert_eq!(paid(100, &[40, 100]), 1);
        assert_eq!(paid(100, &[40, 100, 100]), 2);
        assert_eq!(paid(100, &[60, 100]), 2);
    }

    #[test]
    fn ranges_that_say_the_file_many_times_are_many_downloads() {
        assert_eq!(paid(100, &[1_600]), 16);
        assert_eq!(paid(0, &[0, 0]), 2);
    }

    #[test]
    fn what_was_not_sent_comes_back() {
        let mut paid = Paid::new(100, 0);
        paid.send(1, 100);
        assert_eq!(paid.give_back(100), 1);
        assert_eq!(paid, Paid::new(100, 0));
        paid.send(1, 100);
        assert_eq!((paid.give_back(70), paid.left()), (0, 70));
        assert_eq!(paid.price(70), 0);
    }

    proptest! {
        #[test]
        fn no_order_of_transfers_gets_more_than_was_paid_for_and_a_half(
            size in 1i64..1_000, transfers in proptest::collection::vec((0i64..3_000, 0i64..3_000), 0..50)
        ) {
            let (mut paid, mut downloads, mut sent) = (Paid::new(size, 0), 0, 0);
            for (bytes, unsent) in transfers {
                let unsent = unsent.min(bytes);
                let price = paid.price(bytes);
                paid.send(price, bytes);
                downloads += price - paid.give_back(unsent);
                sent += bytes - unsent;
                prop_assert!(2 * sent <= (2 * downloads + 1) * size, "{sent} bytes for {downloads} of {size}");
                prop_assert!(downloads >= 0 && paid.left() < size);
            }
        }

        #[test]
        fn a_download_in_parts_costs_one(size in 1i64..1_000, cuts in proptest::collection::vec(0i64..1_000, 0..10)) {
            let mut ends: Vec<i64> = cuts.into_iter().map(|cut| cut % size).chain([0, size]).collect();
            ends.sort_unstable();
            ends.dedup();
            let parts: Vec<i64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
            prop_assert_eq!(paid(size, &parts), 1);
        }
    }
}
