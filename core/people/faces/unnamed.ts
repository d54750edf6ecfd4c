/** Which found faces somebody may still name. */

/** `f` is a found face: nobody has said whom it shows. */
export const unnamed = `NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.id = f.region_id AND r.person_id IS NOT NULL)`
