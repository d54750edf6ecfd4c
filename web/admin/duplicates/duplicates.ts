/** Groups of duplicates: pages, choices, and merging. */
import { signal } from '@preact/signals-react'
import { figure, plural } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { followJob } from '../../app/jobs/follow-job.ts'
import { cancelJob } from '../../app/jobs/jobs.ts'
import { createLoading, type LoadOptions, requestPage } from '../../app/loading/resource.ts'
import { orNull, report, say, succeeds } from '../../app/messages.ts'
import { reloadEverything } from '../../items/reload-everything.ts'
import { offerUndo } from '../../items/undo.ts'
import { pageCount } from '../../kit/table/pages.ts'
import { type Choice, type Group, keyOf, proposalFor, recycledOf } from './duplicate-choice.ts'
import { forgetGone, leaveGroup, leftGroups } from './left-groups.ts'

const duplicateKinds = ['exact', 'near'] as const
export type DuplicateKind = (typeof duplicateKinds)[number]

/** The view; collection 0 is all. */
export interface DuplicatesView {
  kind: DuplicateKind
  collection: number
  page: number
}

export interface DuplicatesPage extends DuplicatesView {
  total: number
  groups: readonly Group[]
  /** The search for similar pictures has run. */
  searched: boolean
}

export const groupsAPage = limits.pageSize

export const duplicates = signal<DuplicatesPage | null>(null)
const { failed: duplicatesFailed, load } = createLoading('Failed to load duplicates')

export { duplicatesFailed }

/** Changed choices by group key; others are as proposed. */
const choices = signal<ReadonlyMap<string, Choice>>(new Map())
/** Groups that are being merged: hidden. */
const passed = signal<ReadonlySet<string>>(new Set())
/** Progress of merging, if it takes long. */
export const merging = signal<{ done: number; total: number; stop: () => void } | null>(null)

export function choiceFor(group: Group): Choice {
  return choices.value.get(keyOf(group)) ?? proposalFor(group)
}

export function choose(group: Group, choice: Choice): void {
  choices.value = new Map(choices.value).set(keyOf(group), choice)
}

/** Skips a group: it stays hidden until skipped groups are shown, or its items change. */
export function skipGroup(group: Group): void {
  const kind = duplicates.peek()?.kind
  if (kind !== undefined) leaveGroup(kind, keyOf(group))
}

export function isOpen(kind: DuplicateKind, group: Group): boolean {
  const key = keyOf(group)
  return !passed.value.has(key) && !leftGroups.value[kind].includes(key)
}

export function forgetPassed(): void {
  passed.value = new Set()
}

/** Groups of which the user sees only one item are left out; `keys` are those of all groups. */
async function pageOf({ kind, collection, page }: DuplicatesView, limit: number) {
  const answer = await api.items.duplicates({ params: { collectionId: collection }, query: { kind, page, limit } })
  const groups = answer.groups.filter(group => group.length > 1)
  return { ...answer, groups, keys: answer.groups.map(keyOf) }
}

/** Loads a page; the last one if the requested one is gone. */
export async function loadDuplicates(view: DuplicatesView, how?: LoadOptions): Promise<void> {
  await load(
    () => requestPage(view.page, groupsAPage, page => pageOf({ ...view, page }, groupsAPage)),
    ({ groups, page, _meta: { total_records: total }, keys, searched }) => {
      duplicates.value = { ...view, page, total, groups, searched }
      if (view.collection === 0 && pageCount(total, groupsAPage) === 1) forgetGone(view.kind, keys)
    },
    how,
  )
}

/** Every group of a view with its proposal; null on failure. */
export function allProposals(view: DuplicatesView): Promise<readonly Group[] | null> {
  return orNull('Failed to load duplicates', async () => {
    const all: Group[] = []
    for (let page = 1; ; page++) {
      const { groups, _meta } = await pageOf({ ...view, page }, 500)
      all.push(...groups)
      if (page < pageCount(_meta.total_records, 500)) continue
      if (view.collection === 0) forgetGone(view.kind, all.map(keyOf))
      return all
    }
  })
}

/** Keeps the chosen items and recycles the others, with Undo. True when it was done. */
export async function mergeGroups(groups: readonly Group[]): Promise<boolean> {
  const wanted = groups
    .map(group => {
      const choice = choiceFor(group)
      return { key: keyOf(group), keep: choice.keep, recycle: recycledOf(group, choice).map(({ id }) => id) }
    })
    .filter(({ recycle }) => recycle.length > 0)
  if (wanted.length === 0) return false
  const keys = wanted.map(({ key }) => key)
  passed.value = new Set([...passed.value, ...keys])
  try {
    const { taskid, step } = await api.items.mergeDuplicates({
      body: { groups: wanted.map(({ keep, recycle }) => ({ keep, recycle })) },
    })
    const stop = () => void cancelJob(taskid, 'Failed to stop merging')
    const job = await followJob(taskid, ({ done, total }) => {
      if (total !== null && total > 1) merging.value = { done, total, stop }
    })
    const { recycled = 0, skipped = 0 } = job.counts
    if (recycled > 0) {
      offerUndo(`${plural(recycled, 'duplicate')} deleted`, step, {
        detail: `${job.state === 'cancelled' ? 'Stopped. ' : ''}${
          recycled === 1
            ? 'Its tags are kept, and it is in the recycle bin'
            : 'Their tags are kept, and they are in the recycle bin'
        }`,
        undone: () => 'The duplicates are back',
      })
    }
    if (job.state === 'failed') say('Failed to merge duplicates', job.error ?? '')
    else if (skipped > 0) say(`${plural(skipped, 'group')} left as they are`, 'They have changed meanwhile')
    return job.state === 'done'
  } catch (error) {
    report(error, 'Failed to merge duplicates')
    return false
  } finally {
    merging.value = null
    await reloadEverything()
    const { value: view } = duplicates
    if (view !== null) await loadDuplicates(view)
    // A group that is in the list now is no longer being merged, or was restored.
    passed.value = new Set([...passed.value].filter(key => !keys.includes(key)))
  }
}

/** Starts the search for similar pictures in the whole library. */
export async function searchLookAlikes(): Promise<void> {
  await succeeds('Failed to search for duplicates', async () => {
    const { taskid } = await api.items.findDuplicates({})
    const job = await followJob(taskid, () => {})
    if (job.state === 'failed') say('Failed to search for duplicates', job.error ?? '')
    const { value: view } = duplicates
    if (view !== null) await loadDuplicates(view)
    if (job.state === 'done') say('The search for duplicates is done', `${figure(duplicates.value?.total ?? 0)} found`)
  })
}
