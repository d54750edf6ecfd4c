/** Access groups: their rights, their members, and the collections that use them. */
import { and, asc, eq, max, notInArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { GroupInput, member, ShownGroup } from '../../../schema/api/access.ts'
import { accessGroups, accessMembers, collectionAccess } from '../../../schema/tables/access.ts'
import { collections } from '../../../schema/tables/collections.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { notFound, requireAdminSomewhere, requireOnCollection, requireSignedIn, type Viewer } from '../access.ts'
import { userNamed } from '../user-rows.ts'
import {
  adminPosition,
  existingGroup,
  flags,
  type GroupRow,
  publishRights,
  requireAllowedPositions,
  requireAnotherAdminGroup,
  requireAsShown,
  requireOnGroup,
  usesOf,
} from './group-rows.ts'
import { groupMembers, nextAdminGroup } from './groups.sql.ts'

type Member = z.output<typeof member>

interface MemberOf {
  accessId: number
  username: string
}

function historyRow({ id, name, ownerId, ...group }: GroupRow) {
  const allows = Object.fromEntries(flags.map(flag => [flag, Number(group[flag])]))
  return { id, name, ...allows, owner_id: ownerId }
}

function changeMember(
  db: LibraryDatabase,
  viewer: Viewer,
  { accessId, username }: MemberOf,
  change: 'add' | 'remove',
): Promise<Member[]> {
  requireSignedIn(viewer)
  return db.transact(viewer, tx => {
    const uses = requireOnGroup(viewer, tx, accessId)
    const user = userNamed(tx, username)
    const isMember = and(eq(accessMembers.groupId, accessId), eq(accessMembers.userId, user.id))
    const { changes } =
      change === 'add'
        ? tx.orm.insert(accessMembers).values({ groupId: accessId, userId: user.id }).onConflictDoNothing().run()
        : tx.orm.delete(accessMembers).where(isMember).run()
    if (changes > 0) {
      const { name } = existingGroup(tx, accessId)
      tx.audit(`group.${change}`, { group: accessId, name, user: user.id, username: user.username })
      const after = { group: accessId, user: user.id }
      for (const { collectionId } of uses) tx.history({ operation: `access.member.${change}`, collectionId, after })
      publishRights(tx, [])
    }
    return tx.all(groupMembers, accessId)
  })
}

interface GroupUse {
  collectionId: number
  accessId: number
}

function isUse(collectionId: number, groupId: number) {
  return and(eq(collectionAccess.collectionId, collectionId), eq(collectionAccess.groupId, groupId))
}

function createGroupUses(db: LibraryDatabase) {
  return {
    /**
     * Attaches a group at the end of the collection's list; a group that is already attached stays in place. Allowed
     * for administrators of all collections that use the group, for the owner of an unused group, and for global
     * admins. `conflict` if the group differs from `shown`.
     */
    async attach(
      viewer: Viewer,
      { collectionId, accessId, shown }: GroupUse & { shown?: ShownGroup | undefined },
    ): Promise<void> {
      requireOnCollection(viewer, collectionId, 'admin')
      await db.transact(viewer, tx => {
        if (tx.orm.select().from(collections).where(eq(collections.id, collectionId)).get() === undefined)
          throw notFound()
        const group = existingGroup(tx, accessId)
        if (usesOf(tx, accessId).some(use => use.collectionId === collectionId)) return
        requireOnGroup(viewer, tx, accessId)
        if (shown !== undefined) requireAsShown(tx, group, shown)
        const ofCollection = eq(collectionAccess.collectionId, collectionId)
        const last = tx.orm
          .select({ position: max(collectionAccess.position) })
          .from(collectionAccess)
          .where(ofCollection)
        const position = (last.get()?.position ?? -1) + 1
        requireAllowedPositions(group, [position])
        tx.orm.insert(collectionAccess).values({ collectionId, groupId: accessId, position }).run()
        // From now on, the group's creator has no rights on it, even after it is detached everywhere.
        tx.orm.update(accessGroups).set({ ownerId: null }).where(eq(accessGroups.id, accessId)).run()
        tx.audit('group.attach', { group: accessId, name: group.name, collection: collectionId })
        tx.history({ operation: 'access.attach', collectionId, after: { group: accessId, position } })
        publishRights(tx, [collectionId])
      })
    },

    /** Detaches a group from a collection. If it was the first one, the next admin group becomes the first. */
    async detach(viewer: Viewer, { collectionId, accessId }: GroupUse): Promise<void> {
      requireOnCollection(viewer, collectionId, 'admin')
      await db.transact(viewer, tx => {
        const use = usesOf(tx, accessId).find(one => one.collectionId === collectionId)
        if (use === undefined) throw notFound()
        const { position } = use
        const { name, admin } = existingGroup(tx, accessId)
        if (admin) requireAnotherAdminGroup(tx, collectionId, accessId)
        tx.orm.delete(collectionAccess).where(isUse(collectionId, accessId)).run()
        const next = position === adminPosition ? tx.get(nextAdminGroup, collectionId) : null
        if (next !== null) {
          tx.orm.update(collectionAccess).set({ position: adminPosition }).where(isUse(collectionId, next.id)).run()
        }
        tx.audit('group.detach', { group: accessId, name, collection: collectionId })
        tx.history({ operation: 'access.detach', collectionId, before: { group: accessId, position } })
        publishRights(tx, [collectionId])
      })
    },
  }
}

export function createGroups({ db }: { db: LibraryDatabase }) {
  return {
    ...createGroupUses(db),

    loose(viewer: Viewer) {
      requireAdminSomewhere(viewer)
      const used = db.orm.select({ id: collectionAccess.groupId }).from(collectionAccess)
      const isMine = viewer.globalAdmin ? undefined : sql`${accessGroups.ownerId} = ${viewer.userId}`
      const isLoose = and(notInArray(accessGroups.id, used), isMine)
      const rows = db.orm.select().from(accessGroups).where(isLoose).orderBy(asc(accessGroups.id)).all()
      return rows.map(({ ownerId: _, ...group }) => group)
    },

    /** Creates a group without members and collections. Until it is attached, it belongs to the caller. */
    async create(viewer: Viewer, group: GroupInput): Promise<{ id: number }> {
      requireAdminSomewhere(viewer)
      return db.transact(viewer, tx => {
        const row = { ...group, ownerId: viewer.userId }
        const { id, name } = tx.orm.insert(accessGroups).values(row).returning().get()
        tx.audit('group.create', { group: id, name })
        publishRights(tx, [])
        return { id }
      })
    },

    /** Changes the group's rights in every collection that uses it. Absent rights are unchanged. */
    async update(viewer: Viewer, id: number, request: Partial<GroupInput>): Promise<{ id: number }> {
      requireSignedIn(viewer)
      return db.transact(viewer, tx => {
        const uses = requireOnGroup(viewer, tx, id)
        const row = existingGroup(tx, id)
        const changes = { ...request, name: request.name ?? row.name }
        const after = tx.orm.update(accessGroups).set(changes).where(eq(accessGroups.id, id)).returning().get()
        requireAllowedPositions(
          after,
          uses.map(({ position }) => position),
        )
        if (row.admin && !after.admin) {
          for (const { collectionId } of uses) requireAnotherAdminGroup(tx, collectionId, id)
        }
        tx.audit('group.update', { group: id, name: after.name, ...request })
        const change = { operation: 'access.update', before: historyRow(row), after: historyRow(after) }
        for (const { collectionId } of uses) tx.history({ ...change, collectionId })
        publishRights(
          tx,
          uses.map(({ collectionId }) => collectionId),
        )
        return { id }
      })
    },

    members(viewer: Viewer, accessId: number): Member[] {
      requireOnGroup(viewer, db, accessId)
      return db.all(groupMembers, accessId)
    },

    /** Adds a user to a group, unless they are a member already. Returns the members. */
    addMember: async (viewer: Viewer, who: MemberOf): Promise<Member[]> => changeMember(db, viewer, who, 'add'),

    removeMember: async (viewer: Viewer, who: MemberOf): Promise<Member[]> => changeMember(db, viewer, who, 'remove'),
  }
}

export type Groups = ReturnType<typeof createGroups>
