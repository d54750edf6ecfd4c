/** Groups of faces that nobody has named: a page of them, which of their faces are meant, which groups are chosen. */
import { computed, signal } from '@preact/signals-react'
import type { FaceGroup, FaceStatus } from '../../../schema/api/faces.ts'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { activeJobs } from '../../app/jobs/jobs.ts'
import { createLoading, requestPage } from '../../app/loading/resource.ts'
import { throttle } from '../../kit/throttle.ts'
import { people } from '../../people/people-state.ts'
import { noName } from '../../people/person-names.ts'
import { inPlace, meantOf } from './face-group-text.ts'

export interface GroupsView {
  /** Those that were put aside. */
  ignored: boolean
  page: number
}

export interface GroupsPage extends GroupsView {
  total: number
  groups: readonly FaceGroup[]
}

export const groupsAPage = limits.faces.groupsShown

export const faceGroups = signal<GroupsPage | null>(null)
export const faceStatus = signal<FaceStatus | null>(null)
const { failed: faceGroupsFailed, load } = createLoading('Failed to load faces')

export { faceGroupsFailed }

/** Faces that are not meant, by id. What is not here is. */
export const leftOut = signal<ReadonlySet<number>>(new Set())
/** Groups that show all their faces. */
export const openedGroups = signal<ReadonlySet<number>>(new Set())
/** Groups that are to be merged, also those of other pages. */
export const chosenGroups = signal<ReadonlyMap<number, FaceGroup>>(new Map())
/** What was just done to a group, told in it. */
export const groupNotes = signal<ReadonlyMap<number, string>>(new Map())

export const faceJob = computed(() => activeJobs.value.find(({ kind }) => kind === 'faces' || kind === 'face-groups'))

/** The faces of a group that are shown and would be named now. Reads signals. */
export function meant(group: FaceGroup) {
  return meantOf(group, leftOut.value)
}

/** How many would be named now: all but those that were ticked out, shown or not. Reads signals. */
export function meantCount(group: FaceGroup): number {
  return Math.min(group.count - (group.faces.length - meant(group).length), limits.faces.atOnce)
}

/** Names of somebody; those who are not known have none. Reads signals. */
export function namesOf(person: number) {
  return people.value?.find(({ id }) => id === person)?.names ?? [{ ...nobody, name: noName }]
}
const nobody = { id: 0, person: 0, active_from: null, active_to: null }

export function tick(face: number, on: boolean): void {
  const next = new Set(leftOut.peek())
  if (on) next.delete(face)
  else next.add(face)
  leftOut.value = next
}

export function tickAll({ faces }: FaceGroup, on: boolean): void {
  const next = new Set(leftOut.peek())
  for (const { id } of faces) {
    if (on) next.delete(id)
    else next.add(id)
  }
  leftOut.value = next
}

export function chooseGroup(group: FaceGroup, on: boolean): void {
  const next = new Map(chosenGroups.peek())
  if (on) next.set(group.id, group)
  else next.delete(group.id)
  chosenGroups.value = next
}

export function chooseNone(): void {
  chosenGroups.value = new Map()
}

export function noteGroup(id: number, text: string): void {
  const next = new Map(groupNotes.peek())
  if (text === '') next.delete(id)
  else next.set(id, text)
  groupNotes.value = next
}

/** The screen is left. */
export function forgetGroupWork(): void {
  leftOut.value = new Set()
  openedGroups.value = new Set()
  groupNotes.value = new Map()
  chooseNone()
}

/** All faces of a group that is opened; it may have gone meanwhile. */
async function whole(group: FaceGroup): Promise<FaceGroup> {
  if (!openedGroups.peek().has(group.id) || group.faces.length >= group.count) return group
  try {
    return await api.faces.group({ params: { id: group.id }, query: hiddenQuery() })
  } catch {
    return group
  }
}

/** The page that was requested last: another one may still be shown. */
let wanted: GroupsView | null = null

function showGroups(view: GroupsView, total: number, groups: readonly FaceGroup[], steady: boolean): void {
  const before = steady ? (faceGroups.peek()?.groups ?? []) : []
  faceGroups.value = { ...view, total, groups: inPlace(before, groups) }
  const chosen = chosenGroups.peek()
  if (chosen.size === 0) return
  const now = new Map(groups.map(group => [group.id, group]))
  // On a page with room for all of them, one that is not here has gone.
  const kept = [...chosen.values()].filter(({ id }) => total > groupsAPage || now.has(id))
  chosenGroups.value = new Map(kept.map(group => [group.id, now.get(group.id) ?? group]))
}

/** Loads a page; the last one where that one is gone. `steady`: groups that are there keep their places. */
export async function loadGroups(view: GroupsView, { steady = false, quiet = false } = {}): Promise<void> {
  wanted = view
  const request = (page: number) =>
    api.faces.groups({ query: { page, limit: groupsAPage, ignored: view.ignored, ...hiddenQuery() } })
  await load(
    async () => {
      const [status, answer] = await Promise.all([api.faces.status(), requestPage(view.page, groupsAPage, request)])
      return { status, ...answer, groups: await Promise.all(answer.groups.map(whole)) }
    },
    ({ status, page, groups, _meta }) => {
      faceStatus.value = status
      showGroups({ ...view, page }, _meta.total_records, groups, steady)
    },
    { quiet },
  )
}

/** The page that is shown, or is about to be, as it is now. */
export async function loadGroupsAgain(): Promise<void> {
  if (wanted !== null) await loadGroups(wanted, { steady: true })
}

/** Something has changed somewhere. */
export const loadGroupsSoon = throttle(() => void loadGroupsAgain(), 1_000, { leading: false })

/** Shows all faces of a group, or the few of the list again. */
export async function openGroup({ id }: FaceGroup, on: boolean): Promise<void> {
  const next = new Set(openedGroups.peek())
  if (on) next.add(id)
  else next.delete(id)
  openedGroups.value = next
  await loadGroupsAgain()
}

/** How many groups wait, where nobody looks at them. */
export async function loadFaceStatus(): Promise<void> {
  try {
    faceStatus.value = await api.faces.status()
  } catch {
    // The link is there without its number.
  }
}
