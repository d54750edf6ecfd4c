/** A server in its own process, and its library opened again by the test, as a command or a cron job would open it. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { newestEvent } from '../../core/kernel/events.ts'
import { openLibrary } from '../../core/library.ts'
import { countMediumDue } from '../../core/scan/renditions-job.ts'
import type { RealtimeMessage } from '../../schema/realtime.ts'
import { openRealtime, type RealtimeClient } from './realtime.ts'
import { picture } from './scanning-library.ts'
import { type RunningServer, startServer, waitUntil } from './server-process.ts'
import { temporaryDirectory } from './temporary.ts'

const noFlags = { view: 0, create: 0, update: 0, admin: 0 }

/** Opens a new library; the server starts when it is first needed. `plugins`: directories to install, by folder name. */
export async function openLibraryWithServer({ plugins = {} }: { plugins?: Record<string, string> } = {}) {
  const directory = temporaryDirectory()
  const data = join(directory, 'data')
  mkdirSync(data)
  for (const [name, from] of Object.entries(plugins)) cpSync(from, join(data, 'plugins', name), { recursive: true })
  const library = openLibrary({ role: 'terminal', data, create: true, environment: {}, stderrLevel: 'none' })
  let server: RunningServer | null = null
  const clients: RealtimeClient[] = []
  let created = 0

  async function address(): Promise<string> {
    server ??= await startServer(data)
    return server.address
  }

  async function collection(): Promise<{ id: number; items: number[] }> {
    const root = join(directory, `pictures-${++created}`)
    mkdirSync(root)
    for (let n = 0; n < 3; n++) {
      writeFileSync(join(root, `${n}.jpg`), await picture({ seed: created * 10 + n, width: 64, height: 48 }))
    }
    const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
    await library.jobs.run(
      await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }),
    )
    // The server makes the previews that the scan left out and publishes events for them, so wait until it is idle.
    const { jobs } = library
    const isIdle = () => countMediumDue(library.db) + jobs.running().length + jobs.waiting().length === 0
    if (server !== null) await waitUntil(async () => (isIdle() ? true : null))
    const items = library.db.all<{ id: number }>('SELECT id FROM items WHERE collection_id = ? ORDER BY id', row.id)
    return { id: row.id, items: items.map(({ id }) => id) }
  }

  return {
    library,
    data,
    collection,

    /** A user with a session; `admin` is a global admin. */
    async user(username: string, admin = false) {
      const row = await library.users.create(terminalViewer, {
        username,
        name: username,
        email: 'a@example.org',
        password: 'secret',
        unlockPin: '1234',
        globalAdmin: admin,
      })
      return { id: row.id, token: (await library.sessions.open(row, 'test')).token }
    },

    /** Gives a user, or everybody if `userId` is null, access to a collection; returns the group's id. */
    async giveRight(
      collectionId: number,
      userId: number | null,
      right: keyof typeof noFlags = 'view',
    ): Promise<number> {
      return library.db.transact(terminalViewer, tx => {
        const flags = { ...noFlags, [right]: 1 }
        const group = tx.run(
          'INSERT INTO access_groups (name, view, "create", "update", admin, public) VALUES (?, ?, ?, ?, ?, ?)',
          'group',
          flags.view,
          flags.create,
          flags.update,
          flags.admin,
          userId === null ? 1 : 0,
        ).lastInsertRowid
        tx.run(
          'INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 9)',
          collectionId,
          group,
        )
        if (userId !== null) tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, userId)
        return group
      })
    },

    address,

    /** Connects and authenticates with a token, or as a visitor if `token` is null. */
    async connect(token: string | null, lastEvent?: number): Promise<RealtimeClient> {
      const client = await openRealtime(await address())
      clients.push(client)
      const credentials = token === null ? {} : { token }
      // Waits until the server has passed on all earlier events, as tests expect only later ones.
      const newest = newestEvent(library.db)
      await waitUntil(async () =>
        Number((await client.request('authenticate', credentials)).event) >= newest ? true : null,
      )
      if (lastEvent !== undefined) await client.request('authenticate', { ...credentials, lastEvent })
      return client
    },

    /** Publishes an event, as every change does. */
    publish: (channel: string, message: RealtimeMessage) =>
      library.db.transact(terminalViewer, tx => tx.event(channel, message)),

    async close() {
      for (const client of clients) client.close()
      await server?.stop()
      library.close()
    },
  }
}

export type LibraryWithServer = Awaited<ReturnType<typeof openLibraryWithServer>>
