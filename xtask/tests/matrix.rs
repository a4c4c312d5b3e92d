//! Checks that the table of clients in `docs/clients/README.md` has what tests show, no more and no less.

use std::{collections::BTreeSet, fs};

use xtask::matrix::{Table, declared, document, tests};

#[test]
fn the_table_has_what_tests_show() {
    let declared = declared(&tests()).expect("readable tests");
    let table = Table::find(&fs::read_to_string(document()).expect("readable")).expect("a table");
    let rows: BTreeSet<&String> = table.rows.keys().collect();
    assert_eq!(rows, declared.keys().collect(), "`cargo xtask test-clients` writes the table again");
    for (client, columns) in &declared {
        let cells: BTreeSet<&String> = table.rows[client].cells.keys().collect();
        assert_eq!(cells, columns.iter().collect(), "{client}: `cargo xtask test-clients` writes the table again");
    }
}

#[test]
fn every_client_is_at_least_installed_from_or_published_with() {
    let declared = declared(&tests()).expect("readable tests");
    assert!(declared.len() >= 10, "{declared:?}");
    for (client, columns) in &declared {
        assert!(columns.contains("install") || columns.contains("publish"), "{client}");
    }
}
