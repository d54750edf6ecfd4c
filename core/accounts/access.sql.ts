/** Rights of a user by collection, and the counter that shows whether cached rights are still valid. */
import { collectionAccess } from '../../schema/tables/access.ts'
import { changeCounts } from '../../schema/tables/changes.ts'
import { number, select } from '../kernel/database/statement.ts'

export const rightsByCollection = select(
  {
    collectionId: collectionAccess.collectionId,
    view: number('max(g.view OR g.public OR g."create" OR g."update" OR g.admin)'),
    create: number('max(m.user_id IS NOT NULL AND (g."create" OR g.admin))'),
    update: number('max(m.user_id IS NOT NULL AND (g."update" OR g.admin))'),
    admin: number('max(m.user_id IS NOT NULL AND g.admin)'),
  },
  `FROM collection_access
   JOIN access_groups AS g ON g.id = collection_access.group_id
   LEFT JOIN access_members AS m ON m.group_id = g.id AND m.user_id = ?
   WHERE m.user_id IS NOT NULL OR g.public = 1
   GROUP BY collection_access.collection_id`,
)

/** Counts changes of access: triggers increment it whenever anybody's rights may have changed. */
export const accessCount = select({ access: changeCounts.access }, 'FROM change_counts')
