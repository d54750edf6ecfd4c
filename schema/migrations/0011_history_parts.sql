CREATE TABLE `history_parts` (
	`step` text NOT NULL,
	`operation` text NOT NULL,
	`collection_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`of_items` integer NOT NULL,
	`first_id` integer NOT NULL,
	`newest_id` integer NOT NULL,
	`at` integer NOT NULL,
	`n` integer NOT NULL,
	`undone` integer NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`step`, `operation`, `collection_id`, `user_id`, `of_items`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `history_collection`;--> statement-breakpoint
DROP INDEX `history_step`;--> statement-breakpoint
CREATE INDEX `history_step` ON `history` (`step`,`item_id`);--> statement-breakpoint
CREATE INDEX `files_pair` ON `files` (`dir_id`,`pair`) WHERE pair IS NOT NULL;--> statement-breakpoint
CREATE INDEX `items_hidden` ON `items` (`id`) WHERE hidden_by > 0;--> statement-breakpoint
DROP INDEX `items_rendition`;--> statement-breakpoint
CREATE INDEX `items_rendition` ON `items` (`id`) WHERE (renditions & 4) = 0 AND problem IS NULL;--> statement-breakpoint
INSERT INTO history_parts (step, operation, collection_id, user_id, of_items, first_id, newest_id, at, n, undone, items)
  SELECT step, operation, coalesce(collection_id, 0), coalesce(user_id, 0), item_id IS NOT NULL, min(id), max(id), max(at),
    count(*), count(undone_by), sum(item_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM history AS first
      WHERE first.step = h.step AND first.item_id = h.item_id AND first.id < h.id))
  FROM history AS h GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
CREATE INDEX `history_parts_newest` ON `history_parts` (`newest_id`);--> statement-breakpoint
CREATE INDEX `history_parts_collection` ON `history_parts` (`collection_id`,`newest_id`);--> statement-breakpoint
CREATE TRIGGER history_after_insert AFTER INSERT ON history BEGIN
  INSERT INTO history_parts (step, operation, collection_id, user_id, of_items, first_id, newest_id, at, n, undone, items)
    VALUES (new.step, new.operation, coalesce(new.collection_id, 0), coalesce(new.user_id, 0), new.item_id IS NOT NULL,
      new.id, new.id, new.at, 1, new.undone_by IS NOT NULL,
      new.item_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM history AS first
        WHERE first.step = new.step AND first.item_id = new.item_id AND first.id < new.id))
    ON CONFLICT DO UPDATE SET newest_id = excluded.newest_id, at = max(at, excluded.at), n = n + 1,
      undone = undone + excluded.undone, items = items + excluded.items;
END;
--> statement-breakpoint
CREATE TRIGGER history_after_undo AFTER UPDATE OF undone_by ON history
WHEN (old.undone_by IS NULL) <> (new.undone_by IS NULL) BEGIN
  UPDATE history_parts SET undone = undone + iif(new.undone_by IS NULL, -1, 1)
    WHERE step = new.step AND operation = new.operation AND collection_id = coalesce(new.collection_id, 0)
      AND user_id = coalesce(new.user_id, 0) AND of_items = (new.item_id IS NOT NULL);
END;
