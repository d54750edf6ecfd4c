/** What jobs are called, for those who wait for them: the same in browsers and terminals. Pure. */
import type { Job } from './api/jobs.ts'
import { figure, plural } from './figures.ts'

interface Words {
  /** 'Scanning' */
  doing: string
  /** 'the scan of Family' */
  noun: (name: string) => string
  /** 'Family is scanned'; none where nobody waits for it. */
  done?: (name: string) => string
  /** What it counts. */
  unit: string
}

const words: Record<string, Words> = {
  scan: { doing: 'Scanning', noun: name => `the scan of ${name}`, done: name => `${name} is scanned`, unit: 'file' },
  sort: { doing: 'Sorting', noun: name => `the sort of ${name}`, done: name => `${name} is sorted`, unit: 'item' },
  import: {
    doing: 'Importing',
    noun: name => `the import into ${name}`,
    done: name => `The import into ${name} is done`,
    unit: 'item',
  },
  'metadata-import': {
    doing: 'Reading metadata',
    noun: name => `the metadata import of ${name}`,
    done: name => `The metadata of ${name} is read`,
    unit: 'file',
  },
  'metadata-export': {
    doing: 'Writing metadata',
    noun: name => `the metadata export of ${name}`,
    done: name => `The metadata of ${name} is written`,
    unit: 'item',
  },
  'metadata-write': { doing: 'Writing edits', noun: name => `the writing of edits in ${name}`, unit: 'item' },
  transfer: { doing: 'Moving items', noun: name => `the transfer into ${name}`, unit: 'item' },
  files: { doing: 'Moving files', noun: name => `the moving of files in ${name}`, unit: 'file' },
  renditions: { doing: 'Making previews', noun: name => `the previews of ${name}`, unit: 'item' },
  forget: { doing: 'Deleting', noun: name => `the deletion of ${name}`, unit: 'item' },
  transcode: { doing: 'Converting a film', noun: () => 'the conversion of a film', unit: 'second' },
  edit: { doing: 'Changing tags', noun: () => 'the change of tags', unit: 'item' },
  rotate: { doing: 'Rotating', noun: () => 'the rotation of items', unit: 'item' },
  verify: { doing: 'Verifying files', noun: name => `the verification of ${name}`, unit: 'file' },
  recycle: { doing: 'Deleting', noun: () => 'the move into the recycle bin', unit: 'item' },
  purge: { doing: 'Deleting for good', noun: () => 'the emptying of the recycle bin', unit: 'item' },
  undo: { doing: 'Undoing', noun: () => 'the undoing of a change', unit: 'change' },
  restore: { doing: 'Restoring', noun: name => `the restoring of an export into ${name}`, unit: 'item' },
  duplicates: { doing: 'Looking for duplicates', noun: () => 'the search for duplicates', unit: 'step' },
  'merge-duplicates': { doing: 'Keeping the best', noun: () => 'the merging of duplicates', unit: 'group' },
  faces: {
    doing: 'Looking for faces',
    noun: name => `the search for faces in ${name}`,
    done: name => `Faces were looked for in ${name}`,
    unit: 'picture',
  },
  'face-groups': { doing: 'Grouping faces', noun: () => 'the grouping of faces', unit: 'face' },
  places: { doing: 'Naming places', noun: () => 'the naming of places', unit: 'item' },
  hide: { doing: 'Hiding items', noun: () => 'the hiding of items', unit: 'item' },
  text: { doing: 'Updating the search', noun: () => 'the update of the search', unit: 'item' },
  'merge-people': { doing: 'Merging people', noun: () => 'the merging of people', unit: 'item' },
  'merge-keystrings': { doing: 'Merging keywords', noun: () => 'the merging of keywords', unit: 'item' },
  slideshow: { doing: 'Making a slideshow', noun: () => 'the slideshow', unit: 'item' },
  'database-copy': { doing: 'Copying the database', noun: () => 'the nightly copy of the database', unit: 'step' },
  plugin: { doing: 'Working for a plugin', noun: () => 'the work of a plugin', unit: 'step' },
}

/** 'Scanning'; for kinds that nobody has named here, 'Working'. */
export function doingText(kind: string): string {
  return words[kind]?.doing ?? 'Working'
}

export function unitOf(kind: string): string {
  return words[kind]?.unit ?? 'item'
}

/** 'the scan of Family'. */
export function jobName(kind: string, name: string): string {
  return words[kind]?.noun(name) ?? `the work on ${name}`
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** '37 new, 4 changed, 1 problem' of a job's figures; '' where there is nothing to tell. */
export function countsText(job: Pick<Job, 'counts' | 'problems'>): string {
  const said = [
    ['new', 'new'],
    ['changed', 'changed'],
    ['moved', 'moved'],
    ['copied', 'copied'],
    ['written', 'written'],
    ['missing', 'missing'],
    ['skipped', 'left as they are'],
  ].flatMap(([name = '', word = '']) => {
    const count = job.counts[name] ?? 0
    return count === 0 ? [] : [`${figure(count)} ${word}`]
  })
  if (job.problems > 0) said.push(plural(job.problems, 'problem'))
  return said.join(', ')
}

/** 'Scan of Family', as a list names it. */
export function jobTitle(kind: string, name: string): string {
  return capital(jobName(kind, name).replace(/^the /, ''))
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

/** What is told when a job has ended; null where nobody waits for it, or where it was cancelled. */
export function endText(
  job: Pick<Job, 'kind' | 'state' | 'counts' | 'problems' | 'message' | 'error'>,
  name: string,
): { level: 'status' | 'notice' | 'error'; text: string; detail: string } | null {
  const of = words[job.kind]
  if (of?.done === undefined) return null
  const subject = capital(of.noun(name))
  switch (job.state) {
    case 'done': {
      const level = job.problems > 0 ? 'notice' : 'status'
      const detail = [countsText(job), job.kind === 'scan' ? '' : job.message].filter(text => text !== '').join('. ')
      return { level, text: of.done(name), detail: detail || 'Nothing changed' }
    }
    case 'stopped':
      return { level: 'notice', text: `${subject} stopped`, detail: job.message }
    case 'failed':
      return { level: 'error', text: `${subject} failed`, detail: job.error ?? '' }
    default:
      return null
  }
}

/** Share of a job that is done, 0–1; null while its size is not known. */
export function shareOfJob({ done, total }: Pick<Job, 'done' | 'total'>): number | null {
  return total === null || total === 0 ? null : Math.min(1, done / total)
}

/** Kinds that go on beside everything else: nothing has to wait for them. */
const background = ['renditions', 'metadata-write', 'faces', 'face-groups']

/** What is going on in a collection: the job that its row shows, and quiet work that goes on beside. */
export function jobsOf(jobs: readonly Job[], collection: number): { work: Job | undefined; beside: Job | undefined } {
  const own = jobs.filter(job => job.collection_id === collection)
  const isBeside = (job: Job) => background.includes(job.kind)
  const work = own.filter(job => !isBeside(job))
  const beside = own.filter(isBeside)
  const first = (list: readonly Job[]) => list.find(({ state }) => state === 'running') ?? list.at(-1)
  return { work: first(work), beside: first(beside) }
}
