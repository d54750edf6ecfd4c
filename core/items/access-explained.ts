/** Explains why a user sees an item or not, and which rights all users have, by the rules of access checks. */
import { asc, eq } from 'drizzle-orm'
import type { AccessExplanation } from '../../schema/api/access.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { collections } from '../../schema/tables/collections.ts'
import { itemState } from '../../schema/tables/items.ts'
import { users } from '../../schema/tables/users.ts'
import { anonymousWith, type Rights, requireGlobalAdmin, rightsOf, rightsOn, type Viewer } from '../accounts/access.ts'
import { usernameKey } from '../accounts/user-rows.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { groupsExplained, hidingKeystrings, itemExplained } from './access-explained.sql.ts'
import type { Items } from './items.ts'

type User = typeof users.$inferSelect
type Group = RowOfQuery<typeof groupsExplained>

const flags = ['admin', 'public', 'view', 'create', 'update'] as const
const allowedBy = (group: Group) => flags.filter(flag => group[flag] === 1)

function viewerOf(db: LibraryDatabase, user: User | null): Viewer {
  const rights = rightsOf(db, user?.id ?? null)
  if (user === null) return anonymousWith(rights)
  const { id: userId, username, globalAdmin } = user
  return { kind: 'user', userId, username, sessionId: null, globalAdmin, unlockValue: null, rights }
}

function userNamed(db: LibraryDatabase, username: string): User {
  const user = db.orm
    .select()
    .from(users)
    .where(eq(users.usernameKey, usernameKey(username)))
    .get()
  if (user === undefined)
    throw new Failure('notFound', sentence`There is no user '${username}'.`, { field: 'username' })
  return user
}

const listed = (words: readonly string[]) => (words.length === 0 ? 'nothing' : words.join(', '))

/** The rights that the groups of a collection give a user, explained; `who` begins a sentence. */
function reasonsOfGroups(who: string, collection: string, groups: readonly Group[], rights: Rights): string[] {
  const reasons = groups.length === 0 ? [`No group opens '${collection}': global admins alone see it.`] : []
  for (const group of groups) {
    const what = listed(allowedBy(group))
    if (group.public === 1) reasons.push(`'${group.name}' is public: everybody sees '${collection}'.`)
    if (group.member === 1) reasons.push(`${who} is in '${group.name}', which allows ${what}.`)
    else if (group.public === 0) reasons.push(`${who} is not in '${group.name}' (${what}).`)
  }
  const given = Object.entries(rights).flatMap(([name, has]) => (has ? [name] : []))
  return [...reasons, `${who} has on '${collection}': ${listed(given)}.`]
}

function reasonsOfItem(db: LibraryDatabase, id: number, state: number): string[] {
  const hiding = db.all(hidingKeystrings, id).map(({ content }) => `'${content}'`)
  return [
    ...(state === itemState.deleted ? ['The item is in the recycle bin: those with update see it there.'] : []),
    ...(state === itemState.missing
      ? ['The item’s file is missing: those with update see it in the list of missing items.']
      : []),
    ...(hiding.length > 0 ? [`${hiding.join(', ')} hides it from everybody who has not unlocked hidden items.`] : []),
  ]
}

export function createAccessExplained({ db, items }: { db: LibraryDatabase; items: Items }) {
  return {
    /** For global admins. `notFound` if there is no such item or user, or if the item is hidden from the caller. */
    explain(
      viewer: Viewer,
      { username, item: id }: { username?: string | undefined; item: number },
    ): AccessExplanation {
      requireGlobalAdmin(viewer)
      const item = db.get(itemExplained, id)
      if (item === null || hiddenFrom(db, viewer, [id]).size > 0)
        throw new Failure('notFound', sentence`There is no item ${id}.`, { field: 'item' })
      const { name, state, collectionId, collection } = item
      const user = username === undefined ? null : userNamed(db, username)
      const who = user === null ? 'A visitor' : `'${user.username}'`
      const isDisabled = user?.disabled === true
      const subject = viewerOf(db, user)
      const rights = rightsOn(subject, collectionId)
      const groups = db.all(groupsExplained, user?.id ?? null, collectionId)
      return {
        username: user?.username ?? null,
        item: id,
        name,
        collection: { id: collectionId, name: collection },
        sees: !isDisabled && items.canSee(subject, id),
        reasons: [
          ...(isDisabled ? [`${who} is shut out: the account is disabled.`] : []),
          ...(subject.globalAdmin
            ? [`${who} is a global admin, who may do everything.`]
            : reasonsOfGroups(who, collection, groups, rights)),
          ...reasonsOfItem(db, id, state),
        ],
        rights,
        groups: groups.map(group => ({
          id: group.id,
          name: group.name,
          allows: allowedBy(group),
          member: group.member === 1,
        })),
      }
    },

    /** For global admins: the rights of visitors, then of all accounts by name; collections by id. */
    matrix(viewer: Viewer) {
      requireGlobalAdmin(viewer)
      const all = db.orm.select().from(collections).orderBy(asc(collections.id)).all()
      return [null, ...db.orm.select().from(users).orderBy(asc(users.usernameKey)).all()].map(user => {
        const subject = viewerOf(db, user)
        return {
          username: user?.username ?? null,
          globaladmin: user?.globalAdmin === true,
          disabled: user?.disabled === true,
          rights: all.map(({ id, name }) => ({ collection: id, name, ...rightsOn(subject, id) })),
        }
      })
    },
  }
}
