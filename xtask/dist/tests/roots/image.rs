//! The container image.

use std::process::Command;

use tempfile::TempDir;

use crate::root::{package, succeeds};
use crate::server::{KEY, publishes_and_serves};

/// crun refuses machines that mount both kinds of control groups; podman sees the first kind only.
const PODMAN: &str = r#"
    if [ -d /sys/fs/cgroup/unified ]; then umount /sys/fs/cgroup/unified; fi
    exec podman "$@"
"#;

/// A store of images of its own.
pub(crate) struct Podman {
    folder: TempDir,
}

impl Podman {
    /// An empty store.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// Runs podman, which must succeed.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let mut podman = Command::new("unshare");
        podman.args(["--mount", "sh", "-c", PODMAN, "podman"]);
        podman.arg("--root").arg(self.folder.path().join("store")).arg("--runroot").arg(self.folder.path().join("run"));
        podman.args(["--storage-driver", "vfs", "--cgroup-manager", "cgroupfs"]).args(arguments);
        succeeds(&mut podman)
    }

    /// Starts an image with a read-only root on a free port, asserts that it works, and removes it.
    pub(crate) fn works(&self, image: &str) {
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
        let (key, listen) = (format!("PACKHOUSE_ADMIN_KEY={KEY}"), format!("127.0.0.1:{port}"));
        let options = ["--detach", "--read-only", "--network", "host", "--cgroups", "disabled", "--env", &key];
        // Podman would ask for higher limits than a container around this one may have.
        let limits = ["--ulimit", "nofile=8192:8192", "--ulimit", "nproc=4096:4096", "--log-driver", "k8s-file"];
        let run = [&["run"], &options[..], &limits, &[image, "serve", "--listen", &listen]].concat();
        let container = self.run(&run);
        let container = container.lines().last().expect("a number").to_owned();
        let log = || self.run(&["logs", &container]);
        let mut ready = Command::new("curl");
        ready.args(["-sS", "--fail", "--retry", "60", "--retry-delay", "1", "--retry-connrefused"]);
        let ready = ready.arg(format!("http://{listen}/readyz")).output().expect("curl");
        assert!(ready.status.success(), "{}", log());
        publishes_and_serves(&format!("http://{listen}"));
        self.run(&["rm", "--force", "--time", "0", &container]);
    }
}

#[test]
fn podman_starts_the_image_without_root_and_with_a_read_only_root() {
    let podman = Podman::new();
    let archive = format!("oci-archive:{}", package("-oci.tar").display());
    let pulled = podman.run(&["pull", "--quiet", &archive]);
    let image = pulled.lines().last().expect("an id").to_owned();
    let user = podman.run(&["image", "inspect", "--format", "{{.Config.User}} {{.Config.ExposedPorts}}", &image]);
    assert_eq!(user.trim(), "10001:10001 map[8080/tcp:{}]");
    podman.works(&image);
}
