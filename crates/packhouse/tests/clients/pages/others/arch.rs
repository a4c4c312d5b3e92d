//! pacman.

use suite::archives::tar_of;

use crate::{client::Machine, pages::follow, scene::Scene};

const INFORMATION: &str = "pkgname = hello\npkgbase = hello\npkgver = 1.0-1\npkgdesc = of ada\nbuilddate = 1763287200\n\
    packager = Ada\nsize = 5\narch = x86_64\nlicense = MIT\n";

#[tokio::test]
async fn the_page_of_arch_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = Machine::new();
    let package = tar_of(&[(".PKGINFO", INFORMATION.as_bytes()), ("usr/share/hello", b"hello")]);
    machine.write("work/hello-1.0-1-x86_64.pkg.tar.zst", zstd::encode_all(&package[..], 1).expect("memory"));
    let at = machine.path("").display().to_string();
    let options = format!(
        "[options]\nRootDir = {at}root\nDBPath = {at}db\nCacheDir = {at}cache\nGPGDir = {at}gpg\nLogFile = {at}log\n\
         HookDir = {at}hooks\nArchitecture = x86_64\n\n"
    );
    machine.write("etc/pacman.conf", options);
    for folder in ["root", "db", "cache", "gpg", "hooks"] {
        machine.write(&format!("{folder}/.empty"), "");
    }
    let config = machine.path("etc/pacman.conf").display().to_string();
    machine.install("pacman", &format!("exec /usr/bin/pacman --config {config} --noconfirm \"$@\""));
    let key = format!("/usr/bin/pacman-key --config {config} --gpgdir {at}gpg");
    // A system with pacman has its own key already.
    machine.install("pacman-key", &format!("[ -s {at}gpg/trustdb.gpg ] || {key} --init\nexec {key} \"$@\""));
    follow(&scene, &mut machine, "docs/clients/arch.md").await;
}
