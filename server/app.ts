/** The HTTP application: calls, files, OpenAPI, and the web pages for all other addresses. */
import { Hono } from 'hono'
import type { Library } from '../core/library.ts'
import { openApi } from '../schema/api/reference/openapi.ts'
import { session } from '../schema/api/users.ts'
import { mountBytes } from './bytes/bytes.ts'
import { mountDownloads } from './bytes/download.ts'
import { mountExports } from './bytes/exports.ts'
import { dataPolicy } from './content-policy.ts'
import { docsPage } from './docs-page.ts'
import { respondToFailure } from './failures.ts'
import { mountFileManager } from './file-manager/file-manager.ts'
import { mountLinks } from './links.ts'
import { mountCalls } from './mount.ts'
import { mountPlans } from './plans.ts'
import { mountPluginFiles } from './plugin-files.ts'
import { noteRefusal } from './refusals.ts'
import { requireCleanAddress } from './requests/clean-address.ts'
import { removeCookie, replaceOldCookies, writeCookie } from './requests/cookies.ts'
import { addressOf, requireKnownHost, setStrictTransport } from './requests/transport.ts'
import {
  identifyRequester,
  ifMatchOf,
  requireGoodBearer,
  setDeviceCookie,
  withVisitorCookie,
} from './requests/viewer.ts'
import { isDeadLink, mountShares, setShareHeaders } from './shares.ts'
import { createSlots } from './slots.ts'
import { mountUpload } from './upload.ts'
import { type WebAssets, webAssetResponse } from './web-assets.ts'

/** Calls that open a session. Their responses also set a cookie, for the requests of `<img>` and `<video>`. */
const sessionCalls = new Set(['users.login', 'users.renew'])

export function createApp(library: Library, assets: WebAssets, media: Parameters<typeof mountBytes>[2]): Hono {
  const app = new Hono()
  app.onError(async (error, context) => {
    await noteRefusal(context, library, error)
    return respondToFailure(context, error, library.log)
  })

  app.use('*', async (context, next) => {
    await next()
    // Set on the response itself: Hono's `header` would copy it, and the file of a copy is not sent with sendfile.
    const { headers } = context.res
    headers.set('X-Content-Type-Options', 'nosniff')
    headers.set('Referrer-Policy', 'same-origin')
    // The pages and their files have their own policies.
    if (context.req.path.startsWith('/v1/') && !headers.has('Content-Security-Policy'))
      headers.set('Content-Security-Policy', dataPolicy)
    setShareHeaders(context.req.path, headers)
    setStrictTransport(context, library, headers)
    replaceOldCookies(context, library, headers)
    // Nobody reads the body of a HEAD response. Without this, an archive would keep its slot for ever.
    if (context.req.method === 'HEAD') await context.res.body?.cancel()
  })
  app.use('*', async (context, next) => {
    requireKnownHost(context, library)
    await next()
  })
  app.use('/v1/*', async (context, next) => {
    requireCleanAddress(context)
    await next()
  })

  mountCalls(app, library, {
    callerFor(context, name, requester) {
      if (name === 'screensavers.list') requireGoodBearer(context, requester)
      const createsSaver = name === 'screensavers.create'
      return {
        viewer: createsSaver ? withVisitorCookie(context, library, requester.viewer) : requester.viewer,
        address: addressOf(context, library),
        agent: context.req.header('user-agent') ?? '',
        ifMatch: ifMatchOf(context),
      }
    },

    after(context, name, result, requester) {
      const opened = sessionCalls.has(name) ? session.safeParse(result) : null
      if (opened?.success === true) writeCookie(context, library, 'session', opened.data.token)
      if (name === 'users.logout') removeCookie(context, library, 'session')
      if (name === 'screensavers.list' && requester.viewer.kind === 'device') {
        setDeviceCookie(context, library, requester.viewer)
      }
    },
  })
  const itemSender = mountBytes(app, library, media)
  const takeDownloadSlot = createSlots('Other downloads are still running. Wait until one of them is done.')
  mountShares(app, library, itemSender)
  mountLinks(app, library, { sender: itemSender, media, takeSlot: takeDownloadSlot })
  mountDownloads(app, library, media, takeDownloadSlot)
  mountFileManager(app, library, itemSender, media, takeDownloadSlot)
  mountExports(app, library)
  mountUpload(app, library)
  mountPlans(app, library)
  mountPluginFiles(app, library)

  let description: ReturnType<typeof openApi> | null = null
  app.get('/v1/openapi.json', context => {
    description ??= openApi()
    context.header('Cache-Control', 'no-cache')
    return context.json(description)
  })
  let docs: string | null = null
  app.get('/v1/docs', context => {
    docs ??= docsPage()
    context.header('Cache-Control', 'no-cache')
    // The page has inline styles, and requests nothing.
    context.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    return context.html(docs)
  })
  app.all('/v1/*', context => context.json({ error: 'Not found', code: 'notFound' }, 404))

  app.all('*', async context => {
    const { csrf } = await identifyRequester(context, library)
    const page = webAssetResponse(assets, context.req.raw, () => ({
      csrf,
      pictures: library.mapGround.origin(),
      notFound: isDeadLink(context.req.path, library),
    }))
    return page ?? context.json({ error: 'Not found', code: 'notFound' }, 404)
  })
  return app
}
