/** Titles of jobs for users, shared by browsers and terminals. Pure. */
import type { Job } from './api/jobs.ts'
import { figure, plural } from './figures.ts'

/** The activity, its title ('…' is the collection), the unit counted, and the message if one is already running. */
type Words = readonly [doing: string, noun: string, unit: string, busy?: string]

const words: Record<string, Words> = {
  scan: ['Scanning', 'scan of …', 'file', 'A scan'],
  sort: ['Sorting', 'sort of …', 'item', 'A sort'],
  import: ['Importing', 'import into …', 'item', 'An import'],
  'metadata-import': ['Reading metadata', 'metadata import of …', 'file', 'A metadata import'],
  'metadata-export': ['Writing metadata', 'metadata export of …', 'item', 'A metadata export'],
  'metadata-write': ['Writing edits', 'writing of edits in …', 'item'],
  transfer: ['Moving items', 'transfer into …', 'item', 'A transfer'],
  files: ['Moving files', 'moving of files in …', 'file'],
  renditions: ['Making previews', 'previews of …', 'item', 'The making of previews'],
  forget: ['Deleting', 'deletion of …', 'item'],
  transcode: ['Converting a film', 'conversion of a film', 'second'],
  edit: ['Changing tags', 'change of tags', 'item'],
  rotate: ['Rotating', 'rotation of items', 'item'],
  verify: ['Verifying files', 'verification of …', 'file', 'A verification'],
  recycle: ['Deleting', 'move into the recycle bin', 'item'],
  purge: ['Deleting for good', 'emptying of the recycle bin', 'item', 'A purge'],
  undo: ['Undoing', 'undoing of a change', 'change', 'An undo'],
  restore: ['Restoring', 'restoring of an export into …', 'item', 'A restore'],
  duplicates: ['Looking for duplicates', 'search for duplicates', 'step', 'A search for duplicates'],
  'merge-duplicates': ['Keeping the best', 'merging of duplicates', 'group', 'A merge of duplicates'],
  faces: ['Looking for faces', 'search for faces in …', 'picture', 'A search for faces'],
  'face-groups': ['Grouping faces', 'grouping of faces', 'face', 'The grouping of faces'],
  places: ['Naming places', 'naming of places', 'item'],
  hide: ['Hiding items', 'hiding of items', 'item'],
  text: ['Updating the search', 'update of the search', 'item'],
  'merge-people': ['Merging people', 'merging of people', 'item'],
  'merge-keystrings': ['Merging keywords', 'merging of keywords', 'item'],
  slideshow: ['Making a slideshow', 'slideshow', 'item'],
  'database-copy': ['Copying the database', 'nightly copy of the database', 'step'],
  plugin: ['Working for a plugin', 'work of a plugin', 'step'],
}

/** Shown at the end of a job, to the user who waits for it. */
const doneTexts: Record<string, (name: string) => string> = {
  scan: name => `${name} is scanned`,
  sort: name => `${name} is sorted`,
  import: name => `The import into ${name} is done`,
  'metadata-import': name => `The metadata of ${name} is read`,
  'metadata-export': name => `The metadata of ${name} is written`,
  faces: name => `Faces were looked for in ${name}`,
}

/** For example 'Scanning'; 'Working' for kinds without a title. */
export function doingText(kind: string): string {
  return words[kind]?.[0] ?? 'Working'
}

export function unitOf(kind: string): string {
  return words[kind]?.[2] ?? 'item'
}

/** For example 'A scan', of which only one can run. */
export function busyText(kind: string): string {
  return words[kind]?.[3] ?? 'Such a job'
}

/** For example 'the scan of Family'. */
export function jobName(kind: string, name: string): string {
  return `the ${(words[kind]?.[1] ?? 'work on …').replace('…', () => name)}`
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A job's counts, such as '37 new, 4 changed, 1 problem'; '' for none. */
export function countsText(job: Pick<Job, 'counts' | 'problems'>): string {
  const parts = ['new', 'changed', 'moved', 'copied', 'written', 'missing', 'skipped'].flatMap(name => {
    const count = job.counts[name] ?? 0
    return count === 0 ? [] : [`${figure(count)} ${name === 'skipped' ? 'left as they are' : name}`]
  })
  if (job.problems > 0) parts.push(plural(job.problems, 'problem'))
  return parts.join(', ')
}

/** A title for lists, such as 'Scan of Family'. */
export function jobTitle(kind: string, name: string): string {
  return capital(jobName(kind, name).replace(/^the /, ''))
}

/** Whether the job has ended, whatever its result. */
export function isOver({ state }: Pick<Job, 'state'>): boolean {
  return state !== 'queued' && state !== 'running'
}

const states: Record<Job['state'], string> = {
  queued: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  stopped: 'Stopped',
}

export function stateText(state: Job['state']): string {
  return states[state]
}

/** The message when a job has ended; null if nobody waits for it, or if it was cancelled. */
export function endText(
  job: Pick<Job, 'kind' | 'state' | 'counts' | 'problems' | 'message' | 'error'>,
  name: string,
): { level: 'status' | 'notice' | 'error'; text: string; detail: string } | null {
  const done = doneTexts[job.kind]
  if (done === undefined) return null
  const subject = capital(jobName(job.kind, name))
  switch (job.state) {
    case 'done': {
      const level = job.problems > 0 ? 'notice' : 'status'
      const detail = [countsText(job), job.kind === 'scan' ? '' : job.message].filter(text => text !== '').join('. ')
      return { level, text: done(name), detail: detail || 'Nothing changed' }
    }
    case 'stopped':
      return { level: 'notice', text: `${subject} stopped`, detail: job.message }
    case 'failed':
      return { level: 'error', text: `${subject} failed`, detail: job.error ?? '' }
    default:
      return null
  }
}

/** Completed share of a job, 0–1; null while its size is unknown. */
export function shareOfJob({ done, total }: Pick<Job, 'done' | 'total'>): number | null {
  return total === null || total === 0 ? null : Math.min(1, done / total)
}

/** Kinds that run beside all others, so that nothing has to wait for them. */
const background = ['renditions', 'metadata-write', 'faces', 'face-groups']

/** The running jobs of a collection: the one that its row shows, and background work. */
export function jobsOf(jobs: readonly Job[], collection: number): { work: Job | undefined; beside: Job | undefined } {
  const own = jobs.filter(job => job.collection_id === collection)
  const isBeside = (job: Job) => background.includes(job.kind)
  const work = own.filter(job => !isBeside(job))
  const beside = own.filter(isBeside)
  const first = (list: readonly Job[]) => list.find(({ state }) => state === 'running') ?? list.at(-1)
  return { work: first(work), beside: first(beside) }
}
