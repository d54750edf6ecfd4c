CREATE TABLE `link_items` (
	`link_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`link_id`, `item_id`),
	FOREIGN KEY (`link_id`) REFERENCES `links`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `link_items_item` ON `link_items` (`item_id`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`lookup` text NOT NULL,
	`sealed_name` text NOT NULL,
	`kind` text NOT NULL,
	`subject` integer,
	`title` text DEFAULT '' NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`ended_at` integer,
	`password_hash` text,
	`originals` integer DEFAULT false NOT NULL,
	`details` integer DEFAULT false NOT NULL,
	`views` integer DEFAULT 0 NOT NULL,
	`viewed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_lookup` ON `links` (`lookup`);--> statement-breakpoint
CREATE INDEX `links_user` ON `links` (`user_id`);