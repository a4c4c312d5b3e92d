//! Commands for any file.

use model::target::Target;
use operations::format::{Command, CommandPlace};

/// Downloads a file of the version, or any file of the repository. Signatures are left out.
pub(crate) fn download(place: &CommandPlace<'_>) -> Option<Command> {
    let credentials = if place.is_private { "-u NAME:API_KEY " } else { "" };
    let path = match place.package {
        Some(_) => encoded(place.paths.iter().find(|path| !path.ends_with(".asc"))?),
        None => "/PATH".to_owned(),
    };
    let text = format!("curl {credentials}-fLO '{}{}'", place.base, path.replace('\'', "%27"));
    Some(Command { client: "download", caption: "Download with curl".to_owned(), text, publishes: false })
}

/// A path in a URL, with a slash before it.
fn encoded(path: &str) -> String {
    let segments = path.split('/').map(str::to_owned).collect();
    Target { segments, ..Target::default() }.canonical_path()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_fetches_the_first_file_that_is_no_signature() {
        let paths = ["a.txt.asc".to_owned(), "b c/it's.txt".to_owned()];
        let mut place = CommandPlace {
            base: "https://dl.example/ada/tools",
            owner: "ada",
            repo: "tools",
            package: Some("tool"),
            version: Some("1"),
            user: None,
            is_private: true,
            paths: &paths,
        };
        let text = |place: &CommandPlace<'_>| download(place).map(|command| command.text);
        let file = "curl -u NAME:API_KEY -fLO 'https://dl.example/ada/tools/b%20c/it%27s.txt'";
        assert_eq!(text(&place).as_deref(), Some(file));
        place.paths = &paths[..1];
        assert_eq!(text(&place), None);
        (place.package, place.is_private) = (None, false);
        assert_eq!(text(&place).as_deref(), Some("curl -fLO 'https://dl.example/ada/tools/PATH'"));
    }
}
