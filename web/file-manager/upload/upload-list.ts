/** The list of uploads and their states. Pure. */
import { partsOf } from '../paths.ts'

type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed'

export interface UploadEntry {
  id: number
  name: string
  /** The target folder, relative to the open one: `Summer/beach`; '' for the open folder itself. */
  folder: string
  /** True for an empty folder: it is created, and nothing is sent. */
  isFolder: boolean
  size: number
  sent: number
  /** Whether the request has begun. */
  started: boolean
  state: UploadState
  /** Why it failed; '' unless it did. */
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

/** Percentage as an integer, 100 only when done, because the server may still be writing. */
export function uploadEntryPercent({ size, sent, state }: Pick<UploadEntry, 'size' | 'sent' | 'state'>): number {
  if (state === 'done') return 100
  return size === 0 ? 0 : Math.min(99, Math.floor((100 * sent) / size))
}

/** The uploads that the button sends: waiting ones or, if there are none, failed and paused ones. */
export function uploadsToSend(list: UploadList): UploadList {
  const waiting = list.filter(({ state }) => state === 'waiting')
  return waiting.length > 0 ? waiting : list.filter(({ state }) => state === 'failed' || state === 'paused')
}

export const isSending = (list: UploadList): boolean => list.some(({ state }) => state === 'sending')

/** Whether all bytes were sent: the server has the file or will soon have it, so it must not be sent again. */
export const isSentCompletely = ({ size, sent, started, state }: Omit<UploadEntry, 'id' | 'name'>): boolean =>
  state === 'sending' && started && sent >= size

/** After an error, uploads wait for the user again, except those whose requests are in progress (`started`). */
export const withWaiting = (list: UploadList, started: ReadonlySet<number> = new Set()): UploadList =>
  list.map(entry =>
    entry.state === 'sending' && !started.has(entry.id) ? { ...entry, state: 'waiting', sent: 0 } : entry,
  )
