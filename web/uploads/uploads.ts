/** Uploads: sending two files at a time, stopping and retrying. */
import { computed, effect, signal } from '@preact/signals-react'
import { uploadAddress } from '../../schema/addresses.ts'
import type { Collection } from '../../schema/api/collections.ts'
import { base, token } from '../api.ts'
import type { ChosenFiles } from '../app/dialogs.ts'
import { closeDialogIf, openUpload } from '../app/dialogs.ts'
import { say } from '../app/messages.ts'
import { isAwaitingLogin, user } from '../app/session.ts'
import { reloadItemsAndWords } from '../items/reload-items-and-words.ts'
import { sendBody } from '../kit/send-body.ts'
import { phone } from '../kit/viewport.ts'
import { live } from '../socket.ts'
import { uploadsTexts } from '../texts/uploads.ts'
import { pickFiles } from './dropped.ts'
import { uploadTarget } from './targets.ts'
import { dueUploads, isPending, outcomeOf, type Queue, skippedText, summaryOf, withChange } from './upload-queue.ts'

export const uploads = signal<Queue>([])
export const uploadSummary = computed(() => summaryOf(uploads.value))
/** Whether the server is out of reach; waiting files continue when it is back. */
export const uploadsHeld = signal(false)
/** Whether only the head of the list is shown. */
export const uploadsFolded = signal(false)

const files = new Map<number, File>()
const requests = new Map<number, { abort: () => void }>()
let lastId = 0
/** Whether an upload has succeeded since the gallery was last reloaded. */
let hasNewItems = false

function change(id: number, to: Parameters<typeof withChange>[2]): void {
  uploads.value = withChange(uploads.peek(), id, to)
}

/** Whether the file can still be read. It may have been deleted, or its memory card removed. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}

/** Called when an upload has ended without a response. */
async function handleMissingResponse(id: number, file: File): Promise<void> {
  if (!(await isReadable(file))) {
    change(id, { state: 'failed', reason: uploadsTexts.fileUnreadable })
  } else if (live.peek()) {
    change(id, { state: 'failed', reason: uploadsTexts.connectionWasLost })
  } else {
    uploadsHeld.value = true
    change(id, { state: 'waiting', sent: 0 })
  }
}

function handleEnd(id: number): void {
  requests.delete(id)
  const one = uploads.peek().find(upload => upload.id === id)
  if (one?.state === 'done') {
    hasNewItems = true
    files.delete(id)
  }
  startDueUploads()
  if (hasNewItems && !uploads.peek().some(isPending)) {
    hasNewItems = false
    void reloadItemsAndWords()
  }
}

async function send(id: number): Promise<void> {
  const upload = uploads.peek().find(one => one.id === id)
  const file = files.get(id)
  if (upload === undefined || file === undefined) return
  const { name, folder, collection } = upload
  change(id, { state: 'sending', sent: 0 })
  const request = sendBody(
    base.value + uploadAddress(collection, { name, folder, modified: Math.max(0, file.lastModified) }),
    file,
    {
      headers: { Authorization: `Bearer ${token.value}`, 'Content-Type': 'application/octet-stream' },
      onProgress: sent => change(id, { sent }),
      onSent: () => change(id, { state: 'keeping', sent: file.size }),
    },
  )
  requests.set(id, request)
  const response = await request.done
  if (response?.status === 0) await handleMissingResponse(id, file)
  else if (response !== null) change(id, outcomeOf(response.status, response.text))
  handleEnd(id)
}

function startDueUploads(): void {
  // Without a session uploads would be refused, so they continue after the login.
  if (uploadsHeld.peek() || isAwaitingLogin.peek()) return
  for (const { id } of dueUploads(uploads.peek())) void send(id)
}

/** Uploads files to a collection. */
export function upload({ files: chosen, skippedCount }: ChosenFiles, target: Pick<Collection, 'id' | 'name'>): void {
  if (skippedCount > 0) say(skippedText(skippedCount))
  if (chosen.length === 0) return
  // If nothing is pending, remove finished uploads, but keep failed ones.
  const before = uploads.peek().some(isPending)
    ? uploads.peek()
    : uploads.peek().filter(({ state }) => state === 'failed')
  const added = chosen.map(({ file, folder }) => {
    const id = ++lastId
    files.set(id, file)
    return {
      id,
      collection: target.id,
      collectionName: target.name,
      name: file.name,
      folder,
      size: file.size,
      sent: 0,
      state: 'waiting' as const,
      reason: '',
    }
  })
  if (before.length === 0) uploadsFolded.value = phone.peek()
  uploads.value = [...before, ...added]
  uploadsHeld.value = false
  startDueUploads()
}

export function uploadChosen(chosen: ChosenFiles): void {
  const target = uploadTarget.peek()
  if (chosen.files.length === 0) {
    if (chosen.skippedCount > 0) say(skippedText(chosen.skippedCount))
  } else if (target === null || target === 'refused') openUpload(chosen)
  else upload(chosen, target)
}

/** Opens the picker, closes the dialog, and uploads to the target. Must be called during a press. */
export function pickAndUpload(target: Pick<Collection, 'id' | 'name'>, { folder = false } = {}): void {
  void pickFiles({ folder }).then(chosen => {
    closeDialogIf('upload')
    upload(chosen, target)
  })
}

/** The action of 'Upload': opens the dialog or, with `straight` and if the target is clear, the picker. */
export function startUpload({ straight }: { straight: boolean }): void {
  const target = uploadTarget.peek()
  if (straight && target !== null && target !== 'refused') pickAndUpload(target)
  else openUpload(null)
}

export function cancelUploads(ids: readonly number[]): void {
  const gone = new Set(ids)
  uploads.value = uploads.peek().filter(({ id }) => !gone.has(id))
  for (const id of ids) {
    files.delete(id)
    requests.get(id)?.abort()
  }
  startDueUploads()
}

export function cancelAllUploads(): void {
  cancelUploads(uploads.peek().flatMap(one => (isPending(one) ? [one.id] : [])))
}

/** Retries those of these uploads that have failed. */
export function retryUploads(ids: readonly number[]): void {
  const again = new Set(ids)
  uploads.value = uploads
    .peek()
    .map(one => (again.has(one.id) && one.state === 'failed' ? { ...one, state: 'waiting', sent: 0, reason: '' } : one))
  resumeUploads()
}

export function resumeUploads(): void {
  uploadsHeld.value = false
  startDueUploads()
}

/** Removes finished uploads. */
export function clearUploads(): void {
  for (const one of uploads.peek()) if (!isPending(one)) files.delete(one.id)
  uploads.value = uploads.peek().filter(isPending)
}

/** Starts to react when the page is closed, the server is back, or another user signs in. */
export function watchUploads(): void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const pending = computed(() => uploads.value.some(isPending))
  effect(() => {
    if (!pending.value) return
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  })
  effect(() => {
    if (live.value && uploadsHeld.peek()) queueMicrotask(resumeUploads)
  })
  let who = user.peek()?.id
  let waited = false
  effect(() => {
    const now = user.value?.id
    const waits = isAwaitingLogin.value
    const isOther = now !== undefined && who !== undefined && now !== who
    // If the same user signs in again, uploads continue; otherwise they are dropped.
    if (isOther || (waited && now === undefined)) {
      cancelAllUploads()
      clearUploads()
    } else if (waited && !waits) queueMicrotask(startDueUploads)
    who = now ?? who
    waited = waits
  })
}
