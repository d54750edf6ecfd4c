/** Why somebody sees an item or does not, and what everybody may do everywhere: the rights that are used, told. */
import type { AccessExplanation } from '../../schema/api/access.ts'
import { Failure } from '../../schema/errors.ts'
import { itemState } from '../../schema/tables/items.ts'
import { anonymousWith, demandGlobalAdmin, type Rights, rightsOf, rightsOn, type Viewer } from '../accounts/access.ts'
import { usernameKey } from '../accounts/user-rows.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Items } from './items.ts'

interface ItemRow {
  id: number
  name: string
  collection_id: number
  collection: string
  state: number
}

interface GroupRow {
  id: number
  name: string
  admin: number
  public: number
  view: number
  create: number
  update: number
  member: number
}

interface UserRow {
  id: number
  username: string
  global_admin: number
  disabled: number
}

const flags = ['admin', 'public', 'view', 'create', 'update'] as const

function viewerOf(db: LibraryDatabase, user: UserRow | null): Viewer {
  const rights = rightsOf(db, user?.id ?? null)
  if (user === null) return anonymousWith(rights)
  return {
    kind: 'user',
    userId: user.id,
    username: user.username,
    sessionId: null,
    globalAdmin: user.global_admin === 1,
    unlockValue: null,
    rights,
  }
}

function withRight(rights: Rights): string {
  const given = Object.entries(rights).flatMap(([name, has]) => (has ? [name] : []))
  return given.length === 0 ? 'nothing' : given.join(', ')
}

export function createAccessExplained({ db, items }: { db: LibraryDatabase; items: Items }) {
  function userNamed(username: string): UserRow {
    const user = db.get<UserRow>(
      'SELECT id, username, global_admin, disabled FROM users WHERE username_key = ?',
      usernameKey(username),
    )
    if (user === null) throw new Failure('notFound', `There is no user '${username}'.`, { field: 'username' })
    return user
  }

  function groupsOf(collectionId: number, userId: number | null): GroupRow[] {
    return db.all<GroupRow>(
      `SELECT g.*, EXISTS (SELECT 1 FROM access_members AS m WHERE m.group_id = g.id AND m.user_id IS ?) AS member
       FROM collection_access AS ca JOIN access_groups AS g ON g.id = ca.group_id
       WHERE ca.collection_id = ? ORDER BY ca.position, g.id`,
      userId,
      collectionId,
    )
  }

  /** Keystrings of an item that hide it. */
  function hidingOf(id: number): string[] {
    return db
      .all<{ content: string }>(
        `SELECT DISTINCT k.content FROM items AS i JOIN json_each(i.keys) AS j
         JOIN keystrings AS k ON k.id = json_extract(j.value, '$[0]') >> 2
         WHERE i.id = ? AND json_extract(j.value, '$[0]') & 3 = 0 AND k.is_associated_items_hidden = 1 ORDER BY k.content`,
        id,
      )
      .map(({ content }) => content)
  }

  return {
    /** For global admins. `notFound` for an item or a user that is not there, and for an item that is hidden from them. */
    explain(
      viewer: Viewer,
      { username, item: id }: { username?: string | undefined; item: number },
    ): AccessExplanation {
      demandGlobalAdmin(viewer)
      const item = db.get<ItemRow>(
        `SELECT i.id, i.name, i.collection_id, c.name AS collection, i.state
         FROM items AS i JOIN collections AS c ON c.id = i.collection_id WHERE i.id = ?`,
        id,
      )
      if (item === null || hiddenFrom(db, viewer, [id]).size > 0)
        throw new Failure('notFound', `There is no item ${id}.`, { field: 'item' })
      const user = username === undefined ? null : userNamed(username)
      const who = user === null ? 'A visitor' : `'${user.username}'`
      const asked = viewerOf(db, user)
      const rights = rightsOn(asked, item.collection_id)
      const considered = groupsOf(item.collection_id, user?.id ?? null)
      const reasons: string[] = []
      if (user?.disabled === 1) reasons.push(`${who} is shut out: the account is disabled.`)
      if (asked.globalAdmin) reasons.push(`${who} is a global admin, who may do everything.`)
      else {
        if (considered.length === 0) reasons.push(`No group opens '${item.collection}': global admins alone see it.`)
        for (const group of considered) {
          const allows = flags.filter(flag => group[flag] === 1)
          const what = allows.length === 0 ? 'nothing' : allows.join(', ')
          if (group.public === 1) reasons.push(`'${group.name}' is public: everybody sees '${item.collection}'.`)
          if (group.member === 1) reasons.push(`${who} is in '${group.name}', which allows ${what}.`)
          else if (group.public === 0) reasons.push(`${who} is not in '${group.name}' (${what}).`)
        }
        reasons.push(`${who} has on '${item.collection}': ${withRight(rights)}.`)
      }
      if (item.state === itemState.deleted)
        reasons.push('The item is in the recycle bin: those with update see it there.')
      if (item.state === itemState.missing)
        reasons.push('The item’s file is missing: those with update see it in that list.')
      const hiding = hidingOf(id)
      if (hiding.length > 0)
        reasons.push(
          `${hiding.map(content => `'${content}'`).join(', ')} hides it from everybody who has not unlocked hidden items.`,
        )
      const sees = user?.disabled !== 1 && items.sees(asked, id)
      return {
        username: user?.username ?? null,
        item: id,
        name: item.name,
        collection: { id: item.collection_id, name: item.collection },
        sees,
        reasons,
        rights,
        groups: considered.map(group => ({
          id: group.id,
          name: group.name,
          allows: flags.filter(flag => group[flag] === 1),
          member: group.member === 1,
        })),
      }
    },

    /** Visitors first, then all accounts by name; collections by id. For global admins. */
    matrix(viewer: Viewer) {
      demandGlobalAdmin(viewer)
      const collections = db.all<{ id: number; name: string }>('SELECT id, name FROM collections ORDER BY id')
      const users = db.all<UserRow>('SELECT id, username, global_admin, disabled FROM users ORDER BY username_key')
      return [null, ...users].map(user => {
        const asked = viewerOf(db, user)
        return {
          username: user?.username ?? null,
          globaladmin: user?.global_admin === 1,
          disabled: user?.disabled === 1,
          rights: collections.map(({ id, name }) => ({ collection: id, name, ...rightsOn(asked, id) })),
        }
      })
    },
  }
}
