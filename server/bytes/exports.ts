/** Files made on request: a collection as CSV, people, finished slideshows. */
import { existsSync } from 'node:fs'
import type { Hono } from 'hono'
import { notFound, requireSignedIn } from '../../core/accounts/access.ts'
import type { Library } from '../../core/library.ts'
import { builtFile, builtPath } from '../../core/sharing/slideshow/slideshow-job.ts'
import { byteRoutes } from '../../schema/api/bytes.ts'
import { decodeInput } from '../mount.ts'
import { identifyRequester } from '../requests/viewer.ts'
import { downloadHeaders } from './disposition.ts'
import { allowSlow } from './download.ts'
import { noteDownload } from './download-notes.ts'

/** Texts as bytes, each made when the reader is ready for it, so that other requests run in between. */
function streamOf(texts: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(0)
      const { value, done } = texts.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel() {
      texts.return?.()
    },
  })
}

export function mountExports(app: Hono, library: Library): void {
  app.get(byteRoutes.exportCollection.path, async context => {
    const { viewer } = await identifyRequester(context, library)
    requireSignedIn(viewer)
    const { id } = decodeInput(byteRoutes.exportCollection.params, context.req.param())
    const query = decodeInput(byteRoutes.exportCollection.query, context.req.query())
    const { name, lines } = library.collectionExport.csv(viewer, id, query)
    noteDownload(library, context, viewer, { what: 'csv', collection: id })
    allowSlow(context)
    return new Response(streamOf(lines), { headers: downloadHeaders('text/csv; charset=utf-8', name) })
  })

  app.get(byteRoutes.exportPeople.path, async context => {
    const { viewer } = await identifyRequester(context, library)
    const people = library.exportPeople(viewer)
    noteDownload(library, context, viewer, { what: 'people' })
    return new Response(people, { headers: downloadHeaders('application/json', 'people.json') })
  })

  app.get(byteRoutes.slideshow.path, async context => {
    const { viewer } = await identifyRequester(context, library)
    requireSignedIn(viewer)
    const { fileid } = decodeInput(byteRoutes.slideshow.params, context.req.param())
    const built = builtFile(library, viewer, fileid)
    const path = built === null ? '' : builtPath(library.cache, built.id)
    if (built === null || !existsSync(path)) throw notFound()
    const file = Bun.file(path)
    noteDownload(library, context, viewer, { what: 'slideshow', items: built.items, bytes: file.size })
    allowSlow(context)
    return new Response(file, { headers: downloadHeaders('application/zip', built.name) })
  })
}
