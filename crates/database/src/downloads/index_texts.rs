//! Index files as readers need them: with the package that they are about, also through links.

use model::{
    access::GrantScope,
    file_path::FilePath,
    id::{PackageId, RepoId},
    index_frame::{self, Sections},
    prefix::NameRange,
};

use crate::{
    Read, Result,
    engine::{
        keys,
        row::row,
        statement::{select, sql},
    },
};

/// An index file.
#[derive(Debug, Clone)]
pub struct IndexText {
    /// The id of the repository that contains it.
    pub repo_id: RepoId,
    /// The id of the package that it is about, if it is an index of one.
    pub package_id: Option<PackageId>,
    /// Its text.
    pub content: String,
    /// When it was created, in milliseconds.
    pub created: i64,
    /// The folder of the link that leads to it, if it is linked and the link shows a part of the package only.
    pub path_prefix: Option<String>,
}

row! {
    /// A text of one of its sections, with the index itself. An index without sections has one row.
    struct SectionRow in "d" {
        repo_id: RepoId, package_id: Option<PackageId>, content: String, created: i64, first_section: Option<i64>,
        section: Option<i64> = "i.section", text: Option<String> = "i.content",
    }
}

row! {
    struct LinkedRow { path_prefix: Option<String> = "l.path_prefix", ..row: SectionRow }
}

/// Returns the newest generation of the repository's own index at a path.
pub async fn find(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<IndexText>> {
    let rows: Vec<SectionRow> = db
        .all(select!(
            SectionRow,
            "FROM derived_files d
             LEFT JOIN index_sections i
                 ON i.package_id = d.package_id AND i.section >= d.first_section AND i.section <= d.last_section
             WHERE d.repo_id = $1 AND d.path = $2
                 AND d.generation = (SELECT MAX(n.generation) FROM derived_files n WHERE n.repo_id = $1 AND n.path = $2)
             ORDER BY i.section, i.block",
            repo_id,
            path,
        ))
        .await?;
    Ok(joined(rows.into_iter().map(|row| (None, row))).pop())
}

/// Returns the package that the index at a path is about. `Some(None)`: the index is about no single package.
pub async fn find_package(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<Option<PackageId>>> {
    let found: Option<(i64, Option<PackageId>)> = db
        .one(sql!(
            "SELECT generation, package_id FROM derived_files
             WHERE repo_id = $1 AND path = $2
             ORDER BY generation DESC
             LIMIT 1",
            repo_id,
            path,
        ))
        .await?;
    Ok(found.map(|(_, package_id)| package_id))
}

/// Returns the indexes at a path of the packages that are linked into the repository, the newest generation of each.
pub async fn list_linked(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Vec<IndexText>> {
    let rows: Vec<LinkedRow> = db
        .all(select!(
            LinkedRow,
            "FROM links l
             JOIN derived_files d ON d.package_id = l.package_id AND d.path = $2
             LEFT JOIN index_sections i
                 ON i.package_id = d.package_id AND i.section >= d.first_section AND i.section <= d.last_section
             WHERE l.repo_id = $1 AND d.generation = (
                 SELECT MAX(n.generation) FROM derived_files n WHERE n.repo_id = d.repo_id AND n.path = d.path)
             ORDER BY l.created, d.package_id, i.section, i.block",
            repo_id,
            path,
        ))
        .await?;
    Ok(joined(rows.into_iter().map(|linked| (linked.path_prefix, linked.row))))
}

/// Joins the rows of each index. Rows of one index follow each other.
fn joined(rows: impl Iterator<Item = (Option<String>, SectionRow)>) -> Vec<IndexText> {
    let mut found: Vec<(IndexText, Option<Sections>)> = Vec::new();
    for (path_prefix, row) in rows {
        let SectionRow { repo_id, package_id, content, created, first_section, section, text } = row;
        if found.last().is_none_or(|(index, _)| index.package_id != package_id) {
            let index = IndexText { repo_id, package_id, content, created, path_prefix };
            found.push((index, first_section.map(|_| Sections::new())));
        }
        if let (Some((_, Some(sections))), Some(section), Some(text)) = (found.last_mut(), section, text) {
            sections.entry(section).or_default().push(text);
        }
    }
    let join = |(index, sections): (IndexText, Option<Sections>)| match sections {
        Some(sections) => IndexText { content: index_frame::join(&index.content, &sections), ..index },
        None => index,
    };
    found.into_iter().map(join).collect()
}

/// Returns whether one of these scopes of a repository contains a published file of a package.
pub async fn is_in_package(db: &dyn Read, parts: &[&GrantScope], package_id: PackageId) -> Result<bool> {
    let mut version_ids = Vec::new();
    for part in parts {
        match part {
            GrantScope::Package(id) if *id == package_id => return Ok(true),
            GrantScope::Package(_) => {}
            GrantScope::Version(id) => version_ids.push(*id),
            GrantScope::Path(path) => {
                if is_at(db, package_id, path.trim_matches('/')).await? {
                    return Ok(true);
                }
            }
        }
    }
    let of_versions = sql!(
        "SELECT id FROM files
         WHERE package_id = $1 AND published_blob_id IS NOT NULL AND version_id IN ($keys)
         LIMIT 1",
        package_id,
    );
    Ok(!keys::all::<i64>(db, of_versions, &version_ids).await?.is_empty())
}

/// Returns whether a package has a published file at a path or below it.
async fn is_at(db: &dyn Read, package_id: PackageId, path: &str) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT id FROM files WHERE package_id = $1 AND path = $2 AND published_blob_id IS NOT NULL LIMIT 1",
            package_id,
            path,
        ))
        .await?;
    if found.is_some() {
        return Ok(true);
    }
    let NameRange { from, to } = NameRange::beginning_with(&format!("{path}/"));
    let found: Option<i64> = db
        .one(sql!(
            "SELECT id FROM files
             WHERE package_id = $1 AND path >= $2 AND path < $3 AND published_blob_id IS NOT NULL
             LIMIT 1",
            package_id,
            from,
            to,
        ))
        .await?;
    Ok(found.is_some())
}

