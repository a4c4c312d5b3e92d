CREATE TRIGGER download_log_parts_loosen AFTER DELETE ON download_log_parts BEGIN
    UPDATE blobs SET loose_since = 0 WHERE id = old.blob_id AND loose_since IS NULL;
END;
