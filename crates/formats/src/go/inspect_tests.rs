use std::io::Cursor;

use super::*;
use crate::readers::samples::zip;

fn look(files: &[(&str, &[u8])], module: &str, version: &str) -> Result<Vec<u8>, String> {
    let module = ModulePath::parse(module).expect("a path");
    let version = GoVersion::parse(version).expect("a version");
    inspect(&mut Cursor::new(zip(files)), &Limits::default(), &module, &version)
}

fn refusal(name: &str) -> String {
    let files: &[(&str, &[u8])] = &[("a.b/m@v1.0.0/x.go", b""), (name, b"")];
    look(files, "a.b/m", "v1.0.0").expect_err(name)
}

#[test]
fn the_go_mod_is_returned() {
    let go_mod = b"module a.b/m\n\ngo 1.22\n";
    let files: &[(&str, &[u8])] = &[("a.b/m@v1.0.0/go.mod", go_mod), ("a.b/m@v1.0.0/sub/x.go", b"package sub")];
    assert_eq!(look(files, "a.b/m", "v1.0.0"), Ok(go_mod.to_vec()));
    assert_eq!(look(&[("a.b/m@v1.0.0/x.go", b"")], "a.b/m", "v1.0.0"), Ok(b"module a.b/m\n".to_vec()));
    assert!(look(&[("a.b/m@v2.0.0+incompatible/x.go", b"")], "a.b/m", "v2.0.0+incompatible").is_ok());
}

#[test]
fn wrong_names_are_refused() {
    for (name, reason) in [
        ("a.b/m@v1.0.1/y.go", "does not begin with 'a.b/m@v1.0.0/'"),
        ("y.go", "does not begin with"),
        ("a.b/m@v1.0.0/../x", "the module zip is not valid"),
        ("a.b/m@v1.0.0/X.go", "differs from another one only by letter case"),
        ("a.b/m@v1.0.0/con.txt", "Windows reserves"),
        ("a.b/m@v1.0.0/a:b", "cannot have"),
        ("a.b/m@v1.0.0/sub/go.mod", "is a go.mod that is not at the top"),
        ("a.b/m@v1.0.0/GO.MOD", "is a go.mod that is not at the top or not in lower case"),
    ] {
        let refusal = refusal(name);
        assert!(refusal.contains(reason), "{refusal}");
    }
    let folders: &[(&str, &[u8])] = &[("a.b/m@v1.0.0/s/x.go", b""), ("a.b/m@v1.0.0/S/y.go", b"")];
    assert!(look(folders, "a.b/m", "v1.0.0").expect_err("folders").contains("only by letter case"));
}

#[test]
fn contradictions_are_refused() {
    let other: &[(&str, &[u8])] = &[("a.b/m@v1.0.0/go.mod", b"module a.b/other\n")];
    assert!(look(other, "a.b/m", "v1.0.0").expect_err("other").contains("its go.mod says module 'a.b/other'"));
    assert!(look(&[("a.b/m@v2.0.0/x.go", b"")], "a.b/m", "v2.0.0").expect_err("v2").contains("does not fit module"));
    let incompatible: &[(&str, &[u8])] = &[("a.b/m@v2.0.0+incompatible/go.mod", b"module a.b/m\n")];
    assert!(look(incompatible, "a.b/m", "v2.0.0+incompatible").is_err());
}

#[test]
fn sizes_are_bounded() {
    let file = |name: &str, size: u64| vec![(format!("p/{name}"), size)];
    assert_eq!(check_files(&file("go.mod", GO_MOD_BYTES), "p/"), Ok(()));
    assert!(check_files(&file("go.mod", GO_MOD_BYTES + 1), "p/").is_err());
    assert!(check_files(&file("LICENSE", LICENSE_BYTES + 1), "p/").is_err());
    let both = [file("a", MODULE_BYTES), file("b", 1)].concat();
    assert_eq!(check_files(&both, "p/"), Err("its files are larger than 500 MiB".to_owned()));
    let limits = Limits { entries: 1, ..Limits::default() };
    let (module, version) =
        (ModulePath::parse("a.b/m").expect("a path"), GoVersion::parse("v1.0.0").expect("a version"));
    let many = zip(&[("a.b/m@v1.0.0/x", b""), ("a.b/m@v1.0.0/y", b"")]);
    assert!(inspect(&mut Cursor::new(many), &limits, &module, &version).is_err());
}
