/** Access groups: what they allow, who is in them, and which collections they open. */
import type { z } from 'zod'
import type { GroupInput, member, ShownGroup } from '../../../schema/api/access.ts'
import { Failure } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import {
  demandAdminSomewhere,
  demandOnCollection,
  demandSignedIn,
  mayAdministerSomewhere,
  notFound,
  rightsOn,
  type Viewer,
} from '../access.ts'
import { usernameKey } from '../users.ts'

/*
 * Changing a group changes what others may do in every collection that uses it, so the caller must administer them all:
 * then nobody gives more than they have. A group that no collection uses (a loose group) belongs to the user who made it,
 * until it is attached for the first time. From then on it has no owner: once its last collection lets it go, only global
 * admins may read, change or attach it. Otherwise somebody could fill a group, detach it, and wait until somebody else
 * attaches it to a collection of theirs.
 */

export type Member = z.output<typeof member>

const flags = ['admin', 'public', 'view', 'create', 'update'] as const
type Flag = (typeof flags)[number]

interface GroupRow extends Record<Flag, number> {
  id: number
  name: string
  /** The user who made it; null once it was attached, and for those made at the terminal. */
  owner_id: number | null
}

/** Places in a collection's access list that mean something. */
const adminPlace = 0
const publicPlace = 1

/** Of a group as it would be at these places: the specification's rules about the first and the second of a list. */
function demandPlaces(group: Record<Flag, number>, positions: readonly number[]) {
  if (group.public === 1 && positions.includes(adminPlace)) {
    throw new Failure('conflict', 'Public cannot be set on the first group of a collection.', { field: 'public' })
  }
  if (group.admin === 1 && positions.includes(publicPlace)) {
    throw new Failure('conflict', 'Admin cannot be set on the second group of a collection.', { field: 'admin' })
  }
}

/** Refuses to take the right to administer away from the last group that has it. */
function demandAnotherAdminGroup(tx: Transaction, collectionId: number, groupId: number) {
  const other = tx.get(
    `SELECT 1 FROM collection_access AS ca JOIN access_groups AS g ON g.id = ca.group_id
     WHERE ca.collection_id = ? AND g.admin = 1 AND g.id <> ? LIMIT 1`,
    collectionId,
    groupId,
  )
  if (other !== null) return
  const name = tx.get<{ name: string }>('SELECT name FROM collections WHERE id = ?', collectionId)?.name ?? ''
  throw new Failure('conflict', `This is the last admin group of the collection '${name}', and one must stay.`)
}

interface Use {
  collection_id: number
  position: number
}

function usesOf(tx: Pick<Transaction, 'all'>, groupId: number): Use[] {
  return tx.all<Use>('SELECT collection_id, position FROM collection_access WHERE group_id = ?', groupId)
}

function rowOf(tx: Pick<Transaction, 'get'>, groupId: number): GroupRow {
  const row = tx.get<GroupRow>('SELECT * FROM access_groups WHERE id = ?', groupId)
  if (row === null) throw notFound()
  return row
}

/**
 * The collections that use a group, for a viewer who may read and change it. 404 where it must not exist for them: they
 * administer none of these collections, or it is a loose group that somebody else made. 403 where they administer only
 * some of them.
 */
function demandOnGroup(viewer: Viewer, tx: Pick<Transaction, 'all' | 'get'>, groupId: number): Use[] {
  demandSignedIn(viewer)
  if (!mayAdministerSomewhere(viewer)) throw notFound()
  const { owner_id: owner } = rowOf(tx, groupId)
  const uses = usesOf(tx, groupId)
  if (viewer.globalAdmin) return uses
  const isOwn = owner !== null && owner === viewer.userId
  if (uses.length === 0 && isOwn) return uses
  const administered = uses.filter(use => rightsOn(viewer, use.collection_id).admin).length
  if (administered === 0) throw notFound()
  if (administered < uses.length) throw new Failure('denied', 'A collection that is not yours uses this group too.')
  return uses
}

function userNamed(tx: Pick<Transaction, 'get'>, name: string): { id: number; username: string } {
  const row = tx.get<{ id: number; username: string }>(
    'SELECT id, username FROM users WHERE username_key = ?',
    usernameKey(name),
  )
  if (row === null) throw new Failure('notFound', `There is no user '${name}'.`, { field: 'username' })
  return row
}

