-- Nobody asks for the MD5 and the SHA-512 of the layers of images, so no job computes them.
ALTER TABLE blobs ADD COLUMN sums_on_request BOOLEAN NOT NULL DEFAULT FALSE;

DROP INDEX blobs_without_md5;

CREATE INDEX blobs_without_md5 ON blobs (id) WHERE md5 IS NULL AND NOT sums_on_request;
