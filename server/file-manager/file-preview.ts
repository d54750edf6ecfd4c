/** Sends files and folders to administrators. Uploaded files never run inside our pages. */
import type { Context } from 'hono'
import type { Viewer } from '../../core/accounts/access.ts'
import type { FilePlace } from '../../core/file-manager/places.ts'
import type { FileToShow } from '../../core/file-manager/reading.ts'
import { type OpenFile, versionOf } from '../../core/files/open-file.ts'
import { zipped } from '../../core/files/zip-out.ts'
import type { Library } from '../../core/library.ts'
import type { FixedSize } from '../../core/media/cache/renditions.ts'
import type { ImageSize } from '../../schema/addresses.ts'
import type { FileManagerQuery } from '../../schema/api/file-manager.ts'
import { type ItemSender, notModified } from '../bytes/bytes.ts'
import { disposition, downloadHeaders } from '../bytes/disposition.ts'
import { allowSlow } from '../bytes/download.ts'
import { noteDownload, noteFile } from '../bytes/download-notes.ts'
import { type QueueCaller, queueCallerOf } from '../bytes/fair-queue.ts'
import { holdOpen, openHeld } from '../bytes/held-file.ts'
import { inlineTypes } from '../bytes/item-sources.ts'
import type { MediaOnDemand } from '../bytes/media-on-demand.ts'
import { respondWithFile } from '../bytes/ranges.ts'
import { filePolicy, privateHeaders } from '../content-policy.ts'
import { bodyWithSlot, type TakeSlot } from '../slots.ts'

/** Runs no script of the drawing and loads nothing. Its origin is opaque even if it is opened directly. Styles apply. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
/** Without a sandbox, in which PDF viewers of browsers do not work. They run no script of the document in our page. */
const pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

interface Presentation {
  type: string
  how: 'inline' | 'attachment'
  policy: string
}

const attachment: Presentation = { type: 'application/octet-stream', how: 'attachment', policy: filePolicy }

/** How a preview is sent: as text if it might run, as a download if browsers cannot show it. */
function presentationOf({ kind, type }: FileToShow['shown']): Presentation {
  switch (kind) {
    case 'picture':
      return { type, how: 'inline', policy: filePolicy }
    case 'svg':
      return { type, how: 'inline', policy: svgPolicy }
    case 'text':
      return { type: 'text/plain; charset=utf-8', how: 'inline', policy: filePolicy }
    case 'pdf':
      return { type, how: 'inline', policy: pdfPolicy }
    case 'media':
    case 'foreign':
      if (inlineTypes.has(type) || (kind === 'media' && type.startsWith('audio/')))
        return { type, how: 'inline', policy: filePolicy }
      return attachment
    case 'other':
      return attachment
  }
}

/** Maximum bytes of a picture that serves as its own thumbnail. */
const maxOwnThumbnail = 64 * 1024

/** A path for the decode workers: it leads to this open file even if another file has taken its name. */
const pathForWorkers = ({ fd }: OpenFile): string => `/proc/${process.pid}/fd/${fd}`

type SharedFile = FileToShow & { file: ReturnType<typeof sharedFile> }

/** An open file with several users: the last one closes it. */
function sharedFile(file: OpenFile) {
  let users = 1
  const release = () => {
    if (--users === 0) file.close()
  }
  return {
    ...file,
    close: release,
    keep() {
      users++
      return release
    },
  }
}

interface Dependencies {
  library: Library
  items: ItemSender
  media: Pick<MediaOnDemand, 'looseRenditions' | 'madeCache'>
  takeSlot: TakeSlot
}

function send(context: Context, { file, name }: FileToShow, { type, how, policy }: Presentation): Response {
  const held = holdOpen(file)
  const headers = {
    'Content-Type': type,
    'Content-Disposition': disposition(how, name),
    'Cache-Control': 'private, no-cache',
    ETag: `"${versionOf(held)}-${how}-${type.replace(/[^a-z]+/g, '-')}"`,
    ...privateHeaders,
    'Content-Security-Policy': policy,
  }
  return notModified(context, headers) ?? respondWithFile(context.req.raw, held, headers)
}

