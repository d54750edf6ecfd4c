/** The access of a collection: its groups with their members, and saving a draft. */

import type { Collection } from '../../../schema/api/collections.ts'
import { Refused } from '../../../schema/client.ts'
import { api } from '../../api.ts'
import { collections, loadCollections } from '../../app/collections.ts'
import { createLoading } from '../../app/loading/resource.ts'
import { attemptValue, report, say } from '../../app/messages.ts'
import { userSignal } from '../../app/user-data.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { type AccessCall, accessCalls, type DraftGroup } from './access-draft.ts'

const failure = collectionsTexts.failedToSaveAccess

async function membersOf(accessId: number): Promise<readonly string[] | null> {
  try {
    return (await api.access.members({ params: { accessId } })).map(({ username }) => username)
  } catch (error) {
    // Another collection uses the group, so this user may not see its members.
    if (error instanceof Refused && (error.status === 403 || error.status === 404)) return null
    throw error
  }
}

/** The saved groups of a collection; null when they could not be loaded. */
export async function loadAccess(collection: Pick<Collection, 'access'>): Promise<DraftGroup[] | null> {
  return attemptValue(baseTexts.unableToLoadCollection, () =>
    Promise.all(
      collection.access.map(async group => ({
        ...group,
        key: `group ${group.id}`,
        members: await membersOf(group.id),
        place: group.position,
      })),
    ),
  )
}

/**
 * Makes one call; returns false if it failed. `ids` has the ids of existing groups by their keys, and receives the id
 * of a new group. `changed` receives the key of a group that was not attached, as it has changed since it was shown.
 */
async function performCall(
  step: AccessCall,
  collectionId: number,
  ids: Map<string, number>,
  changed: Set<string>,
): Promise<boolean> {
  try {
    if (step.do === 'create') {
      ids.set(step.key, (await api.access.create({ body: { group: step.group } })).id)
      return true
    }
    const accessId = ids.get(step.key)
    // Not reached: the calls end if a group cannot be created.
    if (accessId === undefined) return false
    switch (step.do) {
      case 'attach':
        await api.access.attach({
          params: { collectionId, accessId },
          body: step.shown === undefined ? {} : { shown: step.shown },
        })
        return true
      case 'detach':
        await api.access.detach({ params: { collectionId, accessId } })
        return true
      case 'update':
        await api.access.update({ params: { id: accessId }, body: { group: step.group } })
        return true
      case 'add':
        await api.access.addMember({ params: { accessId, username: step.username } })
        return true
      case 'remove':
        await api.access.removeMember({ params: { accessId, username: step.username } })
        return true
    }
  } catch (error) {
    if (step.do === 'attach' && error instanceof Refused && error.status === 409) changed.add(step.key)
    report(error, failure)
    return false
  }
}

/**
 * Applies a draft. Returns null if everything is done, else the present state and the remaining draft, so that the next
 * attempt only does the rest. A group that has changed since it was shown is dropped from the draft; attaching it again
 * shows its present state.
 */
export async function saveAccess(
  collectionId: number,
  before: readonly DraftGroup[],
  after: readonly DraftGroup[],
): Promise<{ before: DraftGroup[]; after: DraftGroup[] } | null> {
  const created: DraftGroup[] = []
  const ids = new Map([...before, ...after].flatMap(({ key, id }) => (id === null ? [] : [[key, id]])))
  const changed = new Set<string>()
  let done = true
  for (const step of accessCalls(before, after)) {
    if (!(await performCall(step, collectionId, ids, changed))) {
      done = false
      // Later calls may take rights away, which is safe only if the earlier ones have given theirs.
      break
    }
    const group = step.do === 'create' ? after.find(({ key }) => key === step.key) : undefined
    if (group !== undefined) created.push({ ...group, id: ids.get(group.key) ?? null, members: [] })
  }
  await Promise.all([loadCollections(), loadLooseGroups()])
  if (done) return null
  const now = collections.peek()?.find(({ id }) => id === collectionId)
  const known = now === undefined ? null : await loadAccess(now)
  const keyOf = (id: number | null) => [...ids].find(([, one]) => one === id)?.[0]
  const withDraftKeys = (known ?? before).map(group => ({ ...group, key: keyOf(group.id) ?? group.key }))
  const unattached = [...before, ...created].filter(
    ({ key, place }) => place === null && !changed.has(key) && !withDraftKeys.some(group => group.key === key),
  )
  return {
    before: [...withDraftKeys, ...unattached],
    after: after
      .filter(({ key }) => !changed.has(key))
      .map(group => {
        const at = withDraftKeys.find(({ key }) => key === group.key)
        return { ...group, id: ids.get(group.key) ?? null, place: at === undefined ? group.place : at.place }
      }),
  }
}

type ExistingGroup = Omit<Collection['access'][number], 'position'>

/** Groups that no collection uses and that this user may attach. */
const looseGroups = userSignal<readonly ExistingGroup[]>([])

const { load } = createLoading(collectionsTexts.unableToLoadGroups)
/** Returns false on failure, which is reported. */
export const loadLooseGroups = () =>
  load(
    () => api.access.loose(),
    groups => {
      looseGroups.value = groups
    },
  )

/** Groups that could be attached: those of other collections that this user administers, and unused ones. */
export function attachableGroups(collection: Pick<Collection, 'id'>, draft: readonly DraftGroup[]): AttachableGroup[] {
  const found = new Map<number, AttachableGroup>()
  for (const other of collections.value ?? []) {
    if (other.id === collection.id || !other.rights.admin) continue
    for (const group of other.access) {
      if (draft.some(({ id }) => id === group.id)) continue
      const known = found.get(group.id)
      if (known === undefined) found.set(group.id, { group, of: [other.name] })
      else known.of.push(other.name)
    }
  }
  const loose = looseGroups.value.filter(group => !draft.some(({ id }) => id === group.id))
  return [...found.values(), ...loose.map(group => ({ group, of: [] }))]
}

export interface AttachableGroup {
  group: ExistingGroup
  /** Names of the collections that the group already opens; empty for an unused group. */
  of: string[]
}

/** Loads a group and its members for the draft; null if this user may not attach it, which is reported. */
export async function loadAttachable({ group }: AttachableGroup): Promise<DraftGroup | null> {
  return attemptValue(baseTexts.unableToLoadCollection, async () => {
    const members = await membersOf(group.id)
    if (members !== null) return { ...group, key: `group ${group.id}`, members, place: null }
    say(collectionsTexts.onlyItsAdminsAttach({ name: group.name }))
    return null
  })
}

/** Names of other collections that a group also opens. */
export function otherCollectionsOf(collectionId: number, groupId: number | null): string[] {
  if (groupId === null) return []
  return (collections.value ?? [])
    .filter(other => other.id !== collectionId && other.access.some(({ id }) => id === groupId))
    .map(({ name }) => name)
}
