-- Changes of published files and of marks are noted for each repository with indexes that shows them.

CREATE FUNCTION new_change_id() RETURNS BIGINT LANGUAGE sql VOLATILE AS $$
    SELECT CAST(floor(random() * 9007199254740992) AS BIGINT) * 1024 + CAST(floor(random() * 1024) AS BIGINT)
$$;

CREATE FUNCTION files_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO index_changes (id, repo_id, file_id)
        SELECT new_change_id(), h.repo_id, OLD.id FROM index_heads h WHERE h.repo_id = OLD.repo_id
        UNION ALL
        SELECT new_change_id(), s.repo_id, OLD.id
        FROM index_entries e JOIN index_streams s ON s.id = e.stream_id
        WHERE e.file_id = OLD.id AND s.repo_id <> OLD.repo_id;
    ELSE
        INSERT INTO index_changes (id, repo_id, file_id)
        SELECT new_change_id(), h.repo_id, NEW.id FROM index_heads h WHERE h.repo_id = NEW.repo_id
        UNION ALL
        SELECT new_change_id(), h.repo_id, NEW.id
        FROM links l JOIN index_heads h ON h.repo_id = l.repo_id
        WHERE l.package_id = NEW.package_id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER files_note_inserted AFTER INSERT ON files
FOR EACH ROW WHEN (NEW.published_blob_id IS NOT NULL) EXECUTE FUNCTION files_note();
CREATE TRIGGER files_note_updated AFTER UPDATE OF published_blob_id, published_facts ON files
FOR EACH ROW WHEN (OLD.published_blob_id IS DISTINCT FROM NEW.published_blob_id
    OR OLD.published_facts IS DISTINCT FROM NEW.published_facts) EXECUTE FUNCTION files_note();
CREATE TRIGGER files_note_deleted AFTER DELETE ON files
FOR EACH ROW WHEN (OLD.published_blob_id IS NOT NULL) EXECUTE FUNCTION files_note();

CREATE FUNCTION marks_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE marked BIGINT;
BEGIN
    IF TG_OP = 'DELETE' THEN
        marked := OLD.version_id;
    ELSE
        marked := NEW.version_id;
    END IF;
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT new_change_id(), h.repo_id, f.id
    FROM files f JOIN index_heads h ON h.repo_id = f.repo_id
    WHERE f.version_id = marked AND f.published_blob_id IS NOT NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER marks_note AFTER INSERT OR UPDATE OR DELETE ON marks FOR EACH ROW EXECUTE FUNCTION marks_note();

-- A link shows the files of its package, and no longer when it goes. So does the visibility of their repository.

CREATE FUNCTION links_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE link links%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN
        link := OLD;
    ELSE
        link := NEW;
    END IF;
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT new_change_id(), h.repo_id, f.id
    FROM index_heads h JOIN files f ON f.package_id = link.package_id
    WHERE h.repo_id = link.repo_id AND f.published_blob_id IS NOT NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER links_note AFTER INSERT OR DELETE ON links FOR EACH ROW EXECUTE FUNCTION links_note();

CREATE FUNCTION repos_note_hidden() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT new_change_id(), h.repo_id, f.id
    FROM packages p
    JOIN links l ON l.package_id = p.id
    JOIN index_heads h ON h.repo_id = l.repo_id
    JOIN files f ON f.package_id = p.id
    WHERE p.repo_id = NEW.id AND f.published_blob_id IS NOT NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER repos_note_hidden AFTER UPDATE OF is_private ON repos
FOR EACH ROW WHEN (OLD.is_private IS DISTINCT FROM NEW.is_private) EXECUTE FUNCTION repos_note_hidden();
