use std::io::Cursor;

use super::{super::samples::gem, *};

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn inspected(at: &str, content: Vec<u8>) -> Result<Inspected, String> {
    Rubygems.inspect(&path(at), &mut Cursor::new(content))
}

#[test]
fn a_gem_is_where_its_specification_says() {
    let found = inspected("gems/hello-1.0.0.gem", gem("hello", "1.0.0", "ruby")).expect("valid");
    let at = path("gems/hello-1.0.0.gem");
    let specification = specification(&at, found.about.as_deref()).expect("a specification");
    assert_eq!(specification.full_name(), "hello-1.0.0");
    assert!(inspected("gems/hello-1.0.1.gem", gem("hello", "1.0.0", "ruby")).is_err());
    assert!(inspected(UNNAMED, gem("hello", "1.0.0", "java")).is_ok());
    assert!(inspected(UNNAMED, b"no gem".to_vec()).is_err());
}

#[test]
fn forged_specifications_are_refused() {
    for (name, version, platform) in [
        ("hello", "1.0.0-java", "ruby"),
        ("hello", "1|2", "ruby"),
        ("hello", "1,2", "ruby"),
        ("hello", "1.0.0", "../x"),
        ("../hello", "1.0.0", "ruby"),
        ("he llo", "1.0.0", "ruby"),
    ] {
        assert!(inspected(UNNAMED, gem(name, version, platform)).is_err(), "{name} {version} {platform}");
    }
    assert!(inspected(UNNAMED, gem(&"x".repeat(1 << 20), "1", "ruby")).is_err());
    assert!(inspected(UNNAMED, gem("versions", "1.0.0", "ruby")).is_ok());
}

#[test]
fn a_path_belongs_to_one_version() {
    let at = path("gems/hello-1.0.0-java.gem");
    assert_eq!(Rubygems.check_owner(&at, "hello", "1.0.0-java"), Ok(()));
    assert!(Rubygems.check_owner(&at, "hello", "1.0.0").is_err());
    assert!(Rubygems.check_owner(&at, "other", "1.0.0-java").is_err());
    assert_eq!(Rubygems.check_owner(&path("README"), "hello", "1"), Ok(()));
    let names = Rubygems.taken_names(&at, Digest::from_bytes([0; 32]));
    assert_eq!(names[0].key, "gem hello-1.0.0-java");
}

#[test]
fn versions_with_platforms_are_ordered() {
    for (low, high) in
        [("1.0.0", "1.0.1-java"), ("1.0.0-java", "1.0.0"), ("1.0.0.rc1", "1.0.0-java"), ("1.0-x", "1.0-java")]
    {
        assert_eq!(Rubygems.compare(low, high), Ordering::Less, "{low} {high}");
    }
    assert!(Rubygems.is_prerelease("1.0.0.rc1-java") && !Rubygems.is_prerelease("1.0.0-java"));
}

#[test]
fn quick_specifications_are_parts_of_gems() {
    let quick = path("quick/Marshal.4.8/hello-1.0.0.gemspec.rz");
    assert_eq!(Rubygems.main_file(&quick), Some(path("gems/hello-1.0.0.gem")));
    assert_eq!(Rubygems.main_file(&path("gems/hello-1.0.0.gem")), None);
    let about = inspected(UNNAMED, gem("hello", "1.0.0", "ruby")).expect("valid").about.expect("facts");
    assert_eq!(Rubygems.part_bytes(&quick, &about).expect("a document")[0], 0x78);
    assert!(Rubygems.has_md5_tag(&path("info/hello")) && !Rubygems.has_md5_tag(&quick));
}
