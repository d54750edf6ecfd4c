CREATE TABLE `face_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model` text NOT NULL,
	`ignored` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `face_looks` (
	`item_id` integer NOT NULL,
	`model` text NOT NULL,
	`content` text NOT NULL,
	`rotation` integer NOT NULL,
	`confidence` real NOT NULL,
	`fault` text,
	`looked_at` integer NOT NULL,
	PRIMARY KEY(`item_id`, `model`),
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `found_faces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`model` text NOT NULL,
	`x` real NOT NULL,
	`y` real NOT NULL,
	`width` real NOT NULL,
	`height` real NOT NULL,
	`score` real NOT NULL,
	`vector` blob NOT NULL,
	`region_id` integer,
	`group_id` integer,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`region_id`) REFERENCES `regions`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`group_id`) REFERENCES `face_groups`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `found_faces_item` ON `found_faces` (`item_id`);--> statement-breakpoint
CREATE INDEX `found_faces_region` ON `found_faces` (`region_id`);--> statement-breakpoint
CREATE INDEX `found_faces_group` ON `found_faces` (`group_id`);--> statement-breakpoint
CREATE INDEX `found_faces_model` ON `found_faces` (`model`,`group_id`);--> statement-breakpoint
ALTER TABLE `change_counts` ADD `faces` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TRIGGER face_in AFTER INSERT ON faces BEGIN
  UPDATE change_counts SET faces = faces + 1;
END;
--> statement-breakpoint
CREATE TRIGGER face_out AFTER DELETE ON faces BEGIN
  UPDATE change_counts SET faces = faces + 1;
END;
--> statement-breakpoint
CREATE TRIGGER face_changed AFTER UPDATE OF person_id, embedding, model ON faces BEGIN
  UPDATE change_counts SET faces = faces + 1;
END;
