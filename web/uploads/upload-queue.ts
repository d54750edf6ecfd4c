/** The upload queue: order, states, and the meaning of responses. Pure. */
import { z } from 'zod'
import { percentText } from '../../schema/figures.ts'
import { product } from '../../schema/limits.ts'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { uploadsTexts } from '../texts/uploads.ts'

export type UploadState = 'waiting' | 'sending' | 'keeping' | 'done' | 'duplicate' | 'failed'

export interface Upload {
  id: number
  collection: number
  collectionName: string
  name: string
  /** Directory within the collection; '' for its root. */
  folder: string
  /** Size in bytes. */
  size: number
  /** Number of bytes sent. */
  sent: number
  state: UploadState
  /** Why the upload failed, or the name under which the file already exists. */
  reason: string
}

export type Queue = readonly Upload[]

const maxUploads = 2

/** Extensions of files that are certainly neither pictures nor films, and are not sent. */
const otherExtensions = new Set(
  (
    'txt md pdf doc docx odt rtf xls xlsx ods csv ppt pptx htm html css js ts json xml xmp aae thm ini db lnk url plist ' +
    'zip rar 7z gz tar exe dll dmg iso apk mp3 m4a wav flac ogg opus aac torrent part crdownload'
  ).split(' '),
)

/** Whether this may be a picture or a film. The server checks the content; this only skips obvious other files. */
export function mayBePicture(name: string, size: number): boolean {
  if (name.startsWith('.') || size === 0) return false
  const dot = name.lastIndexOf('.')
  return dot < 0 || !otherExtensions.has(name.slice(dot + 1).toLowerCase())
}

/** The uploads that should start now, in order. */
export function dueUploads(queue: Queue): Upload[] {
  const busy = queue.filter(isUnderway).length
  return queue.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, maxUploads - busy))
}

export function isUnderway({ state }: Pick<Upload, 'state'>): boolean {
  return state === 'sending' || state === 'keeping'
}

/** Whether the upload is not finished. */
export function isPending({ state }: Pick<Upload, 'state'>): boolean {
  return state === 'waiting' || state === 'sending' || state === 'keeping'
}

export function withChange(queue: Queue, id: number, change: Partial<Upload>): Queue {
  return queue.map(upload => (upload.id === id ? { ...upload, ...change } : upload))
}

/** Percentage of a file that was sent, 0–100; 100 only when the server has confirmed it. */
export function uploadPercent({ sent, size, state }: Pick<Upload, 'sent' | 'size' | 'state'>): number {
  if (state === 'done' || state === 'duplicate') return 100
  return size === 0 ? 0 : Math.min(99, Math.floor((sent / size) * 100))
}

export interface UploadSummary {
  total: number
  pending: number
  done: number
  duplicates: number
  failed: number
  /** Share of all bytes that were sent or whose upload has ended, 0–1. */
  share: number
}

export function summaryOf(queue: Queue): UploadSummary {
  const count = (state: UploadState) => queue.filter(upload => upload.state === state).length
  const bytes = queue.reduce((sum, { size }) => sum + size, 0)
  const processedBytes = queue.reduce(
    (sum, upload) => sum + (isPending(upload) ? Math.min(upload.sent, upload.size) : upload.size),
    0,
  )
  return {
    total: queue.length,
    pending: queue.filter(isPending).length,
    done: count('done'),
    duplicates: count('duplicate'),
    failed: count('failed'),
    share: bytes === 0 ? 0 : processedBytes / bytes,
  }
}

/** 'Uploading 3 of 12', '12 uploaded, 1 was there already, 2 failed'. */
export function summaryText({ total, pending, done, duplicates, failed }: UploadSummary): string {
  if (pending > 0) return uploadsTexts.uploadingOf({ number: Math.min(total, total - pending + 1), total })
  const said = [
    done > 0 && uploadsTexts.uploadedCount({ count: done }),
    duplicates > 0 && uploadsTexts.duplicateCount({ count: duplicates }),
    failed > 0 && uploadsTexts.failedCount({ count: failed }),
  ].filter(text => text !== false)
  return said.length === 0 ? uploadsTexts.nothingToUpload : listText(said)
}

/** The text under a file's name. */
export function uploadText(upload: Upload): string {
  switch (upload.state) {
    case 'waiting':
      return baseTexts.waiting
    case 'sending':
      return percentText(uploadPercent(upload) / 100)
    case 'keeping':
      return uploadsTexts.beingRead
    case 'done':
      return baseTexts.done
    case 'duplicate':
      return upload.reason === ''
        ? uploadsTexts.isThereAlready
        : uploadsTexts.isThereAlreadyAs({ reason: upload.reason })
    case 'failed':
      return upload.reason
  }
}

/** The text about files that were skipped because they are neither pictures nor films. */
export function skippedText(count: number): string {
  return uploadsTexts.leftOut({ count })
}

const refusal = z.object({
  error: z.string(),
  code: z.string().optional(),
  current: z.object({ name: z.string() }).optional(),
})

/** Matches the message of a conflict with a file whose name the user may not see. */
const knownFileMessage = /has this file already/

/** The state of a file after a response, and the reason for it. */
export function outcomeOf(status: number, body: string): Pick<Upload, 'state' | 'reason'> {
  if (status >= 200 && status < 300) return { state: 'done', reason: '' }
  let refusalBody: z.output<typeof refusal> | null = null
  try {
    refusalBody = refusal.parse(JSON.parse(body))
  } catch {
    // A proxy's response is useless to the user.
  }
  if (
    status === 409 &&
    refusalBody !== null &&
    (refusalBody.current !== undefined || knownFileMessage.test(refusalBody.error))
  ) {
    return { state: 'duplicate', reason: refusalBody.current?.name ?? '' }
  }
  if (status === 401) return { state: 'failed', reason: uploadsTexts.noLongerSignedIn }
  if (status === 413 && refusalBody === null) return { state: 'failed', reason: uploadsTexts.fileIsTooLarge }
  if (status === 502 || status === 504)
    return { state: 'failed', reason: baseTexts.serverIsCurrentlyNotAvailable({ product }) }
  return {
    state: 'failed',
    reason:
      refusalBody?.code === 'unexpected' || refusalBody === null ? baseTexts.unknownServerError : refusalBody.error,
  }
}
