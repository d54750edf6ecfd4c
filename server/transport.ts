/** How a request came: from which address, over https or not, and by which of the server's names. */
import { isIP } from 'node:net'
import type { Context } from 'hono'
import { isInNetwork, plainAddress } from '../core/client-address.ts'
import type { Library } from '../core/library.ts'
import { Failure } from '../schema/errors.ts'

/** A year: long enough for browsers to refuse http from then on. */
const strictTransport = 'max-age=31536000'

/** What a proxy adds. A request that has one of these and comes from no trusted address is worth a line in the log. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

/** Libraries whose log has that line. */
const warned = new WeakSet<Library>()

/** Address at the other end of the connection; '' where there is none (tests). */
function socketAddress(context: Context): string {
  const env: unknown = context.env
  if (typeof env !== 'object' || env === null || !('address' in env)) return ''
  return typeof env.address === 'string' ? plainAddress(env.address) : ''
}

function isTrusted(address: string, library: Library): boolean {
  return library.settings.trusted_proxies.some(network => isInNetwork(address, network))
}

/** An entry of X-Forwarded-For without the port that some proxies add; null where it is no address. */
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
 * Address of whoever asks; '' where there is no socket (tests). Each trusted proxy tells from where it was asked: the first
 * address from the right that is not trusted is the visitor's, what stands left of it could be made up.
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

/** https here, or at a proxy that is trusted. */
export function isSecure(context: Context, library: Library): boolean {
  if (context.req.url.startsWith('https:')) return true
  return context.req.header('x-forwarded-proto') === 'https' && isTrusted(socketAddress(context), library)
}

/** Browsers that came over https once do not go back to http. */
export function setStrictTransport(context: Context, library: Library, headers: Headers): void {
  if (isSecure(context, library)) headers.set('Strict-Transport-Security', strictTransport)
}

/** The name and port that the request was sent to. */
function hostOf(context: Context): string {
  return context.req.header('host') ?? new URL(context.req.url).host
}

/** A name as names are compared: without port, brackets and the root's dot, in the letters of the DNS; '' for none. */
function nameOf(host: string): string {
  const url = URL.parse(`http://${host}`)
  return url === null ? '' : url.hostname.replace(/^\[|\]$|\.$/g, '')
}

/**
 * Refuses names that are not the server's, once `base_url` says which is: a web page can point a name of its own here and
 * would be this server to a browser (DNS rebinding). An address and this machine's own names cannot be pointed anywhere.
 */
export function demandKnownHost(context: Context, library: Library): void {
  const { base_url: base, hosts } = library.settings
  if (base === '') return
  const host = hostOf(context)
  const name = nameOf(host)
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return
  if (name !== '' && [new URL(base).host, ...hosts].some(known => nameOf(known) === name)) return
  throw new Failure(
    'misdirected',
    `This server is not called '${host.slice(0, 200)}'. If it should be, add that name to its setting 'hosts'.`,
  )
}

/** Is this the origin of a page of this server? That of `base_url`, or that of the address which the request was sent to. */
export function isOwnOrigin(context: Context, library: Library, origin: string | undefined): boolean {
  const { base_url: base } = library.settings
  if (base !== '' && origin === new URL(base).origin) return true
  const { protocol } = new URL(context.req.url)
  return origin === `${isSecure(context, library) ? 'https:' : protocol}//${hostOf(context)}`
}