#[cfg(test)]
mod tests {
    use model::{id::VersionId, timestamp::Timestamp};

    use super::*;
    use crate::{
        Database, ScopedFutureExt,
        content::derived_files::{self, Framed, NewIndex},
        testing::scratch::Scratch,
    };

    /// Repository 1 owns packages 1 and 2, with versions and files of the same ids; repository 2 links to package 1.
    const ROWS: &str = "
        INSERT INTO subjects (id, kind, name, folded_name, full_name, plan, is_site_admin, registered)
        VALUES (1, 'user', 'ada', 'ada', '', 'free', FALSE, 0);
        INSERT INTO repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
            gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, package_count, created)
        VALUES (1, 1, 'a', 'a', 'pypi', FALSE, '', '', '', FALSE, FALSE, FALSE, 2, 0),
            (2, 1, 'b', 'b', 'pypi', FALSE, '', '', '', FALSE, FALSE, FALSE, 0, 0);
        INSERT INTO packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
            custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)
        VALUES (1, 1, 'cat', 'cat', '', '', '', '', '', FALSE, 0, 0, 0, 1, 0, 0),
            (2, 1, 'dog', 'dog', '', '', '', '', '', FALSE, 0, 0, 0, 1, 0, 0);
        INSERT INTO versions (id, package_id, name, description, labels, github_use_tag_release_notes, published_files,
            ordinal, created, updated)
        VALUES (1, 1, '1', '', '', FALSE, 1, 1, 0, 0), (2, 2, '1', '', '', FALSE, 0, 1, 0, 0);
        INSERT INTO blobs (id, sha256, sha1, size, is_going) VALUES (1, 'a', 'b', 3, FALSE);
        INSERT INTO files (id, repo_id, package_id, version_id, path, folded_name, published_blob_id, published,
            staged_blob_id, is_listed, created)
        VALUES (1, 1, 1, 1, 'cat/cat-1.whl', 'cat-1.whl', 1, 0, NULL, FALSE, 0),
            (2, 1, 2, 2, 'dog/dog-1.whl', 'dog-1.whl', NULL, NULL, 1, FALSE, 0);
        INSERT INTO derived_files (repo_id, path, generation, content, created, package_id)
        VALUES (1, 'simple/cat', 1, 'old', 1, 1), (1, 'simple/cat', 2, 'new', 2, 1), (1, 'index', 1, 'all', 1, NULL);
        INSERT INTO index_sections (package_id, section, block, files, size, content)
        VALUES (1, 0, 0, 1, 1, 'other'), (1, 2, 7, 1, 1, 'z'), (1, 1, 1, 1, 1, 'b'), (1, 1, 0, 1, 1, 'a'),
            (2, 1, 0, 1, 1, 'dog');
        INSERT INTO links (repo_id, package_id, package_name, folded_name, path_prefix, created)
        VALUES (2, 1, 'cat', 'cat', NULL, 0)";

    async fn prepared(scratch: &Scratch) -> Database {
        let db = scratch.open().await;
        db.migrate(Timestamp::EPOCH).await.expect("the schema can be made");
        db.write(|tx| async move { tx.batch(ROWS).await }.scope_boxed()).await.expect("rows");
        db
    }

    #[tokio::test]
    async fn the_newest_generation_is_found_here_and_through_links() {
        let scratch = Scratch::create().await;
        let db = prepared(&scratch).await;
        let path = FilePath::parse("simple/cat").expect("a path");
        let found = find(&db, RepoId::new(1), &path).await.expect("a look-up").expect("an index");
        assert_eq!((found.content.as_str(), found.package_id), ("new", Some(PackageId::new(1))));
        let index = FilePath::parse("index").expect("a path");
        let whole = find(&db, RepoId::new(1), &index).await.expect("a look-up").expect("an index");
        assert_eq!(whole.package_id, None);
        assert!(find(&db, RepoId::new(2), &path).await.expect("a look-up").is_none());
        let linked = list_linked(&db, RepoId::new(2), &path).await.expect("a look-up");
        let linked: Vec<_> = linked.iter().map(|index| (index.repo_id, index.content.as_str())).collect();
        assert_eq!(linked, [(RepoId::new(1), "new")]);
        assert!(list_linked(&db, RepoId::new(2), &index).await.expect("a look-up").is_empty());
        assert!(list_linked(&db, RepoId::new(1), &path).await.expect("a look-up").is_empty());
    }

    #[tokio::test]
    async fn sections_are_joined_here_and_through_links() {
        let scratch = Scratch::create().await;
        let db = prepared(&scratch).await;
        let path = FilePath::parse("framed").expect("a path");
        let content = &format!("[{}|{}]", index_frame::place(1, ","), index_frame::place(2, ","));
        let framed = Some(Framed { first: 1, last: 2, joined_size: 7 });
        let (at, cat) = (&path, Some(PackageId::new(1)));
        db.write(|tx| {
            async move {
                derived_files::insert(tx, RepoId::new(1), cat, NewIndex { path: at, content, framed }, Timestamp::EPOCH)
                    .await
            }
            .scope_boxed()
        })
        .await
        .expect("stored");
        let found = find(&db, RepoId::new(1), &path).await.expect("a look-up").expect("an index");
        assert_eq!(found.content, "[a,b|z]");
        let linked = list_linked(&db, RepoId::new(2), &path).await.expect("a look-up");
        assert_eq!(linked.iter().map(|index| index.content.as_str()).collect::<Vec<_>>(), ["[a,b|z]"]);
        assert_eq!(find_package(&db, RepoId::new(1), &path).await.expect("a look-up"), Some(cat));
        assert_eq!(find_package(&db, RepoId::new(2), &path).await.expect("a look-up"), None);
    }

    #[tokio::test]
    async fn scopes_in_a_package_open_its_index_and_others_do_not() {
        let scratch = Scratch::create().await;
        let db = prepared(&scratch).await;
        let path = |text: &str| GrantScope::Path(text.to_owned());
        let cases = [
            (GrantScope::Package(PackageId::new(1)), [true, false]),
            // Staged content alone is nothing to read.
            (GrantScope::Version(VersionId::new(1)), [true, false]),
            (GrantScope::Version(VersionId::new(2)), [false, false]),
            (path("cat"), [true, false]),
            (path("/cat/cat-1.whl"), [true, false]),
            (path("ca"), [false, false]),
            (path("dog"), [false, false]),
        ];
        for (scope, expected) in cases {
            for (package_id, expected) in [1, 2].map(PackageId::new).into_iter().zip(expected) {
                let found = is_in_package(&db, &[&scope], package_id).await.expect("a look-up");
                assert_eq!(found, expected, "{scope:?} {package_id:?}");
            }
        }
        assert!(!is_in_package(&db, &[], PackageId::new(1)).await.expect("a look-up"));
    }
}
