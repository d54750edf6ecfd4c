/** The list of uploads and their states. Pure. */
import { partsOf } from '../paths.ts'

type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed'

export interface UploadEntry {
  id: number
  name: string
  /** The target folder, relative to the open one: `Summer/beach`; '' for that itself. */
  folder: string
  /** An empty folder: it is created, and nothing is sent. */
  isFolder: boolean
  size: number
  sent: number
  /** Its request was sent. */
  started: boolean
  state: UploadState
  /** The server's message of the failure. */
  reason: string
}

export type UploadList = readonly UploadEntry[]

export const withEntry = (list: UploadList, id: number, change: Partial<Omit<UploadEntry, 'id'>>): UploadList =>
  list.map(entry => (entry.id === id ? { ...entry, ...change } : entry))

export const pathInList = ({ folder, name }: Pick<UploadEntry, 'folder' | 'name'>): string =>
  folder === '' ? name : `${folder}/${name}`

/** The folder and those above it, outermost first: 'a/b' → 'a', 'a/b'. */
export const foldersTo = (folder: string): string[] =>
  partsOf(folder).map((_, at, parts) => parts.slice(0, at + 1).join('/'))

/** Whole percent, 100 only when it is done: the server may still be writing. */
export function uploadEntryPercent({ size, sent, state }: Pick<UploadEntry, 'size' | 'sent' | 'state'>): number {
  if (state === 'done') return 100
  return size === 0 ? 0 : Math.min(99, Math.floor((100 * sent) / size))
}

/** What the button sends: waiting ones; if there are none, failed and paused ones. */
export function dueOf(list: UploadList): UploadList {
  const waiting = list.filter(({ state }) => state === 'waiting')
  return waiting.length > 0 ? waiting : list.filter(({ state }) => state === 'failed' || state === 'paused')
}

export const isSending = (list: UploadList): boolean => list.some(({ state }) => state === 'sending')

/** All of it was sent: the server has it, or is about to, and it must not be sent again. */
export const isSentWhole = ({ size, sent, started, state }: Omit<UploadEntry, 'id' | 'name'>): boolean =>
  state === 'sending' && started && sent >= size

/** An error stops the others, which wait until the user continues; requests in progress (`started`) go on. */
export const stopped = (list: UploadList, started: ReadonlySet<number> = new Set()): UploadList =>
  list.map(entry =>
    entry.state === 'sending' && !started.has(entry.id) ? { ...entry, state: 'waiting', sent: 0 } : entry,
  )
