-- Whether the indexes of a Debian repository list the files in its packages.
ALTER TABLE repos ADD COLUMN debian_contents BOOLEAN NOT NULL DEFAULT FALSE;

-- The content that stands for a package in a repository, by what clients know the package by. Other content for the same
-- text is refused while a file of the repository has the first one.
CREATE TABLE package_identities (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    identity ctext NOT NULL,
    blob_id BIGINT NOT NULL REFERENCES blobs (id) ON DELETE CASCADE,
    PRIMARY KEY (repo_id, identity)
);

CREATE INDEX package_identities_of_blob ON package_identities (blob_id);

-- Files of indexes for readers of parts of a repository, whose paths name their digests: clients read them a moment after
-- the documents over them, which may have been replaced meanwhile. `grants` is the digest of the grants of these readers.
CREATE TABLE index_view_files (
    repo_id BIGINT NOT NULL REFERENCES index_heads (repo_id) ON DELETE CASCADE,
    grants ctext NOT NULL,
    path ctext NOT NULL,
    bytes cbytes NOT NULL,
    created BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (repo_id, grants, path)
);

CREATE INDEX ended_index_view_files ON index_view_files (until);
