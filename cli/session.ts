/** The session of a command: the library of this machine, or a server with the same calls. */
import type { Command } from 'commander'
import type { Viewer } from '../core/accounts/access.ts'
import type { CollectionRow } from '../core/collections/collections.ts'
import type { Library } from '../core/library.ts'
import type { Calls } from '../schema/api/calls.ts'
import type { Collection } from '../schema/api/collections.ts'
import type { Client } from '../schema/api/contract.ts'
import { Failure } from '../schema/errors.ts'
import { endAtOnceOnSignal, endWith, interruption } from './exit.ts'
import { finishJob } from './finish-job.ts'
import { type Creation, fullCommandName, openFor, optionsOf } from './options.ts'
import { createOutput, type Output, runWithSummary } from './output.ts'

/** The library on this machine, and the terminal's rights. */
export interface LocalLibrary {
  library: Library
  viewer: Viewer
}

/**
 * With `--server`, `here` is null; otherwise, `remote` is null. `planner` plans work on files; `rehearse` checks a
 * change without making it and throws its refusal; `finish` waits for a job that a call has started.
 */
export type Session = Awaited<ReturnType<typeof openSession>>

/** `stopsCleanly`: the first Ctrl-C lets the work finish cleanly; `create`: what to do if there is no library. */
export interface SessionRequest {
  create?: Creation
  stopsCleanly?: boolean
}

async function openSession(command: Command, output: Output, { create = false, stopsCleanly = false }: SessionRequest) {
  const signal = stopsCleanly ? interruption() : new AbortController().signal
  if (!stopsCleanly) endAtOnceOnSignal(() => output.end({ state: 'interrupted' }))
  const { server, token } = optionsOf(command)
  const base = { output, signal, name: fullCommandName(command) }
  if (server !== undefined) {
    const { openRemote } = await import('./remote/server-client.ts')
    const remote = openRemote(server, token)
    const { client } = remote
    const finish = (id: number, title: string) => finishJob({ library: null, client }, id, { title, output, signal })
    return { ...base, ...remote, here: null, remote, finish }
  }
  const library = await openFor(command, { create })
  const { terminalViewer: viewer } = await import('../core/accounts/access.ts')
  const client = library.as(viewer)
  const finish = (id: number, title: string) => finishJob({ library, client }, id, { title, output, signal })
  const rehearse = (change: (client: Client<Calls>) => Promise<unknown>) => library.db.rehearse(() => change(client))
  const planner = library.plans.as(viewer)
  return { ...base, client, here: { library, viewer }, remote: null, planner, rehearse, finish }
}

/** Runs a command's work; `--json` always ends with a summary. */
export function withOutput(command: Command, work: (output: Output) => Promise<number>): Promise<never> {
  const output = createOutput(optionsOf(command))
  return endWith(() => runWithSummary(output, () => work(output)))
}

/** Runs a command's work with a session, and closes the library afterwards. */
export function withSession(
  command: Command,
  work: (session: Session) => Promise<number>,
  request: SessionRequest = {},
): Promise<never> {
  return withOutput(command, async output => {
    const session = await openSession(command, output, request)
    try {
      return await work(session)
    } finally {
      session.here?.library.close()
    }
  })
}

/** Makes a command's action for commander from `work`, which gets the arguments and options after the session. */
export function inSession<A extends unknown[]>(
  work: (session: Session, ...typed: A) => Promise<number>,
  request: SessionRequest = {},
) {
  return (...given: unknown[]): Promise<never> =>
    withSession(given.at(-1) as Command, session => work(session, ...(given.slice(0, -1) as A)), request)
}

/** Returns the local library, for work that only its own machine can do; a failure with `--server`. */
export function requireLocalLibrary({ here, name }: Session, what = name): LocalLibrary {
  if (here !== null) return here
  throw new Failure('invalid', `'${what}' works only on the server itself, without --server.`)
}

/** The session as a user of the library on this machine. Fails with `--server`, where the token has its user. */
export async function sessionAsUser(session: Session, user: string): Promise<Session> {
  const { here } = session
  if (here === null)
    throw new Failure('invalid', 'With --server, the command acts for the user of --token; leave --user out.')
  const { library } = here
  const [{ userByName }, { viewerOfUser }] = await Promise.all([
    import('../core/accounts/user-rows.ts'),
    import('../core/accounts/viewers.ts'),
  ])
  const row = userByName(library.db, user)
  if (row === undefined) throw new Failure('notFound', `There is no user '${user}'. See: keepsake user list`)
  const viewer = viewerOfUser(library.db, library.rights, row.id)
  if (viewer === null) throw new Failure('conflict', `The account '${user}' is disabled. See: keepsake user enable`)
  const client = library.as(viewer)
  const rehearse = (change: (client: Client<Calls>) => Promise<unknown>) => library.db.rehearse(() => change(client))
  return { ...session, here: { library, viewer }, client, rehearse }
}

/** The session of `user`, which is required on this machine. With `--server`, it is the session of the token's user. */
export async function requireUserSession(session: Session, user: string | undefined): Promise<Session> {
  if (user !== undefined) return sessionAsUser(session, user)
  if (session.here === null) return session
  throw new Failure('invalid', 'Give the user: --user NAME. See: keepsake user list')
}

/** Finds a collection by name, id or directory; refuses a directory inside a collection. */
export async function resolveLocalCollection({ library, viewer }: LocalLibrary, word: string): Promise<CollectionRow> {
  const { row, below } = await library.collections.resolve(viewer, word, { create: false })
  if (below === null) return row
  throw new Failure('invalid', `'${word}' is a directory within the collection '${row.name}'. Give the collection.`)
}

/** Resolves a collection: a name, an id, or its directory. */
export async function resolveCollection(session: Session, word: string): Promise<Collection> {
  const { here, client } = session
  const [, ...all] = await client.collections.list()
  if (here !== null) {
    const { id } = await resolveLocalCollection(here, word)
    const found = all.find(one => one.id === id)
    if (found !== undefined) return found
  }
  const found =
    all.find(({ name }) => name === word) ??
    all.find(({ name }) => name.toLowerCase() === word.toLowerCase()) ??
    all.find(({ id, path }) => String(id) === word || (path !== '' && path === word))
  if (found !== undefined) return found
  throw new Failure('notFound', `There is no collection '${word}' there. See: keepsake collection list`)
}

export async function collectionNames({ client }: Session): Promise<Map<number, string>> {
  return new Map((await client.collections.list()).map(({ id, name }) => [id, name]))
}

/** Awaits a call; if it fails with `notFound`, the failure has the message `what`. Other errors are unchanged. */
export async function withNotFoundMessage<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') throw new Failure('notFound', what)
    throw error
  }
}

/** The only thing in `found`; a failure if there is none or several. */
export function requireOne<T extends { id: number }>(
  found: readonly T[],
  word: string,
  { one, many, see }: { one: string; many: string; see: string },
): T {
  const [first] = found
  if (first === undefined) throw new Failure('notFound', `There is no ${one} '${word}'. See: ${see}`)
  if (found.length === 1) return first
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('conflict', `Several ${many} are called '${word}': ${ids}. Give the id.`)
}

/** Parses an id: a whole number above zero; the failure names the kind of thing. */
export function parseId(text: string, what: string, see: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new Failure('invalid', `'${text}' is not a valid ${what} id. See: ${see}`)
}
