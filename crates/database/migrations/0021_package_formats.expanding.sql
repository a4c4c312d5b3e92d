-- Facts that a repository format has read from content, in the format's own notation: once for each content and format.
CREATE TABLE content_facts (
    blob_id BIGINT NOT NULL REFERENCES blobs (id) ON DELETE CASCADE,
    format ctext NOT NULL,
    about cbytes NOT NULL,
    PRIMARY KEY (blob_id, format)
);

-- Names that point to one version of a package and can be moved to another, such as npm's `latest`.
CREATE TABLE tags (
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    version_id BIGINT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    changed BIGINT NOT NULL,
    PRIMARY KEY (package_id, name)
);

CREATE INDEX tags_of_version ON tags (version_id);

-- Marks on versions: `yanked`, `deprecated`, `unlisted`, each with a text for its readers.
CREATE TABLE marks (
    version_id BIGINT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    text ctext NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (version_id, name)
);

-- Names in a repository that are taken for ever, in the notation of its format, with what has taken them. The version
-- may be gone; the name stays.
CREATE TABLE spent_names (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    holder ctext NOT NULL,
    version_id BIGINT NOT NULL,
    PRIMARY KEY (repo_id, name)
);

CREATE INDEX spent_names_of_version ON spent_names (version_id);

-- An index of one package ends with it, and is read by those who may read the package.
ALTER TABLE derived_files ADD COLUMN package_id BIGINT REFERENCES packages (id) ON DELETE CASCADE;

CREATE INDEX derived_files_of_package ON derived_files (package_id, path);

-- Whether uploads by native clients stay staged until they are published.
ALTER TABLE repos ADD COLUMN native_staged BOOLEAN NOT NULL DEFAULT FALSE;

-- The latest version with a published file, by the order of the repository's format. NULL means that it was not
-- determined yet, or that no version has a published file.
ALTER TABLE packages ADD COLUMN latest_version_id BIGINT;
