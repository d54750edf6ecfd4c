-- Names that the library looked up get their region: 'Fresno, California, United States'.
INSERT OR IGNORE INTO place_due (item_id) SELECT id FROM items WHERE tags ->> '$.Locations.d.auto' = 1 AND tags ->> '$.Locations.d.placeName' <> '';
