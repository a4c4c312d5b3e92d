//! Crates, and the commands of Cargo.

use std::path::PathBuf;

use base64::{Engine, engine::general_purpose::STANDARD};
use suite::Person;

use crate::client::{Machine, Ran};

/// A machine with Cargo, on which the registry `acme` is set up.
pub(crate) struct Rust {
    pub(crate) machine: Machine,
}

impl Rust {
    /// Sets up the registry with a user's key as its token; a user without a name has none.
    pub(crate) fn new(url: &str, who: &Person) -> Self {
        Self::with_token(url, Some(who.key()).filter(|key| !key.is_empty()))
    }

    /// Sets up the registry with a user's name and key.
    pub(crate) fn with_name(url: &str, who: &Person) -> Self {
        let credentials = STANDARD.encode(format!("{}:{}", who.name(), who.key()));
        Self::with_token(url, Some(&format!("Basic {credentials}")))
    }

    /// Sets up no registry.
    pub(crate) fn without_registry() -> Self {
        let mut machine = Machine::new();
        machine.set("CARGO_HOME", machine.path("cargo-home").display().to_string());
        machine.set("CARGO_NET_RETRY", "0");
        machine.set("RUSTC", cargo().with_file_name("rustc").display().to_string());
        machine.install("cargo", &format!("exec {} \"$@\"", cargo().display()));
        Self { machine }
    }

    fn with_token(url: &str, token: Option<&str>) -> Self {
        let Self { mut machine } = Self::without_registry();
        if let Some(token) = token {
            machine.set("CARGO_REGISTRIES_ACME_TOKEN", token);
        }
        let config = format!(
            "[registries.acme]\nindex = \"sparse+{url}/\"\n[registry]\n\
             global-credential-providers = [\"cargo:token\"]\n"
        );
        machine.write("cargo-home/config.toml", config);
        Self { machine }
    }

    /// Runs Cargo in the folder of a crate.
    pub(crate) async fn run(&self, folder: &str, arguments: &[&str]) -> Ran {
        self.machine.run(cargo(), folder, arguments).await
    }

    /// Writes a library that returns a text.
    pub(crate) fn library(&self, name: &str, version: &str, more: &str) {
        self.library_in(name, name, version, more);
    }

    /// The same in another folder.
    pub(crate) fn library_in(&self, folder: &str, name: &str, version: &str, more: &str) {
        self.machine.write(&format!("{folder}/Cargo.toml"), manifest(name, version, more));
        let code = format!("pub fn hello() -> &'static str {{\n    \"{name} {version}\"\n}}\n");
        self.machine.write(&format!("{folder}/src/lib.rs"), code);
    }

    /// Writes a program without dependencies that prints the text of the library `hello`.
    #[cfg(feature = "clients")]
    pub(crate) fn program_in(&self, folder: &str) {
        self.machine.write(&format!("{folder}/Cargo.toml"), manifest("app", "0.1.0", ""));
        self.machine.write(&format!("{folder}/src/main.rs"), "fn main() {\n    println!(\"{}\", hello::hello());\n}\n");
    }

    /// Publishes a crate.
    pub(crate) async fn publish(&self, name: &str) -> Ran {
        self.run(name, &["publish", "--registry", "acme", "--allow-dirty", "--no-verify"]).await
    }

    /// Writes a program that prints the text of a library.
    pub(crate) fn program(&self, library: &str, requirement: &str) {
        let dependency =
            format!("[dependencies]\n{library} = {{ version = \"{requirement}\", registry = \"acme\" }}\n");
        self.machine.write("app/Cargo.toml", manifest("app", "0.1.0", &dependency));
        let code = format!(
            "fn main() {{\n    println!(\"{{}}\", {}::hello());\n}}\n",
            library.replace('-', "_").to_lowercase()
        );
        self.machine.write("app/src/main.rs", code);
    }

    /// Builds and runs the program.
    pub(crate) async fn build(&self) -> Ran {
        self.run("app", &["run", "--quiet"]).await
    }
}

fn manifest(name: &str, version: &str, more: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\ndescription = \"says hello\"\n\
         license = \"MIT\"\n{more}\n[workspace]\n"
    )
}

/// The Cargo of the toolchain that builds the tests.
fn cargo() -> PathBuf {
    PathBuf::from(option_env!("CARGO").unwrap_or("cargo"))
}
