//! The words that the glossary replaces, and the words to use instead.

/// Words in the names of functions, types, modules and constants, and the word to use instead. `^` stands for the
/// beginning of a name; a name consists of the words that underscores or capitals separate.
pub(crate) const NAMES: &[(&str, &str)] = &[
    ("^hold", "lock"),
    ("^holding", "lock"),
    ("^held", "locked"),
    ("^forget", "delete expired"),
    ("forgotten", "expired"),
    ("^tell", "record, notify or set"),
    ("told", "recorded, notified or set"),
    ("happened", "event"),
    ("^note", "record"),
    ("^noted", "recorded"),
    ("write down", "flush or record"),
    ("put down", "flush or record"),
    ("look again", "reload"),
    ("^claim", "lease"),
    ("claimed", "leased"),
    ("take turn", "lock or lease"),
    ("upkeep", "job"),
    ("keeper", "job"),
    ("kept", "cached or stored"),
    ("^keep", "commit, mark, lock or run"),
    ("keeping", "cache policy"),
    ("allowance", "quota"),
    ("^said", "notice or message"),
    ("flash", "notice"),
    ("spot", "scope or target"),
    ("^reach", "grants"),
    ("condemned", "marked"),
    ("doomed", "deletion target"),
    ("loose", "unreferenced"),
    ("outgoing", "outbound"),
    ("outsider", "key holder"),
    ("repeater", "replayer"),
    ("anew", "rebuild"),
    ("whoever", "operator"),
];

/// Words that are wrong in the names of one crate, because they mean something else there.
pub(crate) const NAMES_OF: &[(&str, &str, &str)] = &[
    ("crates/blobs/", "stage", "receive"),
    ("crates/blobs/", "staged", "pending"),
    ("crates/cli/", "common", "connection arguments"),
    ("crates/cli/", "place", "destination or address"),
    ("crates/server/src/download/", "elsewhere", "handoff"),
];

/// Phrases in messages, doc comments and documents, and what to say instead.
pub(crate) const PHRASES: &[(&str, &str)] = &[
    ("is told", "records, sends or reports"),
    ("are told", "records, sends or reports"),
    ("be told", "records, sends or reports"),
    ("been told", "records, sends or reports"),
    ("written down", "recorded or flushed"),
    ("write down", "record or flush"),
    ("writes down", "records or flushes"),
    ("put down", "recorded or flushed"),
    ("anew", "again, or rebuild"),
    ("once more", "again"),
    ("whoever", "the operator, or anyone who"),
    ("take hold", "lock"),
    ("takes hold", "locks"),
    ("have a part in", "are listed in"),
    ("past the parser", "replay"),
    ("servers of others", "outbound"),
    ("signed address", "signed URL"),
    ("signed addresses", "signed URLs"),
    ("outsider", "key holder"),
    ("outsiders", "key holders"),
    ("upkeep", "job"),
    ("condemned", "marked"),
];

/// Phrases that are wrong only in strings, which operators, callers and visitors read.
pub(crate) const IN_STRINGS: &[(&str, &str)] = &[
    ("could not be", "<doing> failed"),
    ("the house", "the server"),
    ("this house", "this server"),
    ("was told", "was notified"),
    ("were told", "were notified"),
    ("room left", "full"),
    ("at this address", "URL"),
    ("on our side", "the server"),
];

/// Words that are wrong only in log lines.
pub(crate) const IN_LOGS: &[(&str, &str)] = &[
    ("turn", "lease or lock"),
    ("told", "notified"),
    ("kept", "cached or stored"),
    ("held", "locked"),
    ("noted", "recorded"),
    ("noting", "recording"),
    ("heard", "received"),
    ("claimed", "leased"),
    ("forgotten", "expired"),
    ("garbage and", "unreferenced"),
    ("servers", "nodes"),
    ("there is", "<thing> <did>"),
];
