//! dnf, zypper and rpm.

use crate::{client::Machine, pages::follow, scene::Scene};

/// Builds three versions of a package.
const BUILD: &str = r#"set -e
for version in 1.0 1.1 1.2; do
    cat > hello.spec <<END
Name: hello
Version: $version
Release: 1
Summary: of ada
License: MIT
BuildArch: noarch
%description
of ada
%files
END
    rpmbuild -bb --define "_topdir $PWD/top" hello.spec
done
mv top/RPMS/noarch/*.rpm .
"#;

#[tokio::test]
async fn the_page_of_rpm_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = Machine::new();
    machine.run_script(BUILD).await.succeeds();
    let at = machine.path("").display().to_string();
    machine.write("dnf.conf", "[main]\nplugins=0\nretries=1\n");
    let dnf = format!(
        "exec /usr/bin/dnf --config={at}dnf.conf --installroot={at}root --setopt=reposdir={at}etc/yum.repos.d \
         --setopt=cachedir={at}cache --setopt=logdir={at}log --setopt=persistdir={at}persist --releasever=1 \
         --forcearch=x86_64 --assumeyes \"$@\""
    );
    machine.install("dnf", &dnf);
    let root = format!("{at}zypper-root");
    let zypper = format!("exec /usr/bin/zypper --non-interactive --gpg-auto-import-keys --root {root} \"$@\"");
    machine.install("zypper", &zypper);
    machine.install("rpm", &format!("exec /usr/bin/rpm --root {root} \"$@\""));
    for folder in ["root", "cache", "log", "persist", "zypper-root"] {
        machine.write(&format!("{folder}/.empty"), "");
    }
    machine.set("LC_ALL", "C.UTF-8");
    follow(&scene, &mut machine, "docs/clients/rpm.md").await;
}
