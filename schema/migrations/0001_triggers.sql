-- Triggers maintain what is derived from an item's row, so that no writer can forget it.

-- Search text. The rowid is taken * 2^28 + id, so that matches stream newest first; contentless, so that the text is not
-- stored twice. Not written by triggers, because core segments the text, in the transaction that writes the item.
CREATE VIRTUAL TABLE item_text USING fts5(
  keywords, category, people, objects, author, description, place, file,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '3 4'
);
--> statement-breakpoint
-- The words of the search index, to find those with a certain beginning. The table itself stores nothing.
CREATE VIRTUAL TABLE item_words USING fts5vocab(item_text, instance);
--> statement-breakpoint
CREATE TRIGGER items_after_insert AFTER INSERT ON items BEGIN
  INSERT INTO item_month (collection_id, state, ym, n) VALUES (new.collection_id, new.state, new.ym, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
  INSERT INTO keyed (key, taken, item_id, collection_id, state, tags)
    SELECT value ->> 0, new.taken, new.id, new.collection_id, new.state, value ->> 1 FROM json_each(new.keys);
  INSERT INTO key_count (key, collection_id, state, tags, n)
    SELECT value ->> 0, new.collection_id, new.state, value ->> 1, 1 FROM json_each(new.keys) WHERE true
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER items_after_update AFTER UPDATE OF collection_id, taken, deleted, missing, hidden_by, keys ON items
WHEN old.collection_id IS NOT new.collection_id OR old.taken IS NOT new.taken OR old.state IS NOT new.state OR old.keys IS NOT new.keys
BEGIN
  UPDATE item_month SET n = n - 1 WHERE collection_id = old.collection_id AND state = old.state AND ym = old.ym;
  DELETE FROM item_month WHERE collection_id = old.collection_id AND state = old.state AND ym = old.ym AND n = 0;
  INSERT INTO item_month (collection_id, state, ym, n) VALUES (new.collection_id, new.state, new.ym, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
  UPDATE key_count SET n = n - 1 FROM (SELECT value ->> 0 AS k, value ->> 1 AS t FROM json_each(old.keys)) AS gone
    WHERE key = gone.k AND tags = gone.t AND collection_id = old.collection_id AND state = old.state;
  DELETE FROM key_count WHERE key IN (SELECT value ->> 0 FROM json_each(old.keys))
    AND collection_id = old.collection_id AND state = old.state AND n = 0;
  DELETE FROM keyed WHERE key IN (SELECT value ->> 0 FROM json_each(old.keys)) AND taken = old.taken AND item_id = old.id;
  INSERT INTO keyed (key, taken, item_id, collection_id, state, tags)
    SELECT value ->> 0, new.taken, new.id, new.collection_id, new.state, value ->> 1 FROM json_each(new.keys);
  INSERT INTO key_count (key, collection_id, state, tags, n)
    SELECT value ->> 0, new.collection_id, new.state, value ->> 1, 1 FROM json_each(new.keys) WHERE true
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER items_after_delete AFTER DELETE ON items BEGIN
  UPDATE item_month SET n = n - 1 WHERE collection_id = old.collection_id AND state = old.state AND ym = old.ym;
  DELETE FROM item_month WHERE collection_id = old.collection_id AND state = old.state AND ym = old.ym AND n = 0;
  UPDATE key_count SET n = n - 1 FROM (SELECT value ->> 0 AS k, value ->> 1 AS t FROM json_each(old.keys)) AS gone
    WHERE key = gone.k AND tags = gone.t AND collection_id = old.collection_id AND state = old.state;
  DELETE FROM key_count WHERE key IN (SELECT value ->> 0 FROM json_each(old.keys))
    AND collection_id = old.collection_id AND state = old.state AND n = 0;
  DELETE FROM keyed WHERE key IN (SELECT value ->> 0 FROM json_each(old.keys)) AND taken = old.taken AND item_id = old.id;
  DELETE FROM item_text WHERE rowid = old.taken * 268435456 + old.id;
END;
--> statement-breakpoint
-- Every write of an item checks whether any keystring hides its items.
CREATE INDEX keystrings_hiding ON keystrings (id) WHERE is_associated_items_hidden = 1;
--> statement-breakpoint
INSERT INTO change_counts (id, items, words) VALUES (1, 0, 0);
--> statement-breakpoint
CREATE TRIGGER items_counted_insert AFTER INSERT ON items BEGIN
  UPDATE change_counts SET items = items + 1;
END;
--> statement-breakpoint
-- Renditions, thumbhash and the like do not count: making them for a whole library must not invalidate cached totals.
CREATE TRIGGER items_counted_update
AFTER UPDATE OF collection_id, name, type, taken, latitude, longitude, rating, deleted, missing, hidden_by, tags, keys, details, added ON items BEGIN
  UPDATE change_counts SET items = items + 1;
END;
--> statement-breakpoint
CREATE TRIGGER items_counted_delete AFTER DELETE ON items BEGIN
  UPDATE change_counts SET items = items + 1;
END;
--> statement-breakpoint
CREATE TRIGGER keystrings_counted_insert AFTER INSERT ON keystrings
WHEN new.is_hidden = 1 OR new.is_associated_items_hidden = 1 BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER keystrings_counted_update AFTER UPDATE ON keystrings BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER keystrings_counted_delete AFTER DELETE ON keystrings BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER person_names_counted_insert AFTER INSERT ON person_names BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER person_names_counted_update AFTER UPDATE ON person_names BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER person_names_counted_delete AFTER DELETE ON person_names BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER objects_counted_update AFTER UPDATE ON objects BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER objects_counted_delete AFTER DELETE ON objects BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER collections_counted_insert AFTER INSERT ON collections BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER collections_counted_update AFTER UPDATE ON collections BEGIN
  UPDATE change_counts SET words = words + 1;
END;
--> statement-breakpoint
CREATE TRIGGER collections_counted_delete AFTER DELETE ON collections BEGIN
  UPDATE change_counts SET words = words + 1;
END;
