/** Pictures and streams of shared items: for anybody who has the link, without metadata, and kept by nobody. */
import type { Context, Hono } from 'hono'
import { notFound } from '../core/accounts/access.ts'
import type { Library } from '../core/library.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { Failure } from '../schema/errors.ts'
import type { ItemSender } from './bytes/bytes.ts'
import type { AskedItem } from './bytes/films.ts'
import { decoded } from './mount.ts'
import { addressOf } from './requests/transport.ts'

/** A link that was sent to a few people is not for search engines. */
export function unsearchable(context: Context): void {
  context.header('X-Robots-Tag', 'noindex')
}

/** What an answer about an item says and one about a share doesn't: the file's name, and what its content is known by. */
const keptBack = ['Content-Disposition', 'ETag']

export function mountShares(app: Hono, library: Library, sender: ItemSender): void {
  /** Whoever opens a share is a visitor, also where the same browser is signed in. */
  function find(context: Context, name: string): AskedItem {
    const item = library.shares.findForBytes(name)
    if (item === null) throw notFound()
    return { ...item, asker: { ...library.sessions.anonymous(), address: addressOf(context, library) } }
  }

  /** One answer for whatever is not there, and nothing of the item in its words. */
  async function shared(work: () => Promise<Response>): Promise<Response> {
    let response: Response
    try {
      response = await work()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'notFound') throw notFound()
      if (error.code !== 'unavailable') throw error
      throw new Failure('unavailable', error.message, { retryAfter: error.retryAfter ?? 5, cause: error })
    }
    for (const name of keptBack) response.headers.delete(name)
    response.headers.set('X-Robots-Tag', 'noindex')
    response.headers.set('Cache-Control', 'no-store')
    return response
  }

  app.get(byteRoutes.sharedImage.path, context => {
    const { name } = decoded(byteRoutes.sharedImage.params, context.req.param())
    const query = decoded(byteRoutes.sharedImage.query, context.req.query())
    return shared(async () => sender.image(context, find(context, name), query))
  })

  app.get(byteRoutes.sharedStream.path, context => {
    const { name } = decoded(byteRoutes.sharedStream.params, context.req.param())
    decoded(byteRoutes.sharedStream.query, context.req.query())
    return shared(async () => sender.stream(context, find(context, name), false))
  })
}
