/** Pictures and streams: who may read them, where they come from, and how long browsers may cache them. */
import { readFileSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { isSignedIn, notFound, type Viewer } from '../../core/accounts/access.ts'
import { type FileFacts, versionOf } from '../../core/files/open-file.ts'
import type { ItemForBytes } from '../../core/items/item-bytes.ts'
import type { Library } from '../../core/library.ts'
import type { VariantPlace } from '../../core/media/cache/kept-variant.ts'
import { renditionPath, rotationFrom } from '../../core/media/cache/renditions.ts'
import type { ImageFormat, ImageSize } from '../../schema/addresses.ts'
import { byteRoutes, type ImageQuery } from '../../schema/api/bytes.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { privateHeaders } from '../content-policy.ts'
import { decodeInput } from '../mount.ts'
import { hasTag } from '../requests/known-tag.ts'
import { deviceOf, identifyRequester } from '../requests/viewer.ts'
import { disposition } from './disposition.ts'
import { noteFile } from './download-notes.ts'
import { queueCallerOf } from './fair-queue.ts'
import type { RequestedItem } from './films.ts'
import { type HeldFile, openHeld } from './held-file.ts'
import { editOf, inlineTypes, mainFile, typeOfName, variantsOf, variantsPlace } from './item-sources.ts'
import type { MediaOnDemand } from './media-on-demand.ts'
import { respondWithFile } from './ranges.ts'

/** Types that every browser shows, so that the file itself is the variant. */
const typesOfEveryBrowser = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'])

const formatTypes: Record<ImageFormat, string> = {
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  avif: 'image/avif',
  png: 'image/png',
}

/** How long a response may be cached: for long only if the address has a version; never if the item is private. */
function caching(item: ItemForBytes, versioned: boolean): string {
  if (item.isPrivate) return 'no-store'
  const whose = item.isPublic ? 'public' : 'private'
  return versioned ? `${whose}, max-age=86400, immutable` : `${whose}, no-cache`
}

function headersOf(item: ItemForBytes, versioned: boolean, what: string, type: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Cache-Control': caching(item, versioned),
    // Based on the content and the caller's rights, so that a response cached for another viewer does not match.
    ETag: `"${item.content}-${what}-${item.rights}"`,
    ...privateHeaders,
  }
}

/** Responds with 304 if the browser already has this version (RFC 9110, 13.1.2). */
export function notModified(context: Context, headers: Record<string, string>): Response | null {
  if (headers['Cache-Control'] === 'no-store' || !hasTag(context.req.raw, headers.ETag)) return null
  const { 'Content-Type': _, ...kept } = headers
  return new Response(null, { status: 304, headers: kept })
}

/** Part of the ETag: the file's version if it has changed since the last scan, which made the content key; else ''. */
function changeMark(held: FileFacts, then: FileFacts): string {
  const now = versionOf(held)
  return now === versionOf(then) ? '' : `-${now}`
}

/** Sizes that lists show, at most about 40 KB each. */
const thumbnails: ReadonlySet<ImageSize> = new Set(['tiny', 'small'])

/**
 * The bytes of a small file; null if it cannot be read. `Bun.file` would take 60 µs instead of 36: it also reads small
 * files on this thread, but checks the file system first, and closes the file on another thread.
 */
function readWhole(path: string): Buffer<ArrayBuffer> | null {
  try {
    return readFileSync(path)
  } catch {
    // If the file cannot be read, it is made again, which reports its own failure.
    return null
  }
}

/** Sends an item's picture or stream. The caller's right was checked when the item was found. */
export interface ItemSender {
  image(context: Context, item: RequestedItem, query: ImageQuery): Promise<Response>
  stream(context: Context, item: RequestedItem, versioned: boolean): Promise<Response>
}

interface Dependencies {
  library: Library
  media: MediaOnDemand
}

interface WantedPicture {
  size: Exclude<ImageSize, 'original'>
  format: ImageFormat
  /** Whether the address contains the version. */
  versioned: boolean
  /** The place in the variants path, if the picture may be kept there. */
  keep?: VariantPlace | null
}

