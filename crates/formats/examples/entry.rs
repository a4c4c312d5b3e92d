//! Prints the index entry of a package file, to compare it with that of the ecosystem's own tool:
//! `cargo run -p formats --example entry -- rpm hello.rpm`.

use std::{env, fs, io::Cursor, process::ExitCode};

use formats::{
    alpine, arch, conda, cran, debian, helm,
    indexed::IndexedFile,
    opkg,
    readers::Limits,
    rpm::{self, index::RpmStream},
};
use sha2::{Digest, Sha256};

fn main() -> ExitCode {
    let [_, format, path] = &env::args().collect::<Vec<_>>()[..] else {
        eprintln!("usage: entry <format> <file>");
        return ExitCode::FAILURE;
    };
    match fs::read(path).map_err(|error| error.to_string()).and_then(|bytes| entry(format, path, bytes)) {
        Ok(entry) => print!("{entry}"),
        Err(reason) => {
            eprintln!("{reason}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn entry(format: &str, path: &str, bytes: Vec<u8>) -> Result<String, String> {
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let name = path.rsplit('/').next().unwrap_or(path);
    let file = IndexedFile { path: name, size_bytes: bytes.len() as u64, sha256: &digest, md5: None, published: 0 };
    let limits = Limits::default();
    let content = &mut Cursor::new(&bytes);
    Ok(match format {
        "debian" => debian::index::packages_entry(&debian::inspect::inspect(content, &limits)?, &file),
        "dsc" => debian::index::sources_entry(&debian::source::inspect(&bytes)?, &file, &[]),
        "rpm" => {
            let facts = rpm::inspect::inspect(content, &limits)?;
            RpmStream::ALL.map(|stream| stream.before(1) + &stream.entry(&facts, &file) + stream.after()).concat()
        }
        "helm" => helm::index::entry(&helm::inspect::inspect(content, &limits)?, &file).to_string() + "\n",
        "alpine" => {
            let facts = alpine::inspect::inspect(content, &limits, true)?;
            alpine::index::entry(&facts, &facts.architecture, &file)
        }
        "arch" => {
            let facts = arch::inspect::inspect(content, &limits)?;
            arch::index::desc(&facts, &file, None) + &arch::index::files(&facts)
        }
        "opkg" => opkg::index::entry(&opkg::inspect::inspect(content, &limits)?, &file),
        "conda" => conda::index::entry(&conda::inspect::inspect(content, &limits)?, &file) + "\n",
        "cran" => cran::index::entry(&cran::inspect::inspect(content, &limits)?, &file),
        other => return Err(format!("'{other}' is no format")),
    })
}
