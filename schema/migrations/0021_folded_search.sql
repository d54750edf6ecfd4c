CREATE TABLE `search_text_due` (
	`taken` integer NOT NULL,
	`item_id` integer NOT NULL
);

--> statement-breakpoint
-- Items are indexed in the former form: a job begins before the first possible date (-2^34).
INSERT INTO search_text_due (taken, item_id) SELECT -17179869184, 0 WHERE EXISTS (SELECT 1 FROM items);
