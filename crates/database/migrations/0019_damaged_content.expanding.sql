-- Content whose stored bytes are held against its digest. `verified` says when they were last known to be right, `stamp`
-- what the store said about them then; another stamp means that somebody has written to them since. What is found to be
-- damaged or missing is withheld from readers since `damaged_since`, for the reason in `damage`.
ALTER TABLE blobs ADD COLUMN verified BIGINT;
ALTER TABLE blobs ADD COLUMN stamp BIGINT;
ALTER TABLE blobs ADD COLUMN damaged_since BIGINT;
ALTER TABLE blobs ADD COLUMN damage ctext;
CREATE INDEX damaged_blobs ON blobs (id) WHERE damaged_since IS NOT NULL;

-- Uploads ask whether a repository has some content.
DROP INDEX files_of_published_blob;
DROP INDEX files_of_staged_blob;
CREATE INDEX files_of_published_blob ON files (published_blob_id, repo_id) WHERE published_blob_id IS NOT NULL;
CREATE INDEX files_of_staged_blob ON files (staged_blob_id, repo_id) WHERE staged_blob_id IS NOT NULL;

-- How far all content has been read and held against its digests. One row: the pass that is under way, by the server that
-- has claimed it, and the last one that reached its end.
CREATE TABLE scrubs (
    id BIGINT PRIMARY KEY,
    claim BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL,
    started BIGINT NOT NULL,
    reached BIGINT NOT NULL,
    blobs BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    damaged BIGINT NOT NULL,
    last_started BIGINT,
    last_ended BIGINT,
    last_blobs BIGINT NOT NULL,
    last_bytes BIGINT NOT NULL,
    last_damaged BIGINT NOT NULL
);
