use operations::format::PackageIndexes;

use super::{super::samples::gem, *};
use crate::{
    native_samples::{package, version},
    samples::repo,
};

fn file(name: &str, number: &str, platform: &str) -> FileView {
    let full =
        format!("{name}-{}", if platform == "ruby" { number.to_owned() } else { format!("{number}-{platform}") });
    let path = format!("gems/{full}.gem");
    version(&Rubygems, number, &path, &gem(name, number, platform)).files.remove(0)
}

#[test]
fn a_gem_has_one_line_with_the_digest_of_its_index() {
    let files = [file("hello", "1.0.0", "ruby"), file("other", "2.0", "ruby"), file("hello", "1.0.0", "java")];
    let text = String::from_utf8(Rubygems.render(VERSIONS, &files)).expect("text");
    let mut hello = package("hello");
    hello.versions.push(version(&Rubygems, "1.0.0", "gems/hello-1.0.0.gem", &gem("hello", "1.0.0", "ruby")));
    let java = version(&Rubygems, "1.0.0-java", "gems/hello-1.0.0-java.gem", &gem("hello", "1.0.0", "java"));
    hello.versions.push(java);
    let info = Rubygems.build(&hello).expect("built").remove(0).content;
    let md5 = hex(&Md5::digest(info));
    assert_eq!(text.lines().next(), Some(format!("hello 1.0.0,1.0.0-java {md5}").as_str()));
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn only_gems_have_entries() {
    let entries = |file: &FileView| Rubygems.entries(file, &repo("rubygems"));
    let gem = file("hello", "1.0.0", "ruby");
    assert_eq!(entries(&gem), [StreamEntry { stream: VERSIONS.into(), group: Some("hello".into()) }]);
    assert_eq!(entries(&FileView { about: None, ..gem }), []);
    let paths: Vec<String> =
        Rubygems.seal(&[], &repo("rubygems"), Timestamp::EPOCH).files.into_iter().map(|file| file.path).collect();
    assert_eq!(paths, ["versions", "names", "specs.4.8.gz", "latest_specs.4.8.gz", "prerelease_specs.4.8.gz"]);
}