function findForDevice(library: Library, context: Context, viewer: Viewer, id: number): RequestedItem | null {
  const device = deviceOf(context, library, viewer)
  const item = device === null ? null : library.screensavers.findForBytes(device, id)
  return device === null || item === null ? null : { ...item, viewer: device }
}

async function findRequestedItem(library: Library, context: Context, id: number): Promise<RequestedItem> {
  const { viewer } = await identifyRequester(context, library)
  const signedIn = isSignedIn(viewer)
  // Without a signed-in user, the device's rights come before a visitor's: it gets public pictures with their metadata.
  const shown = signedIn ? null : findForDevice(library, context, viewer, id)
  if (shown !== null) return shown
  const ofViewer = library.items.findForBytes(viewer, id)
  if (ofViewer !== null) return { ...ofViewer, viewer }
  const item = signedIn ? findForDevice(library, context, viewer, id) : null
  if (item === null) throw notFound()
  return item
}

function fileResponse(context: Context, held: HeldFile, name: string, headers: Record<string, string>): Response {
  const inline = inlineTypes.has(headers['Content-Type'] ?? '')
  const described = { ...headers, 'Content-Disposition': disposition(inline ? 'inline' : 'attachment', name) }
  const unchanged = notModified(context, described)
  if (unchanged !== null) return unchanged
  return respondWithFile(context.req.raw, held, described)
}

function sendOriginal({ library }: Dependencies, context: Context, item: RequestedItem, versioned: boolean): Response {
  const type = inlineTypes.has(item.mime) ? item.mime : 'application/octet-stream'
  const { name, scanned, ...main } = mainFile(item)
  const held = openHeld(main)
  const changed = changeMark(held, scanned)
  noteFile(library, context, item.viewer, held.size, item.collectionId)
  return fileResponse(context, held, name, headersOf(item, versioned && changed === '', `original${changed}`, type))
}

/** Opens a made file, which is then sent completely even if it is removed meanwhile. Null if it does not exist. */
function openMade(
  { library, media }: Dependencies,
  made: string | Uint8Array,
  keep: VariantPlace | null,
): HeldFile | null {
  const path = Buffer.from(made)
  const root = typeof made === 'string' || keep === null ? library.cache : keep.root
  if (typeof made === 'string') void media.madeCache.used(made)
  try {
    return openHeld({ root, path })
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return null
    throw error
  }
}

async function sendRendition(
  dependencies: Dependencies,
  context: Context,
  item: RequestedItem,
  { size, format, versioned, keep = null }: WantedPicture,
) {
  const rotation = rotationFrom(item.rotation)
  const headers = headersOf(item, versioned, `${size}-${format}-${rotation}`, formatTypes[format])
  const unchanged = notModified(context, headers)
  if (unchanged !== null) return unchanged
  if (item.problem !== null || item.content === '') {
    throw new Failure('notFound', sentence`Image not found: ${item.problem ?? 'the file could not be read'}`)
  }
  const path = renditionPath(dependencies.library.cache, item.content, size, format, rotation)
  const thumbnail = thumbnails.has(size) ? readWhole(path) : null
  if (thumbnail !== null) {
    const { length } = thumbnail
    return context.req.method === 'HEAD'
      ? new Response(null, { headers: { ...headers, 'Content-Length': String(length) } })
      : new Response(thumbnail, { headers })
  }
  const caller = queueCallerOf(item.viewer, context.req.raw.signal)
  const wanted = { kind: item.type, content: item.content, size, format, rotation, keep }
  const make = () => dependencies.media.rendition({ ...mainFile(item), ...wanted }, caller)
  const held =
    openMade(dependencies, path, keep) ??
    openMade(dependencies, await make(), keep) ??
    // The file was removed from the cache before it could be opened, so it is made once more.
    openMade(dependencies, await make(), keep)
  if (held === null)
    throw new Failure('unavailable', 'The picture was removed from the cache again.', { retryAfter: 5 })
  return respondWithFile(context.req.raw, held, headers)
}

