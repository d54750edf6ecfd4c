/** The web pages as files, and their responses: caching, compression, and the one page behind every address. */
import { join } from 'node:path'
import { z } from 'zod'
import { chooseLanguage } from '../schema/choose-language.ts'
import { type EmbeddedWeb, embeddedWeb } from './embedded-web.ts'
import { acceptedLanguages } from './requests/accepted-languages.ts'
import { hasTag } from './requests/known-tag.ts'

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]
/** Suffixes of the compressed forms of a file. */
export const encodingSuffix = { br: '.br', gzip: '.gz' } as const satisfies Record<Encoding, string>

const webAsset = z.object({
  /** Relative to the directory, with `/`: `assets/index-1a2b.js`. */
  path: z.string(),
  type: z.string(),
  /** Hash of the content, for ETags. */
  hash: z.string(),
  /** Bytes of the file and of its compressed forms. */
  size: z.number(),
  br: z.number().optional(),
  gzip: z.number().optional(),
  /** True if the name contains the content's hash, so that the file may be cached forever. */
  immutable: z.boolean(),
})
export type WebAsset = z.infer<typeof webAsset>

/** The content of `manifest.json`, which `build/web.ts` writes beside the files and `loadWebAssets` reads. */
const webManifest = z.object({
  assets: z.array(webAsset),
  index: z.string(),
  /** What a browser without scripts shows, by language. */
  withoutScripts: z.record(z.string(), z.string()).optional(),
})
export type WebManifest = z.infer<typeof webManifest>

export interface WebAssets {
  /** By the address' path, such as `/assets/index-1a2b.js`. */
  files: ReadonlyMap<
    string,
    WebAsset & { address: string; read: Partial<Record<Encoding, string>> & { identity: string } }
  >
  /** The page, before a session's values are inserted. */
  index: string
  /** What a browser without scripts shows, by language; English is in the page. */
  withoutScripts?: Readonly<Record<string, string>> | undefined
  /** Content-Security-Policy of the page. */
  policy: string
}

/** Where the built pages are when running from source; `current` names the directory in use. */
export const webDirectory = join(import.meta.dir, '..', 'dist', 'web')

const unbuiltPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Keepsake</title>
<p>The web pages are not built. Run <code>npm start</code>, or <code>bun build.ts web</code> and start again.</p>
</html>
`

/** Inline scripts of our own page are allowed by their hashes; all others are blocked. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`,
  )
}

