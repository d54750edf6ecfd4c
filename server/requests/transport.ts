/** How a request arrived: client address, http or https, and host name. */
import { isIP } from 'node:net'
import type { Context } from 'hono'
import { isInNetwork, plainAddress } from '../../core/accounts/client-address.ts'
import type { Library } from '../../core/library.ts'
import { Failure, sentence } from '../../schema/errors.ts'

/** A year: long enough for browsers to refuse http from then on. */
const strictTransport = 'max-age=31536000'

/** Headers that proxies add. A request with one of them from an untrusted address is logged once. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

/** Libraries that have already logged such a request. */
const warned = new WeakSet<Library>()

/** Address at the other end of the connection; '' if there is none (tests). */
function socketAddress(context: Context): string {
  const env: unknown = context.env
  if (typeof env !== 'object' || env === null || !('address' in env)) return ''
  return typeof env.address === 'string' ? plainAddress(env.address) : ''
}

function isTrusted(address: string, library: Library): boolean {
  return library.settings.trusted_proxies.some(network => isInNetwork(address, network))
}

/** An entry of X-Forwarded-For without the port that some proxies add; null if it is not an address. */
function addressIn(entry: string): string | null {
  const text = entry.trim().replace(/^\[(.*)\](?::\d+)?$/, '$1')
  const address = plainAddress(/^\d+(?:\.\d+){3}:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  return isIP(address) === 0 ? null : address
}

function warnOfProxy(context: Context, library: Library, address: string): void {
  if (address === '' || warned.has(library)) return
  const header = proxyHeaders.find(name => context.req.header(name) !== undefined)
  if (header === undefined) return
  warned.add(library)
  library.log.warn(
    `A request with ${header} came from ${address}, which the setting 'trusted_proxies' does not name: all its visitors count as one address. If it is your proxy, add ${address} to 'trusted_proxies'.`,
  )
}

/**
 * Address of the client; '' without a socket (tests). Each trusted proxy appends the address it was called from, so
 * the first untrusted address from the right is the client's; anything to the left of it could be forged.
 */
export function addressOf(context: Context, library: Library): string {
  let address = socketAddress(context)
  if (!isTrusted(address, library)) {
    warnOfProxy(context, library, address)
    return address
  }
  for (const entry of (context.req.header('x-forwarded-for') ?? '').split(',').toReversed()) {
    const next = addressIn(entry)
    if (next === null) break
    address = next
    if (!isTrusted(address, library)) break
  }
  return address
}

/** Whether the request came over https, here or at a trusted proxy. */
export function isSecure(context: Context, library: Library): boolean {
  if (context.req.url.startsWith('https:')) return true
  return context.req.header('x-forwarded-proto') === 'https' && isTrusted(socketAddress(context), library)
}

export function setStrictTransport(context: Context, library: Library, headers: Headers): void {
  if (isSecure(context, library)) headers.set('Strict-Transport-Security', strictTransport)
}

function hostOf(context: Context): string {
  return context.req.header('host') ?? new URL(context.req.url).host
}

/** Normalises a host name for comparison: in punycode, without port, brackets and final dot; '' if it is invalid. */
function comparableHost(host: string): string {
  const url = URL.parse(`http://${host}`)
  return url === null ? '' : url.hostname.replace(/^\[|\]$|\.$/g, '')
}

/**
 * Refuses unknown host names once `base_url` is set: a web page could point its own name at this server and would then
 * have the same origin for a browser (DNS rebinding). IP addresses and this machine's own names are safe.
 */
export function requireKnownHost(context: Context, library: Library): void {
  const { base_url: base, hosts } = library.settings
  if (base === '') return
  const host = hostOf(context)
  const name = comparableHost(host)
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return
  if (name !== '' && [new URL(base).host, ...hosts].some(known => comparableHost(known) === name)) return
  throw new Failure(
    'misdirected',
    sentence`This server is not called '${host.slice(0, 200)}'. If it should be, add that name to its setting 'hosts'.`,
  )
}

/** Whether an origin is this server's: that of `base_url`, or that of the request itself. */
export function isOwnOrigin(context: Context, library: Library, origin: string | undefined): boolean {
  const { base_url: base } = library.settings
  if (base !== '' && origin === new URL(base).origin) return true
  const { protocol } = new URL(context.req.url)
  return origin === `${isSecure(context, library) ? 'https:' : protocol}//${hostOf(context)}`
}
