-- Files whose names the search index has yet to learn. Learning many at once costs a fraction of learning each in the
-- transaction of its upload, where all other uploads wait for it.
CREATE TABLE unlearned_files (id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE);
