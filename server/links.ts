/** Sends pictures, streams and downloads of links to everybody who has the address. They are never cached. */
import type { Hono } from 'hono'
import type { Library } from '../core/library.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { product } from '../schema/limits.ts'
import type { ItemSender } from './bytes/bytes.ts'
import { downloadHeaders } from './bytes/disposition.ts'
import { allowSlow, createArchives } from './bytes/download.ts'
import { queueCallerOf } from './bytes/fair-queue.ts'
import type { MediaOnDemand } from './bytes/media-on-demand.ts'
import { decodeInput } from './mount.ts'
import { addressOf } from './requests/transport.ts'
import { requestedByVisitor, withoutItemHeaders, withPlainFailures } from './shares.ts'
import { bodyWithSlot, type TakeSlot } from './slots.ts'

export function mountLinks(
  app: Hono,
  library: Library,
  { sender, media, takeSlot }: { sender: ItemSender; media: MediaOnDemand; takeSlot: TakeSlot },
): void {
  const archiveOf = createArchives(library, media)

  app.get(byteRoutes.linkImage.path, context => {
    const { name, id } = decodeInput(byteRoutes.linkImage.params, context.req.param())
    const { key, ...query } = decodeInput(byteRoutes.linkImage.query, context.req.query())
    return withoutItemHeaders(async () =>
      sender.image(context, requestedByVisitor(context, library, library.links.findForBytes(name, key, id)), query),
    )
  })

  app.get(byteRoutes.linkStream.path, context => {
    const { name, id } = decodeInput(byteRoutes.linkStream.params, context.req.param())
    const { key } = decodeInput(byteRoutes.linkStream.query, context.req.query())
    return withoutItemHeaders(async () =>
      sender.stream(context, requestedByVisitor(context, library, library.links.findForBytes(name, key, id)), false),
    )
  })

  app.get(byteRoutes.linkDownload.path, context => {
    const { name } = decodeInput(byteRoutes.linkDownload.params, context.req.param())
    const { key } = decodeInput(byteRoutes.linkDownload.query, context.req.query())
    return withPlainFailures(async () => {
      const { title, sharer, ids, ...toVisitors } = library.links.forDownload(name, key)
      const plan = library.downloads.plan(sharer, { collectionId: 0, query: {}, items: ids, toVisitors })
      const visitor = { ...library.sessions.anonymous(), address: addressOf(context, library) }
      const end = takeSlot(visitor)
      const request = { ...queueCallerOf(visitor, context.req.raw.signal), unlimited: true }
      allowSlow(context)
      const body = bodyWithSlot(archiveOf(plan, request), end)
      return new Response(body, {
        headers: downloadHeaders('application/zip', `${title === '' ? product : title}.zip`),
      })
    })
  })
}
