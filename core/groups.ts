/** Access groups: what they allow, who is in them, and which collections they open. */
import type { z } from 'zod'
import type { GroupInput, member } from '../schema/api/access.ts'
import { Failure } from '../schema/errors.ts'
import { channels } from '../schema/realtime.ts'
import {
  demandAdminSomewhere,
  demandGlobalAdmin,
  demandOnCollection,
  demandSignedIn,
  mayAdministerSomewhere,
  notFound,
  rightsOn,
  type Viewer,
} from './access.ts'
import type { LibraryDatabase, Transaction } from './database.ts'
import { usernameKey } from './users.ts'

/*
 * Whoever changes a group changes what others may do in every collection that uses it, so he must administer them all:
 * then nobody gives more than he has. A group that is attached to nothing opens nothing: whoever administers a collection
 * may attach it there, but only a global admin may change it or put somebody into it. Otherwise somebody could slip into a
 * group that another one has just made and is about to attach.
 */

export type Member = z.output<typeof member>

const flags = ['admin', 'public', 'view', 'create', 'update'] as const
type Flag = (typeof flags)[number]

interface GroupRow extends Record<Flag, number> {
  id: number
  name: string
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

/** 404 where the viewer administers nothing that uses the group, 403 where he administers only some of it. */
function demandOnGroup(viewer: Viewer, tx: Pick<Transaction, 'all' | 'get'>, groupId: number): Use[] {
  demandSignedIn(viewer)
  if (!mayAdministerSomewhere(viewer)) throw notFound()
  rowOf(tx, groupId)
  const uses = usesOf(tx, groupId)
  if (viewer.globalAdmin) return uses
  const administered = uses.filter(use => rightsOn(viewer, use.collection_id).admin).length
  if (administered === 0) {
    if (uses.length > 0) throw notFound()
    throw new Failure('denied', 'This group is attached to nothing: attach it to a collection first.')
  }
  if (administered < uses.length) throw new Failure('denied', 'A collection that is not yours uses this group too.')
  return uses
}

function userNamed(tx: Pick<Transaction, 'get'>, username: string): number {
  const row = tx.get<{ id: number }>('SELECT id FROM users WHERE username_key = ?', usernameKey(username))
  if (row === null) throw new Failure('notFound', `There is no user '${username}'.`, { field: 'username' })
  return row.id
}

function membersOf(tx: Pick<Transaction, 'all'>, groupId: number): Member[] {
  return tx.all<Member>(
    `SELECT u.id, u.username, u.name FROM access_members AS m JOIN users AS u ON u.id = m.user_id
     WHERE m.group_id = ? ORDER BY u.username_key`,
    groupId,
  )
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
          ? tx.run('INSERT OR IGNORE INTO access_members (group_id, user_id) VALUES (?, ?)', accessId, user)
          : tx.run('DELETE FROM access_members WHERE group_id = ? AND user_id = ?', accessId, user)
      if (changes > 0) {
        for (const { collection_id: collectionId } of uses) {
          const told = { group: accessId, user }
          tx.history({ operation: `access.member.${change}`, collectionId, after: told })
        }
        tell(tx, [])
      }
      return membersOf(tx, accessId)
    })
  }

  return {
    /** Groups that open no collection, by id: no list of collections shows them. For global admins. */
    loose(viewer: Viewer): (Record<Flag, boolean> & { id: number; name: string })[] {
      demandGlobalAdmin(viewer)
      const rows = db.all<GroupRow>(
        'SELECT * FROM access_groups WHERE id NOT IN (SELECT group_id FROM collection_access) ORDER BY id',
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

    /** A new group, attached to nothing, with nobody in it. */
    async create(viewer: Viewer, group: GroupInput): Promise<{ id: number }> {
      demandAdminSomewhere(viewer)
      return db.transact(viewer, tx => {
        const columns = flags.map(flag => `"${flag}"`).join(', ')
        const { lastInsertRowid: id } = tx.run(
          `INSERT INTO access_groups (name, ${columns}) VALUES (?${', ?'.repeat(flags.length)})`,
          group.name,
          ...flags.map(flag => (group[flag] === true ? 1 : 0)),
        )
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

    /** Puts a user into a group; one who is in it already stays. Answers who is in it now. */
    addMember: async (viewer: Viewer, who: { accessId: number; username: string }): Promise<Member[]> =>
      changeMember(viewer, who, 'add'),

    removeMember: async (viewer: Viewer, who: { accessId: number; username: string }): Promise<Member[]> =>
      changeMember(viewer, who, 'remove'),

    /**
     * Opens a collection to a group, at the end of its list; one that is attached already stays where it is. A group that
     * other collections use can be lent only by whoever administers those too.
     */
    async attach(
      viewer: Viewer,
      { collectionId, accessId }: { collectionId: number; accessId: number },
    ): Promise<void> {
      demandOnCollection(viewer, collectionId, 'admin')
      await db.transact(viewer, tx => {
        if (tx.get('SELECT 1 FROM collections WHERE id = ?', collectionId) === null) throw notFound()
        const group = rowOf(tx, accessId)
        const uses = usesOf(tx, accessId)
        if (uses.some(use => use.collection_id === collectionId)) return
        if (uses.length > 0) demandOnGroup(viewer, tx, accessId)
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
        if (rowOf(tx, accessId).admin === 1) demandAnotherAdminGroup(tx, collectionId, accessId)
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
