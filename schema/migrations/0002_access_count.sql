ALTER TABLE `change_counts` ADD `access` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER access_groups_counted_insert AFTER INSERT ON access_groups BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER access_groups_counted_update AFTER UPDATE ON access_groups BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER access_groups_counted_delete AFTER DELETE ON access_groups BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER access_members_counted_insert AFTER INSERT ON access_members BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER access_members_counted_update AFTER UPDATE ON access_members BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER access_members_counted_delete AFTER DELETE ON access_members BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER collection_access_counted_insert AFTER INSERT ON collection_access BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER collection_access_counted_update AFTER UPDATE ON collection_access BEGIN
  UPDATE change_counts SET access = access + 1;
END;
--> statement-breakpoint
CREATE TRIGGER collection_access_counted_delete AFTER DELETE ON collection_access BEGIN
  UPDATE change_counts SET access = access + 1;
END;
