//! Boxes, and the commands of Vagrant.

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::GzEncoder};
use suite::Person;

use crate::{
    client::{Machine, Ran},
    scene::Scene,
};

/// The box of most tests, as its users call it.
pub(crate) const UBUNTU: &str = "repo/ubuntu";

/// A machine with Vagrant, which finds boxes by their names.
pub(crate) struct Boxes {
    pub(crate) machine: Machine,
}

impl Boxes {
    /// Sets up the server; a user without a name has no token.
    pub(crate) fn new(scene: &Scene, who: &Person) -> Self {
        let mut machine = machine();
        machine.set("VAGRANT_SERVER_URL", format!("{}/dl/ada", scene.server.base));
        if !who.key().is_empty() {
            machine.set("VAGRANT_CLOUD_TOKEN", STANDARD.encode(format!("{}:{}", who.name(), who.key())));
        }
        Self { machine }
    }

    /// Sets up the repository as the server of `vagrant cloud`.
    #[cfg(feature = "clients")]
    pub(crate) fn cloud(scene: &Scene, who: &Person) -> Self {
        let mut boxes = Self::new(scene, who);
        boxes.machine.set("VAGRANT_SERVER_URL", scene.url());
        boxes
    }

    /// Writes a box and returns the name of its file.
    #[cfg(feature = "clients")]
    pub(crate) fn write(&self, version: &str) -> String {
        let name = format!("{version}.box");
        self.machine.write(&format!("work/{name}"), package(version));
        name
    }

    /// Publishes a version of a box.
    pub(crate) async fn publish(&self, scene: &Scene, who: &Person, name: &str, version: &str) -> Ran {
        self.machine.write("work/package.box", package(version));
        let url = format!("{}/{name}/{version}/libvirt/amd64.box", scene.url());
        self.machine.upload(who, "package.box", &url).await
    }

    /// Adds a box by its name or address.
    pub(crate) async fn add(&self, name: &str) -> Ran {
        self.vagrant(&["box", "add", "--provider", "libvirt", name]).await
    }

    /// Runs Vagrant.
    pub(crate) async fn vagrant(&self, arguments: &[&str]) -> Ran {
        self.machine.run("vagrant", "work", arguments).await
    }

    /// The boxes that were added.
    pub(crate) async fn added(&self) -> String {
        self.vagrant(&["box", "list"]).await.succeeds()
    }
}

/// A machine with Vagrant.
pub(crate) fn machine() -> Machine {
    let mut machine = Machine::new();
    for name in ["VAGRANT_CHECKPOINT_DISABLE", "VAGRANT_NO_PLUGINS"] {
        machine.set(name, "1");
    }
    machine.set("VAGRANT_HOME", machine.path("vagrant").display().to_string());
    machine
}

/// A box without a disk.
fn package(version: &str) -> Vec<u8> {
    package_for("libvirt", version)
}

/// The same for a provider.
pub(crate) fn package_for(provider: &str, version: &str) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let metadata = format!(r#"{{"provider":"{provider}","format":"qcow2","virtual_size":1}}"#);
    for (name, content) in [
        ("metadata.json", metadata.as_str()),
        ("info.json", &format!("{{\"version\":\"{version}\"}}")),
        ("box.img", ""),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(&mut header, name, content.as_bytes()).expect("appended");
    }
    archive.into_inner().expect("written").finish().expect("compressed")
}
