CREATE TABLE `metadata_due` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`collection_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `text_due` (
	`key` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `safety_stop_items` (
	`collection_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `item_id`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `faces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`person_id` integer NOT NULL,
	`region_id` integer,
	`embedding` text NOT NULL,
	`model` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`region_id`) REFERENCES `regions`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `faces_person` ON `faces` (`person_id`);--> statement-breakpoint
CREATE INDEX `faces_region` ON `faces` (`region_id`);--> statement-breakpoint
CREATE INDEX `faces_model` ON `faces` (`model`);--> statement-breakpoint
CREATE TABLE `near_duplicates` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`group_id` integer NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `near_duplicates_group` ON `near_duplicates` (`group_id`);--> statement-breakpoint
CREATE TABLE `journal` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` integer NOT NULL,
	`unit` text NOT NULL,
	`operation` text NOT NULL,
	`item_id` integer,
	`source` blob NOT NULL,
	`destination` blob,
	`temporary` blob,
	`hash` text,
	`size` integer NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journal_unit` ON `journal` (`unit`);--> statement-breakpoint
CREATE TABLE `plugins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`folder` text NOT NULL,
	`active` integer DEFAULT false NOT NULL,
	`options` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plugins_folder` ON `plugins` (`folder`);--> statement-breakpoint
CREATE TABLE `screensavers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`user_id` integer,
	`visitor` text,
	`random` integer NOT NULL,
	`seconds` integer NOT NULL,
	`filters` text DEFAULT '{}' NOT NULL,
	`queue` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `screensavers_user` ON `screensavers` (`user_id`);--> statement-breakpoint
CREATE INDEX `screensavers_visitor` ON `screensavers` (`visitor`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`hash` text NOT NULL,
	`screensaver_id` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`screensaver_id`) REFERENCES `screensavers`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_hash` ON `tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `tokens_user` ON `tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `built_files` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`job_id` integer NOT NULL,
	`name` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `built_files_expiry` ON `built_files` (`expires_at`);--> statement-breakpoint
CREATE TABLE `shares` (
	`name` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `shares_item` ON `shares` (`item_id`);--> statement-breakpoint
CREATE INDEX `shares_user` ON `shares` (`user_id`);--> statement-breakpoint
CREATE TABLE `object_properties` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_id` integer NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`object_id`) REFERENCES `objects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `object_properties_name` ON `object_properties` (`object_id`,`name`);--> statement-breakpoint
CREATE INDEX `history_item` ON `history` (`item_id`);--> statement-breakpoint
CREATE INDEX `history_undone` ON `history` (`undone_by`);