DROP TRIGGER packages_search_insert;
DROP TRIGGER packages_search_update;
DROP TRIGGER packages_search_delete;
DROP TABLE packages_search;

CREATE VIRTUAL TABLE packages_search
USING fts5 (name, description, labels, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');

INSERT INTO packages_search (rowid, name, description, labels)
SELECT id, folded_name, folded_description, folded_labels FROM packages;

CREATE TRIGGER packages_search_insert AFTER INSERT ON packages BEGIN
    INSERT INTO packages_search (rowid, name, description, labels)
    VALUES (new.id, new.folded_name, new.folded_description, new.folded_labels);
END;

CREATE TRIGGER packages_search_update AFTER UPDATE OF folded_name, folded_description, folded_labels ON packages
WHEN new.folded_name <> old.folded_name OR new.folded_description <> old.folded_description
    OR new.folded_labels <> old.folded_labels BEGIN
    UPDATE packages_search SET name = new.folded_name, description = new.folded_description, labels = new.folded_labels
    WHERE rowid = new.id;
END;

CREATE TRIGGER packages_search_delete AFTER DELETE ON packages BEGIN
    DELETE FROM packages_search WHERE rowid = old.id;
END;
