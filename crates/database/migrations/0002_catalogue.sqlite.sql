-- How many packages of a repository have names from the first of a block on, up to the next block of that level. The
-- first block of a level begins with the empty name and is always there. Its rows lie by name: neighbours
-- are read together.
CREATE TABLE package_blocks (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    level BIGINT NOT NULL,
    first_name ctext NOT NULL,
    count BIGINT NOT NULL CHECK (count >= 0),
    PRIMARY KEY (repo_id, level, first_name)
) WITHOUT ROWID;

-- What name searches look into: every three characters in a row of the folded texts, kept by triggers.

CREATE VIRTUAL TABLE repos_search
USING fts5 (name, description, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');

CREATE TRIGGER repos_search_insert AFTER INSERT ON repos BEGIN
    INSERT INTO repos_search (rowid, name, description) VALUES (new.id, new.folded_name, new.folded_description);
END;

CREATE TRIGGER repos_search_update AFTER UPDATE OF folded_name, folded_description ON repos
WHEN new.folded_name <> old.folded_name OR new.folded_description <> old.folded_description BEGIN
    UPDATE repos_search SET name = new.folded_name, description = new.folded_description WHERE rowid = new.id;
END;

CREATE TRIGGER repos_search_delete AFTER DELETE ON repos BEGIN
    DELETE FROM repos_search WHERE rowid = old.id;
END;

CREATE VIRTUAL TABLE packages_search
USING fts5 (name, description, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');

CREATE TRIGGER packages_search_insert AFTER INSERT ON packages BEGIN
    INSERT INTO packages_search (rowid, name, description) VALUES (new.id, new.folded_name, new.folded_description);
END;

CREATE TRIGGER packages_search_update AFTER UPDATE OF folded_name, folded_description ON packages
WHEN new.folded_name <> old.folded_name OR new.folded_description <> old.folded_description BEGIN
    UPDATE packages_search SET name = new.folded_name, description = new.folded_description WHERE rowid = new.id;
END;

CREATE TRIGGER packages_search_delete AFTER DELETE ON packages BEGIN
    DELETE FROM packages_search WHERE rowid = old.id;
END;

CREATE VIRTUAL TABLE subjects_search
USING fts5 (name, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');

INSERT INTO subjects_search (rowid, name) SELECT id, folded_name FROM subjects;

CREATE TRIGGER subjects_search_insert AFTER INSERT ON subjects BEGIN
    INSERT INTO subjects_search (rowid, name) VALUES (new.id, new.folded_name);
END;

CREATE TRIGGER subjects_search_delete AFTER DELETE ON subjects BEGIN
    DELETE FROM subjects_search WHERE rowid = old.id;
END;
