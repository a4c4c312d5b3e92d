//! The actions of the audit log in words.

/// Actions whose words do not follow from their noun and verb.
const SENTENCES: &[(&str, &str)] = &[
    ("session.create", "signed in as"),
    ("session.delete", "signed out"),
    ("session.delete_all", "ended all sessions of"),
    ("content.publish", "published files of"),
    ("content.discard", "discarded staged files of"),
    ("content.delete", "deleted files of"),
    ("content.sign", "signed files of"),
    ("access_key.new_password", "replaced the password of the access key"),
    ("device.allow", "signed in a device with the code"),
    ("device.deny", "denied a device with the code"),
    ("key.new", "replaced the API key of"),
    ("user.rotate_key", "replaced the API key of"),
    ("user.reset_password", "reset the password of"),
    ("user.verify_email", "confirmed the email address of"),
    ("member.set", "set the role of a member of"),
    ("member.remove", "removed a member of"),
    ("plan.set", "changed the plan of"),
    ("quota.set", "changed the quota of"),
    ("package.mark", "changed marks of"),
    ("package.tag", "changed tags of"),
    ("repo.calc_metadata", "rebuilt the indexes of"),
    ("second_factor.renew_codes", "renewed the recovery codes of"),
    ("signed_url.revoke_all", "revoked all signed URLs of"),
    ("site.rotate_master_key", "replaced the master key"),
    ("staging.sync", "synced to a public registry:"),
    ("token.mint", "created a short-lived token for"),
    ("webhook.register", "registered a webhook of"),
    ("webhook.deactivate", "deactivated a webhook of"),
    ("webhook.delete", "deleted a webhook of"),
    ("webhook.replay", "repeated deliveries to a webhook of"),
    ("webhook.test", "tested a webhook of"),
];

/// Nouns that have another name for people.
const NOUNS: &[(&str, &str)] = &[
    ("repo", "repository"),
    ("org", "organization"),
    ("license", "licence"),
    ("eula", "EULA"),
    ("gpg_key", "signing key of"),
    ("usign_key", "usign key of"),
    ("attributes", "attributes of"),
    ("readme", "readme of"),
    ("release_notes", "release notes of"),
    ("geo_restrictions", "country rules of"),
    ("ip_restrictions", "network rules of"),
    ("permission", "permissions in"),
    ("second_factor", "second factor of"),
    ("signed_url", "signed URL of"),
    ("entitlement", "entitlement in"),
    ("usage_threshold", "usage alert of"),
    ("identity", "single sign-on of"),
    ("trusted_publisher", "trusted publisher"),
    ("access_key", "access key"),
];

/// Verbs in the past.
const VERBS: &[(&str, &str)] = &[
    ("create", "created"),
    ("delete", "deleted"),
    ("edit", "changed"),
    ("set", "changed"),
    ("replace", "replaced"),
    ("rename", "renamed"),
    ("accept", "accepted"),
    ("revoke", "revoked"),
    ("rotate", "replaced"),
    ("follow", "followed"),
    ("unfollow", "stopped following"),
    ("rate", "rated"),
    ("suspend", "suspended"),
    ("unsuspend", "lifted the suspension of"),
    ("generate", "generated"),
    ("import", "imported"),
    ("enable", "turned on"),
    ("disable", "turned off"),
    ("reset", "reset"),
];

/// What an actor did, without the target; the action itself if it has no words.
pub(super) fn past(action: &str) -> String {
    let of = |list: &[(&str, &'static str)], name: &str| {
        list.iter().find(|(known, _)| *known == name).map(|(_, words)| (*words).to_owned())
    };
    if let Some(sentence) = of(SENTENCES, action) {
        return sentence;
    }
    let Some((noun, verb)) = action.split_once('.') else { return action.to_owned() };
    let Some(verb) = of(VERBS, verb) else { return action.to_owned() };
    format!("{verb} the {}", of(NOUNS, noun).unwrap_or_else(|| noun.replace('_', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_become_words() {
        let words = ["repo.create", "session.create", "user.suspend", "gpg_key.import", "x.y", "odd"].map(past);
        let expected = [
            "created the repository",
            "signed in as",
            "suspended the user",
            "imported the signing key of",
            "x.y",
            "odd",
        ];
        assert_eq!(words, expected);
    }
}
