/** Pictures and streams: who may have them, where they come from, and how long browsers may keep them. */
import { existsSync, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Context, Hono } from 'hono'
import { notFound, terminalViewer, type Viewer } from '../core/access.ts'
import { displayName, joinPath } from '../core/files/names.ts'
import type { ItemForBytes, PlacedFile } from '../core/item-bytes.ts'
import type { Library } from '../core/library.ts'
import { renditionPath, type Turn } from '../core/media/renditions.ts'
import { mediaKindOfName } from '../core/media/sniff.ts'
import { canTranscode, filmPath, playsEverywhere } from '../core/media/transcode-job.ts'
import { byteRoutes, type ImageFormat, type ImageSize } from '../schema/api/bytes.ts'
import { Failure } from '../schema/errors.ts'
import type { MediaDesk } from './media-desk.ts'
import { decoded } from './mount.ts'
import { answerFile } from './ranges.ts'
import { askerOf } from './viewer.ts'

/** Types that a browser shows by itself and that cannot run anything; everything else is a download. */
const inlineTypes = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/jxl',
  'image/heic',
  'image/heif',
  'image/tiff',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'video/x-m4v',
  'video/3gpp',
  'video/ogg',
  'video/x-matroska',
  'video/mp2t',
  'video/mpeg',
  'video/x-msvideo',
])

/** Pictures that every browser shows: their own bytes are their variant. */
const shownEverywhere = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'])

const formatTypes: Record<ImageFormat, string> = {
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  avif: 'image/avif',
  png: 'image/png',
}

/** A file name for `Content-Disposition` (RFC 6266): ASCII for old programs, UTF-8 for the others. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** How long an answer may be kept: only addresses that name the version are kept for long, and hidden items never. */
function caching(item: ItemForBytes, versioned: boolean): string {
  if (item.isPrivate) return 'no-store'
  const whose = item.isPublic ? 'public' : 'private'
  return versioned ? `${whose}, max-age=86400, immutable` : `${whose}, no-cache`
}

