/** The file manager's protocol over fetch: one address, action in `q`, shared parameters in every call. */
import { z } from 'zod'
import { type FileAction, type FileListing, fileListing } from '../../schema/api/file-manager.ts'
import { type Driver, type FileReference, FileRefused, NoResponse } from './driver.ts'
import type { PageSession } from './options.ts'

type Parameters = Record<string, string>

/** Maximum length of an address; proxies refuse longer ones, so then the parameters are sent in the body. */
const maxAddressLength = 4_000

/** Actions that the protocol calls with GET. */
const actionsByGet: readonly FileAction[] = ['index', 'search', 'preview', 'download', 'delete', 'newfolder', 'newfile']

const refusal = z.object({ message: z.string() })

const unreachableText = 'The server cannot be reached. Try again.'
const unknownText = 'Unknown server error'

/** The message in a refusal's body; null if it cannot be read. */
function parseMessage(text: string): string | null {
  try {
    return refusal.safeParse(JSON.parse(text)).data?.message ?? null
  } catch {
    return null
  }
}

/** The message of a refusal, or a general one if it cannot be read. */
export const messageOrDefault = (text: string): string => parseMessage(text) ?? unknownText

const itemsText = (items: readonly FileReference[]) => JSON.stringify(items.map(({ path, type }) => ({ path, type })))

interface Call extends RequestInit {
  address: string
}

export interface HttpOptions {
  url: string
  /** Evaluated for each call, because it includes the CSRF token, which changes. */
  postData: () => Parameters
  session?: PageSession
  subscribe?: Driver['subscribe']
}

/** For pages that cannot ask users to sign in: calls are not repeated, and the refusal is shown. */
const noSession: PageSession = { current: async () => '', now: () => '', signInAgain: async () => false }

/** Makes calls of the protocol, with the shared parameters, and repeats them after a login. */
function createCalls({ url, postData, session }: Required<Pick<HttpOptions, 'url' | 'postData' | 'session'>>) {
  const addressOf = (parameters: Parameters) =>
    `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`

  async function fetchOnce({ address, ...init }: Call): Promise<Response> {
    try {
      return await fetch(address, { credentials: 'include', cache: 'no-store', ...init })
    } catch (error) {
      if (init.signal?.aborted === true) throw error
      throw new NoResponse(unreachableText, { cause: error })
    }
  }

  /** `make` builds the request; called again after a login, because the credentials have changed. */
  async function call(make: () => Call): Promise<Response> {
    let response: Response
    let mayRepeat = false
    do {
      const sentSession = await session.current()
      response = await fetchOnce(make())
      // The new session may have ended meanwhile, too.
      mayRepeat = response.status === 401 && (await session.signInAgain(sentSession))
    } while (mayRepeat)
    if (response.ok) return response
    const message = parseMessage(await response.text().catch(() => ''))
    // A proxy may have responded instead of the server.
    throw message === null ? new NoResponse(unknownText) : new FileRefused(message)
  }

  function request(q: FileAction, parameters: Parameters, signal?: AbortSignal): Promise<Response> {
    const more = signal === undefined ? {} : { signal }
    return call(() => {
      const address = addressOf({ ...postData(), q, ...parameters })
      if (actionsByGet.includes(q) && address.length <= maxAddressLength) return { ...more, address }
      return {
        ...more,
        address: addressOf({ q }),
        method: 'POST',
        body: new URLSearchParams({ ...postData(), ...parameters }),
      }
    })
  }

  /** Throws if the server would not send the file. */
  async function checkSendable(addressNow: () => string, signal?: AbortSignal): Promise<void> {
    const more: RequestInit = signal === undefined ? {} : { signal }
    await session.current()
    const head = await fetch(addressNow(), {
      method: 'HEAD',
      credentials: 'include',
      cache: 'no-store',
      ...more,
    }).catch(() => null)
    if (head?.ok === true || head?.status === 405) return
    // HEAD returns no reason, so use GET, whose body has it. If GET succeeds, drop the file that it returns.
    await (await call(() => ({ ...more, address: addressNow() }))).body?.cancel()
  }

  async function list(q: FileAction, parameters: Parameters, signal?: AbortSignal): Promise<FileListing> {
    const listing = fileListing.safeParse(await (await request(q, parameters, signal)).json().catch(() => null))
    if (signal?.aborted === true) throw signal.reason
    // The response is incomplete or came from a proxy, so it is not a refusal.
    if (!listing.success) throw new NoResponse(unknownText)
    return listing.data
  }

  /** Returns the changed folder's listing, or null if the server's response is something else, which the protocol allows. */
  async function change(q: FileAction, parameters: Parameters): Promise<FileListing | null> {
    const response = await request(q, parameters)
    const listing = fileListing.safeParse(await response.json().catch(() => null))
    return listing.success ? listing.data : null
  }

  return { addressOf, call, request, checkSendable, list, change }
}

export function createHttpDriver({ url, postData, session = noSession, subscribe }: HttpOptions): Driver {
  const { addressOf, call, request, checkSendable, list, change } = createCalls({ url, postData, session })
  const downloadAddress = (path: string) => addressOf({ ...postData(), q: 'download', path })

  return {
    ...(subscribe === undefined ? {} : { subscribe }),
    onlyFolders: false,
    index: (path, signal) => list('index', { path }, signal),
    search: (path, filter, signal) => list('search', { path, filter }, signal),
    newFolder: (path, name) => change('newfolder', { path, name }),
    newFile: (path, name) => change('newfile', { path, name }),
    rename: (path, item, name) => change('rename', { path, item, name }),
    remove: (path, items) => change('delete', { path, items: itemsText(items) }),
    archive: (path, items, name) => change('archive', { path, items: itemsText(items), name }),
    unarchive: (path, item) => change('unarchive', { path, item }),
    move: (path, items, target) => change('move', { path, items: itemsText(items), item: target }),

    async read(path, signal) {
      const response = await request('preview', { path }, signal)
      return { bytes: await response.arrayBuffer(), version: response.headers.get('etag') ?? '' }
    },

    async save(path, content, version) {
      await request('save', { path, content, ...(version === '' ? {} : { version }) })
    },

    async replace(path, name, picture, version) {
      await call(() => {
        const body = new FormData()
        const parameters = { ...postData(), path, name, ...(version === '' ? {} : { version }) }
        // Fields precede the file, because the server writes the file as it arrives.
        for (const [field, value] of Object.entries(parameters)) body.append(field, value)
        body.append('file', picture, name)
        return { address: addressOf({ q: 'upload' }), method: 'POST', body }
      })
    },

    previewAddress(path, { small = false, version } = {}) {
      const more = { ...(small ? { size: 'small' } : {}), ...(version === undefined ? {} : { v: version }) }
      return addressOf({ ...postData(), q: 'preview', path, ...more })
    },

    requirePreview: (path, signal) => checkSendable(() => addressOf({ ...postData(), q: 'preview', path }), signal),
    requireDownload: path => checkSendable(() => downloadAddress(path)),

    downloadAddress,

    async ready() {
      await session.current()
    },
    session: () => session.now(),
    async signInAgain(sentSession) {
      await session.signInAgain(sentSession)
    },

    uploadTarget: path => ({ address: addressOf({ q: 'upload' }), fields: { ...postData(), path } }),
  }
}
