ALTER TABLE `shares` RENAME COLUMN `name` TO `lookup`;--> statement-breakpoint
-- Null in an old row, whose lookup is the name itself until the library is next opened.
ALTER TABLE `shares` ADD `sealed_name` text;