function membersOf(tx: Pick<Transaction, 'all'>, groupId: number): Member[] {
  return tx.all<Member>(
    `SELECT u.id, u.username, u.name FROM access_members AS m JOIN users AS u ON u.id = m.user_id
     WHERE m.group_id = ? ORDER BY u.username_key`,
    groupId,
  )
}

/** Refuses a group that is no longer what the caller was shown: somebody may have joined it since. */
function demandAsShown(tx: Transaction, group: GroupRow, shown: ShownGroup) {
  const members = membersOf(tx, group.id).map(({ username }) => username)
  const allows = flags.filter(flag => group[flag] === 1)
  const isSame = (now: readonly string[], then: readonly string[]) =>
    now.length === then.length && now.every(one => then.includes(one))
  if (isSame(members, shown.members) && isSame(allows, shown.allows)) return
  throw new Failure('conflict', `The group '${group.name}' has changed since you looked. Look who is in it now.`)
}

/** Tells everybody whose rights, or whose list of collections, are not what they were. */
function tell(tx: Transaction, collections: readonly number[]) {
  tx.event(channels.rights, { action: 'update' })
  for (const id of collections) tx.event(channels.collection(id), { action: 'update', collection: { id } })
}

function changedRow(row: GroupRow, asked: Partial<GroupInput>): GroupRow {
  const changed = { ...row, name: asked.name ?? row.name }
  for (const flag of flags) {
    const value = asked[flag]
    if (value !== undefined) changed[flag] = value ? 1 : 0
  }
  return changed
}