/** An item in a size, or in a format for browsers; null if the file itself is sent. */
async function sendItem(
  { library, items }: Dependencies,
  context: Context,
  viewer: Viewer,
  itemId: number | null,
  size: ImageSize,
): Promise<Response | null> {
  const item = itemId === null ? null : library.items.findForBytes(viewer, itemId)
  // For example a recycled or missing item: the file itself is sent.
  if (item === null || item.problem !== null || item.content === '') return null
  const response = await items.image(context, { ...item, viewer }, { pThumbnail: size })
  // The address has no version, so the response must be revalidated.
  response.headers.set('Cache-Control', 'private, no-cache')
  return response
}

/** A thumbnail of a file that is not an item; null if there is none and the file itself is sent. */
async function sendLooseThumbnail(
  { library, media: { looseRenditions, madeCache } }: Dependencies,
  context: Context,
  { file, name }: SharedFile,
  { size, requester }: { size: FixedSize; requester: QueueCaller },
): Promise<Response | null> {
  const identity = `${file.identity} ${versionOf(file)}`
  const headers = {
    'Content-Type': 'image/webp',
    'Cache-Control': 'private, no-cache',
    ETag: `"${new Bun.CryptoHasher('sha256').update(`${size} ${identity}`).digest('hex').slice(0, 24)}"`,
    ...privateHeaders,
  }
  const same = notModified(context, headers)
  if (same !== null) return same
  const found = await looseRenditions.picture(
    { path: pathForWorkers(file), keep: file.keep, identity, name },
    size,
    requester,
  )
  if (found === null) return null
  void madeCache.used(found.path)
  const held = openHeld({ root: library.cache, path: Buffer.from(found.path) })
  return respondWithFile(context.req.raw, held, headers)
}

/** The substitute for a picture that browsers cannot show, or that is larger than requested. */
async function substituteFor(
  dependencies: Dependencies,
  context: Context,
  viewer: Viewer,
  found: SharedFile,
  size: FileManagerQuery['size'],
): Promise<Response | null> {
  const { shown, itemId, file } = found
  const isForeign = shown.kind === 'foreign'
  const variant = isForeign ? await sendItem(dependencies, context, viewer, itemId, 'variant') : null
  if (variant !== null) return variant
  const isLarge = shown.kind === 'picture' && size !== undefined && file.size > maxOwnThumbnail
  if (!isForeign && !isLarge) return null
  return sendLooseThumbnail(dependencies, context, found, {
    size: size ?? 'large',
    requester: queueCallerOf(viewer, context.req.raw.signal),
  })
}

export function createFileSender(dependencies: Dependencies) {
  const { library, takeSlot } = dependencies
  return {
    async preview(context: Context, viewer: Viewer, place: FilePlace | null, size: FileManagerQuery['size']) {
      const { reading } = library.fileManager
      // An item's thumbnail is sent without opening the item's file.
      const thumbnail =
        size === undefined ? null : await sendItem(dependencies, context, viewer, reading.itemId(viewer, place), size)
      if (thumbnail !== null) return thumbnail
      const opened = await reading.open(viewer, place)
      const found = { ...opened, file: sharedFile(opened.file) }
      const { shown, file } = found
      try {
        const drawn = await substituteFor(dependencies, context, viewer, found, size)
        if (drawn === null) return send(context, found, presentationOf(shown))
        file.close()
        return drawn
      } catch (error) {
        file.close()
        throw error
      }
    },

    /** A file as it is, or a folder as a streamed archive. */
    async download(context: Context, viewer: Viewer, place: FilePlace | null) {
      const { reading } = library.fileManager
      if (!reading.isFolder(viewer, place)) {
        const found = await reading.open(viewer, place)
        noteFile(library, context, viewer, found.file.size)
        return send(context, found, attachment)
      }
      await reading.requireWhole(viewer, place)
      const headers = downloadHeaders('application/zip', `${place.name}.zip`)
      if (context.req.method === 'HEAD') return new Response(null, { headers })
      const end = takeSlot(viewer)
      allowSlow(context)
      let items = 0
      const archive = zipped(reading.entries(viewer, place, context.req.raw.signal), { onEntry: () => items++ })
      const ended = (bytes: number) => {
        end()
        // The archive's size is known only now.
        noteDownload(library, context, viewer, { what: 'folder', items, bytes })
      }
      return new Response(bodyWithSlot(archive, ended), { headers })
    },
  }
}

export type FileSender = ReturnType<typeof createFileSender>
