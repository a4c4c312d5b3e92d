-- Uploads in pieces. `place` and `states` are in the notation of the content store. A request that adds a piece leases
-- the row; the lease ends by itself.
CREATE TABLE uploads (
    id BIGINT PRIMARY KEY,
    token ctext NOT NULL UNIQUE,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    image ctext NOT NULL,
    grantee_id BIGINT NOT NULL,
    place ctext NOT NULL,
    bytes BIGINT NOT NULL,
    states cbytes NOT NULL,
    lease BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    changed BIGINT NOT NULL
);

CREATE INDEX uploads_of_repo ON uploads (repo_id);
CREATE INDEX uploads_by_change ON uploads (changed, id);

-- Content that was pushed to an image and that no manifest uses yet.
CREATE TABLE held_blobs (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    image ctext NOT NULL,
    blob_id BIGINT NOT NULL REFERENCES blobs (id),
    at BIGINT NOT NULL,
    PRIMARY KEY (repo_id, image, blob_id)
);

CREATE INDEX held_blobs_of_blob ON held_blobs (blob_id);
CREATE INDEX held_blobs_by_time ON held_blobs (at);

-- The files that a manifest names: its configuration, its layers, the manifests of an index.
CREATE TABLE oci_references (
    manifest_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    PRIMARY KEY (manifest_id, file_id)
);

CREATE INDEX oci_references_of_file ON oci_references (file_id);

-- The files that a version reaches. A file's own version is the oldest of them.
CREATE TABLE oci_uses (
    version_id BIGINT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    PRIMARY KEY (version_id, file_id)
);

CREATE INDEX oci_uses_of_file ON oci_uses (file_id, version_id);

-- Manifests that refer to another manifest, which need not exist, with their entry in the list of referrers.
CREATE TABLE oci_subjects (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    image ctext NOT NULL,
    subject ctext NOT NULL,
    file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    descriptor ctext NOT NULL,
    PRIMARY KEY (repo_id, image, subject, file_id)
);

CREATE INDEX oci_subjects_of_file ON oci_subjects (file_id);

-- All images are listed through their repositories.
CREATE INDEX repos_by_type ON repos (type, id);