function headersOf(item: ItemForBytes, versioned: boolean, what: string, type: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Cache-Control': caching(item, versioned),
    // Of the content and of the caller's rights: another viewer's cached answer is not this one's.
    ETag: `"${item.content}-${what}-${item.rights}"`,
    Vary: 'Authorization, Cookie',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** 304 when the browser has it already (RFC 9110, 13.1.2). */
function notModified(context: Context, headers: Record<string, string>): Response | null {
  const known = context.req.header('if-none-match')
  if (known === undefined || headers['Cache-Control'] === 'no-store') return null
  const mine = headers.ETag ?? ''
  const matches = known.trim() === '*' || known.split(',').some(tag => tag.trim().replace(/^W\//, '') === mine)
  if (!matches) return null
  const { 'Content-Type': _, ...kept } = headers
  return new Response(null, { status: 304, headers: kept })
}

async function sizeOf(path: Uint8Array): Promise<number> {
  try {
    const found = await stat(Buffer.from(path))
    if (found.isFile()) return found.size
  } catch {
    // Gone since the last scan, or its disk is: told like everything that is not there.
  }
  throw new Failure('notFound', 'Image not found')
}

/** The main file: its absolute path as bytes, and its name. `notFound` while it is missing. */
function mainFile(item: ItemForBytes): { path: Buffer; name: string } {
  const { collectionPath, main } = item.files()
  if (main === null) throw new Failure('notFound', 'Image not found')
  return { path: pathOf(collectionPath, main), name: displayName(main.nameBytes) }
}

function pathOf(root: string, { dirBytes, nameBytes }: PlacedFile): Buffer {
  return joinPath(Buffer.from(root), dirBytes, nameBytes)
}

const turns: readonly Turn[] = [0, 90, 180, 270]

function turnOf(item: ItemForBytes): Turn {
  return turns.find(turn => turn === item.rotation) ?? 0
}

/** The owner's edited version: a picture of the same path and stem, of any extension, below the variants path. */
function ownersVariant(item: ItemForBytes): { path: Buffer; name: string } | null {
  const { variantPath, main } = item.files()
  if (variantPath === '' || main === null) return null
  const { dirBytes, nameBytes } = main
  const directory = joinPath(Buffer.from(variantPath), dirBytes)
  const stem = (name: string) => name.replace(/\.[^.]*$/, '')
  try {
    const wanted = stem(displayName(nameBytes))
    const found = readdirSync(directory, { encoding: 'buffer' }).find(name => {
      const shown = displayName(name)
      return stem(shown) === wanted && mediaKindOfName(shown) === item.type
    })
    return found === undefined ? null : { path: joinPath(directory, found), name: displayName(found) }
  } catch {
    // No such directory: there are no variants of this one.
    return null
  }
}

/** How long a request waits for a film that is being made. */
const filmPatienceMs = 15_000

export function mountBytes(app: Hono, library: Library, desk: MediaDesk): void {
  function find(viewer: Viewer, id: number): ItemForBytes {
    const item = library.items.findForBytes(viewer, id)
    if (item === null) throw notFound()
    return item
  }

  async function file(
    context: Context,
    path: Buffer,
    name: string,
    headers: Record<string, string>,
  ): Promise<Response> {
    const inline = inlineTypes.has(headers['Content-Type'] ?? '')
    const described = { ...headers, 'Content-Disposition': disposition(inline ? 'inline' : 'attachment', name) }
    const known = notModified(context, described)
    if (known !== null) return known
    return answerFile(context.req.raw, { path, from: 0, to: await sizeOf(path) }, described)
  }

  function original(context: Context, item: ItemForBytes, versioned: boolean): Promise<Response> {
    const type = inlineTypes.has(item.mime) ? item.mime : 'application/octet-stream'
    const { path, name } = mainFile(item)
    return file(context, path, name, headersOf(item, versioned, 'original', type))
  }

  async function rendition(
    context: Context,
    item: ItemForBytes,
    size: Exclude<ImageSize, 'original'>,
    format: ImageFormat,
    versioned: boolean,
  ) {
    const turn = turnOf(item)
    const headers = headersOf(item, versioned, `${size}-${format}-${turn}`, formatTypes[format])
    const known = notModified(context, headers)
    if (known !== null) return known
    if (item.problem !== null || item.content === '') {
      throw new Failure('notFound', `Image not found: ${item.problem ?? 'the file could not be read'}`)
    }
    let ready = Bun.file(renditionPath(library.cache, item.content, size, format, turn))
    // A ready thumbnail is what is asked for most of all: the file system is asked once.
    if (!(await ready.exists())) {
      const made = await desk.rendition({
        ...mainFile(item),
        kind: item.type,
        content: item.content,
        size,
        format,
        turn,
      })
      ready = Bun.file(made)
    }
    if (context.req.method === 'HEAD') {
      return new Response(null, { headers: { ...headers, 'Content-Length': String(ready.size) } })
    }
    return new Response(ready, { headers })
  }

  /** What every browser shows in full size: the owner's edit, the file itself, or a picture made of it. */
  function variant(context: Context, item: ItemForBytes, format: ImageFormat | undefined, versioned: boolean) {
    const owners = item.keepsPlaces ? null : ownersVariant(item)
    if (owners !== null) {
      const type = Bun.file(owners.name).type.split(';')[0] ?? ''
      const shown = inlineTypes.has(type) ? type : 'application/octet-stream'
      return file(context, owners.path, owners.name, headersOf(item, false, 'variant', shown))
    }
    const asItIs = format === undefined && turnOf(item) === 0 && !item.keepsPlaces
    if (asItIs && (shownEverywhere.has(item.mime) || item.type === 'video')) return original(context, item, versioned)
    return rendition(context, item, 'variant', format ?? 'jpeg', versioned)
  }

  /** A film as it is, where every browser plays it; else one made of it, as soon as it is there. */
  async function film(item: ItemForBytes): Promise<Stream> {
    const mime = inlineTypes.has(item.mime) ? item.mime : 'application/octet-stream'
    const { videoCodec } = item.files()
    if (playsEverywhere({ mime: item.mime, videoCodec }) && !item.keepsPlaces)
      return { path: mainFile(item).path, mime, offset: 0, length: null }
    const target = filmPath(library.cache, item.content)
    const canBeMade = canTranscode(library.settings) && !library.jobs.hasFailed(`transcode-${item.id}`)
    if (existsSync(target) || (canBeMade && (await transcoded(item.id, target)))) {
      return { path: Buffer.from(target), mime: 'video/mp4', offset: 0, length: null }
    }
    if (item.keepsPlaces) throw new Failure('notFound', 'Image not found')
    return { path: mainFile(item).path, mime, offset: 0, length: null }
  }

  /** Has it made by a job and waits a little; `unavailable` while it takes longer, false when it cannot be made. */
  async function transcoded(itemId: number, target: string): Promise<boolean> {
    await library.jobs.enqueue(terminalViewer, 'transcode', { itemId }).catch((error: unknown) => {
      // Somebody else asked a moment ago.
      if (!(error instanceof Failure && error.code === 'busy')) throw error
    })
    for (const until = performance.now() + filmPatienceMs; performance.now() < until; ) {
      await Bun.sleep(200)
      if (existsSync(target)) return true
      if (!library.jobs.inLane(`transcode-${itemId}`)) return existsSync(target)
    }
    throw new Failure('unavailable', 'This film is being prepared. Try again in a moment.', { retryAfter: 5 })
  }

  app.get(byteRoutes.image.path, async context => {
    const { viewer } = await askerOf(context, library)
    const { id } = decoded(byteRoutes.image.params, context.req.param())
    const { pThumbnail = 'original', pFormat, reloads } = decoded(byteRoutes.image.query, context.req.query())
    const item = find(viewer, id)
    const versioned = reloads !== undefined
    // Who may not know where a picture was taken gets one without its metadata.
    if (pThumbnail === 'original' && !item.keepsPlaces) return original(context, item, versioned)
    if (pThumbnail === 'original' || pThumbnail === 'variant') return variant(context, item, pFormat, versioned)
    return rendition(context, item, pThumbnail, pFormat ?? 'webp', versioned)
  })

  app.get(byteRoutes.stream.path, async context => {
    const { viewer } = await askerOf(context, library)
    const { id } = decoded(byteRoutes.stream.params, context.req.param())
    const { reloads } = decoded(byteRoutes.stream.query, context.req.query())
    const item = find(viewer, id)
    const stream = item.type === 'video' ? await film(item) : motionOf(item)
    if (stream === null) throw new Failure('notFound', 'This item does not move.')
    const headers = headersOf(item, reloads !== undefined, `stream-${stream.mime.replace('/', '-')}`, stream.mime)
    const known = notModified(context, headers)
    if (known !== null) return known
    const size = await sizeOf(stream.path)
    const to = stream.length === null ? size : Math.min(size, stream.offset + stream.length)
    return answerFile(context.req.raw, { path: stream.path, from: stream.offset, to }, headers)
  })
}

interface Stream {
  path: Buffer
  mime: string
  offset: number
  length: number | null
}

/** The motion part beside a still, or within it. */
function motionOf(item: ItemForBytes): Stream | null {
  const { collectionPath, motion, motionWithin } = item.files()
  // Its place is written in it, and nothing here takes it out.
  if (item.keepsPlaces) return null
  if (motion !== null) {
    const path = pathOf(collectionPath, motion)
    const mime = /\.mov$/i.test(displayName(motion.nameBytes)) ? 'video/quicktime' : 'video/mp4'
    return { path, mime, offset: 0, length: null }
  }
  if (motionWithin === null) return null
  return { path: mainFile(item).path, mime: 'video/mp4', ...motionWithin }
}
