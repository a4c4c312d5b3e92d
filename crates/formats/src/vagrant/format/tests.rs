//! Tests of Vagrant's paths and files.

use std::io::Cursor;

use super::*;
use crate::readers::flat_tar::tests::plain_tar;

const BOX: &str = "ubuntu/1.0.0/libvirt/amd64.box";

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

#[test]
fn boxes_belong_to_the_package_and_version_of_their_path() {
    let Ok(PathKind::Payload(owner)) = Vagrant.classify(&path(BOX)) else { panic!("a payload") };
    assert_eq!(owner.package.expect("a package").as_str(), "ubuntu");
    assert_eq!(owner.version.expect("a version").as_str(), "1.0.0");
    for reserved in ["api", "api/v2/vagrant/ubuntu", "ubuntu", "ubuntu.json"] {
        assert_eq!(Vagrant.classify(&path(reserved)), Ok(PathKind::Reserved), "{reserved}");
    }
    let short = Vagrant.classify(&path("ubuntu/1.0/libvirt.box")).expect_err("not its path");
    assert_eq!(short, "the path of this box is 'ubuntu/1.0/libvirt/unknown.box'");
    for bad in ["ubuntu/latest/libvirt/amd64.box", "ubuntu/1.0/libvirt/amd64.zip", "a/b", "ubuntu/1.0/a-b/amd64.box"] {
        assert!(Vagrant.classify(&path(bad)).is_err(), "{bad}");
    }
}

#[test]
fn a_box_is_for_the_provider_of_its_path() {
    let inspect = |provider: &str| {
        let metadata = format!(r#"{{"provider":"{provider}"}}"#);
        Vagrant.inspect(&path(BOX), &mut Cursor::new(plain_tar(&[("metadata.json", metadata.as_bytes())])))
    };
    assert_eq!(inspect("libvirt"), Ok(Inspected::default()));
    assert_eq!(inspect("virtualbox"), Err("the box is for 'virtualbox', but its path says 'libvirt'".to_owned()));
    assert!(Vagrant.inspect(&path(BOX), &mut Cursor::new(b"no box")).is_err());
    assert_eq!(Vagrant.inspect(&path("api/x"), &mut Cursor::new(b"")), Ok(Inspected::default()));
}

#[test]
fn boxes_count_and_documents_do_not() {
    assert!(Vagrant.is_counted(&path(BOX)) && Vagrant.inspects(&path(BOX)));
    let document = path("api/v2/vagrant/ubuntu");
    assert!(!Vagrant.is_counted(&document) && !Vagrant.inspects(&document));
    assert_eq!(Vagrant.media_type(&document), Some("application/json"));
    assert_eq!(Vagrant.media_type(&path(BOX)), Some("application/octet-stream"));
}

#[test]
fn versions_are_ordered_as_vagrant_does() {
    assert_eq!(Vagrant.compare("1.10.0", "1.9"), Ordering::Greater);
    assert!(Vagrant.is_prerelease("1.0.rc1") && !Vagrant.is_prerelease("202611.16.0"));
}
