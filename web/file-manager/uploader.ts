/** Sends files into a folder with uppy, two at a time: each can be paused and tried again; an error stops what waits. */
import { signal } from '@preact/signals-react'
import Uppy from '@uppy/core'
import XHRUpload from '@uppy/xhr-upload'
import type { Dropped } from '../kit/dropped-tree.ts'
import { type Driver, FileRefused } from './driver.ts'
import { messageIn } from './http-driver.ts'
import { inside } from './paths.ts'
import { createUploadFolders } from './upload-folders.ts'
import { dueOf, isSending, isSentWhole, stopped, type UploadEntry, type UploadList, withEntry } from './upload-list.ts'

const atOnce = 2

const awayText = 'The server cannot be reached. Try again.'

/** What goes wrong is said in the list. */
const silent = { debug: () => {}, warn: () => {}, error: () => {} }

export interface UploaderOptions {
  driver: Driver
  path: string
  /** Bytes of one file. */
  limit: number
  /** What is said of a larger one, of a drop of too many, and of what could not be read. */
  tooLarge: () => string
  tooMany: () => string
  unread: (name: string) => string
  /** All that was begun has ended, and something has arrived. */
  onDone: () => void
}

export function createUploader({ driver, path, limit, tooLarge, tooMany, unread, onDone }: UploaderOptions) {
  const list = signal<UploadList>([])
  const fault = signal('')
  const files = new Map<number, File>()
  /** Uppy's names of what is under way. */
  const sending = new Map<string, number>()
  /** Those of them whose request has gone off. */
  const begun = new Set<string>()
  const sessions = new WeakMap<XMLHttpRequest, string>()
  /** What waits until one of those has ended: what it is sent with is asked for when it goes off. */
  let queue: UploadList = []
  let isHandingOver = false
  /** What is about to be sent when its folder is there, and which try that is. */
  const beginning = new Map<number, symbol>()
  const makeFolder = createUploadFolders(driver, path)
  let lastId = 0
  let fresh = false

  const target = driver.uploadTarget(path)
  const uppy = new Uppy({ allowMultipleUploadBatches: true, autoProceed: false, logger: silent })
  uppy.use(XHRUpload, {
    endpoint: target.address,
    withCredentials: true,
    limit: atOnce,
    // However long it takes; and whoever is asked to try again says so himself.
    timeout: 0,
    shouldRetry: () => false,
    // The name is said by itself, too: in the head of a file's part browsers write a quotation mark as %22, and %22 as that.
    allowedMetaFields: [...Object.keys(target.fields), 'modified', 'name'],
    onBeforeRequest(request, _, sent) {
      sessions.set(request, driver.session())
      for (const { id: key } of sent) {
        begun.add(key)
        const id = sending.get(key)
        if (id !== undefined) change(id, { begun: true })
      }
    },
    onAfterResponse(request) {
      // By now somebody may have signed in again: it is the session that it went off with.
      if (request.status === 401) void driver.signedOut(sessions.get(request) ?? '')
      if (request.status >= 400) throw new Error(messageIn(request.responseText))
    },
    // It answers the folder, which is asked for once at the end.
    getResponseData: () => ({}),
  })

  const change = (id: number, to: Partial<Omit<UploadEntry, 'id'>>) => {
    list.value = withEntry(list.peek(), id, to)
  }
  const idOf = (file: { id: string } | undefined) => (file === undefined ? undefined : sending.get(file.id))

  function settle() {
    if (isSending(list.peek()) || !fresh) return
    fresh = false
    onDone()
  }

  function arrived(id: number) {
    files.delete(id)
    change(id, { state: 'done' })
    fresh = true
    settle()
  }

  function failed(id: number, reason: string) {
    change(id, { state: 'failed', sent: 0, begun: false, reason })
    fault.value = reason
    stopWaiting()
    settle()
  }

  /** Uppy knows nothing of these any more; a request that is under way ends. */
  function forget(keys: readonly string[]) {
    for (const key of keys) {
      sending.delete(key)
      begun.delete(key)
    }
    if (keys.length === 0) return
    uppy.removeFiles([...keys])
    void handOver()
  }

  uppy.on('upload-progress', (file, { bytesUploaded }) => {
    const id = idOf(file)
    if (id !== undefined) change(id, { sent: bytesUploaded })
  })
  uppy.on('upload-success', file => {
    const id = idOf(file)
    if (file === undefined || id === undefined) return
    forget([file.id])
    arrived(id)
  })
  uppy.on('upload-error', (file, error) => {
    const id = idOf(file)
    if (file === undefined || id === undefined) return
    forget([file.id])
    failed(id, 'isNetworkError' in error && error.isNetworkError === true ? awayText : error.message)
  })

  /** What has gone off goes on: its bytes may be there already, and once more they would be in their own way. */
  function stopWaiting() {
    beginning.clear()
    queue = []
    forget([...sending.keys()].filter(key => !begun.has(key)))
    list.value = stopped(list.peek(), new Set(sending.values()))
  }

  /** Hands one over; the folder that it goes to is there. */
  function send({ id, name, folder }: UploadEntry) {
    const file = files.get(id)
    if (file === undefined) return
    const { fields } = driver.uploadTarget(inside(path, folder))
    // Two files may have the same name and date: what tells them apart is not sent.
    const meta = { ...fields, modified: String(Math.max(0, file.lastModified)), relativePath: String(id) }
    sending.set(uppy.addFile({ name, type: file.type, data: file, meta }), id)
    void uppy.upload().catch(() => {})
  }

  /** Sends what waits, as far as there is room; while somebody is asked to sign in, nothing goes off. */
  async function handOver() {
    if (isHandingOver) return
    isHandingOver = true
    try {
      while (queue.length > 0 && sending.size < atOnce) {
        await driver.ready()
        const [first, ...rest] = queue
        if (first === undefined) continue
        queue = rest
        send(first)
      }
    } catch (error) {
      const [first] = queue
      if (first !== undefined) failed(first.id, error instanceof Error ? error.message : String(error))
    } finally {
      isHandingOver = false
    }
  }

  /** Makes its folder; false when somebody stopped it meanwhile. */
  async function ready({ id, name, folder, isFolder }: UploadEntry): Promise<boolean> {
    const mine = Symbol('try')
    beginning.set(id, mine)
    try {
      await makeFolder(isFolder ? inside(folder, name) : folder)
      if (beginning.get(id) !== mine) return false
      beginning.delete(id)
      return true
    } catch (error) {
      if (beginning.get(id) === mine) failed(id, error instanceof FileRefused ? error.message : String(error))
      return false
    }
  }

  async function begin(due: UploadList) {
    fault.value = ''
    const wanted = new Set(due)
    list.value = list
      .peek()
      .map(one => (wanted.has(one) ? { ...one, state: 'sending', sent: 0, begun: false, reason: '' } : one))
    const isPlain = ({ folder, isFolder }: UploadEntry) => folder === '' && !isFolder
    sendAll(due.filter(isPlain))
    // Each is known to be wanted before the first is awaited: an error there takes them all back.
    const tries = due.filter(entry => !isPlain(entry)).map(entry => ({ entry, isReady: ready(entry) }))
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
    // Somebody may have paused it while others of its folder were looked at.
    const isWanted = new Set(list.peek().flatMap(({ id, state }) => (state === 'sending' ? [id] : [])))
    queue = [...queue, ...due.filter(({ id }) => isWanted.has(id))]
    void handOver()
  }

  function takeOut(id: number) {
    beginning.delete(id)
    queue = queue.filter(entry => entry.id !== id)
    forget([...sending].flatMap(([key, sent]) => (sent === id ? [key] : [])))
  }

  return {
    list,
    /** Why it stopped. */
    fault,

    add({ files: chosen, emptyFolders, truncated, unread: [lost] }: Dropped) {
      const fitting = chosen.filter(({ file }) => file.size <= limit)
      const isTooLarge = fitting.length < chosen.length
      fault.value = isTooLarge ? tooLarge() : truncated ? tooMany() : lost === undefined ? '' : unread(lost)
      const entry = { sent: 0, begun: false, state: 'waiting', reason: '' } as const
      const added = fitting.map(({ file, folder }): UploadEntry => {
        const id = ++lastId
        files.set(id, file)
        return { ...entry, id, name: file.name, folder, isFolder: false, size: file.size }
      })
      const made = emptyFolders.map((whole): UploadEntry => {
        const at = whole.lastIndexOf('/') + 1
        const folder = whole.slice(0, Math.max(0, at - 1))
        return { ...entry, id: ++lastId, name: whole.slice(at), folder, isFolder: true, size: 0 }
      })
      list.value = [...list.peek(), ...added, ...made]
    },

    start: () => void begin(dueOf(list.peek())),

    pause(id: number) {
      // Nothing is left to be held back.
      if (list.peek().some(entry => entry.id === id && isSentWhole(entry))) return
      takeOut(id)
      change(id, { state: 'paused', sent: 0, begun: false })
      settle()
    },

    /** After a pause, or once more after a failure. It begins anew: the protocol knows no parts. */
    resume(id: number) {
      void begin(list.peek().filter(entry => entry.id === id))
    },

    remove(id: number) {
      takeOut(id)
      files.delete(id)
      list.value = list.peek().filter(entry => entry.id !== id)
      settle()
    },

    end() {
      const hadBegun = begun.size > 0
      beginning.clear()
      queue = []
      sending.clear()
      begun.clear()
      // It ends what is under way, too.
      uppy.destroy()
      if (fresh || hadBegun) onDone()
    },
  }
}

export type Uploader = ReturnType<typeof createUploader>
