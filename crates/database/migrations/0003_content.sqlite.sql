-- Downloads of a version on a day, in days since the start of 1970. Those of a version lie side by side.

CREATE TABLE download_counts (
    version_id BIGINT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    country ctext NOT NULL,
    count BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (version_id, day, country)
) WITHOUT ROWID;

-- Content of files that go, or that get other content, may be loose from then on.

CREATE TRIGGER files_loosen_deleted AFTER DELETE ON files BEGIN
    UPDATE blobs SET loose_since = 0
    WHERE id IN (old.published_blob_id, old.staged_blob_id) AND loose_since IS NULL;
END;

CREATE TRIGGER files_loosen_replaced AFTER UPDATE OF published_blob_id, staged_blob_id ON files BEGIN
    UPDATE blobs SET loose_since = 0
    WHERE id IN (old.published_blob_id, old.staged_blob_id) AND loose_since IS NULL
        AND id IS NOT new.published_blob_id AND id IS NOT new.staged_blob_id;
END;

-- What file searches look into: every three characters in a row of the folded names. Where they stand is not kept:
-- the names themselves are compared anyway.

CREATE VIRTUAL TABLE files_search
USING fts5 (name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');

CREATE TRIGGER files_search_insert AFTER INSERT ON files BEGIN
    INSERT INTO files_search (rowid, name) VALUES (new.id, new.folded_name);
END;

CREATE TRIGGER files_search_delete AFTER DELETE ON files BEGIN
    DELETE FROM files_search WHERE rowid = old.id;
END;
