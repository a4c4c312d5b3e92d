//! The commands of a document as one script.

use super::Block;

/// Reports each failed command and the status of each request on standard error.
const PRELUDE: &str = r#"set -u -o pipefail
START=$PWD
curl() { command curl --show-error --max-time 20 --write-out '%{stderr}\nstatus %{http_code}\n' "$@"; }
trap 'printf "\nfailed %s: %s\n" "$?" "$BASH_COMMAND" >&2' ERR
"#;

/// Returns a script of all blocks, for bash. It prints the number of each block on both outputs.
pub fn script(blocks: &[Block]) -> String {
    let steps = blocks.iter().enumerate().map(|(number, block)| step(number, block));
    PRELUDE.to_owned() + &steps.collect::<String>()
}

fn step(number: usize, block: &Block) -> String {
    let before = block.notes("before").collect::<Vec<_>>().join("\n");
    let commands = match block.note("in") {
        Some(folder) => {
            let commands = commands(block);
            format!("BACK=$PWD\nmkdir -p \"$START/{folder}\"\ncd \"$START/{folder}\"\n{commands}\ncd \"$BACK\"")
        }
        None => commands(block),
    };
    format!(
        "printf '\\nblock {number}\\n' >&2; printf '\\noutput {number}\\n'\n{before}\n{commands}\n\
         printf '\\nend {number}\\n' >&2\n"
    )
}

fn commands(block: &Block) -> String {
    let content = &block.content;
    if let Some(file) = block.note("file") {
        let file = file.replace('~', "$HOME");
        return format!(
            "mkdir -p \"$(dirname \"{file}\")\"\ncat >> \"{file}\" <<'END-OF-FILE'\n{content}\nEND-OF-FILE"
        );
    }
    match block.note("types") {
        Some(text) => format!("{{\n{content}\n}} <<'END-OF-INPUT'\n{text}\nEND-OF-INPUT"),
        None => content.clone(),
    }
}
