-- Lists by the last change compare names. With the names in the index, no package is looked up that is not listed.
DROP INDEX package_updates_of_repo;

ALTER TABLE package_updates ADD COLUMN name ctext NOT NULL DEFAULT '';

UPDATE package_updates SET name = p.name FROM packages p WHERE p.id = package_id;

CREATE INDEX package_updates_of_repo ON package_updates (repo_id, updated, package_id) INCLUDE (name);

CREATE OR REPLACE FUNCTION packages_note_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO package_updates (package_id, repo_id, updated, name)
        VALUES (NEW.id, NEW.repo_id, NEW.updated, NEW.name);
    ELSE
        UPDATE package_updates SET repo_id = NEW.repo_id, updated = NEW.updated WHERE package_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
