/** Queries of names for lists and files. */
import { collectionAccess } from '../../schema/tables/access.ts'
import { changeCounts } from '../../schema/tables/changes.ts'
import { cameras, keystrings, objects, personNames } from '../../schema/tables/vocabulary.ts'
import { number, query, select, string, stringOrNull } from '../kernel/database/statement.ts'

export const itemAndWordChanges = select({ items: changeCounts.items, words: changeCounts.words }, 'FROM change_counts')

export const collectionsOfMember = select(
  { id: collectionAccess.collectionId },
  `FROM access_members JOIN collection_access ON collection_access.group_id = access_members.group_id
   WHERE access_members.user_id = ?`,
  { distinct: true },
)

/** Binds a list of ids as JSON. */
export const keystringsById = select(
  { id: keystrings.id, content: keystrings.content, hidden: keystrings.isHidden },
  'FROM keystrings WHERE id IN (SELECT value FROM json_each(?))',
)

/** Names of a person: the latest start first; of those with the same start, the earliest end first. */
export const namesOfPerson = select(
  { name: personNames.name, from: personNames.activeFrom, to: personNames.activeTo },
  'FROM person_names WHERE person_id = ? ORDER BY active_from DESC NULLS LAST, active_to NULLS LAST, id',
)

const { id, content } = keystrings
export const keystringsNamed = select({ id }, 'FROM keystrings WHERE content_key = ?')
export const keystringsShown = select({ id, content }, 'FROM keystrings WHERE is_hidden = 0')
export const keystringsHidden = select({ id, content }, 'FROM keystrings WHERE is_hidden = 1')
export const peopleNamed = select({ id: personNames.personId }, 'FROM person_names WHERE name_key = ?', {
  distinct: true,
})
export const objectsNamed = select({ id: objects.id }, 'FROM objects WHERE name_key = ?')
export const allCameras = select({ id: cameras.id, name: cameras.name }, 'FROM cameras')

/** Returns a row if search text may still contain the old name of a hidden keystring that was renamed. */
export const hiddenTextDue = select(
  { id: keystrings.id },
  'FROM text_due JOIN keystrings ON keystrings.id = text_due.key >> 2 WHERE text_due.key & 3 = 0 AND is_hidden = 1',
)

/** Former words, from the newest entry of the history to the oldest. Binds `keystring` or `object`. */
export const formerWords = (field: 'content' | 'name') =>
  query(
    { id: number('id'), word: string('word'), now: stringOrNull('now'), entry: number('entry') },
    `SELECT before ->> '$.id' AS id, before ->> '$.${field}' AS word, after ->> '$.${field}' AS now, history.id AS entry
     FROM history WHERE item_id IS NULL AND operation = ?1 || '.update'
     UNION ALL
     SELECT before ->> '$.keystring.id', before ->> '$.keystring.content', NULL, history.id
     FROM history WHERE item_id IS NULL AND operation = 'keystring.merge' AND ?1 = 'keystring' AND undone_by IS NULL
       AND before ->> '$.part' = 'end'
     ORDER BY entry DESC`,
  )

export const keystringMergedInto = select(
  { into: number("before ->> '$.into'") },
  `FROM history WHERE item_id IS NULL AND operation = 'keystring.merge' AND before ->> '$.part' = 'end'
   AND undone_by IS NULL AND before ->> '$.keystring.id' = ? ORDER BY id DESC LIMIT 1`,
)
