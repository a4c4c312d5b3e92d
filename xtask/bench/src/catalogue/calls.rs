//! The measured calls. The `size` attribute of a package is its number, which makes ranges of numbers predictable.

use serde_json::{Value, json};

use crate::catalogue::REPO;
use crate::catalogue::packages::{SAME_ORIGIN, channel, code, name, origin, word};
use crate::client::Call;
use crate::owner::OWNER;

/// One kind of call.
pub(crate) struct CallKind {
    /// The name of the call.
    pub(crate) name: &'static str,
    /// How much slower the call may be in the largest catalogue than in the smallest.
    pub(crate) bound: Option<f64>,
    /// Creates a call from a random number and the number of packages.
    pub(crate) call: fn(u64, u64) -> Call,
}

/// The bound of details and list pages, whose cost does not depend on the number of packages.
const CONSTANT: Option<f64> = Some(1.5);

/// The bound of searches with few hits, whose cost hardly depends on the number of packages.
const SELDOM: Option<f64> = Some(10.0);

/// The number of packages in a range that a search looks for.
const RANGE: u64 = 10;

/// The number of channels: one of this many packages in a range is in a given channel.
const CHANNELS: u64 = 3;

/// All kinds, in the order of the table.
pub(crate) const KINDS: &[CallKind] = &[
    CallKind {
        name: "package detail",
        bound: CONSTANT,
        call: |number, count| Call::get(format!("/api/packages/{OWNER}/{REPO}/{}", name(number % count))),
    },
    CallKind { name: "package list, first page", bound: CONSTANT, call: |_, count| list(0, count) },
    CallKind {
        name: "package list, a page of the second half",
        bound: CONSTANT,
        call: |number, count| list(count / 2 + number % (count / 2), count),
    },
    CallKind {
        name: "name search, 1 hit",
        bound: SELDOM,
        call: |number, count| search(&code(number % count)).finds(1),
    },
    CallKind { name: "name search, 1 of 16 packages hit", bound: None, call: |number, _| search(word(number)) },
    CallKind {
        name: "attribute search, equality, 5 hits",
        bound: SELDOM,
        call: |number, count| {
            let whole = count / SAME_ORIGIN * SAME_ORIGIN;
            by_attributes(json!([{ "origin": origin(number % whole) }])).finds(SAME_ORIGIN)
        },
    },
    CallKind {
        name: "attribute search, range, 10 hits",
        bound: SELDOM,
        call: |number, count| {
            let from = number % (count - RANGE);
            by_attributes(json!([{ "size": range(from, RANGE) }])).finds(RANGE)
        },
    },
    CallKind {
        name: "attribute search, one of 3 values and a range, 10 hits",
        bound: SELDOM,
        call: |number, count| {
            let from = number % (count - RANGE * CHANNELS);
            let clauses = json!([{ "channel": channel(number) }, { "size": range(from, RANGE * CHANNELS) }]);
            by_attributes(clauses).finds(RANGE)
        },
    },
];

fn list(start: u64, count: u64) -> Call {
    Call::get(format!("/api/repos/{OWNER}/{REPO}/packages?start_pos={start}")).finds(count)
}

fn search(part: &str) -> Call {
    Call::get(format!("/api/search/packages?name={part}"))
}

fn by_attributes(clauses: Value) -> Call {
    Call::post(format!("/api/search/attributes/{OWNER}/{REPO}"), clauses)
}

/// Returns a range of `count` integers that starts at `first`.
fn range(first: u64, count: u64) -> String {
    format!("[{first},{}]", first + count - 1)
}
