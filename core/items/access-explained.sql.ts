/** What determines whether a user sees an item: its collection's groups, and the keystrings that hide it. */
import { accessGroups } from '../../schema/tables/access.ts'
import { collections } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { keystrings } from '../../schema/tables/vocabulary.ts'
import { number, select } from '../kernel/database/statement.ts'

export const itemExplained = select(
  { name: items.name, state: items.state, collectionId: collections.id, collection: collections.name },
  'FROM items JOIN collections ON collections.id = items.collection_id WHERE items.id = ?',
)

const { id, name, admin, public: open, view, create, update } = accessGroups
/** Binds the user (null for visitors) and the collection. */
export const groupsExplained = select(
  {
    ...{ id, name, admin, public: open, view, create, update },
    member: number('EXISTS (SELECT 1 FROM access_members AS m WHERE m.group_id = access_groups.id AND m.user_id IS ?)'),
  },
  `FROM collection_access AS ca JOIN access_groups ON access_groups.id = ca.group_id
   WHERE ca.collection_id = ? ORDER BY ca.position, access_groups.id`,
)

export const hidingKeystrings = select(
  { content: keystrings.content },
  `FROM items JOIN json_each(items.keys) AS j JOIN keystrings ON keystrings.id = json_extract(j.value, '$[0]') >> 2
   WHERE items.id = ? AND json_extract(j.value, '$[0]') & 3 = 0 AND keystrings.is_associated_items_hidden = 1
   ORDER BY keystrings.content`,
  { distinct: true },
)
