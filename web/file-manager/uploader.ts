/** Sends files into a folder with uppy, two at a time: each can be paused and tried again; an error stops the others. */
import { signal } from '@preact/signals-react'
import Uppy from '@uppy/core'
import XHRUpload from '@uppy/xhr-upload'
import type { Driver } from './driver.ts'
import { messageIn } from './http-driver.ts'
import { dueOf, isSending, stopped, type UploadEntry, type UploadList, withEntry } from './upload-list.ts'

const atOnce = 2

const awayText = 'The server cannot be reached. Try again.'

/** What goes wrong is said in the list. */
const silent = { debug: () => {}, warn: () => {}, error: () => {} }

export interface UploaderOptions {
  driver: Driver
  path: string
  /** Bytes of one file. */
  limit: number
  /** What is said of a larger one. */
  tooLarge: () => string
  /** All that was begun has ended, and something has arrived. */
  onDone: () => void
}

export function createUploader({ driver, path, limit, tooLarge, onDone }: UploaderOptions) {
  const list = signal<UploadList>([])
  const fault = signal('')
  const files = new Map<number, File>()
  /** Uppy's names of what is under way. */
  const sending = new Map<string, number>()
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
    allowedMetaFields: [...Object.keys(target.fields), 'modified'],
    onAfterResponse(request) {
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

  uppy.on('upload-progress', (file, { bytesUploaded }) => {
    const id = idOf(file)
    if (id !== undefined) change(id, { sent: bytesUploaded })
  })
  uppy.on('upload-success', file => {
    const id = idOf(file)
    if (file === undefined || id === undefined) return
    sending.delete(file.id)
    files.delete(id)
    uppy.removeFile(file.id)
    change(id, { state: 'done' })
    fresh = true
    settle()
  })
  uppy.on('upload-error', (file, error) => {
    const id = idOf(file)
    if (id === undefined) return
    const reason = 'isNetworkError' in error && error.isNetworkError === true ? awayText : error.message
    change(id, { state: 'failed', sent: 0, reason })
    fault.value = reason
    stopAll()
    settle()
  })

  function stopAll() {
    sending.clear()
    uppy.cancelAll()
    list.value = stopped(list.peek())
  }

  function begin(due: UploadList) {
    fault.value = ''
    const { fields } = driver.uploadTarget(path)
    for (const { id, name } of due) {
      const file = files.get(id)
      if (file === undefined) continue
      change(id, { state: 'sending', sent: 0, reason: '' })
      // Two files may have the same name and date: what tells them apart is not sent.
      const meta = { ...fields, modified: String(Math.max(0, file.lastModified)), relativePath: String(id) }
      sending.set(uppy.addFile({ name, type: file.type, data: file, meta }), id)
    }
    if (due.length > 0) void uppy.upload().catch(() => {})
  }

  /** Takes one out of what is under way. */
  function takeOut(id: number) {
    for (const [key, sent] of sending) {
      if (sent !== id) continue
      sending.delete(key)
      uppy.removeFile(key)
    }
  }

  return {
    list,
    /** Why it stopped. */
    fault,

    add(chosen: readonly File[]) {
      const fitting = chosen.filter(({ size }) => size <= limit)
      fault.value = fitting.length < chosen.length ? tooLarge() : ''
      const added = fitting.map(file => {
        const id = ++lastId
        files.set(id, file)
        return { id, name: file.name, size: file.size, sent: 0, state: 'waiting' as const, reason: '' }
      })
      list.value = [...list.peek(), ...added]
    },

    start: () => begin(dueOf(list.peek())),

    pause(id: number) {
      takeOut(id)
      change(id, { state: 'paused', sent: 0 })
      settle()
    },

    /** After a pause, or once more after a failure. It begins anew: the protocol knows no parts. */
    resume(id: number) {
      begin(list.peek().filter(entry => entry.id === id))
    },

    remove(id: number) {
      takeOut(id)
      files.delete(id)
      list.value = list.peek().filter(entry => entry.id !== id)
      settle()
    },

    end() {
      stopAll()
      uppy.destroy()
      if (fresh) onDone()
    },
  }
}

export type Uploader = ReturnType<typeof createUploader>
