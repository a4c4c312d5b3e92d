-- Whoever adds a file adds its name to the search index as well. A trigger would do it inside the statement, which then
-- has to be undone by itself: SQLite copies the pages that it changes, and writes out the search index for each file.

DROP TRIGGER files_search_insert;
