//! Users, organisations, followers, licences and the site.

use api::*;

use crate::{
    access::audit_log,
    accounts::*,
    catalogue::*,
    endpoints::{Endpoints, delete, get, patch, post, put},
    search,
};

pub(super) fn users(calls: Endpoints) -> Endpoints {
    calls
        .add(post("/users", "Create a user").takes::<NewUser>().answers::<CreatedUser>(201), create_user)
        .add(get("/users/{user}", "Show a user").answers::<User>(200), show_user)
        .add(
            get("/search/users", "Search users")
                .query(&[("name", "A part of the name"), ("start_pos", "The position of the first result, from 0")])
                .lists::<User>(200),
            search::search_users,
        )
        .add(patch("/users/{user}", "Change a user").takes::<UserChange>().answers::<Message>(200), edit_user)
        .add(delete("/users/{user}", "Delete a user").answers::<Message>(200), delete_user)
        .add(post("/users/{user}/api_key", "Replace a user's API key").answers::<ApiKey>(201), rotate_key)
}

pub(super) fn organizations(calls: Endpoints) -> Endpoints {
    calls
        .add(post("/orgs", "Create an organization").takes::<NewOrg>().answers::<Org>(201), create_org)
        .add(get("/orgs/{org}", "Show an organization").answers::<Org>(200), show_org)
        .add(patch("/orgs/{org}", "Change an organization").takes::<OrgChange>().answers::<Message>(200), edit_org)
        .add(delete("/orgs/{org}", "Delete an organization").answers::<Message>(200), delete_org)
        .add(
            put("/orgs/{org}/members/{user}", "Add or change a member").takes::<NewMember>().answers::<Message>(200),
            set_member,
        )
        .add(delete("/orgs/{org}/members/{user}", "Remove a member").answers::<Message>(200), remove_member)
        .add(
            get("/orgs/{org}/invitations", "List the open invitations to an organization").lists::<Invitation>(200),
            list_invitations,
        )
        .add(
            post("/orgs/{org}/invitations", "Invite somebody to an organization")
                .takes::<NewInvitation>()
                .answers::<Invitation>(201),
            create_invitation,
        )
        .add(
            delete("/orgs/{org}/invitations/{invitation}", "Revoke an invitation").answers::<Message>(200),
            revoke_invitation,
        )
        .add(
            post("/invitations/accept", "Accept an invitation").takes::<InvitationAnswer>().answers::<Message>(200),
            accept_invitation,
        )
}

pub(super) fn followers_and_ratings(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/users/{user}/followers", "List who follows a user or an organization")
                .query(&[("start_pos", "The position of the first result, from 0")])
                .lists::<Follower>(200),
            list_followers,
        )
        .add(put("/users/{user}/follow", "Follow a user or an organization").answers::<Message>(200), follow_user)
        .add(delete("/users/{user}/follow", "Stop following").answers::<Message>(200), unfollow_user)
        .add(
            put("/packages/{subject}/{repo}/{package}/follow", "Follow a package").answers::<Message>(200),
            follow_package,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/follow", "Stop following a package").answers::<Message>(200),
            unfollow_package,
        )
        .add(
            put("/packages/{subject}/{repo}/{package}/rating", "Rate a package")
                .takes::<NewRating>()
                .answers::<Message>(200),
            rate_package,
        )
}

pub(super) fn licenses(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/licenses/oss_licenses", "List the licenses that packages choose from").lists::<OssLicense>(200),
            list_oss_licenses,
        )
        .add(get("/users/{user}/licenses", "List a user's own licenses").lists::<CustomLicense>(200), list_licenses)
        .add(
            post("/users/{user}/licenses", "Create a license of a user")
                .takes::<NewCustomLicense>()
                .answers::<CustomLicense>(201),
            create_license,
        )
        .add(
            patch("/users/{user}/licenses/{license}", "Change a license of a user")
                .takes::<CustomLicenseChange>()
                .answers::<Message>(200),
            edit_license,
        )
        .add(
            delete("/users/{user}/licenses/{license}", "Delete a license of a user").answers::<Message>(200),
            delete_license,
        )
        .add(
            get("/orgs/{org}/licenses", "List an organization's own licenses").lists::<CustomLicense>(200),
            list_licenses,
        )
        .add(
            post("/orgs/{org}/licenses", "Create a license of an organization")
                .takes::<NewCustomLicense>()
                .answers::<CustomLicense>(201),
            create_license,
        )
        .add(
            patch("/orgs/{org}/licenses/{license}", "Change a license of an organization")
                .takes::<CustomLicenseChange>()
                .answers::<Message>(200),
            edit_license,
        )
        .add(
            delete("/orgs/{org}/licenses/{license}", "Delete a license of an organization").answers::<Message>(200),
            delete_license,
        )
}

pub(super) fn administration(calls: Endpoints) -> Endpoints {
    calls
        .add(
            put("/subjects/{subject}/plan", "Set the plan of a subject").takes::<NewPlan>().answers::<Message>(200),
            set_plan,
        )
        .add(
            get("/subjects/{subject}/quota", "Show the storage quota of a subject").answers::<StorageQuota>(200),
            show_subject_quota,
        )
        .add(
            put("/subjects/{subject}/quota", "Set the storage quota of a subject")
                .takes::<NewStorageQuota>()
                .answers::<Message>(200),
            set_subject_quota,
        )
        .add(
            get("/repos/{subject}/{repo}/quota", "Show the storage quota of a repository").answers::<StorageQuota>(200),
            show_repo_quota,
        )
        .add(
            put("/repos/{subject}/{repo}/quota", "Set the storage quota of a repository")
                .takes::<NewStorageQuota>()
                .answers::<Message>(200),
            set_repo_quota,
        )
        .add(
            get("/audit", "List the audit log, newest first")
                .query(&[("start_pos", "The position of the first result, from 0")])
                .lists::<AuditEntry>(200),
            audit_log::list_audit,
        )
}
