//! Recipes, and the commands of Conan.

use suite::Person;

use crate::client::{Machine, Ran, folder};

/// A machine with Conan, on which the remote `acme` is set up.
pub(crate) struct Conan {
    pub(crate) machine: Machine,
}

impl Conan {
    pub(crate) async fn new(url: &str) -> Self {
        let conan = Self::without_remote().await;
        conan.run(&["remote", "add", "acme", url, "--insecure"]).await.succeeds();
        conan
    }

    /// Sets up no remote.
    pub(crate) async fn without_remote() -> Self {
        let mut machine = Machine::new();
        machine.set("CONAN_HOME", machine.path("conan").display().to_string());
        machine.set("CONAN_NON_INTERACTIVE", "1");
        let profile = "[settings]\narch=x86_64\nbuild_type=Release\nos=Linux\n";
        machine.write("conan/profiles/default", profile);
        machine.write(
            "conan/global.conf",
            "core:non_interactive=True\ncore.net.http:max_retries=0\ncore.upload:retry=0\n",
        );
        let conan = Self { machine };
        conan.run(&["remote", "remove", "conancenter"]).await.succeeds();
        conan
    }

    /// Runs Conan.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Ran {
        self.machine.run(folder("PACKHOUSE_TEST_CONAN").join("conan"), "work", arguments).await
    }

    /// Signs in.
    pub(crate) async fn login(&self, who: &Person) -> Ran {
        self.run(&["remote", "login", "acme", who.name(), "-p", who.key()]).await
    }

    /// Makes a package with one file from a recipe.
    pub(crate) async fn create(&self, name: &str, version: &str, text: &str) {
        let recipe = format!(
            "import os\nfrom conan import ConanFile\nfrom conan.tools.files import save\n\n\nclass Recipe(ConanFile):\n    \
             name = '{name}'\n    version = '{version}'\n    settings = 'os'\n\n    def package(self):\n        \
             save(self, os.path.join(self.package_folder, 'hello.txt'), '{text}')\n"
        );
        self.machine.write(&format!("work/{name}/conanfile.py"), recipe);
        self.run(&["create", name]).await.succeeds();
    }

    /// Publishes a recipe with its packages.
    pub(crate) async fn upload(&self, reference: &str) -> Ran {
        self.run(&["upload", reference, "-r", "acme", "-c"]).await
    }

    /// Installs from the remote into the folder `got`.
    pub(crate) async fn install(&self, reference: &str) -> Ran {
        let requires = format!("--requires={reference}");
        let install = ["install", &requires, "-r", "acme", "--deployer=full_deploy", "--deployer-folder=got"];
        self.run(&install).await
    }

    /// The text in an installed package.
    pub(crate) fn got(&self, name: &str, version: &str) -> String {
        self.machine.read(&format!("work/got/full_deploy/host/{name}/{version}/hello.txt"))
    }
}
