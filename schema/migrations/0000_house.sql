CREATE TABLE `access_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`admin` integer DEFAULT false NOT NULL,
	`public` integer DEFAULT false NOT NULL,
	`view` integer DEFAULT false NOT NULL,
	`create` integer DEFAULT false NOT NULL,
	`update` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `access_members` (
	`group_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `access_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `access_members_user` ON `access_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `collection_access` (
	`collection_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `group_id`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `access_groups`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `collection_access_group` ON `collection_access` (`group_id`);--> statement-breakpoint
CREATE TABLE `change_counts` (
	`id` integer PRIMARY KEY NOT NULL,
	`items` integer NOT NULL,
	`words` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`channel` text NOT NULL,
	`message` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_at` ON `events` (`at`);--> statement-breakpoint
CREATE TABLE `history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer,
	`step` text NOT NULL,
	`operation` text NOT NULL,
	`collection_id` integer,
	`item_id` integer,
	`before` text,
	`after` text,
	`undone_by` text
);
--> statement-breakpoint
CREATE INDEX `history_step` ON `history` (`step`);--> statement-breakpoint
CREATE INDEX `history_collection` ON `history` (`collection_id`,`id`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`path` text NOT NULL,
	`path_variant` text DEFAULT '' NOT NULL,
	`last_scan` integer,
	`folder_format` text DEFAULT '' NOT NULL,
	`file_format` text DEFAULT '' NOT NULL,
	`managed` integer DEFAULT false NOT NULL,
	`readonly` integer DEFAULT false NOT NULL,
	`write_back` text DEFAULT 'off' NOT NULL,
	`pairing` integer DEFAULT true NOT NULL,
	`keep_private` integer DEFAULT false NOT NULL,
	`root_device` text,
	`safety_stop` text,
	`safety_stop_items` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collections_path` ON `collections` (`path`);--> statement-breakpoint
CREATE TABLE `dirs` (
	`id` integer PRIMARY KEY NOT NULL,
	`collection_id` integer NOT NULL,
	`path` text NOT NULL,
	`path_bytes` blob NOT NULL,
	`fingerprint` blob,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dirs_path` ON `dirs` (`collection_id`,`path_bytes`);--> statement-breakpoint
CREATE TABLE `files` (
	`id` integer PRIMARY KEY NOT NULL,
	`dir_id` integer NOT NULL,
	`name_bytes` blob NOT NULL,
	`item_id` integer,
	`role` text NOT NULL,
	`size` integer NOT NULL,
	`mtime` integer NOT NULL,
	`mtime_ns` integer NOT NULL,
	`content` text,
	`full_hash` text,
	`pair` text,
	FOREIGN KEY (`dir_id`) REFERENCES `dirs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_name` ON `files` (`dir_id`,`name_bytes`);--> statement-breakpoint
CREATE INDEX `files_item` ON `files` (`item_id`);--> statement-breakpoint
CREATE TABLE `tombstones` (
	`id` integer PRIMARY KEY NOT NULL,
	`collection_id` integer NOT NULL,
	`path` text NOT NULL,
	`content` text NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tombstones_content` ON `tombstones` (`collection_id`,`content`);--> statement-breakpoint
CREATE TABLE `item_month` (
	`collection_id` integer NOT NULL,
	`state` integer NOT NULL,
	`ym` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `state`, `ym`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`collection_id` integer NOT NULL,
	`dir_id` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`taken` integer NOT NULL,
	`taken_offset` integer,
	`taken_source` text NOT NULL,
	`taken_at` text GENERATED ALWAYS AS (datetime(taken, 'unixepoch')) VIRTUAL,
	`ym` integer GENERATED ALWAYS AS (CAST(strftime('%Y%m', taken, 'unixepoch') AS INTEGER)) VIRTUAL,
	`md` integer GENERATED ALWAYS AS (CAST(strftime('%m%d', taken, 'unixepoch') AS INTEGER)) VIRTUAL,
	`latitude` real,
	`longitude` real,
	`rating` integer,
	`width` integer DEFAULT 0 NOT NULL,
	`height` integer DEFAULT 0 NOT NULL,
	`rotation` integer DEFAULT 0 NOT NULL,
	`duration` real,
	`mime` text DEFAULT '' NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`thumbhash` text,
	`phash` text,
	`renditions` integer DEFAULT 0 NOT NULL,
	`problem` text,
	`motion` integer DEFAULT false NOT NULL,
	`deleted` integer,
	`missing` integer,
	`hidden_by` integer DEFAULT 0 NOT NULL,
	`state` integer GENERATED ALWAYS AS (CASE WHEN deleted IS NOT NULL THEN 2 WHEN missing IS NOT NULL THEN 3 WHEN hidden_by > 0 THEN 1 ELSE 0 END) VIRTUAL NOT NULL,
	`added` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`tags` text DEFAULT '{}' NOT NULL,
	`keys` text DEFAULT '[]' NOT NULL,
	`details` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`dir_id`) REFERENCES `dirs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `items_taken` ON `items` (`state`,`taken`,`id`,`collection_id`);--> statement-breakpoint
CREATE INDEX `items_collection_taken` ON `items` (`collection_id`,`state`,`taken`);--> statement-breakpoint
CREATE INDEX `items_added` ON `items` (`collection_id`,`state`,`added`);--> statement-breakpoint
CREATE INDEX `items_name` ON `items` (`collection_id`,`state`,name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `items_day` ON `items` (`md`,`state`,`taken`,`id`,`collection_id`);--> statement-breakpoint
CREATE INDEX `items_place` ON `items` (`collection_id`,`latitude`,`longitude`,`state`,`taken`) WHERE latitude IS NOT NULL;--> statement-breakpoint
CREATE INDEX `items_content` ON `items` (`content`);--> statement-breakpoint
CREATE INDEX `items_dir` ON `items` (`dir_id`);--> statement-breakpoint
CREATE INDEX `items_rendition` ON `items` (`collection_id`,`renditions`) WHERE (renditions & 4) = 0 AND problem IS NULL;--> statement-breakpoint
CREATE TABLE `key_count` (
	`key` integer NOT NULL,
	`collection_id` integer NOT NULL,
	`state` integer NOT NULL,
	`tags` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`key`, `collection_id`, `state`, `tags`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `keyed` (
	`key` integer NOT NULL,
	`taken` integer NOT NULL,
	`item_id` integer NOT NULL,
	`collection_id` integer NOT NULL,
	`state` integer NOT NULL,
	`tags` integer NOT NULL,
	PRIMARY KEY(`key`, `taken`, `item_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `regions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`type` text NOT NULL,
	`person_id` integer,
	`object_id` integer,
	`x` real NOT NULL,
	`y` real NOT NULL,
	`width` real NOT NULL,
	`height` real NOT NULL,
	`source` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`object_id`) REFERENCES `objects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `regions_item` ON `regions` (`item_id`);--> statement-breakpoint
CREATE INDEX `regions_person` ON `regions` (`person_id`);--> statement-breakpoint
CREATE INDEX `regions_object` ON `regions` (`object_id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`collection_id` integer,
	`input` text NOT NULL,
	`lane` text,
	`state` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer,
	`message` text DEFAULT '' NOT NULL,
	`counts` text DEFAULT '{}' NOT NULL,
	`problems` integer DEFAULT 0 NOT NULL,
	`error` text,
	`owner` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`cancel` integer DEFAULT false NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`user_id` integer,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_lane` ON `jobs` (`lane`) WHERE state = 'running' AND lane IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_state` ON `jobs` (`state`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_collection` ON `jobs` (`collection_id`,`id`);--> statement-breakpoint
CREATE TABLE `problems` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` integer,
	`collection_id` integer NOT NULL,
	`item_id` integer,
	`path` text NOT NULL,
	`code` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `problems_path` ON `problems` (`collection_id`,`path`,`code`);--> statement-breakpoint
CREATE INDEX `problems_item` ON `problems` (`item_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`grace_until` integer,
	`csrf` text NOT NULL,
	`unlock_value` text,
	`unlocked_until` integer DEFAULT 0 NOT NULL,
	`agent` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`pin_hash` text NOT NULL,
	`global_admin` integer DEFAULT false NOT NULL,
	`disabled` integer DEFAULT false NOT NULL,
	`pin_failures` integer DEFAULT 0 NOT NULL,
	`pin_locked_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (`username_key`);--> statement-breakpoint
CREATE TABLE `cameras` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cameras_name` ON `cameras` (`name`);--> statement-breakpoint
CREATE TABLE `keystrings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`content` text NOT NULL,
	`content_key` text NOT NULL,
	`is_hidden` integer DEFAULT false NOT NULL,
	`is_associated_items_hidden` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keystrings_content` ON `keystrings` (`content_key`);--> statement-breakpoint
CREATE TABLE `objects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`parent_id` integer
);
--> statement-breakpoint
CREATE INDEX `objects_name` ON `objects` (`name_key`);--> statement-breakpoint
CREATE TABLE `pending_hide` (
	`keystring_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `people` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`birthdate` text
);
--> statement-breakpoint
CREATE TABLE `person_names` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`person_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`active_from` integer,
	`active_to` integer,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `person_names_person` ON `person_names` (`person_id`);--> statement-breakpoint
CREATE INDEX `person_names_name` ON `person_names` (`name_key`);