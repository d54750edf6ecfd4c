CREATE TABLE `choices` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
