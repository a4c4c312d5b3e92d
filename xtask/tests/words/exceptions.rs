//! Where the replaced words may be used.

/// Where a word is right: the beginning of the path, the name or a part of the text, and the reason.
pub(crate) const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("crates/", "told apart", "to tell apart is ordinary English for to distinguish"),
    ("crates/settings/", "Outgoing", "the section `[outgoing]` of the settings file is documented and stays"),
    ("crates/operations/", "garbage: condemned", "the names of fault points stay"),
    ("crates/model/", "CLAIM_BYTES", "OpenID Connect calls the fields of its tokens claims"),
    ("crates/model/", "ClaimPattern", "the same"),
    ("crates/operations/", "claim_name", "a name is claimed for good, and nothing is leased"),
];
