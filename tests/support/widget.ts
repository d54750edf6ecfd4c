/** Opens the file manager's widget on a page, for walks of its options. */
import { join } from 'node:path'
import { laptop, type OpenedPage, openPage } from './browser.ts'
import type { RunningServer } from './server-process.ts'

const entry = join(import.meta.dir, '../web/file-manager/widget-page.tsx')
const pathPrefix = '/widget-page/'

let built: Promise<Map<string, Uint8Array<ArrayBuffer>>> | null = null

async function build(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    splitting: true,
    minify: true,
    publicPath: pathPrefix,
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return new Map(
    await Promise.all(
      outputs.map(async one => [one.path.replace(/^\.\//, ''), new Uint8Array(await one.arrayBuffer())] as const),
    ),
  )
}

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', html: 'text/html' }
const index = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Widget</title>
<body><script type="module" src="${pathPrefix}widget-page.js"></script>`

/** Opens a page with the widget at the server's address, signed in with the account that `signIn` created. */
export async function openWidget(
  { address }: RunningServer,
  options: Record<string, string> = {},
  viewport = laptop,
): Promise<OpenedPage> {
  built ??= build()
  const files = await built
  const opened = await openPage('about:blank', { viewport })
  const { page } = opened
  const response = await page.context().request.post(`${address}/v1/users/login`, {
    headers: { origin: address },
    data: { username: 'ines', password: 'secret' },
  })
  const { csrf }: { csrf: string } = JSON.parse(await response.text())
  await page.route(`${address}${pathPrefix}**`, route => {
    const name = new URL(route.request().url()).pathname.slice(pathPrefix.length)
    const body = name === '' ? index : files.get(name)
    if (body === undefined) return route.fulfill({ status: 404 })
    return route.fulfill({ contentType: types[name.split('.').at(-1) || 'html'] ?? '', body: Buffer.from(body) })
  })
  await page.goto(`${address}${pathPrefix}?${new URLSearchParams({ ...options, _csrf: csrf })}`)
  await page.locator('.fm').waitFor()
  return opened
}
