//! Commands for any file.

use model::target::Target;
use operations::format::{Command, CommandPlace};

/// Commands that download a file of the version with several clients, or any file of the repository with one.
pub(crate) fn all(place: &CommandPlace<'_>) -> Vec<Command> {
    let Some(curl) = download(place) else { return Vec::new() };
    let (Some(_), Some(path)) = (place.package, file(place)) else { return vec![curl] };
    let url = url(place, path);
    let command = |client, caption: &str, text| Command { client, caption: caption.to_owned(), text, publishes: false };
    vec![
        Command { caption: "curl".to_owned(), ..curl },
        command("wget", "wget", wget(place, &url)),
        command("powershell", "PowerShell", powershell(place, &url, path)),
        command("dockerfile", "Dockerfile", dockerfile(place, &url)),
    ]
}

/// Downloads a file of the version, or any file of the repository. Signatures are left out.
pub(crate) fn download(place: &CommandPlace<'_>) -> Option<Command> {
    let credentials = if place.is_private { format!("-u {}:API_KEY ", user(place)) } else { String::new() };
    let url = match place.package {
        Some(_) => url(place, file(place)?),
        None => format!("{}/PATH", place.base),
    };
    let text = format!("curl {credentials}-fLO '{url}'");
    Some(Command { client: "download", caption: "Download with curl".to_owned(), text, publishes: false })
}

fn wget(place: &CommandPlace<'_>, url: &str) -> String {
    if !place.is_private {
        return format!("wget '{url}'");
    }
    format!("wget --auth-no-challenge --user='{}' --password='API_KEY' '{url}'", user(place))
}

fn powershell(place: &CommandPlace<'_>, url: &str, path: &str) -> String {
    let command = format!("Invoke-WebRequest '{url}' -OutFile '{}'", plain_name(path));
    if !place.is_private {
        return command;
    }
    let key = format!("[Convert]::ToBase64String([Text.Encoding]::ASCII.GetBytes('{}:API_KEY'))", user(place));
    format!("$key = {key}\n{command} -Headers @{{Authorization = \"Basic $key\"}}")
}

/// Public files are added as they are. Others need a secret, which must not end up in a layer.
fn dockerfile(place: &CommandPlace<'_>, url: &str) -> String {
    let url = url.replace('$', "%24");
    if !place.is_private {
        return format!("ADD {url} /opt/");
    }
    format!(
        "# Build with: docker build --secret id=packhouse,src=FILE .\n# FILE contains: {}:API_KEY\n\
         RUN --mount=type=secret,id=packhouse \\\n    curl -u \"$(cat /run/secrets/packhouse)\" -fLO '{url}'",
        user(place)
    )
}

/// The name of the reader, or a word that stands for it.
fn user<'p>(place: &CommandPlace<'p>) -> &'p str {
    place.user.unwrap_or("NAME")
}

/// The first file that is not a signature.
fn file<'p>(place: &CommandPlace<'p>) -> Option<&'p String> {
    place.paths.iter().find(|path| !path.ends_with(".asc"))
}

/// The URL of a file, which is safe between single quotes.
fn url(place: &CommandPlace<'_>, path: &str) -> String {
    let segments = path.split('/').map(str::to_owned).collect();
    let path = Target { segments, ..Target::default() }.canonical_path();
    format!("{}{}", place.base, path.replace('\'', "%27"))
}

/// The name of a file without characters that mean something to a shell: PowerShell has several kinds of quotes.
fn plain_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.chars().map(|c| if c.is_ascii_alphanumeric() || ".-_+".contains(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(paths: &[String], is_private: bool) -> CommandPlace<'_> {
        CommandPlace {
            base: "https://dl.example/ada/tools",
            owner: "ada",
            repo: "tools",
            package: Some("tool"),
            version: Some("1"),
            user: None,
            is_private,
            paths,
        }
    }

    #[test]
    fn a_command_fetches_the_first_file_that_is_no_signature() {
        let paths = ["a.txt.asc".to_owned(), "b c/it's.txt".to_owned()];
        let mut place = place(&paths, true);
        let text = |place: &CommandPlace<'_>| download(place).map(|command| command.text);
        let file = "curl -u NAME:API_KEY -fLO 'https://dl.example/ada/tools/b%20c/it%27s.txt'";
        assert_eq!(text(&place).as_deref(), Some(file));
        place.paths = &paths[..1];
        assert_eq!(text(&place), None);
        assert_eq!(all(&place), []);
        (place.package, place.is_private) = (None, false);
        assert_eq!(text(&place).as_deref(), Some("curl -fLO 'https://dl.example/ada/tools/PATH'"));
        assert_eq!(all(&place).len(), 1);
    }

    #[test]
    fn several_clients_fetch_a_file() {
        let paths = ["a/to’ol$1.zip".to_owned()];
        let texts: Vec<String> = all(&place(&paths, false)).into_iter().map(|command| command.text).collect();
        assert_eq!(texts[1], "wget 'https://dl.example/ada/tools/a/to%E2%80%99ol$1.zip'");
        let powershell =
            "Invoke-WebRequest 'https://dl.example/ada/tools/a/to%E2%80%99ol$1.zip' -OutFile 'to_ol_1.zip'";
        assert_eq!(texts[2], powershell);
        assert_eq!(texts[3], "ADD https://dl.example/ada/tools/a/to%E2%80%99ol%241.zip /opt/");
    }

    #[test]
    fn credentials_stay_out_of_layers() {
        let paths = ["tool.zip".to_owned()];
        let mut place = place(&paths, true);
        let texts: Vec<String> = all(&place).into_iter().map(|command| command.text).collect();
        assert!(texts[1].contains("--user='NAME' --password='API_KEY'"), "{}", texts[1]);
        assert!(texts[2].contains("GetBytes('NAME:API_KEY')"), "{}", texts[2]);
        assert!(texts[3].contains("--mount=type=secret") && !texts[3].contains("-u NAME"), "{}", texts[3]);
        place.user = Some("k1@ada");
        assert!(all(&place).iter().all(|command| command.text.contains("k1@ada")), "the reader's name is filled in");
    }
}
