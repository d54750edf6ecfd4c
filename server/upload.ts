/** Uploads over HTTP: the request's body is the file, streamed to the disk. */
import type { Hono } from 'hono'
import { requireSignedIn } from '../core/accounts/access.ts'
import type { Library } from '../core/library.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { Failure } from '../schema/errors.ts'
import { allowSlow } from './bytes/download.ts'
import { decodeInput } from './mount.ts'
import { identifyRequester, requireOwnPage } from './requests/viewer.ts'

/** Idle seconds; a phone on a mobile connection may pause for a while. */
const idleSeconds = 120

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Whether the sender has disconnected. That is not an error, because nobody reads the response. */
function isGone(request: Request, error: unknown): boolean {
  return request.signal.aborted && !(error instanceof Failure)
}

export function mountUpload(app: Hono, library: Library): void {
  app.post(byteRoutes.upload.path, async context => {
    const requester = await identifyRequester(context, library)
    requireSignedIn(requester.viewer)
    requireOwnPage(context, library, requester, false)
    const { collectionId } = decodeInput(byteRoutes.upload.params, context.req.param())
    const query = decodeInput(byteRoutes.upload.query, context.req.query())
    const length = context.req.header('content-length')
    allowSlow(context, idleSeconds)
    const { raw: request } = context.req
    try {
      const { id, name } = await library.uploads.upload(
        requester.viewer,
        { collectionId, ...query, length: length === undefined ? null : Number(length) },
        request.body ?? nothing(),
        request.signal,
      )
      const [item] = library.items.byIds(requester.viewer, [id], undefined)
      context.header('Cache-Control', 'no-store')
      // A keyword in the file may hide the item at once; then, only its id, name and collection are returned.
      return context.json(item ?? { id, name, collection_id: collectionId }, 201)
    } catch (error) {
      if (isGone(request, error)) throw new Failure('interrupted', 'The upload was interrupted.', { cause: error })
      throw error
    }
  })
}
