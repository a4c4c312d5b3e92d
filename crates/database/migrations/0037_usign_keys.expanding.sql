-- Ed25519 keys of subjects for usign signatures of opkg feeds. The seed of the private key is sealed.
CREATE TABLE usign_keys (
    id BIGINT PRIMARY KEY,
    subject_id BIGINT NOT NULL UNIQUE REFERENCES subjects (id) ON DELETE CASCADE,
    sealed_seed ctext NOT NULL,
    number ctext NOT NULL,
    created BIGINT NOT NULL
);
