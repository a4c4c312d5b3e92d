//! apt, apt-file and dput.

use crate::{client::Machine, pages::follow, scene::Scene};

/// Builds three versions of a package, and the `.changes` of the second.
const BUILD: &str = r#"set -e
for version in 1.0-1 1.0-2 1.0-3; do
    mkdir -p tree/DEBIAN tree/usr/bin
    echo hello > tree/usr/bin/hello
    printf 'Package: hello\nVersion: %s\nArchitecture: amd64\nMaintainer: Ada <ada@example.com>\nDescription: of ada\n' \
        "$version" > tree/DEBIAN/control
    dpkg-deb --root-owner-group --build tree "hello_${version}_amd64.deb"
done
file=hello_1.0-2_amd64.deb
cat > hello_1.0-2_amd64.changes <<END
Format: 1.8
Date: Mon, 16 Nov 2026 10:00:00 +0000
Source: hello
Binary: hello
Architecture: amd64
Version: 1.0-2
Distribution: stable
Urgency: medium
Maintainer: Ada <ada@example.com>
Changed-By: Ada <ada@example.com>
Description:
 hello - of ada
Changes:
 hello (1.0-2) stable;
 .
   * It greets.
Checksums-Sha256:
 $(sha256sum $file | cut -d ' ' -f 1) $(stat -c %s $file) $file
Files:
 $(md5sum $file | cut -d ' ' -f 1) $(stat -c %s $file) misc optional $file
END
"#;

/// What apt-file's package adds to the configuration of apt.
const INDEXES: &str = r#"Acquire::IndexTargets::deb::Contents-deb {
    MetaKey "$(COMPONENT)/Contents-$(ARCHITECTURE)";
    ShortDescription "Contents-$(ARCHITECTURE)";
    Description "$(RELEASE)/$(COMPONENT) $(ARCHITECTURE) Contents (deb)";
    KeepCompressed "true";
};
apt-file::Index-Names "deb";
"#;

#[tokio::test]
async fn the_page_of_debian_can_be_followed() {
    let scene = Scene::acme_behind_tls().await;
    let mut machine = Machine::new();
    machine.run_script(BUILD).await.succeeds();
    set_up_apt(&mut machine);
    // Without a terminal, it reads the password from its input; nothing signs the upload.
    machine.install("dput", "exec setsid --wait /usr/bin/dput --unchecked \"$@\"");
    follow(&scene, &mut machine, "docs/clients/debian.md").await;
}

/// Gives apt and dpkg folders of their own.
fn set_up_apt(machine: &mut Machine) {
    for folder in [
        "state/lists/partial",
        "cache/archives/partial",
        "etc/apt/keyrings",
        "etc/apt/sources.list.d",
        "etc/apt/apt.conf.d",
        "etc/apt/preferences.d",
        "log",
        "root/var/lib/dpkg/updates",
        "root/var/lib/dpkg/info",
        "root/var/log",
    ] {
        machine.write(&format!("{folder}/.empty"), "");
    }
    machine.write("root/var/lib/dpkg/status", "");
    let at = machine.path("").display().to_string();
    let configuration = format!(
        "Dir::State \"{at}state\";\nDir::State::status \"{at}root/var/lib/dpkg/status\";\nDir::Cache \"{at}cache\";\n\
         Dir::Etc \"{at}etc/apt\";\nDir::Etc::trusted \"/dev/null\";\nDir::Etc::trustedparts \"/dev/null\";\n\
         Dir::Log \"{at}log\";\nAPT::Architecture \"amd64\";\nAPT::Architectures \"amd64\";\n\
         APT::Sandbox::User \"root\";\nAcquire::Languages \"none\";\nAcquire::Check-Date \"false\";\n\
         Acquire::https::CaInfo \"{at}certificate.pem\";\nAcquire::https::Proxy \"DIRECT\";\n\
         DPkg::Options {{ \"--root={at}root\"; \"--force-not-root\"; \"--log=/dev/null\"; }};\n{INDEXES}"
    );
    machine.write("apt.conf", configuration);
    machine.set("APT_CONFIG", format!("{at}apt.conf"));
    machine.set("LC_ALL", "C.UTF-8");
}