/** The full-size picture for every browser: the edited version, the file itself, or a conversion. */
async function sendVariant(
  dependencies: Dependencies,
  context: Context,
  item: RequestedItem,
  { format, versioned }: Partial<WantedPicture> & Pick<WantedPicture, 'versioned'>,
): Promise<Response> {
  const { owners, kept } = await variantsOf(item)
  if (owners !== null && !item.withholdsPlaces) {
    return fileResponse(
      context,
      openHeld(owners),
      owners.name,
      headersOf(item, false, editOf(owners), typeOfName(owners.name)),
    )
  }
  if (item.type === 'video') return sendStream(dependencies, context, item, versioned)
  const isUpright = rotationFrom(item.rotation) === 0
  const isShown = typesOfEveryBrowser.has(item.mime)
  if (isShown && isUpright && format === undefined && !item.withholdsPlaces)
    return sendOriginal(dependencies, context, item, versioned)
  // In the variants path the picture is kept as a JPEG; everything else is temporary.
  const mayBeKept = !isShown && isUpright && (format ?? 'jpeg') === 'jpeg'
  if (mayBeKept && kept !== null) {
    return fileResponse(context, openHeld(kept), kept.name, headersOf(item, versioned, 'variant-jpeg-0', 'image/jpeg'))
  }
  const keep = mayBeKept && !item.files().readonly ? variantsPlace(item) : null
  return sendRendition(dependencies, context, item, { size: 'variant', format: format ?? 'jpeg', versioned, keep })
}

async function sendStream(
  { media }: Dependencies,
  context: Context,
  item: RequestedItem,
  versioned: boolean,
): Promise<Response> {
  const stream = await media.films.stream(context, item)
  if (stream === null) throw new Failure('notFound', 'This item has no motion.')
  const { edit, mime, scanned } = stream
  const held = openHeld(stream)
  const changed = scanned === undefined ? '' : changeMark(held, scanned)
  const what = `${edit ?? `stream-${mime.replace('/', '-')}`}${changed}`
  const headers = headersOf(item, versioned && edit === undefined && changed === '', what, mime)
  const unchanged = notModified(context, headers)
  if (unchanged !== null) return unchanged
  const { offset: from = 0, length = null } = stream
  const to = length === null ? held.size : Math.min(held.size, from + length)
  return respondWithFile(context.req.raw, held, headers, { from, to })
}

async function sendImage(
  dependencies: Dependencies,
  context: Context,
  item: RequestedItem,
  { pThumbnail = 'original', pFormat, reloads }: ImageQuery,
): Promise<Response> {
  const versioned = reloads !== undefined
  if ((pFormat === 'avif' || pFormat === 'png') && !isSignedIn(item.viewer)) {
    throw new Failure('denied', 'AVIF and PNG are only made for signed-in users. Request webp or jpeg.')
  }
  // Callers who may not know where a picture was taken get it without metadata.
  if (pThumbnail === 'original' && item.withholdsPlaces && item.type === 'video')
    return sendStream(dependencies, context, item, versioned)
  if (pThumbnail === 'original' && !item.withholdsPlaces) return sendOriginal(dependencies, context, item, versioned)
  if (pThumbnail === 'original' || pThumbnail === 'variant')
    return sendVariant(dependencies, context, item, {
      versioned,
      ...(pFormat === undefined ? {} : { format: pFormat }),
    })
  return sendRendition(dependencies, context, item, { size: pThumbnail, format: pFormat ?? 'webp', versioned })
}

/** Adds the routes of pictures and streams; returns the functions that send them, for routes at other addresses. */
export function mountBytes(app: Hono, library: Library, media: MediaOnDemand): ItemSender {
  const dependencies = { library, media }

  app.get(byteRoutes.image.path, async context => {
    const { id } = decodeInput(byteRoutes.image.params, context.req.param())
    const query = decodeInput(byteRoutes.image.query, context.req.query())
    return sendImage(dependencies, context, await findRequestedItem(library, context, id), query)
  })

  app.get(byteRoutes.stream.path, async context => {
    const { id } = decodeInput(byteRoutes.stream.params, context.req.param())
    const { reloads } = decodeInput(byteRoutes.stream.query, context.req.query())
    return sendStream(dependencies, context, await findRequestedItem(library, context, id), reloads !== undefined)
  })

  return {
    image: (context, item, query) => sendImage(dependencies, context, item, query),
    stream: (context, item, versioned) => sendStream(dependencies, context, item, versioned),
  }
}
