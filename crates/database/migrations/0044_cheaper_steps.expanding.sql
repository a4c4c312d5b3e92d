-- The published files of a repository, newest first, with what a search compares: it reads those of one repository and
-- not the newest of all.
CREATE INDEX newest_published_files ON files (repo_id, id, folded_name, published_blob_id)
WHERE published_blob_id IS NOT NULL;

-- Jobs that one node runs at a time, and until when it does.
CREATE TABLE job_leases (
    name ctext NOT NULL PRIMARY KEY,
    token BIGINT NOT NULL,
    leased_until BIGINT NOT NULL
);
