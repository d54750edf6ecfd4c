ALTER TABLE `shares` RENAME COLUMN `name` TO `lookup`;--> statement-breakpoint
-- Null: a row of before, whose lookup is the name itself until the library is opened with its secrets.
ALTER TABLE `shares` ADD `sealed_name` text;
