/** The HTTP application: calls, bytes, OpenAPI, and the web pages behind everything else. */
import { type Context, Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import type { Library } from '../core/library.ts'
import { openApi } from '../schema/api/openapi.ts'
import { session } from '../schema/api/users.ts'
import { limits } from '../schema/limits.ts'
import { mountBytes } from './bytes.ts'
import { answerFailure } from './failures.ts'
import { mountCalls } from './mount.ts'
import { addressOf, askerOf, isLocal, isSecure, sessionCookie } from './viewer.ts'
import { type WebAssets, webAssetResponse } from './web-assets.ts'

/** Calls that open a session answer it in a cookie too, for what `<img>` and `<video>` load. */
const openSession = new Set(['users.login', 'users.renew'])

export function createApp(library: Library, assets: WebAssets, media: Parameters<typeof mountBytes>[2]): Hono {
  const app = new Hono()
  app.onError((error, context) => answerFailure(context, error, library.log))

  app.use('*', async (context, next) => {
    await next()
    // On the answer itself: hono's own way makes a new one whose file would no longer be sent by the system.
    const { headers } = context.res
    headers.set('X-Content-Type-Options', 'nosniff')
    headers.set('Referrer-Policy', 'same-origin')
  })

  function setSession(context: Context, name: string, answer: unknown) {
    if (openSession.has(name)) {
      const opened = session.safeParse(answer)
      if (!opened.success) return
      setCookie(context, sessionCookie, opened.data.token, {
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        secure: isSecure(context, library),
        maxAge: limits.tokenSeconds,
      })
    } else if (name === 'users.logout') deleteCookie(context, sessionCookie, { path: '/' })
  }

  mountCalls(
    app,
    library,
    (asker, group, name, input, context) =>
      library.perform(
        {
          viewer: asker.viewer,
          address: addressOf(context, library),
          agent: context.req.header('user-agent') ?? '',
          local: isLocal(context, library),
        },
        group,
        name,
        input,
      ),
    setSession,
  )
  mountBytes(app, library, media)

  const description = openApi()
  app.get('/v1/openapi.json', context => {
    context.header('Cache-Control', 'no-cache')
    return context.json(description)
  })
  app.all('/v1/*', context => context.json({ error: 'Not found', code: 'notFound' }, 404))

  app.all('*', async context => {
    const { csrf } = await askerOf(context, library)
    const page = webAssetResponse(assets, context.req.raw, () => ({ csrf }))
    return page ?? context.json({ error: 'Not found', code: 'notFound' }, 404)
  })
  return app
}
