CREATE TABLE `picture_hashes` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`hash` integer NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `picture_hashes_hash` ON `picture_hashes` (`hash`) WHERE hash <> 0;--> statement-breakpoint
-- The hashes of existing items are computed later, newest item first.
INSERT INTO choices (name, value) SELECT 'picture-hashes-due', CAST(max(id) AS TEXT) FROM items HAVING max(id) IS NOT NULL;
