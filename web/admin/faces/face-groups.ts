/** Groups of unnamed faces: a page of them, unticked faces, chosen groups. */
import { computed } from '@preact/signals-react'
import type { FaceGroup, FaceStatus } from '../../../schema/api/faces.ts'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { activeJobs } from '../../app/jobs/jobs.ts'
import { createLoading, requestPage } from '../../app/loading/resource.ts'
import { userSignal } from '../../app/user-data.ts'
import { people } from '../../app/vocabulary.ts'
import { throttle } from '../../kit/time/throttle.ts'
import { noName } from '../../people/person-names.ts'
import { peopleTexts } from '../../texts/people.ts'
import { inPreviousOrder, tickedOf } from './face-group-text.ts'

export interface GroupsView {
  ignored: boolean
  page: number
}

export interface GroupsPage extends GroupsView {
  total: number
  groups: readonly FaceGroup[]
}

export const faceGroupsAPage = limits.faces.groupsShown

export const faceGroups = userSignal<GroupsPage | null>(null)
export const faceStatus = userSignal<FaceStatus | null>(null)
const { failed: faceGroupsFailed, load } = createLoading(peopleTexts.failedToLoadFaces)

export { faceGroupsFailed }

/** Ids of unticked faces. */
export const untickedFaces = userSignal<ReadonlySet<number>>(new Set())
export const openedGroups = userSignal<ReadonlySet<number>>(new Set())
export const chosenGroups = userSignal<ReadonlyMap<number, FaceGroup>>(new Map())
/** The result of the last action on each group, by the group's id. */
export const groupNotes = userSignal<ReadonlyMap<number, string>>(new Map())

export const faceJob = computed(() => activeJobs.value.find(({ kind }) => kind === 'faces' || kind === 'face-groups'))

/** The shown and ticked faces of a group. Reads signals. */
export function tickedFaces(group: FaceGroup) {
  return tickedOf(group, untickedFaces.value)
}

/** How many faces would be named now: all but the unticked ones, shown or not, up to the limit. Reads signals. */
export function tickedCount(group: FaceGroup): number {
  return Math.min(group.count - (group.faces.length - tickedFaces(group).length), limits.faces.atOnce)
}

/** Names of a person; only `noName` while the person is unknown here. Reads signals. */
export function namesOfPerson(person: number) {
  return people.read().find(({ id }) => id === person)?.names ?? [{ ...unnamed, name: noName }]
}
const unnamed = { id: 0, person: 0, active_from: null, active_to: null }

export function tick(face: number, on: boolean): void {
  const next = new Set(untickedFaces.peek())
  if (on) next.delete(face)
  else next.add(face)
  untickedFaces.value = next
}

export function tickAll({ faces }: FaceGroup, on: boolean): void {
  const next = new Set(untickedFaces.peek())
  for (const { id } of faces) {
    if (on) next.delete(id)
    else next.add(id)
  }
  untickedFaces.value = next
}

export function chooseGroup(group: FaceGroup, on: boolean): void {
  const next = new Map(chosenGroups.peek())
  if (on) next.set(group.id, group)
  else next.delete(group.id)
  chosenGroups.value = next
}

export function clearChosenGroups(): void {
  chosenGroups.value = new Map()
}

export function noteGroup(id: number, text: string): void {
  const next = new Map(groupNotes.peek())
  if (text === '') next.delete(id)
  else next.set(id, text)
  groupNotes.value = next
}

/** Forgets ticks, notes, and opened and chosen groups, when the user leaves the screen. */
export function forgetGroupWork(): void {
  untickedFaces.value = new Set()
  openedGroups.value = new Set()
  groupNotes.value = new Map()
  clearChosenGroups()
}

/** An opened group with all its faces; other groups, and a group that was removed meanwhile, are unchanged. */
async function withAllFaces(group: FaceGroup): Promise<FaceGroup> {
  if (!openedGroups.peek().has(group.id) || group.faces.length >= group.count) return group
  try {
    return await api.faces.group({ params: { id: group.id }, query: hiddenQuery() })
  } catch {
    return group
  }
}

/** The last requested page; while it loads, another one may still be shown. */
let requestedView: GroupsView | null = null

function showGroups(view: GroupsView, total: number, groups: readonly FaceGroup[], steady: boolean): void {
  const before = steady ? (faceGroups.peek()?.groups ?? []) : []
  faceGroups.value = { ...view, total, groups: inPreviousOrder(before, groups) }
  const chosen = chosenGroups.peek()
  if (chosen.size === 0) return
  const now = new Map(groups.map(group => [group.id, group]))
  // If all groups fit on one page, a chosen group that is not on it was removed.
  const kept = [...chosen.values()].filter(({ id }) => total > faceGroupsAPage || now.has(id))
  chosenGroups.value = new Map(kept.map(group => [group.id, now.get(group.id) ?? group]))
}

/** Loads a page, or the last one if there is no such page. With `steady`, shown groups keep their positions. */
export async function loadGroups(view: GroupsView, { steady = false, quiet = false } = {}): Promise<void> {
  requestedView = view
  const request = (page: number) =>
    api.faces.groups({ query: { page, limit: faceGroupsAPage, ignored: view.ignored, ...hiddenQuery() } })
  await load(
    async () => {
      const [status, response] = await Promise.all([
        api.faces.status(),
        requestPage(view.page, faceGroupsAPage, request),
      ])
      return { status, ...response, groups: await Promise.all(response.groups.map(withAllFaces)) }
    },
    ({ status, page, groups, _meta }) => {
      faceStatus.value = status
      showGroups({ ...view, page }, _meta.total_records, groups, steady)
    },
    { quiet },
  )
}

export async function loadGroupsAgain(): Promise<void> {
  if (requestedView !== null) await loadGroups(requestedView, { steady: true })
}

/** Reloads the groups, soon after something has changed. */
export const loadGroupsSoon = throttle(() => void loadGroupsAgain(), 1_000, { leading: false })

/** Shows all faces of a group, or again only the few from the list. */
export async function openGroup({ id }: FaceGroup, on: boolean): Promise<void> {
  const next = new Set(openedGroups.peek())
  if (on) next.add(id)
  else next.delete(id)
  openedGroups.value = next
  await loadGroupsAgain()
}

const statusLoading = createLoading('')

/** Loads the number of groups, for the link to this screen. */
export async function loadFaceStatus(): Promise<void> {
  // On failure, the link is shown without a number until the server is back.
  await statusLoading.load(
    () => api.faces.status(),
    status => {
      faceStatus.value = status
    },
    { quiet: true },
  )
}