export function createGroups({ db }: { db: LibraryDatabase }) {
  function changeMember(
    viewer: Viewer,
    { accessId, username }: { accessId: number; username: string },
    change: 'add' | 'remove',
  ): Promise<Member[]> {
    demandSignedIn(viewer)
    return db.transact(viewer, tx => {
      const uses = demandOnGroup(viewer, tx, accessId)
      const user = userNamed(tx, username)
      const { changes } =
        change === 'add'
          ? tx.run('INSERT OR IGNORE INTO access_members (group_id, user_id) VALUES (?, ?)', accessId, user.id)
          : tx.run('DELETE FROM access_members WHERE group_id = ? AND user_id = ?', accessId, user.id)
      if (changes > 0) {
        const { name } = rowOf(tx, accessId)
        tx.audit(`group.${change}`, { group: accessId, name, user: user.id, username: user.username })
        for (const { collection_id: collectionId } of uses) {
          const told = { group: accessId, user: user.id }
          tx.history({ operation: `access.member.${change}`, collectionId, after: told })
        }
        tell(tx, [])
      }
      return membersOf(tx, accessId)
    })
  }

  return {
    /** Groups that no collection uses, by id: all of them for global admins, their own for other administrators. */
    loose(viewer: Viewer): (Record<Flag, boolean> & { id: number; name: string })[] {
      demandAdminSomewhere(viewer)
      const rows = db.all<GroupRow>(
        `SELECT * FROM access_groups WHERE id NOT IN (SELECT group_id FROM collection_access) AND (? OR owner_id = ?)
         ORDER BY id`,
        viewer.globalAdmin ? 1 : 0,
        viewer.userId,
      )
      return rows.map(row => ({
        id: row.id,
        name: row.name,
        admin: row.admin === 1,
        public: row.public === 1,
        view: row.view === 1,
        create: row.create === 1,
        update: row.update === 1,
      }))
    },

    /** A new group, attached to nothing, with nobody in it. Until it is attached it belongs to the caller. */
    async create(viewer: Viewer, group: GroupInput): Promise<{ id: number }> {
      demandAdminSomewhere(viewer)
      return db.transact(viewer, tx => {
        const columns = flags.map(flag => `"${flag}"`).join(', ')
        const { lastInsertRowid: id } = tx.run(
          `INSERT INTO access_groups (name, owner_id, ${columns}) VALUES (?, ?${', ?'.repeat(flags.length)})`,
          group.name,
          viewer.userId,
          ...flags.map(flag => (group[flag] === true ? 1 : 0)),
        )
        tx.audit('group.create', { group: id, name: group.name })
        tell(tx, [])
        return { id }
      })
    },

    /** What the group allows, in every collection that uses it. What is not given stays. */
    async update(viewer: Viewer, id: number, asked: Partial<GroupInput>): Promise<{ id: number }> {
      demandSignedIn(viewer)
      return db.transact(viewer, tx => {
        const uses = demandOnGroup(viewer, tx, id)
        const before = rowOf(tx, id)
        const after = changedRow(before, asked)
        demandPlaces(
          after,
          uses.map(({ position }) => position),
        )
        if (before.admin === 1 && after.admin === 0) {
          for (const { collection_id } of uses) demandAnotherAdminGroup(tx, collection_id, id)
        }
        tx.run(
          `UPDATE access_groups SET name = ?, ${flags.map(flag => `"${flag}" = ?`).join(', ')} WHERE id = ?`,
          after.name,
          ...flags.map(flag => after[flag]),
          id,
        )
        tx.audit('group.update', { group: id, name: after.name, ...asked })
        const collections = uses.map(use => use.collection_id)
        for (const collectionId of collections) {
          tx.history({ operation: 'access.update', collectionId, before, after })
        }
        tell(tx, collections)
        return { id }
      })
    },

    members(viewer: Viewer, accessId: number): Member[] {
      demandOnGroup(viewer, db, accessId)
      return membersOf(db, accessId)
    },

    /** Puts a user into a group; one who is in it already stays. Returns who is in it now. */
    addMember: async (viewer: Viewer, who: { accessId: number; username: string }): Promise<Member[]> =>
      changeMember(viewer, who, 'add'),

    removeMember: async (viewer: Viewer, who: { accessId: number; username: string }): Promise<Member[]> =>
      changeMember(viewer, who, 'remove'),

    /**
     * Opens a collection to a group, at the end of its list; one that is attached already stays where it is. For those who
     * administer everything that uses the group so far, its owner while it is loose, and global admins. `shown` is what
     * the caller was shown of the group: it is refused with `conflict` when it is something else by now.
     */
    async attach(
      viewer: Viewer,
      { collectionId, accessId, shown }: { collectionId: number; accessId: number; shown?: ShownGroup | undefined },
    ): Promise<void> {
      demandOnCollection(viewer, collectionId, 'admin')
      await db.transact(viewer, tx => {
        if (tx.get('SELECT 1 FROM collections WHERE id = ?', collectionId) === null) throw notFound()
        const group = rowOf(tx, accessId)
        const uses = usesOf(tx, accessId)
        if (uses.some(use => use.collection_id === collectionId)) return
        demandOnGroup(viewer, tx, accessId)
        if (shown !== undefined) demandAsShown(tx, group, shown)
        const last = tx.get<{ position: number | null }>(
          'SELECT max(position) AS position FROM collection_access WHERE collection_id = ?',
          collectionId,
        )
        const position = (last?.position ?? -1) + 1
        demandPlaces(group, [position])
        tx.run(
          'INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, ?)',
          collectionId,
          accessId,
          position,
        )
        // Whoever made it has no more say from now on, also when nothing uses it any more.
        tx.run('UPDATE access_groups SET owner_id = NULL WHERE id = ?', accessId)
        tx.audit('group.attach', { group: accessId, name: group.name, collection: collectionId })
        tx.history({ operation: 'access.attach', collectionId, after: { group: accessId, position } })
        tell(tx, [collectionId])
      })
    },

    /** Closes a collection to a group. Where its first group goes, the next that administers it becomes the first. */
    async detach(
      viewer: Viewer,
      { collectionId, accessId }: { collectionId: number; accessId: number },
    ): Promise<void> {
      demandOnCollection(viewer, collectionId, 'admin')
      await db.transact(viewer, tx => {
        const use = usesOf(tx, accessId).find(one => one.collection_id === collectionId)
        if (use === undefined) throw notFound()
        const { name, admin } = rowOf(tx, accessId)
        if (admin === 1) demandAnotherAdminGroup(tx, collectionId, accessId)
        tx.run('DELETE FROM collection_access WHERE collection_id = ? AND group_id = ?', collectionId, accessId)
        if (use.position === adminPlace) {
          tx.run(
            `UPDATE collection_access SET position = ? WHERE collection_id = ? AND group_id =
               (SELECT ca.group_id FROM collection_access AS ca JOIN access_groups AS g ON g.id = ca.group_id
                WHERE ca.collection_id = ? AND g.admin = 1 AND g.public = 0 ORDER BY ca.position LIMIT 1)`,
            adminPlace,
            collectionId,
            collectionId,
          )
        }
        tx.audit('group.detach', { group: accessId, name, collection: collectionId })
        tx.history({
          operation: 'access.detach',
          collectionId,
          before: { group: accessId, position: use.position },
        })
        tell(tx, [collectionId])
      })
    },
  }
}

export type Groups = ReturnType<typeof createGroups>
