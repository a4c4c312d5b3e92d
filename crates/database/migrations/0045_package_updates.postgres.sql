-- PostgreSQL adds a changed row to every index of its table if the value of any index changes. A package changes with
-- each publish, so its last change has no index in `packages`, with the indexes of texts, but a table of its own.
CREATE TABLE package_updates (
    package_id BIGINT PRIMARY KEY REFERENCES packages (id) ON DELETE CASCADE,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    updated BIGINT NOT NULL
);

INSERT INTO package_updates (package_id, repo_id, updated) SELECT id, repo_id, updated FROM packages;

CREATE INDEX package_updates_of_repo ON package_updates (repo_id, updated, package_id);

CREATE FUNCTION packages_note_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO package_updates (package_id, repo_id, updated) VALUES (NEW.id, NEW.repo_id, NEW.updated);
    ELSE
        UPDATE package_updates SET repo_id = NEW.repo_id, updated = NEW.updated WHERE package_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER packages_note_inserted AFTER INSERT ON packages
FOR EACH ROW EXECUTE FUNCTION packages_note_update();
CREATE TRIGGER packages_note_updated AFTER UPDATE OF repo_id, updated ON packages
FOR EACH ROW WHEN (OLD.updated <> NEW.updated OR OLD.repo_id <> NEW.repo_id) EXECUTE FUNCTION packages_note_update();

DROP INDEX packages_by_update;
DROP INDEX packages_by_update_and_id;

-- A changed row stays on its page if there is room.
ALTER TABLE packages SET (fillfactor = 90);
