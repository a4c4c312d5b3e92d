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
