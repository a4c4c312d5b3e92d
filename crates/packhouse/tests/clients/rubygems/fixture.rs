//! Gems, and the commands of gem and Bundler.

use suite::Person;

use crate::client::{Machine, Ran};

/// A machine with Ruby, on which a user's key is set up for pushes.
pub(crate) struct Ruby {
    pub(crate) machine: Machine,
}

impl Ruby {
    pub(crate) fn new(who: &Person) -> Self {
        let mut machine = Machine::new();
        if !who.key().is_empty() {
            machine.set("GEM_HOST_API_KEY", who.key());
        }
        machine.set("BUNDLE_PATH", machine.path("bundle").display().to_string());
        machine.set("BUNDLE_RETRY", "0");
        machine.set("BUNDLE_SILENCE_ROOT_WARNING", "1");
        Self { machine }
    }

    /// Runs gem.
    pub(crate) async fn gem(&self, arguments: &[&str]) -> Ran {
        self.machine.run("gem", "work", arguments).await
    }

    /// Builds a gem with one file.
    pub(crate) async fn make(&self, name: &str, version: &str, more: &str) {
        self.machine.write(&format!("work/lib/{name}.rb"), format!("puts '{name} {version}'\n"));
        let specification = format!(
            "Gem::Specification.new do |s|\n  s.name = '{name}'\n  s.version = '{version}'\n  s.summary = 'says hello'\n  \
             s.authors = ['Acme']\n  s.license = 'MIT'\n  s.files = ['lib/{name}.rb']\n  {more}\nend\n"
        );
        self.machine.write(&format!("work/{name}.gemspec"), specification);
        self.gem(&["build", "--force", &format!("{name}.gemspec")]).await.succeeds();
    }

    /// Publishes a gem.
    pub(crate) async fn push(&self, url: &str, file: &str) -> Ran {
        self.gem(&["push", file, "--host", url]).await
    }

    /// Installs a gem from a repository and from nowhere else.
    pub(crate) async fn install(&self, url: &str, arguments: &[&str]) -> Ran {
        let source = format!("{url}/");
        let install = ["install", "--clear-sources", "--source", &source, "--install-dir", "gems", "--no-document"];
        self.gem(&[&install[..], arguments].concat()).await
    }

    /// Returns whether gem has installed a version.
    pub(crate) fn got(&self, full_name: &str) -> bool {
        self.machine.has(&format!("work/gems/gems/{full_name}"))
    }

    /// Writes a Gemfile.
    pub(crate) fn gemfile(&self, url: &str, gems: &str) {
        self.machine.write("work/Gemfile", format!("source '{url}/'\n{gems}\n"));
    }

    /// Installs what the Gemfile names, and returns the lock file.
    pub(crate) async fn bundle(&self) -> Ran {
        self.machine.run("bundle", "work", &["install"]).await
    }

    /// Returns whether the lock file has a version.
    pub(crate) fn locked(&self, version: &str) -> bool {
        self.machine.read("work/Gemfile.lock").contains(version)
    }
}
