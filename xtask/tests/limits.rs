//! Checks that the limits in `docs/api.md` match the code.

use std::{fs, path::Path};

/// The start of a row of the table, and the file and name of the constant that it documents.
const LIMITS: &[(&str, &str, &str)] = &[
    ("path of an address", "model/src/target.rs", "PATH_BYTES"),
    ("query of an address", "model/src/target.rs", "QUERY_BYTES"),
    ("name and key in an `Authorization` header", "web/src/caller.rs", "CREDENTIALS_BYTES"),
    ("JSON body", "web/src/json.rs", "BODY_BYTES"),
    ("JSON body that is a list", "web/src/json.rs", "LIST_BYTES"),
    ("readme, release notes or EULA", "operations/src/rendering/markdown.rs", "TEXT_BYTES"),
    ("results on a page", "model/src/page.rs", "PAGE_SIZE"),
    ("`start_pos`", "model/src/page.rs", "LAST_POSITION"),
    ("packages that an anonymous caller can list", "operations/src/catalogue/package_list.rs", "ANONYMOUS_PACKAGES"),
    ("name of a user,", "model/src/names.rs", "SHORT_NAME_CHARACTERS"),
    ("name of a package,", "model/src/names.rs", "LONG_NAME_BYTES"),
    ("path of a file in its repository", "model/src/file_path.rs", "PATH_BYTES"),
    ("segment of a file's path", "model/src/file_path.rs", "SEGMENT_BYTES"),
    ("`full_name`,", "model/src/text.rs", "FULL_NAME_BYTES"),
    ("`desc`,", "model/src/text.rs", "TEXT_BYTES"),
    ("`website_url`,", "model/src/text.rs", "LINE_BYTES"),
    ("`labels` of", "model/src/text.rs", "LABELS"),
    ("one of the `labels`", "model/src/text.rs", "LABEL_BYTES"),
    ("`custom_licenses` of a package", "operations/src/catalogue/licenses.rs", "USES"),
    ("tags of a package", "operations/src/content/native_publish.rs", "PACKAGE_TAGS"),
    ("name of a tag", "operations/src/native/tag_names.rs", "TAG_BYTES"),
    ("attributes of a package or a version", "model/src/attribute.rs", "ATTRIBUTES"),
    ("name of an attribute", "model/src/attribute.rs", "NAME_BYTES"),
    ("values of all attributes", "model/src/attribute.rs", "VALUES"),
    ("bytes of all attributes", "model/src/attribute.rs", "BYTES"),
    ("clauses of an attribute search", "model/src/attribute_query.rs", "CLAUSES"),
    ("values in a clause", "model/src/attribute_query.rs", "CLAUSE_VALUES"),
    ("text of a search", "model/src/search_term.rs", "TERM_BYTES"),
    ("results of a search with `q`", "database/src/search/candidates.rs", "MOST_MATCHES"),
    ("pattern of a file search", "model/src/wildcard.rs", "PATTERN_BYTES"),
    ("days of statistics", "model/src/day.rs", "MOST"),
    ("months of usage", "operations/src/usage/months.rs", "MOST_MONTHS"),
    ("`url` of a webhook", "operations/src/outbound/mod.rs", "URL_BYTES"),
    ("queued deliveries of a webhook", "operations/src/events/webhooks/enqueue.rs", "PENDING_DELIVERIES"),
    ("`valid_for_secs` and `expiry`", "model/src/access/downloads.rs", "LONGEST_SIGNED_URL_SECS"),
    ("`callback_id` of a signed URL", "operations/src/downloads/signed_urls/create.rs", "CALLBACK_ID_BYTES"),
    ("`white_cidrs`, `black_cidrs`", "model/src/access/cidrs.rs", "NETWORKS"),
    ("tokens of a user or an organization", "operations/src/accounts/tokens.rs", "TOKENS"),
    ("trusted publishers of a user or an organization", "operations/src/accounts/trusted_publishers.rs", "PUBLISHERS"),
    ("invitations within a week", "operations/src/accounts/invitations.rs", "INVITATIONS"),
    ("name of a token", "model/src/token.rs", "NAME_CHARACTERS"),
    ("`resources` of a token", "model/src/token.rs", "RESOURCES"),
    ("`cidrs` of a token", "model/src/access/cidrs.rs", "NETWORKS"),
    ("`overlap_secs` of a rotation", "operations/src/accounts/tokens.rs", "LONGEST_OVERLAP_SECS"),
    ("`cache_for_secs`", "operations/src/access/access_keys/change.rs", "CACHE_SECS"),
    ("`max_downloads`", "operations/src/access/access_keys/change.rs", "MOST_DOWNLOADS"),
    ("access keys of an entitlement", "operations/src/access/entitlements/change.rs", "KEYS"),
    ("`tags` of an entitlement", "operations/src/access/entitlements/change.rs", "TAGS"),
    ("members of a team", "operations/src/access/teams.rs", "MEMBERS"),
    ("entries of a geo or IP restriction", "operations/src/access/restrictions.rs", "ENTRIES"),
    ("`packages` of a product", "operations/src/access/products/change.rs", "PACKAGES"),
    ("EULAs of a product", "operations/src/access/eulas.rs", "EULAS"),
    ("`versions` of a EULA", "operations/src/access/eulas/change.rs", "VERSIONS"),
    ("`username` and `password` for a sync", "operations/src/public_sync/credentials.rs", "BYTES"),
    ("ranges in one download", "server/src/downloads/range.rs", "MAX_RANGES"),
];

