/** The cookies of this server: their names and flags, and reading those that older versions set. */
import type { Context } from 'hono'
import { deleteCookie, generateCookie, getCookie, setCookie } from 'hono/cookie'
import { oldCookiesUntil } from '../../core/accounts/old-cookies.ts'
import { seconds } from '../../core/kernel/clock.ts'
import type { Library } from '../../core/library.ts'
import { limits } from '../../schema/limits.ts'
import { isSecure } from './transport.ts'

/**
 * `name` and `path` are used over http. Over https, the names start with `__Host-` and the path is '/': browsers then
 * accept the cookies only over https, and not from other hosts of the same domain.
 */
const cookies = {
  /** The session token, for requests of `<img>` and `<video>`. */
  session: { name: 'keepsake_session', path: '/', maxAge: limits.tokenSeconds },
  /** Identifies a visitor's browser, for their screen savers only. */
  visitor: { name: 'keepsake_visitor', path: '/v1/screensaver', maxAge: limits.visitorSaverSeconds },
  /** Lets a device load its screen saver's pictures, for as long as browsers allow (RFC 6265bis, 5.5). */
  device: { name: 'keepsake_device', path: '/v1/item', maxAge: 400 * 86_400 },
} as const

export type CookieName = keyof typeof cookies

const flags = { httpOnly: true, sameSite: 'Strict' } as const
const secureFlags = { ...flags, path: '/', secure: true } as const
const secureName = (cookie: CookieName) => `__Host-${cookies[cookie].name}`

function acceptsOldCookies(library: Library): boolean {
  return seconds(library.clock) < oldCookiesUntil(library.db)
}

export function readCookie(context: Context, library: Library, cookie: CookieName): string | undefined {
  const { name } = cookies[cookie]
  if (!isSecure(context, library)) return getCookie(context, name)
  const value = getCookie(context, secureName(cookie))
  if (value !== undefined) return value
  const old = getCookie(context, name)
  return old === undefined || !acceptsOldCookies(library) ? undefined : old
}

export function writeCookie(context: Context, library: Library, cookie: CookieName, value: string): void {
  const { name, path, maxAge } = cookies[cookie]
  if (!isSecure(context, library)) setCookie(context, name, value, { ...flags, path, maxAge })
  else setCookie(context, secureName(cookie), value, { ...secureFlags, maxAge })
}

/** Deletes the cookie, including that of older versions. */
export function removeCookie(context: Context, library: Library, cookie: CookieName): void {
  const { name, path } = cookies[cookie]
  if (isSecure(context, library)) deleteCookie(context, secureName(cookie), secureFlags)
  deleteCookie(context, name, { path })
}

/** Replaces cookies of older versions in the response. */
export function replaceOldCookies(context: Context, library: Library, headers: Headers): void {
  if (!isSecure(context, library)) return
  const set = headers.getSetCookie()
  // A response that shared caches may store must not set a cookie.
  const isShared = headers.get('Cache-Control')?.includes('public') === true
  for (const cookie of ['session', 'visitor', 'device'] as const) {
    const { name, path, maxAge } = cookies[cookie]
    const old = getCookie(context, name)
    if (old === undefined || isShared || !acceptsOldCookies(library)) continue
    const isSet = set.some(line => line.startsWith(`${secureName(cookie)}=`))
    if (!isSet && getCookie(context, secureName(cookie)) === undefined) {
      headers.append('Set-Cookie', generateCookie(secureName(cookie), old, { ...secureFlags, maxAge }))
    }
    if (!set.some(line => line.startsWith(`${name}=`))) {
      headers.append('Set-Cookie', generateCookie(name, '', { path, maxAge: 0 }))
    }
  }
}
