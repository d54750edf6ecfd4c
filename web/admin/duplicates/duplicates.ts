/** Groups of duplicates: pages, choices, and merging. */
import { signal } from '@preact/signals-react'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { followJob } from '../../app/jobs/follow-job.ts'
import { cancelJob } from '../../app/jobs/jobs.ts'
import { createLoading, type LoadOptions, requestPage } from '../../app/loading/resource.ts'
import { attempt, attemptValue, report, say } from '../../app/messages.ts'
import { userSignal } from '../../app/user-data.ts'
import { reloadItemsAndWords } from '../../items/reload-items-and-words.ts'
import { offerUndo } from '../../items/undo.ts'
import { pageCount } from '../../kit/table/pages.ts'
import { duplicatesTexts } from '../../texts/admin/duplicates.ts'
import { adminTexts } from '../../texts/admin.ts'
import { type DuplicateChoice, type Group, groupKeyOf, proposalFor, recycledOf } from './duplicate-choice.ts'
import { addSkippedGroup, forgetRemovedGroups, skippedGroups } from './skipped-groups.ts'

const duplicateKinds = ['exact', 'near'] as const
export type DuplicateKind = (typeof duplicateKinds)[number]

/** A page of duplicates. `collection` is an id, or 0 for all collections. */
export interface DuplicatesView {
  kind: DuplicateKind
  collection: number
  page: number
}

export interface DuplicatesPage extends DuplicatesView {
  total: number
  groups: readonly Group[]
  /** Whether the search for similar pictures has run. */
  searched: boolean
}

export const duplicateGroupsAPage = limits.pageSize

export const duplicates = userSignal<DuplicatesPage | null>(null)
const { failed: duplicatesFailed, load } = createLoading(duplicatesTexts.failedToLoadDuplicates)

export { duplicatesFailed }

/** The user's choices by group key; for other groups, the proposal holds. */
const choices = userSignal<ReadonlyMap<string, DuplicateChoice>>(new Map())
/** Keys of groups that are hidden because they are being merged. */
const mergingKeys = userSignal<ReadonlySet<string>>(new Set())
/** Progress while several groups are merged; otherwise null. */
export const merging = signal<{ done: number; total: number; stop: () => void } | null>(null)

export function choiceFor(group: Group): DuplicateChoice {
  return choices.value.get(groupKeyOf(group)) ?? proposalFor(group)
}

export function setChoice(group: Group, choice: DuplicateChoice): void {
  choices.value = new Map(choices.value).set(groupKeyOf(group), choice)
}

/** Skips a group: it is hidden until skipped groups are shown or its items change. */
export function skipGroup(group: Group): void {
  const kind = duplicates.peek()?.kind
  if (kind !== undefined) addSkippedGroup(kind, groupKeyOf(group))
}

export function isShown(kind: DuplicateKind, group: Group): boolean {
  const key = groupKeyOf(group)
  return !mergingKeys.value.has(key) && !skippedGroups.value[kind].includes(key)
}

export function forgetMergingKeys(): void {
  mergingKeys.value = new Set()
}

/** Requests a page, without groups of which the user sees only one item. `keys` are the keys of all its groups. */
async function requestGroups({ kind, collection, page }: DuplicatesView, limit: number) {
  const response = await api.items.duplicates({ params: { collectionId: collection }, query: { kind, page, limit } })
  const groups = response.groups.filter(group => group.length > 1)
  return { ...response, groups, keys: response.groups.map(groupKeyOf) }
}

/** Loads a page, or the last one if the requested page no longer exists. */
export async function loadDuplicates(view: DuplicatesView, how?: LoadOptions): Promise<void> {
  await load(
    () => requestPage(view.page, duplicateGroupsAPage, page => requestGroups({ ...view, page }, duplicateGroupsAPage)),
    ({ groups, page, _meta: { total_records: total }, keys, searched }) => {
      duplicates.value = { ...view, page, total, groups, searched }
      if (view.collection === 0 && pageCount(total, duplicateGroupsAPage) === 1) forgetRemovedGroups(view.kind, keys)
    },
    how,
  )
}

/** Loads the groups of all pages; null on failure. */
export function loadAllGroups(view: DuplicatesView): Promise<readonly Group[] | null> {
  return attemptValue(duplicatesTexts.failedToLoadDuplicates, async () => {
    const all: Group[] = []
    for (let page = 1; ; page++) {
      const { groups, _meta } = await requestGroups({ ...view, page }, 500)
      all.push(...groups)
      if (page < pageCount(_meta.total_records, 500)) continue
      if (view.collection === 0) forgetRemovedGroups(view.kind, all.map(groupKeyOf))
      return all
    }
  })
}

/** Keeps the chosen items and recycles the others, with Undo. Returns true on success. */
export async function mergeGroups(groups: readonly Group[]): Promise<boolean> {
  const merges = groups
    .map(group => {
      const choice = choiceFor(group)
      return { key: groupKeyOf(group), keep: choice.keep, recycle: recycledOf(group, choice).map(({ id }) => id) }
    })
    .filter(({ recycle }) => recycle.length > 0)
  if (merges.length === 0) return false
  const keys = merges.map(({ key }) => key)
  mergingKeys.value = new Set([...mergingKeys.value, ...keys])
  try {
    const { taskid, step } = await api.items.mergeDuplicates({
      body: { groups: merges.map(({ keep, recycle }) => ({ keep, recycle })) },
    })
    const stop = () => void cancelJob(taskid, adminTexts.failedToStopMerging)
    const job = await followJob(taskid, ({ done, total }) => {
      if (total !== null && total > 1) merging.value = { done, total, stop }
    })
    const { recycled = 0, skipped = 0 } = job.counts
    if (recycled > 0) {
      const detail = recycled === 1 ? duplicatesTexts.oneRecycled : duplicatesTexts.someRecycled
      offerUndo(duplicatesTexts.duplicateDeletedCount({ count: recycled }), step, {
        detail: job.state === 'cancelled' ? duplicatesTexts.mergingStopped({ detail }) : detail,
        undone: () => duplicatesTexts.duplicatesAreBack,
      })
    }
    if (job.state === 'failed') say(duplicatesTexts.failedToMergeDuplicates, job.error ?? '')
    else if (skipped > 0)
      say(duplicatesTexts.groupsLeftAsTheyAre({ count: skipped }), duplicatesTexts.theyHaveChangedMeanwhile)
    return job.state === 'done'
  } catch (error) {
    report(error, duplicatesTexts.failedToMergeDuplicates)
    return false
  } finally {
    merging.value = null
    await reloadItemsAndWords()
    const { value: view } = duplicates
    if (view !== null) await loadDuplicates(view)
    // Groups that are still in the new list were not merged, so they are shown again.
    mergingKeys.value = new Set([...mergingKeys.value].filter(key => !keys.includes(key)))
  }
}

/** Starts the search for similar pictures in the whole library. */
export async function searchLookAlikes(): Promise<void> {
  await attempt(duplicatesTexts.failedToSearchForDuplicates, async () => {
    const { taskid } = await api.items.findDuplicates({})
    const job = await followJob(taskid, () => {})
    if (job.state === 'failed') say(duplicatesTexts.failedToSearchForDuplicates, job.error ?? '')
    const { value: view } = duplicates
    if (view !== null) await loadDuplicates(view)
    if (job.state === 'done')
      say(
        duplicatesTexts.searchForDuplicatesIsDone,
        duplicatesTexts.foundCount({ count: duplicates.value?.total ?? 0 }),
      )
  })
}
