-- A file of an index may have the texts of two streams; `middle` stands between them.
ALTER TABLE index_files ADD COLUMN second_stream_id BIGINT REFERENCES index_streams (id) ON DELETE CASCADE;
ALTER TABLE index_files ADD COLUMN middle cbytes;

CREATE INDEX index_files_of_second_stream ON index_files (second_stream_id, generation)
WHERE second_stream_id IS NOT NULL;

-- The number of days after which clients refuse an index of a Debian repository, if it has one.
ALTER TABLE repos ADD COLUMN debian_valid_days BIGINT;
