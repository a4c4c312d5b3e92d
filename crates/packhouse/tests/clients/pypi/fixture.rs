//! Wheels, source distributions, and the commands of Python's clients.

use suite::Person;

use crate::client::{Machine, Ran, folder};

/// Makes a wheel and a source distribution of a project with one module.
const MAKE: &str = r#"
import io, sys, tarfile, zipfile
name, version, python, text = sys.argv[1:5]
dist = name.replace("-", "_")
metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: says hello\nRequires-Python: {python}\n"
info = f"{dist}-{version}.dist-info"
files = {
    f"{dist}.py": f"TEXT = '{text}'\n",
    f"{info}/METADATA": metadata,
    f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
with zipfile.ZipFile(f"dist/{dist}-{version}-py3-none-any.whl", "w") as wheel:
    for path, content in {**files, f"{info}/RECORD": record}.items():
        wheel.writestr(path, content)
setup = f"from setuptools import setup\nsetup(name='{name}', version='{version}', py_modules=['{dist}'])\n"
with tarfile.open(f"dist/{dist}-{version}.tar.gz", "w:gz") as source:
    for path, content in {"PKG-INFO": metadata, "setup.py": setup, f"{dist}.py": files[f"{dist}.py"]}.items():
        entry = tarfile.TarInfo(f"{dist}-{version}/{path}")
        entry.size = len(content)
        source.addfile(entry, io.BytesIO(content.encode()))
"#;

/// A machine with Python's clients.
pub(crate) struct Python {
    pub(crate) machine: Machine,
}

impl Python {
    pub(crate) fn new() -> Self {
        let mut machine = Machine::new();
        for (name, value) in [
            ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
            ("PIP_CONFIG_FILE", "/dev/null"),
            ("PIP_NO_INPUT", "1"),
            ("PIP_RETRIES", "0"),
            ("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring"),
            ("UV_NO_CONFIG", "1"),
            ("UV_HTTP_RETRIES", "0"),
            ("TWINE_NON_INTERACTIVE", "1"),
        ] {
            machine.set(name, value);
        }
        Self { machine }
    }

    /// Runs a program of the folder of clients.
    pub(crate) async fn run(&self, program: &str, arguments: &[&str]) -> Ran {
        self.machine.run(folder("PACKHOUSE_TEST_PYTHON").join(program), "work", arguments).await
    }

    /// Makes the files of a version.
    pub(crate) async fn make(&self, name: &str, version: &str) {
        self.make_with(name, version, ">=3.8", version).await;
    }

    /// Makes the files of a version with other terms and another content.
    pub(crate) async fn make_with(&self, name: &str, version: &str, python: &str, text: &str) {
        std::fs::create_dir_all(self.machine.path("work/dist")).expect("a folder");
        self.run("python", &["-c", MAKE, name, version, python, text]).await.succeeds();
    }

    /// Publishes files with twine.
    pub(crate) async fn twine(&self, url: &str, who: &Person, files: &[&str]) -> Ran {
        let url = format!("{url}/");
        let upload = ["upload", "--disable-progress-bar", "--repository-url", &url, "-u", who.name(), "-p", who.key()];
        self.run("twine", &[&upload[..], files].concat()).await
    }

    /// Downloads a requirement and nothing else with pip.
    pub(crate) async fn pip(&self, url: &str, requirement: &str) -> Ran {
        let index = format!("{url}/simple/");
        let download = ["download", "--no-deps", "--no-cache-dir", "-d", "got", "--index-url", &index, requirement];
        self.run("pip", &download).await
    }

    /// Returns whether pip has downloaded the wheel of a version.
    pub(crate) fn got(&self, version: &str) -> bool {
        self.machine.has(&format!("work/got/hello_pkg-{version}-py3-none-any.whl"))
    }
}

/// The wheel of a version.
pub(crate) fn wheel(version: &str) -> String {
    format!("dist/hello_pkg-{version}-py3-none-any.whl")
}
