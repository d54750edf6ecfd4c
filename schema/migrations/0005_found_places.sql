CREATE TABLE `place_due` (
	`item_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE `tokens` ADD `tail` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- The positions of existing items have not been looked up yet.
INSERT INTO place_due (item_id) SELECT id FROM items WHERE latitude IS NOT NULL AND tags ->> '$.Locations.d.placeName' = '';
