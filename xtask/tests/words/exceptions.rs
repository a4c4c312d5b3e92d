//! Where the replaced words may be used.

/// Where a word is right: the beginning of the path, the name or a part of the text, and the reason.
pub(crate) const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("crates/", "told apart", "to tell apart is ordinary English for to distinguish"),
    ("crates/settings/", "Outgoing", "the section `[outgoing]` of the settings file is documented and stays"),
    ("crates/operations/", "garbage: condemned", "the names of fault points stay"),
    ("crates/operations/", "claim_name", "a name is claimed for good, and nothing is leased"),
];

/// What is being renamed: the beginning of the path, and the name or a part of the text. To be emptied.
pub(crate) const UNTIL_RENAMED: &[(&str, &str)] = &[
    // Comments of tests.
    ("crates/suite/", ""),
    ("crates/packhouse/", ""),
    // The server and the crates that are split off it.
    ("crates/", "tell"),
    ("crates/", "tell_range"),
    ("crates/", "tell_if_complete"),
    ("crates/", "told"),
    ("crates/", "told_if_empty"),
    ("crates/", "kept"),
    ("crates/", "keep"),
    ("crates/", "Said"),
    ("crates/", "allowance"),
    ("crates/", "Allowance"),
    ("crates/", "elsewhere"),
    // The blob store.
    ("crates/blobs/", "stage"),
    ("crates/blobs/", "staged"),
    ("crates/blobs/", "S3Staged"),
    // The command line.
    ("crates/cli/", "common"),
    ("crates/cli/", "place"),
    ("crates/cli/", "delete_place"),
    ("crates/cli/", "forget"),
    ("crates/cli/", "show_forgotten"),
    ("crates/cli/", "note"),
];