#[test]
fn the_limits_of_the_manual_are_those_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manual = fs::read_to_string(root.join("docs/api.md")).expect("readable");
    for (row, file, name) in LIMITS {
        let told = told(&manual, row);
        let source = fs::read_to_string(root.join("crates").join(file)).expect("readable");
        let held = constant(&source, name).unwrap_or_else(|| panic!("{file} has no {name}"));
        assert_eq!(told, held, "docs/api.md says {told} for '{row}', but {name} in {file} is {held}");
    }
}

#[test]
fn numbers_are_read_as_they_are_written() {
    assert_eq!(told("| a | 256 KiB, else 413 |", "a"), 262_144);
    assert_eq!(told("| a b | 10,000 bytes |", "a"), 10_000);
    assert_eq!(constant("const A: usize = 4 * 1024;", "A"), Some(4096));
    assert_eq!(constant("pub const A: u64 = 1 << 53;", "A"), Some(1 << 53));
    assert_eq!(constant("const A: i64 = 10_000;", "B"), None);
}

/// Returns the number in the row of the table that begins with `row`. If several rows do, the shortest one counts.
fn told(manual: &str, row: &str) -> u64 {
    let begins = |line: &&str| line.starts_with(&format!("| {row}"));
    let line = manual.lines().filter(begins).min_by_key(|line| line.split('|').nth(1).map(str::len));
    let line = line.unwrap_or_else(|| panic!("docs/api.md has no limit for '{row}'"));
    let cell = line.split('|').nth(2).expect("a second column").trim();
    let digits: String = cell.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
    let unit = match cell.split([' ', ',', ';']).nth(1) {
        Some("KiB") => 1 << 10,
        Some("MiB") => 1 << 20,
        _ => 1,
    };
    digits.parse::<u64>().unwrap_or_else(|_| panic!("no number in '{cell}'")) * unit
}

/// Returns the value of a constant: a number, a product or a shift.
fn constant(source: &str, name: &str) -> Option<u64> {
    let declared = format!("const {name}: ");
    let line = source.lines().find(|line| line.contains(&declared))?;
    let value = line.split_once(" = ")?.1.trim_end_matches(';').replace('_', "");
    let number = |text: &str| text.trim().parse::<u64>().ok();
    match value.split_once("<<") {
        Some((base, bits)) => Some(number(base)? << number(bits)?),
        None => value.split('*').map(number).product(),
    }
}
