/** Titles of jobs for users, shared by browsers and terminals. Pure. */
import type { Job } from './api/jobs.ts'
import { figure, messageKey, plural } from './figures.ts'

/** What a job of each kind is doing. Pages load these two tables as part of their catalogue. */
export const jobActivities = {
  scan: 'Scanning',
  sort: 'Sorting',
  import: 'Importing',
  'metadata-import': 'Reading metadata',
  'metadata-export': 'Writing metadata',
  'metadata-write': 'Writing edits',
  transfer: 'Moving items',
  files: 'Moving files',
  renditions: 'Making previews',
  forget: 'Deleting',
  transcode: 'Converting a video',
  edit: 'Changing tags',
  rotate: 'Rotating',
  verify: 'Verifying files',
  recycle: 'Deleting',
  purge: 'Deleting for good',
  undo: 'Undoing',
  restore: 'Restoring',
  duplicates: 'Looking for duplicates',
  'merge-duplicates': 'Merging duplicates',
  faces: 'Looking for faces',
  'face-groups': 'Grouping faces',
  places: 'Looking up place names',
  hide: 'Hiding items',
  text: 'Updating the search index',
  index: 'Rebuilding the search index',
  'merge-people': 'Merging people',
  'merge-keystrings': 'Merging keywords',
  slideshow: 'Making a slideshow',
  'database-copy': 'Copying the database',
  plugin: 'Running a plugin',
  other: 'Working',
} as const

/** Titles of jobs; `{name}` is the collection. */
export const jobTitles = {
  scan: 'Scan of {name}',
  sort: 'Sort of {name}',
  import: 'Import into {name}',
  'metadata-import': 'Metadata import of {name}',
  'metadata-export': 'Metadata export of {name}',
  'metadata-write': 'Metadata write to {name}',
  transfer: 'Transfer into {name}',
  files: 'File move in {name}',
  renditions: 'Previews of {name}',
  forget: 'Deletion of {name}',
  transcode: 'Video conversion',
  edit: 'Tag change',
  rotate: 'Rotation of items',
  verify: 'Verification of {name}',
  recycle: 'Move to the recycle bin',
  purge: 'Emptying the recycle bin',
  undo: 'Undo of a change',
  restore: 'Restore of an export into {name}',
  duplicates: 'Search for duplicates',
  'merge-duplicates': 'Duplicate merge',
  faces: 'Face search in {name}',
  'face-groups': 'Face grouping',
  places: 'Place name lookup',
  hide: 'Hiding items',
  text: 'Search index update',
  index: 'Search index rebuild',
  'merge-people': 'People merge',
  'merge-keystrings': 'Keyword merge',
  slideshow: 'Slideshow',
  'database-copy': 'Nightly database copy',
  plugin: 'Plugin work',
  other: 'Work on {name}',
} as const

/** What a job counts, if not items. */
const units: Record<string, string> = {
  scan: 'file',
  'metadata-import': 'file',
  files: 'file',
  transcode: 'second',
  verify: 'file',
  undo: 'change',
  duplicates: 'step',
  'merge-duplicates': 'group',
  faces: 'picture',
  'face-groups': 'face',
  'database-copy': 'step',
  plugin: 'step',
}

/** For example 'Scanning'; 'Working' for unknown kinds. */
export function activityText(kind: string): string {
  return jobActivities[messageKey(jobActivities, kind)]
}

export function unitOf(kind: string): string {
  return units[kind] ?? 'item'
}

/** A title, such as 'Scan of Family'. */
export function jobTitle(kind: string, name: string): string {
  return jobTitles[messageKey(jobTitles, kind)].replace('{name}', () => name)
}

/** A job's counts, such as '37 new, 4 changed, 1 problem'; '' for none. */
export function countsText(job: Pick<Job, 'counts' | 'problems'>): string {
  const parts = ['new', 'changed', 'moved', 'copied', 'written', 'missing', 'skipped'].flatMap(name => {
    const count = job.counts[name] ?? 0
    return count === 0 ? [] : [`${figure(count)} ${name === 'skipped' ? 'left as they are' : name}`]
  })
  if (job.problems > 0) parts.push(plural(job.problems, 'problem'))
  return parts.join(', ')
}

/** Whether the job has ended, whatever its result. */
export function isOver({ state }: Pick<Job, 'state'>): boolean {
  return state !== 'queued' && state !== 'running'
}

export const jobStates = {
  queued: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  stopped: 'Stopped',
} as const satisfies Record<Job['state'], string>

export function stateText(state: Job['state']): string {
  return jobStates[state]
}

/** Completed share of a job, 0–1; null while its size is unknown. */
export function shareOfJob({ done, total }: Pick<Job, 'done' | 'total'>): number | null {
  return total === null || total === 0 ? null : Math.min(1, done / total)
}

/** Kinds of background work, which a collection's row shows apart from its other jobs. */
const backgroundKinds = ['renditions', 'metadata-write', 'faces', 'face-groups']

/** The jobs that a collection's row shows: one ordinary and one background job, running if possible, else the last. */
export function jobsOf(
  jobs: readonly Job[],
  collection: number,
): { work: Job | undefined; background: Job | undefined } {
  const own = jobs.filter(job => job.collection_id === collection)
  const isBackground = (job: Job) => backgroundKinds.includes(job.kind)
  const work = own.filter(job => !isBackground(job))
  const background = own.filter(isBackground)
  const runningOrLast = (list: readonly Job[]) => list.find(({ state }) => state === 'running') ?? list.at(-1)
  return { work: runningOrLast(work), background: runningOrLast(background) }
}
