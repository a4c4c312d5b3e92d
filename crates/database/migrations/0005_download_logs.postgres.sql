CREATE FUNCTION download_log_parts_loosen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE blobs SET loose_since = 0 WHERE id = OLD.blob_id AND loose_since IS NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER download_log_parts_loosen AFTER DELETE ON download_log_parts
FOR EACH ROW EXECUTE FUNCTION download_log_parts_loosen();
