/** Pictures and streams: who may have them, where they come from, and how long browsers may keep them. */
import { stat } from 'node:fs/promises'
import type { Context, Hono } from 'hono'
import type { ItemBytes } from '../core/items.ts'
import type { Library } from '../core/library.ts'
import { renditionPath } from '../core/media/renditions.ts'
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

const formatTypes: Record<ImageFormat | 'mp4', string> = {
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  avif: 'image/avif',
  png: 'image/png',
  mp4: 'video/mp4',
}

/** A file name for `Content-Disposition` (RFC 6266): ASCII for old programs, UTF-8 for the others. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** How long an answer may be kept: only addresses that name the version are kept for long, and hidden items never. */
function caching(item: ItemBytes, versioned: boolean): string {
  if (item.hidden) return 'no-store'
  const whose = item.public ? 'public' : 'private'
  return versioned ? `${whose}, max-age=86400, immutable` : `${whose}, no-cache`
}

function headersOf(item: ItemBytes, versioned: boolean, what: string, type: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Cache-Control': caching(item, versioned),
    // Of the content and of the caller's rights: another viewer's cached answer is not this one's.
    ETag: `"${item.content}-${what}-${item.rightsTag}"`,
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

async function sizeOf(path: string | Uint8Array): Promise<number> {
  try {
    const found = await stat(typeof path === 'string' ? path : Buffer.from(path))
    if (found.isFile()) return found.size
  } catch {
    // Gone since the last scan, or its disk is: told like everything that is not there.
  }
  throw new Failure('notFound', 'Image not found')
}

export function mountBytes(app: Hono, library: Library, desk: MediaDesk): void {
  async function original(context: Context, item: ItemBytes, versioned: boolean): Promise<Response> {
    const inline = inlineTypes.has(item.mime)
    const headers = {
      ...headersOf(item, versioned, 'original', inline ? item.mime : 'application/octet-stream'),
      'Content-Disposition': disposition(inline ? 'inline' : 'attachment', item.name),
    }
    const known = notModified(context, headers)
    if (known !== null) return known
    return answerFile(context.req.raw, { path: item.path, from: 0, to: await sizeOf(item.path) }, headers)
  }

  async function picture(context: Context, item: ItemBytes, size: ImageSize, format: ImageFormat, versioned: boolean) {
    if (size === 'original') return original(context, item, versioned)
    if (size === 'variant' && item.rotation === 0 && shownEverywhere.has(item.mime))
      return original(context, item, versioned)
    const chosen = size === 'variant' && format === 'webp' ? 'jpeg' : format
    const headers = headersOf(item, versioned, `${size}-${chosen}-${item.rotation}`, formatTypes[chosen])
    const known = notModified(context, headers)
    if (known !== null) return known
    if (item.problem !== null || item.content === '')
      throw new Failure('notFound', `Image not found: ${item.problem ?? 'no content'}`)

    const cached = renditionPath(library.cache, item.content, size, chosen, item.rotation)
    let file = Bun.file(cached)
    // Asking the file system once: a ready thumbnail is what is asked for most of all.
    if (!(await file.exists())) {
      const made = await desk.rendition({
        path: item.path,
        name: item.name,
        kind: item.type,
        content: item.content,
        size,
        format: chosen,
        turn: item.rotation,
      })
      file = Bun.file(made)
    }
    if (context.req.method === 'HEAD') {
      return new Response(null, { headers: { ...headers, 'Content-Length': String(file.size) } })
    }
    return new Response(file, { headers })
  }

  app.get(byteRoutes.image.path, async context => {
    const { viewer } = await askerOf(context, library)
    const { id } = decoded(byteRoutes.image.params, context.req.param())
    const { pThumbnail, pFormat, reloads } = decoded(byteRoutes.image.query, context.req.query())
    const item = library.items.findForBytes(viewer, id)
    return picture(context, item, pThumbnail ?? 'original', pFormat ?? 'webp', reloads !== undefined)
  })

  app.get(byteRoutes.stream.path, async context => {
    const { viewer } = await askerOf(context, library)
    const { id } = decoded(byteRoutes.stream.params, context.req.param())
    const { reloads } = decoded(byteRoutes.stream.query, context.req.query())
    const item = library.items.findForBytes(viewer, id)
    const { stream } = item
    if (stream === null) throw new Failure('notFound', 'This item does not move.')
    const type = inlineTypes.has(stream.mime) ? stream.mime : 'application/octet-stream'
    const headers = headersOf(item, reloads !== undefined, 'stream', type)
    const known = notModified(context, headers)
    if (known !== null) return known
    const size = await sizeOf(stream.path)
    const to = stream.length === null ? size : Math.min(size, stream.offset + stream.length)
    return answerFile(context.req.raw, { path: stream.path, from: stream.offset, to }, headers)
  })
}
