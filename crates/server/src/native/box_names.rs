//! The address at which Vagrant looks for a box by its name.

use model::target::Target;

/// Vagrant 2.4 asks for the box `<repository>/<box>` below `api/v2/vagrant` of its server, which is the URL of a subject.
const PREFIX: [&str; 3] = ["api", "v2", "vagrant"];

/// Turns `/dl/<subject>/api/v2/vagrant/<repository>/<box>` into the path of the box. This does not depend on what exists,
/// so the response does not tell.
pub(super) fn shorten(target: &mut Target) -> bool {
    let is_name = matches!(target.segments.as_slice(), [_, _, api, version, kind, _, _]
        if [api.as_str(), version.as_str(), kind.as_str()] == PREFIX);
    if is_name && !target.is_folder {
        target.segments.drain(2..5);
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_boxes_are_shortened() {
        let shortened = |path: &str| {
            let mut target = Target::parse(path, "").expect("well formed");
            shorten(&mut target).then(|| target.segments.join("/"))
        };
        assert_eq!(shortened("/dl/acme/api/v2/vagrant/boxes/ubuntu").as_deref(), Some("dl/acme/boxes/ubuntu"));
        for other in [
            "/dl/acme/boxes/api/v2/vagrant/ubuntu",
            "/dl/acme/api/v2/vagrant/boxes",
            "/dl/acme/api/v2/vagrant/boxes/ubuntu/",
            "/dl/acme/api/v2/vagrant/boxes/ubuntu/1.0",
            "/dl/acme/api/v1/vagrant/boxes/ubuntu",
        ] {
            assert_eq!(shortened(other), None, "{other}");
        }
    }
}
