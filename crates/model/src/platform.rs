//! Platforms that files are built for, recognized by file names and by user agents.

/// An operating system with its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Platform {
    /// The operating system.
    pub system: System,
    /// The processor; `None` if it is unknown, or for all.
    pub machine: Option<Machine>,
}

/// An operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// Linux.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
    /// FreeBSD.
    FreeBsd,
}

/// A kind of processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// 64-bit Intel and AMD.
    X86_64,
    /// 64-bit Arm.
    Arm64,
    /// 32-bit Intel and AMD.
    X86,
    /// 32-bit Arm.
    Arm,
    /// 64-bit RISC-V.
    RiscV64,
}

/// Parts of file names with their system. The first that occurs counts: `darwin` contains `win`.
const SYSTEMS: &[(&str, System)] = &[
    ("linux", System::Linux),
    ("darwin", System::MacOs),
    ("macos", System::MacOs),
    ("osx", System::MacOs),
    ("freebsd", System::FreeBsd),
    ("windows", System::Windows),
    ("win32", System::Windows),
    ("win64", System::Windows),
    (".exe", System::Windows),
    (".msi", System::Windows),
];

/// Parts of file names with their processor. The first that occurs counts.
const MACHINES: &[(&str, Machine)] = &[
    ("x86_64", Machine::X86_64),
    ("x86-64", Machine::X86_64),
    ("amd64", Machine::X86_64),
    ("x64", Machine::X86_64),
    ("win64", Machine::X86_64),
    ("aarch64", Machine::Arm64),
    ("arm64", Machine::Arm64),
    ("riscv64", Machine::RiscV64),
    ("armv6", Machine::Arm),
    ("armv7", Machine::Arm),
    ("armhf", Machine::Arm),
    ("i386", Machine::X86),
    ("i686", Machine::X86),
    ("win32", Machine::X86),
    ("x86", Machine::X86),
];

/// Parts of the names of browsers with their system. Phones, which name another system as well, come first.
const BROWSERS: &[(&str, Option<System>)] = &[
    ("android", None),
    ("iphone", None),
    ("ipad", None),
    ("windows", Some(System::Windows)),
    ("mac os", Some(System::MacOs)),
    ("freebsd", Some(System::FreeBsd)),
    ("linux", Some(System::Linux)),
];

impl Platform {
    /// The platform that the name of a file tells; `None` if it tells none.
    pub fn of_file(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let system = first(SYSTEMS, &name)?;
        Some(Self { system, machine: first(MACHINES, &name) })
    }

    /// The platform of a browser; `None` if it is unknown, or nothing can be installed there. All browsers on a Mac say
    /// that it has an Intel processor, so a Mac counts as a current one.
    pub fn of_browser(agent: &str) -> Option<Self> {
        let agent = agent.to_ascii_lowercase();
        let system = first(BROWSERS, &agent)??;
        let machine = if system == System::MacOs { Some(Machine::Arm64) } else { first(MACHINES, &agent) };
        Some(Self { system, machine })
    }

    /// Its name in URLs.
    pub fn key(self) -> String {
        let machine = self.machine.map(|machine| format!("-{}", machine.key())).unwrap_or_default();
        format!("{}{machine}", self.system.title().to_ascii_lowercase())
    }

    /// Its name for people.
    pub fn title(self) -> String {
        let machine = self.machine.map(|machine| format!(" {}", machine.key())).unwrap_or_default();
        format!("{}{machine}", self.system.title())
    }
}

impl System {
    fn title(self) -> &'static str {
        match self {
            System::Linux => "Linux",
            System::MacOs => "macOS",
            System::Windows => "Windows",
            System::FreeBsd => "FreeBSD",
        }
    }
}

impl Machine {
    fn key(self) -> &'static str {
        match self {
            Machine::X86_64 => "x86-64",
            Machine::Arm64 => "arm64",
            Machine::X86 => "x86",
            Machine::Arm => "arm",
            Machine::RiscV64 => "riscv64",
        }
    }
}

fn first<T: Copy>(known: &[(&str, T)], text: &str) -> Option<T> {
    known.iter().find(|(part, _)| text.contains(part)).map(|(_, meant)| *meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_a_platform() {
        let title = |name: &str| Platform::of_file(name).map(Platform::title);
        for (name, expected) in [
            ("relay-1.0-linux-x86_64.tar.gz", "Linux x86-64"),
            ("relay_1.0_Darwin_arm64.zip", "macOS arm64"),
            ("relay-x86_64-pc-windows-msvc.zip", "Windows x86-64"),
            ("relay-setup.exe", "Windows"),
            ("relay-aarch64-unknown-linux-musl", "Linux arm64"),
            ("relay-macos-universal.dmg", "macOS"),
        ] {
            assert_eq!(title(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(title("relay-1.0-src.tar.gz"), None);
    }

    #[test]
    fn browsers_tell_a_platform_unless_they_are_on_phones() {
        let key = |agent: &str| Platform::of_browser(agent).map(Platform::key);
        let linux = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        assert_eq!(key(linux).as_deref(), Some("linux-x86-64"));
        let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15";
        assert_eq!(key(mac).as_deref(), Some("macos-arm64"));
        let windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
        assert_eq!(key(windows).as_deref(), Some("windows-x86-64"));
        let phone = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
        assert_eq!(key(phone), None);
        assert_eq!(key("curl/8.14"), None);
    }
}
