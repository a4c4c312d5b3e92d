-- Manifests that were pushed to a repository that stages pushes. They wait under their tag or digest until the tag is
-- published. `named` is what they name, as JSON.
CREATE TABLE staged_manifests (
    id BIGINT PRIMARY KEY,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    image ctext NOT NULL,
    reference ctext NOT NULL,
    blob_id BIGINT NOT NULL REFERENCES blobs (id),
    facts ctext NOT NULL,
    named ctext NOT NULL,
    UNIQUE (repo_id, image, reference)
);

CREATE INDEX staged_manifests_of_blob ON staged_manifests (blob_id);

-- The content of staged manifests and of what they name. It is not garbage while they wait.
CREATE TABLE staged_blobs (
    manifest_id BIGINT NOT NULL REFERENCES staged_manifests (id) ON DELETE CASCADE,
    blob_id BIGINT NOT NULL REFERENCES blobs (id),
    PRIMARY KEY (manifest_id, blob_id)
);

CREATE INDEX staged_blobs_of_blob ON staged_blobs (blob_id);
