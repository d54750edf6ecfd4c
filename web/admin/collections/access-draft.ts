/** Editing the access of a collection: groups and their members, and the calls that apply the draft. Pure. */
import type { GroupInput, ShownGroup } from '../../../schema/api/access.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'

export const flags = ['admin', 'public', 'view', 'create', 'update'] as const
export type Flag = (typeof flags)[number]

export interface DraftGroup extends Record<Flag, boolean> {
  /** Identifies the group while it is edited. */
  key: string
  /** Null for a new group. */
  id: number | null
  name: string
  /** Usernames; null if this user may neither see the members nor change the group. */
  members: readonly string[] | null
  /** Position in the collection's list; null if the group is not attached yet, and will be added at the end. */
  place: number | null
}

/** One call. A new group has no id before its call, so `key` identifies it. */
export type AccessCall =
  | { do: 'create'; key: string; group: GroupInput }
  /** `shown`: the group as this user saw it before; if the group has changed since, the server refuses the call. */
  | { do: 'attach'; key: string; shown?: ShownGroup }
  | { do: 'update'; key: string; group: Partial<GroupInput> }
  | { do: 'add' | 'remove'; key: string; username: string }
  | { do: 'detach'; key: string }

const sameName = (a: string, b: string) => a.localeCompare(b, undefined, { sensitivity: 'accent' }) === 0

/**
 * The position of each group as the server will have it: a new group comes last; if the first one is removed, the next
 * non-public group that administers the collection becomes the first.
 */
export function positionsOf(before: readonly DraftGroup[], draft: readonly DraftGroup[]): Map<string, number> {
  const places = new Map<string, number>()
  let last = Math.max(-1, ...before.map(({ place }) => place ?? -1))
  for (const { key, place } of draft) places.set(key, place ?? ++last)
  if (draft.length > 0 && ![...places.values()].includes(0)) {
    const nextFirst = draft.find(group => group.admin && !group.public)
    if (nextFirst !== undefined) places.set(nextFirst.key, 0)
  }
  return places
}

/** The state of a group's checkbox: whether it is checked, and why it cannot be changed ('' if it can). */
export function checkboxState(group: DraftGroup, flag: Flag, place: number): { checked: boolean; reason: string } {
  const { admin } = group
  if (group.members === null) return { checked: group[flag], reason: collectionsTexts.anotherCollectionUsesThisGroup }
  switch (flag) {
    case 'admin':
      return { checked: admin, reason: place === 1 && !admin ? collectionsTexts.adminOnSecondGroup : '' }
    case 'public':
      return {
        checked: group.public,
        reason: place === 0 && !group.public ? collectionsTexts.publicOnFirstGroup : '',
      }
    default:
      if (admin) return { checked: true, reason: collectionsTexts.administratorsMayDoEverything }
      if (group.public) {
        return { checked: flag === 'view' || group[flag], reason: collectionsTexts.publicGroupOpenToAll }
      }
      return { checked: group[flag], reason: '' }
  }
}

/** Errors by the key of their group; the key '' has the error of the whole list. */
export function draftFaults(before: readonly DraftGroup[], draft: readonly DraftGroup[]): Record<string, string> {
  const faults: Record<string, string> = {}
  const places = positionsOf(before, draft)
  if (!draft.some(group => group.admin)) faults[''] = collectionsTexts.atLeastOneAdmin
  for (const group of draft) {
    const place = places.get(group.key)
    if (group.name.trim() === '') faults[group.key] = baseTexts.nameIsRequired
    else if (group.public && place === 0) faults[group.key] = collectionsTexts.publicOnFirstGroup
    else if (group.admin && place === 1) faults[group.key] = collectionsTexts.adminOnSecondGroup
  }
  return faults
}

/** Whether a group may be removed. The last group that administers the collection stays. */
export function isRemovable(draft: readonly DraftGroup[], key: string): boolean {
  return draft.some(group => group.key !== key && group.admin)
}

function changedFields(before: DraftGroup, after: DraftGroup): Partial<GroupInput> {
  const group: Partial<GroupInput> = {}
  if (after.name.trim() !== before.name) group.name = after.name.trim()
  for (const flag of flags) if (after[flag] !== before[flag]) group[flag] = after[flag]
  return group
}

function attachCall({ key, id }: DraftGroup, was: DraftGroup | undefined): AccessCall {
  if (id === null || was === undefined || was.members === null) return { do: 'attach', key }
  return { do: 'attach', key, shown: { members: [...was.members], allows: flags.filter(flag => was[flag]) } }
}

function inputOf({ name, admin, public: isPublic, view, create, update }: DraftGroup): GroupInput {
  return { name: name.trim(), admin, public: isPublic, view, create, update }
}

/**
 * Returns the calls that turn `before` into `after`. `before` also has the known state of groups that will be attached.
 * Calls that give rights come first, so that the collection has administrators at any time.
 */
export function accessCalls(before: readonly DraftGroup[], after: readonly DraftGroup[]): AccessCall[] {
  const known = new Map(before.map(group => [group.key, group]))
  const attaching: AccessCall[] = []
  const updates: AccessCall[] = []
  const members: AccessCall[] = []
  for (const group of after) {
    const { key } = group
    const was = known.get(key)
    if (group.id === null) attaching.push({ do: 'create', key, group: inputOf(group) })
    if (group.id === null || was === undefined || was.place === null) attaching.push(attachCall(group, was))
    if (was !== undefined) {
      const change = changedFields(was, group)
      if (Object.keys(change).length > 0) updates.push({ do: 'update', key, group: change })
    }
    const were = was?.members ?? []
    const are = group.members ?? []
    for (const username of are) {
      if (!were.some(one => sameName(one, username))) members.push({ do: 'add', key, username })
    }
    for (const username of were) {
      if (!are.some(one => sameName(one, username))) members.push({ do: 'remove', key, username })
    }
  }
  const givesRights = (step: AccessCall) => step.do === 'add' || (step.do === 'update' && step.group.admin === true)
  const changes = [...updates, ...members]
  const detaching = before.filter(({ key, place }) => place !== null && !after.some(group => group.key === key))
  return [
    ...attaching,
    ...changes.filter(givesRights),
    ...changes.filter(step => !givesRights(step)),
    ...detaching.map(({ key }): AccessCall => ({ do: 'detach', key })),
  ]
}

/** The number of changes shown to the user: a new group counts as one. */
export function accessChangeCount(steps: readonly AccessCall[]): number {
  const createdKeys = new Set(steps.flatMap(step => (step.do === 'create' ? [step.key] : [])))
  return steps.filter(step => !(step.do === 'attach' && createdKeys.has(step.key))).length
}

/** Why a user cannot be added to a group; '' if they can. `known` has all usernames; null if they are not loaded. */
export function usernameFault(typed: string, group: DraftGroup, known: readonly string[] | null): string {
  const username = typed.trim()
  if (username === '') return collectionsTexts.usernameIsRequired
  if (group.members?.some(one => sameName(one, username)) === true) return collectionsTexts.alreadyInGroup({ username })
  if (known !== null && !known.some(one => sameName(one, username))) return collectionsTexts.thereIsNoUser({ username })
  return ''
}
