/** Files that a plugin adds to the page: those in its manifest, while it is active. */
import type { Hono } from 'hono'
import type { Library } from '../core/library.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { fileHeaders } from './content-policy.ts'
import { decodeInput } from './mount.ts'
import { hasTag } from './requests/known-tag.ts'
import { identifyRequester } from './requests/viewer.ts'

/** Files of plugins are sent with their own type, because a global admin installed them; other types are downloads. */
const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  woff2: 'font/woff2',
}

function typeOf(file: string): string {
  return types[file.slice(file.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
}

export function mountPluginFiles(app: Hono, library: Library): void {
  const route = byteRoutes.pluginFile
  app.on(['GET', 'HEAD'], route.path, async context => {
    const { viewer } = await identifyRequester(context, library)
    const params = decodeInput(route.params, context.req.param())
    const { v } = decodeInput(route.query, context.req.query())
    const { bytes, reloads } = await library.plugins.file(viewer, params)
    const type = typeOf(params.file)
    const etag = `"${new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)}"`
    const headers: Record<string, string> = {
      'Content-Type': type,
      'Cache-Control': v !== undefined && v === reloads ? 'public, max-age=86400, immutable' : 'public, no-cache',
      ETag: etag,
      ...fileHeaders,
      ...(type === 'application/octet-stream' ? { 'Content-Disposition': 'attachment' } : {}),
    }
    if (hasTag(context.req.raw, etag)) return new Response(null, { status: 304, headers })
    return new Response(context.req.method === 'HEAD' ? null : new Uint8Array(bytes), {
      headers: { ...headers, 'Content-Length': String(bytes.length) },
    })
  })
}
