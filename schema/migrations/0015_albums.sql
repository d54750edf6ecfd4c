CREATE TABLE `album_items` (
	`album_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`position` real NOT NULL,
	`added_at` integer NOT NULL,
	`added_by` integer,
	PRIMARY KEY(`album_id`, `item_id`),
	FOREIGN KEY (`album_id`) REFERENCES `albums`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`added_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `album_items_position` ON `album_items` (`album_id`,`position`,`item_id`);--> statement-breakpoint
CREATE INDEX `album_items_item` ON `album_items` (`item_id`);--> statement-breakpoint
CREATE TABLE `album_members` (
	`album_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`album_id`, `user_id`),
	FOREIGN KEY (`album_id`) REFERENCES `albums`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `album_members_user` ON `album_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `albums` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uid` text NOT NULL,
	`kind` text NOT NULL,
	`parent` integer,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`query` text,
	`sort` text DEFAULT 'taken' NOT NULL,
	`cover` integer,
	`is_public` integer DEFAULT false NOT NULL,
	`is_private` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`cover`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `albums_uid` ON `albums` (`uid`);--> statement-breakpoint
CREATE INDEX `albums_cover` ON `albums` (`cover`);