/** Sends pictures and streams of shared items to everybody who has the link: without metadata, never cached. */
import type { Context, Hono } from 'hono'
import { notFound } from '../core/accounts/access.ts'
import type { ItemForBytes } from '../core/items/item-bytes.ts'
import type { Library } from '../core/library.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { Failure } from '../schema/errors.ts'
import type { ItemSender } from './bytes/bytes.ts'
import type { RequestedItem } from './bytes/films.ts'
import { decodeInput } from './mount.ts'
import { addressOf } from './requests/transport.ts'

/** Headers of an item's response that a share omits: the file's name, and the ETag of its content. */
const omittedHeaders = ['Content-Disposition', 'ETag']

/** Keeps search engines from indexing addresses of shares and links, and browsers from storing their responses. */
export function setShareHeaders(path: string, headers: Headers): void {
  const [, api] = /^(\/v1)?\/(?:share|link)\//.exec(path) ?? [null, null]
  if (api === null) return
  headers.set('X-Robots-Tag', 'noindex')
  if (api !== undefined) headers.set('Cache-Control', 'no-store')
}

/** Whether this is the path of a page of a share or link that is not active. */
export function isDeadLink(path: string, { shares, links }: Pick<Library, 'shares' | 'links'>): boolean {
  const [, kind, name = ''] = /^\/(share|link)\/([^/]+)\/?$/.exec(path) ?? []
  return kind !== undefined && !(kind === 'share' ? shares : links).isActive(name)
}

/** Removes details from failures: whatever does not exist gets the same failure, and a running job is not named. */
export async function withPlainFailures(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'notFound') throw notFound()
    if (error.code !== 'unavailable') throw error
    throw new Failure('unavailable', error.message, { retryAfter: error.retryAfter ?? 5, cause: error })
  }
}

/** Sends the bytes of an item without any detail of it in the headers. */
export async function withoutItemHeaders(work: () => Promise<Response>): Promise<Response> {
  const response = await withPlainFailures(work)
  for (const name of omittedHeaders) response.headers.delete(name)
  return response
}

/** The viewer of a share or link is a visitor, even if the browser is signed in. `item`: null if it is not shared. */
export function requestedByVisitor(context: Context, library: Library, item: ItemForBytes | null): RequestedItem {
  if (item === null) throw notFound()
  return { ...item, viewer: { ...library.sessions.anonymous(), address: addressOf(context, library) } }
}

export function mountShares(app: Hono, library: Library, sender: ItemSender): void {
  const find = (context: Context, name: string) =>
    requestedByVisitor(context, library, library.shares.findForBytes(name))

  app.get(byteRoutes.sharedImage.path, context => {
    const { name } = decodeInput(byteRoutes.sharedImage.params, context.req.param())
    const query = decodeInput(byteRoutes.sharedImage.query, context.req.query())
    return withoutItemHeaders(async () => sender.image(context, find(context, name), query))
  })

  app.get(byteRoutes.sharedStream.path, context => {
    const { name } = decodeInput(byteRoutes.sharedStream.params, context.req.param())
    decodeInput(byteRoutes.sharedStream.query, context.req.query())
    return withoutItemHeaders(async () => sender.stream(context, find(context, name), false))
  })
}
