/** Queries on recipients and subjects of events. `condition`: what a viewer sees of rows at `i`, with values. */
import { sessions, users } from '../../schema/tables/users.ts'
import { number, select, stringOrNull } from '../kernel/database/statement.ts'

/** Ids of the items (JSON) that are visible. */
export const itemsAmong = (condition: string) =>
  select({ id: number('i.id') }, `FROM json_each(?) AS j CROSS JOIN items AS i ON i.id = j.value WHERE ${condition}`)

/** Whether a key is on a visible item, except in the collections whose ids are bound last, as JSON. */
export const keyedAmong = (condition: string) =>
  select(
    { id: number('i.item_id') },
    `FROM keyed AS i WHERE i.key = ? AND ${condition}
       AND i.collection_id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
  )

/** The collections of items (ids as JSON); items that no longer exist are left out. */
export const collectionsOfItems = select(
  { id: number('i.id'), collectionId: number('i.collection_id') },
  'FROM json_each(?) AS j CROSS JOIN items AS i ON i.id = j.value',
)

/** Valid sessions, by ids as JSON (?1), at a time in seconds (?2). */
export const validSessions = select(
  {
    id: sessions.id,
    userId: sessions.userId,
    username: users.username,
    globalAdmin: users.globalAdmin,
    unlockValue: stringOrNull('CASE WHEN sessions.unlocked_until > ?2 THEN sessions.unlock_value END'),
  },
  `FROM json_each(?1) AS j CROSS JOIN sessions ON sessions.id = j.value JOIN users ON users.id = sessions.user_id
   WHERE users.disabled = 0 AND sessions.expires_at > ?2 AND (sessions.grace_until IS NULL OR sessions.grace_until > ?2)`,
)
