/** Uploads files into a folder, two at a time. Each can be paused and retried; an error stops those not sent yet. */
import { type Signal, signal } from '@preact/signals-react'
import type { Dropped } from '../../kit/dropped-tree.ts'
import { sendBody } from '../../kit/send-body.ts'
import { type Driver, FileRefused } from '../driver.ts'
import { messageOrDefault } from '../http-driver.ts'
import { joinPaths } from '../paths.ts'
import { createUploadFolders } from './upload-folders.ts'
import {
  isSending,
  isSentCompletely,
  type UploadEntry,
  type UploadList,
  uploadsToSend,
  withEntry,
  withWaiting,
} from './upload-list.ts'

const maxRequests = 2

const unreachableText = 'The server cannot be reached. Try again.'

export interface UploaderOptions {
  driver: Driver
  path: string
  /** Maximum size of a file in bytes. */
  limit: number
  /** Messages for a file that is too large, a drop of too many files, and an unreadable file. */
  tooLarge: () => string
  tooMany: () => string
  unread: (name: string) => string
  /** Called when all uploads have ended and at least one file or folder was stored, or may have been. */
  onDone: () => void
}

interface SenderOptions {
  driver: Driver
  path: string
  fileOf: (id: number) => File | undefined
  change: (id: number, to: Partial<Omit<UploadEntry, 'id'>>) => void
  arrived: (id: number) => void
  failed: (id: number, reason: string) => void
}

/** Sends files whose folders exist, two at a time. */
function createSender({ driver, path, fileOf, change, arrived, failed }: SenderOptions) {
  const requests = new Map<number, { abort: () => void }>()
  /** Uploads that wait until a request has ended. */
  let queue: UploadList = []
  let isStartingRequests = false

  async function send({ id, name, folder }: UploadEntry): Promise<void> {
    const file = fileOf(id)
    if (file === undefined) return
    const { address, fields } = driver.uploadTarget(joinPaths(path, folder))
    const form = new FormData()
    const parameters = { ...fields, modified: String(Math.max(0, file.lastModified)) }
    for (const [field, value] of Object.entries(parameters)) form.append(field, value)
    form.append('file', file, name)
    const session = driver.session()
    const request = sendBody(address, form, { onProgress: sent => change(id, { sent }) })
    requests.set(id, request)
    change(id, { started: true })
    const response = await request.done
    if (response === null) return
    requests.delete(id)
    const { status, text } = response
    // The user may have signed in again meanwhile, so pass the session with which the file was sent.
    if (status === 401) void driver.signInAgain(session)
    if (status >= 200 && status < 300) arrived(id)
    else failed(id, status === 0 ? unreachableText : messageOrDefault(text))
    void startRequests()
  }

  /** Sends waiting uploads, at most two at a time. Waits while the user is asked to sign in. */
  async function startRequests() {
    if (isStartingRequests) return
    isStartingRequests = true
    try {
      while (queue.length > 0 && requests.size < maxRequests) {
        await driver.ready()
        const [first, ...rest] = queue
        if (first === undefined) continue
        queue = rest
        void send(first)
      }
    } catch (error) {
      const [first] = queue
      if (first !== undefined) failed(first.id, error instanceof Error ? error.message : String(error))
    } finally {
      isStartingRequests = false
    }
  }

  return {
    sending: (): ReadonlySet<number> => new Set(requests.keys()),

    add(due: UploadList) {
      queue = [...queue, ...due]
      void startRequests()
    },

    /** Drops waiting uploads. Requests in progress continue, because their bytes may have arrived already. */
    clear() {
      queue = []
    },

    remove(id: number) {
      queue = queue.filter(entry => entry.id !== id)
      requests.get(id)?.abort()
      requests.delete(id)
      void startRequests()
    },

    /** Returns whether an upload was in progress. */
    end(): boolean {
      const wasSending = requests.size > 0
      queue = []
      for (const request of requests.values()) request.abort()
      requests.clear()
      return wasSending
    },
  }
}

const initialState = { sent: 0, started: false, state: 'waiting', reason: '' } as const

function folderEntry(id: number, whole: string): UploadEntry {
  const at = whole.lastIndexOf('/') + 1
  return {
    ...initialState,
    id,
    name: whole.slice(at),
    folder: whole.slice(0, Math.max(0, at - 1)),
    isFolder: true,
    size: 0,
  }
}

interface RunOptions extends Pick<UploaderOptions, 'driver' | 'path' | 'onDone'> {
  list: Signal<UploadList>
  fault: Signal<string>
  files: Map<number, File>
}

