-- Who is signed in on the pages, and who tries to be.

-- Of the token in a browser's cookie only a keyed hash is kept.
CREATE TABLE sessions (
    hash ctext PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL
);

CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_by_use ON sessions (used);
CREATE INDEX sessions_by_age ON sessions (created);

-- Passwords that were tried and have not turned out to be right: one row for the name and one for the address.
CREATE TABLE sign_in_guesses (
    id BIGINT NOT NULL,
    target ctext NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (id, target)
);

CREATE INDEX sign_in_guesses_of_target ON sign_in_guesses (target, at);
CREATE INDEX sign_in_guesses_by_time ON sign_in_guesses (at);