function policyOf(index: string): string {
  return [
    `default-src 'self'`,
    // WebAssembly has its own keyword, so that eval stays forbidden.
    ['script-src', `'self'`, `'wasm-unsafe-eval'`, ...inlineScripts(index)].join(' '),
    `style-src 'self'`,
    // Style attributes are allowed (sizes, positions), but no inline rules, whose selectors could read the page.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `media-src 'self' blob:`,
    `worker-src 'self' blob:`,
    // Documents of the file manager; their responses run nothing.
    `object-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

function assemble({ manifest, files }: EmbeddedWeb): WebAssets {
  const { assets, index, withoutScripts } = webManifest.parse(manifest)
  const fileOf = (path: string) => {
    const found = files[path]
    if (found === undefined) throw new Error(`the web pages lack ${path}`)
    return found
  }
  const entries = assets.map(asset => {
    const read = {
      identity: fileOf(asset.path),
      ...(asset.br === undefined ? {} : { br: fileOf(asset.path + encodingSuffix.br) }),
      ...(asset.gzip === undefined ? {} : { gzip: fileOf(asset.path + encodingSuffix.gzip) }),
    }
    return [`/${asset.path}`, { ...asset, address: `/${asset.path}`, read }] as const
  })
  return { files: new Map(entries), index, withoutScripts, policy: policyOf(index) }
}

/** The pages in the executable or, from source, in `dist/web`. Without either, the page says so. */
export async function loadWebAssets(directory = webDirectory): Promise<WebAssets> {
  if (embeddedWeb !== null) return assemble(embeddedWeb)
  const pointer = Bun.file(join(directory, 'current'))
  if (!(await pointer.exists())) return { files: new Map(), index: unbuiltPage, policy: policyOf(unbuiltPage) }
  const current = join(directory, (await pointer.text()).trim())
  const manifest = webManifest.parse(await Bun.file(join(current, 'manifest.json')).json())
  const paths = manifest.assets.flatMap(({ path, br, gzip }) => [
    path,
    ...(br === undefined ? [] : [path + encodingSuffix.br]),
    ...(gzip === undefined ? [] : [path + encodingSuffix.gzip]),
  ])
  return assemble({ manifest, files: Object.fromEntries(paths.map(path => [path, join(current, path)])) })
}

/** The values that the server puts into the page for its viewer. */
export interface PageValues {
  /** The session's CSRF value; absent for visitors. */
  csrf?: string | undefined
  /** Another server that the page may load pictures from: the one with the map's tiles. */
  pictures?: string | null | undefined
  /** Whether the page says that something does not exist: its status is then 404. */
  notFound?: boolean
}

/** The page for a viewer, in the best of their `languages`. Scripts may choose another that the user has set. */
export function renderIndex(
  { index, withoutScripts = {} }: WebAssets,
  { csrf = '' }: PageValues = {},
  languages: readonly string[] = [],
): string {
  const { code, locale, direction } = chooseLanguage('', languages, ['en', ...Object.keys(withoutScripts)])
  return index
    .replace('<meta name="csrf-token" content=""', () => `<meta name="csrf-token" content="${Bun.escapeHTML(csrf)}"`)
    .replace('<html lang="en"', () => `<html lang="${Bun.escapeHTML(locale)}" dir="${direction}"`)
    .replace(/(?<=<noscript>).*(?=<\/noscript>)/, text => withoutScripts[code] ?? text)
}

/** The best encoding that the client accepts and the file has; RFC 9110, 12.5.3. */
function chooseEncoding(accept: string | null, asset: WebAsset): Encoding | null {
  if (accept === null) return null
  const weights = new Map<string, number>()
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
    const q = parameters.find(parameter => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  for (const encoding of encodings) {
    if (asset[encoding] !== undefined && (weights.get(encoding) ?? weights.get('*') ?? 0) > 0) return encoding
  }
  return null
}

/** Policy of scripts that run as workers: they compute, and request from this server only. */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

const everywhere = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' } as const

function respond(request: Request, headers: Record<string, string>, size: number, body: () => Bun.BodyInit): Response {
  if (hasTag(request, headers.ETag)) {
    const kept = new Headers(headers)
    for (const name of ['Content-Type', 'Content-Encoding']) kept.delete(name)
    return new Response(null, { status: 304, headers: kept })
  }
  if (request.method === 'HEAD') return new Response(null, { headers: { ...headers, 'Content-Length': String(size) } })
  return new Response(body(), { headers })
}

/** Whether a path names a file: if that is missing, the response is 404 instead of the page. */
function namesFile(path: string): boolean {
  return path.startsWith('/assets/') || /\.[A-Za-z0-9]{1,12}$/.test(path)
}

/**
 * The response to a GET or HEAD of a page or of one of its files; null for everything else (other methods, the API).
 * Mount it after the API's routes. `valuesOf` is called only when the page itself is sent.
 */
export function webAssetResponse(
  assets: WebAssets,
  request: Request,
  valuesOf: (request: Request) => PageValues = () => ({}),
): Response | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const { pathname } = new URL(request.url)
  const asset = assets.files.get(pathname)
  if (asset !== undefined) {
    const encoding = chooseEncoding(request.headers.get('accept-encoding'), asset)
    const headers: Record<string, string> = {
      ...everywhere,
      'Content-Type': asset.type,
      'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      // Each encoding is a separate representation: RFC 9110, 8.8.3.
      ETag: encoding === null ? `"${asset.hash}"` : `"${asset.hash}-${encoding}"`,
    }
    if (asset.immutable && asset.type.startsWith('text/javascript')) headers['Content-Security-Policy'] = workerPolicy
    if (asset.br !== undefined || asset.gzip !== undefined) headers.Vary = 'Accept-Encoding'
    if (encoding === null) return respond(request, headers, asset.size, () => Bun.file(asset.read.identity))
    headers['Content-Encoding'] = encoding
    return respond(request, headers, asset[encoding] ?? 0, () => Bun.file(asset.read[encoding] ?? asset.read.identity))
  }
  if (pathname.startsWith('/v1/') || pathname === '/v1' || pathname.startsWith('/config/')) return null
  if (namesFile(pathname)) {
    return new Response(request.method === 'HEAD' ? null : 'Not found\n', {
      status: 404,
      headers: { ...everywhere, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    })
  }
  const values = valuesOf(request)
  const page = new TextEncoder().encode(
    renderIndex(assets, values, acceptedLanguages(request.headers.get('accept-language'))),
  )
  const pictures = values.pictures ?? ''
  const headers = {
    ...everywhere,
    'Content-Type': 'text/html; charset=utf-8',
    // The page contains the session's CSRF value: it is revalidated at each visit and never stored by a shared cache.
    'Cache-Control': 'private, no-cache',
    ETag: `"${Bun.hash(page).toString(36)}"`,
    Vary: 'Cookie, Accept-Language',
    'Content-Security-Policy': assets.policy.replace('blob:;', pictures === '' ? 'blob:;' : `blob: ${pictures};`),
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  }
  if (values.notFound === true) {
    const { ETag: _, ...others } = headers
    return new Response(request.method === 'HEAD' ? null : page, { status: 404, headers: others })
  }
  return respond(request, headers, page.byteLength, () => page)
}