/** Takes entries of the list from 'sending' to 'done' or 'failed': creates their folders, then sends them. */
function createRun({ driver, path, list, fault, files, onDone }: RunOptions) {
  /** Entries whose folders are being created, each with its attempt. */
  const attempts = new Map<number, symbol>()
  const createFolder = createUploadFolders(driver, path)
  let hasStored = false

  const change = (id: number, to: Partial<Omit<UploadEntry, 'id'>>) => {
    list.value = withEntry(list.peek(), id, to)
  }
  const sender = createSender({ driver, path, fileOf: id => files.get(id), change, arrived, failed })

  function endIfDone() {
    if (isSending(list.peek()) || !hasStored) return
    hasStored = false
    onDone()
  }

  function arrived(id: number) {
    files.delete(id)
    change(id, { state: 'done' })
    hasStored = true
    endIfDone()
  }

  function failed(id: number, reason: string) {
    change(id, { state: 'failed', sent: 0, started: false, reason })
    fault.value = reason
    attempts.clear()
    sender.clear()
    list.value = withWaiting(list.peek(), sender.sending())
    endIfDone()
  }

  /** Creates an entry's folder; returns false if that failed, or the entry was stopped meanwhile. */
  async function createFolderOf({ id, name, folder, isFolder }: UploadEntry): Promise<boolean> {
    const attempt = Symbol('try')
    attempts.set(id, attempt)
    try {
      await createFolder(isFolder ? joinPaths(folder, name) : folder)
      if (attempts.get(id) !== attempt) return false
      attempts.delete(id)
      return true
    } catch (error) {
      if (attempts.get(id) === attempt) failed(id, error instanceof FileRefused ? error.message : String(error))
      return false
    }
  }

  async function begin(due: UploadList) {
    fault.value = ''
    const wanted = new Set(due)
    list.value = list.peek().map(one => (wanted.has(one) ? { ...one, ...initialState, state: 'sending' } : one))
    const isPlain = ({ folder, isFolder }: UploadEntry) => folder === '' && !isFolder
    sendAll(due.filter(isPlain))
    // Register all before awaiting the first, so that an error there cancels all.
    const tries = due.filter(entry => !isPlain(entry)).map(entry => ({ entry, isReady: createFolderOf(entry) }))
    let waiting: UploadEntry[] = []
    for (const [at, { entry, isReady }] of tries.entries()) {
      if (await isReady) {
        if (entry.isFolder) arrived(entry.id)
        else waiting.push(entry)
      }
      if (tries[at + 1]?.entry.folder === entry.folder) continue
      sendAll(waiting)
      waiting = []
    }
  }

  function sendAll(due: UploadList) {
    // An entry may have been paused while its folder was created.
    const wanted = new Set(list.peek().flatMap(({ id, state }) => (state === 'sending' ? [id] : [])))
    sender.add(due.filter(({ id }) => wanted.has(id)))
  }

  function stopEntry(id: number) {
    attempts.delete(id)
    sender.remove(id)
  }

  /** Ends all uploads; calls `onDone` if files were stored, or may have been. */
  function end() {
    attempts.clear()
    if (sender.end() || hasStored) onDone()
  }

  return { begin, stopEntry, change, endIfDone, end }
}

export function createUploader({ driver, path, limit, tooLarge, tooMany, unread, onDone }: UploaderOptions) {
  const list = signal<UploadList>([])
  const fault = signal('')
  const files = new Map<number, File>()
  const { begin, stopEntry, change, endIfDone, end } = createRun({ driver, path, list, fault, files, onDone })
  let lastId = 0

  return {
    list,
    /** The error that stopped the uploads, or why added files are missing; '' without one. */
    fault,

    add({ files: chosen, emptyFolders, truncated, unread: [lost] }: Dropped) {
      const fitting = chosen.filter(({ file }) => file.size <= limit)
      const isTooLarge = fitting.length < chosen.length
      fault.value = isTooLarge ? tooLarge() : truncated ? tooMany() : lost === undefined ? '' : unread(lost)
      const added = fitting.map(({ file, folder }): UploadEntry => {
        const id = ++lastId
        files.set(id, file)
        return { ...initialState, id, name: file.name, folder, isFolder: false, size: file.size }
      })
      const made = emptyFolders.map(whole => folderEntry(++lastId, whole))
      list.value = [...list.peek(), ...added, ...made]
    },

    start: () => void begin(uploadsToSend(list.peek())),

    pause(id: number) {
      // A file that was sent completely cannot be paused.
      if (list.peek().some(entry => entry.id === id && isSentCompletely(entry))) return
      stopEntry(id)
      change(id, { state: 'paused', sent: 0, started: false })
      endIfDone()
    },

    /** Sends a paused or failed file from the beginning, because the protocol has no partial uploads. */
    resume(id: number) {
      void begin(list.peek().filter(entry => entry.id === id))
    },

    remove(id: number) {
      stopEntry(id)
      files.delete(id)
      list.value = list.peek().filter(entry => entry.id !== id)
      endIfDone()
    },

    end,
  }
}

export type Uploader = ReturnType<typeof createUploader>
