import { describe, expect, test } from 'bun:test'
import { createItems } from '../../../core/items/items.ts'
import type { LibraryEvent } from '../../../core/kernel/events.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import { audienceKey, createChannels } from '../../../core/realtime/channels.ts'
import { createJobs } from '../../../core/work/jobs.ts'
import { channels, type RealtimeMessage } from '../../../schema/realtime.ts'
import { openTestLibrary } from '../../support/library.ts'

async function setup() {
  const library = openTestLibrary()
  const { db, clock, make, viewer } = library
  const jobs = createJobs({ db, clock, log: silentLog, kinds: [] })
  const realtime = createChannels({ db, items: createItems({ db }), jobs })
  const [viewing, updating, admin, outside] = [
    await make.user('viewing'),
    await make.user('updating'),
    await make.user('admin', { globalAdmin: true }),
    await make.user('outside'),
  ]
  const open = await make.collection({ public: true, updaters: [updating] })
  const closed = await make.collection({ viewers: [viewing], updaters: [updating] })
  const secret = await make.keystring('secret', { hidesItems: true })
  const who = {
    visitor: () => viewer(null),
    outside: () => viewer(outside),
    viewing: () => viewer(viewing),
    updating: () => viewer(updating),
    unlocked: () => viewer(updating, { unlocked: true }),
    viewingUnlocked: () => viewer(viewing, { unlocked: true }),
    admin: () => viewer(admin),
  }
  type Who = keyof typeof who

  async function job(userId: number | null, collectionId: number | null = null): Promise<number> {
    return db.transact(
      { userId: null },
      tx =>
        tx.run(
          "INSERT INTO jobs (kind, collection_id, input, state, user_id, created_at) VALUES ('scan', ?, '{}', 'running', ?, 0)",
          collectionId,
          userId,
        ).lastInsertRowid,
    )
  }

  return {
    ...library,
    ids: { viewing, updating, admin, outside, open, closed, secret },
    job,
    /** The callers who may subscribe to the channel. */
    listeners: (channel: string): Who[] =>
      (Object.keys(who) as Who[]).filter(name => realtime.maySubscribe(who[name](), channel)),
    may: (name: Who, channel: string) => realtime.maySubscribe(who[name](), channel),
    received(name: Who, channel: string, message: RealtimeMessage, onAll = false): RealtimeMessage | null {
      const event: LibraryEvent = { id: 1, channel, message }
      return realtime.messagesOf([event])(who[name]())(event, onAll)
    },
    hide: (item: number) =>
      db.transact({ userId: null }, tx => tx.run('UPDATE items SET hidden_by = 1 WHERE id = ?', item)),
    set: (item: number, column: 'deleted' | 'missing' | 'collection_id', value: number) =>
      db.transact({ userId: null }, tx => tx.run(`UPDATE items SET ${column} = ? WHERE id = ?`, value, item)),
    remove: (item: number) =>
      db.transact({ userId: null }, tx => {
        tx.run('DELETE FROM files WHERE item_id = ?', item)
        tx.run('DELETE FROM items WHERE id = ?', item)
      }),
    who,
  }
}

describe('the right to subscribe', () => {
  test('a collection channel requires the right to view the collection', async () => {
    const { listeners, ids } = await setup()
    expect(listeners(channels.collection(ids.closed))).toEqual([
      'viewing',
      'updating',
      'unlocked',
      'viewingUnlocked',
      'admin',
    ])
    expect(listeners(channels.collection(ids.open))).toHaveLength(7)
    expect(listeners(channels.collection(999))).toEqual([])
  })

  test('everybody may subscribe to all collections, and receives messages only of collections that they may view', async () => {
    const { listeners, received, make, ids } = await setup()
    expect(listeners(channels.collection(0))).toHaveLength(7)
    const item = await make.item({ collection: ids.closed })
    const changes: RealtimeMessage[] = [
      { action: 'update', item: { id: item, collection_id: ids.closed } },
      { action: 'delete', item: { id: item, collection_id: ids.closed, left: true } },
      { action: 'update', level: 'status', collection: { id: ids.closed } },
      { action: 'create', collection: { id: ids.closed } },
    ]
    for (const message of changes) {
      expect(received('outside', channels.collection(ids.closed), message, true)).toBeNull()
      expect(received('visitor', channels.collection(ids.closed), message, true)).toBeNull()
      expect(received('viewing', channels.collection(ids.closed), message, true)).not.toBeNull()
    }
  })

  test('channels of a person or object require the right to see that person or object', async () => {
    const { listeners, make, ids } = await setup()
    await make.item({ collection: ids.closed, people: ['Anna'], objects: ['boat'] })
    await make.item({ collection: ids.open, people: ['Ben'] })
    const [anna, ben] = [1, 2]
    const nobody = await make.person('Nobody')
    expect(listeners(channels.person(anna))).toEqual(['viewing', 'updating', 'unlocked', 'viewingUnlocked', 'admin'])
    expect(listeners(channels.person(ben))).toHaveLength(7)
    expect(listeners(channels.person(nobody))).toEqual(['updating', 'unlocked', 'admin'])
    expect(listeners(channels.object(1))).toEqual(['viewing', 'updating', 'unlocked', 'viewingUnlocked', 'admin'])
    expect(listeners(channels.person(0))).toHaveLength(7)
  })

  test('visitors cannot subscribe to people of a collection that keeps them private', async () => {
    const { make, listeners } = await setup()
    const kept = await make.collection({ public: true, keepPrivate: true })
    await make.item({ collection: kept, people: ['Carla'] })
    expect(listeners(channels.person(1))).not.toContain('visitor')
    expect(listeners(channels.person(1))).toContain('admin')
  })

  test('only the user who started a task may subscribe to it', async () => {
    const { listeners, job, ids } = await setup()
    expect(listeners(channels.task(await job(ids.viewing, ids.closed)))).toEqual(['viewing', 'viewingUnlocked'])
    expect(listeners(channels.task(await job(null, ids.closed)))).toEqual([])
    expect(listeners(channels.task(77))).toEqual([])
  })

  test('messages of a task name no file while keystrings hide items from the subscriber', async () => {
    const { received, job, ids } = await setup()
    const id = await job(ids.viewing, ids.closed)
    const row = {
      id,
      kind: 'scan',
      collection_id: ids.closed,
      state: 'running',
      done: 1,
      total: 2,
      message: 'secret.jpg',
      counts: {},
      problems: 0,
      error: null,
      created: 0,
      started: 0,
      finished: null,
    }
    const message: RealtimeMessage = { action: 'update', message: 'secret.jpg', job: row }
    expect(JSON.stringify(received('viewing', channels.task(id), message))).not.toContain('secret')
    expect(JSON.stringify(received('viewingUnlocked', channels.task(id), message))).toContain('secret')
  })

  test('the channel of all tasks is open to signed-in users and has messages of their own tasks', async () => {
    const { listeners, received, job, ids } = await setup()
    expect(listeners(channels.task(0))).not.toContain('visitor')
    expect(listeners(channels.task(0))).toHaveLength(6)
    const task = channels.task(await job(ids.viewing))
    const message: RealtimeMessage = { action: 'complete', job: { id: 1 } }
    expect(received('viewing', task, message, true)).toEqual(message)
    expect(received('outside', task, message, true)).toBeNull()
  })

  test('an RPC channel is open to its user only, and internal or malformed names to nobody', async () => {
    const { listeners, ids } = await setup()
    expect(listeners(channels.rpc(String(ids.viewing)))).toEqual(['viewing', 'viewingUnlocked'])
    for (const name of [channels.jobs, channels.sessions, channels.rights, 'session', '', 'collection-', 'RPC#', 'x']) {
      expect(listeners(name)).toEqual([])
    }
    for (const name of [
      'collection-01',
      'collection-1 ',
      'COLLECTION-1',
      'collection--1',
      'collection-1e3',
      'RPC#null',
    ])
      expect(listeners(name)).toEqual([])
    expect(listeners(channels.slideshow)).not.toContain('visitor')
    expect(listeners(channels.plugins)).toContain('visitor')
    expect(listeners(channels.users)).toEqual(['admin'])
    expect(listeners(channels.audit)).toEqual(['admin'])
  })

  test('viewers share an audience key only if they receive the same messages', async () => {
    const { who, viewer, make } = await setup()
    const other = await make.user('other')
    expect(audienceKey(viewer(other))).toBe(audienceKey(who.outside()))
    const all = new Set(Object.values(who).map(viewerOf => audienceKey(viewerOf())))
    expect(all.size).toBe(7)
  })
})

describe('messages about an item', () => {
  const update = (id: number, collection: number): RealtimeMessage => ({
    action: 'update',
    item: { id, collection_id: collection, name: 'PRIVATE.JPG' },
  })

  test('viewers who may see the item receive its id and collection, and nothing more', async () => {
    const { received, make, ids } = await setup()
    const item = await make.item({ collection: ids.closed })
    const message = { action: 'update', item: { id: item, collection_id: ids.closed } } as const
    expect(received('viewing', channels.collection(ids.closed), update(item, ids.closed))).toEqual(message)
    expect(received('visitor', channels.collection(ids.closed), update(item, ids.closed))).toBeNull()
  })

  test('only unlocked sessions receive messages about a hidden item', async () => {
    const { received, make, ids, hide, set } = await setup()
    const item = await make.item({ collection: ids.closed, keywords: ['secret'] })
    await hide(item)
    const channel = channels.collection(ids.closed)
    for (const action of ['create', 'update', 'delete'] as const) {
      const message = { ...update(item, ids.closed), action }
      expect(received('viewing', channel, message)).toBeNull()
      expect(received('admin', channel, message)).toBeNull()
      expect(received('unlocked', channel, message)?.item).toEqual({ id: item, collection_id: ids.closed })
    }
    await set(item, 'deleted', 5)
    expect(received('updating', channel, { ...update(item, ids.closed), action: 'delete' })).toBeNull()
    expect(received('viewingUnlocked', channel, { ...update(item, ids.closed), action: 'delete' })?.action).toBe(
      'delete',
    )
  })

  test('an item that is being hidden counts as hidden', async () => {
    const { received, make, ids } = await setup()
    const item = await make.item({ collection: ids.closed, keywords: ['diary'] })
    await make.pendingHide(await make.keystring('diary'))
    expect(received('viewing', channels.collection(ids.closed), update(item, ids.closed))).toBeNull()
    expect(received('unlocked', channels.collection(ids.closed), update(item, ids.closed))).not.toBeNull()
  })

  test('an item that a change has hidden is reported as deleted to viewers who saw it', async () => {
    const { received, make, ids, hide } = await setup()
    const item = await make.item({ collection: ids.closed })
    await hide(item)
    const message: RealtimeMessage = { action: 'update', item: { id: item, collection_id: ids.closed, left: true } }
    expect(received('viewing', channels.collection(ids.closed), message)).toEqual({
      action: 'delete',
      item: { id: item, collection_id: ids.closed },
    })
    expect(received('unlocked', channels.collection(ids.closed), message)?.action).toBe('update')
  })

  test('only users who may see the recycle bin receive updates of a recycled item', async () => {
    const { received, make, ids, set } = await setup()
    const item = await make.item({ collection: ids.closed })
    await set(item, 'deleted', 5)
    const channel = channels.collection(ids.closed)
    expect(received('viewing', channel, { ...update(item, ids.closed), action: 'delete' })?.action).toBe('delete')
    expect(received('viewing', channel, update(item, ids.closed))).toBeNull()
    expect(received('updating', channel, update(item, ids.closed))?.action).toBe('update')
  })

  test('an item moved to a collection that the viewer may not see is reported as deleted, without its new collection', async () => {
    const { received, make, ids, set } = await setup()
    const item = await make.item({ collection: ids.open })
    await set(item, 'collection_id', ids.closed)
    const channel = channels.collection(ids.open)
    expect(received('visitor', channel, update(item, ids.closed))).toEqual({
      action: 'delete',
      item: { id: item, collection_id: ids.open },
    })
    expect(received('viewing', channel, update(item, ids.closed))?.item).toEqual({
      id: item,
      collection_id: ids.closed,
    })
  })

  test('a purged item is reported to users who may see the recycle bin, with its id only to unlocked sessions', async () => {
    const { received, make, ids, remove } = await setup()
    const item = await make.item({ collection: ids.closed })
    await remove(item)
    const message: RealtimeMessage = { ...update(item, ids.closed), action: 'delete' }
    const channel = channels.collection(ids.closed)
    expect(received('viewing', channel, message)).toBeNull()
    expect(received('updating', channel, message)).toEqual({ action: 'update', collection: { id: ids.closed } })
    expect(received('unlocked', channel, message)?.item).toEqual({ id: item, collection_id: ids.closed })
  })
})

describe('messages about other things', () => {
  test('only administrators of a collection receive the text and path of its notices', async () => {
    const { received, ids } = await setup()
    const message: RealtimeMessage = {
      action: 'update',
      level: 'notice',
      message: '/private/path is empty',
      collection: { id: ids.open, path: '/private/path' },
    }
    const channel = channels.collection(ids.open)
    expect(received('visitor', channel, message)).toEqual({
      action: 'update',
      level: 'notice',
      collection: { id: ids.open },
    })
    expect(received('admin', channel, message)?.message).toBe('/private/path is empty')
  })

  test('only unlocked sessions receive the id of a hidden keystring', async () => {
    const { received, make, ids } = await setup()
    const hidden = await make.keystring('hidden', { hidden: true })
    await make.item({ collection: ids.open, keywords: ['hidden', 'plain'] })
    const plain = await make.keystring('plain')
    const keystringEvent = (who: Parameters<typeof received>[0], id: number) =>
      received(who, channels.keystrings, { action: 'update', keystring: { id } })
    expect(keystringEvent('visitor', hidden)).toBeNull()
    expect(keystringEvent('updating', hidden)).toEqual({ action: 'update' })
    expect(keystringEvent('unlocked', hidden)?.keystring).toEqual({ id: hidden })
    expect(keystringEvent('visitor', plain)?.keystring).toEqual({ id: plain })
    const unused = await make.keystring('unused')
    expect(keystringEvent('viewing', unused)).toBeNull()
    expect(keystringEvent('updating', unused)?.keystring).toEqual({ id: unused })
    expect(keystringEvent('visitor', 999)).toBeNull()
  })

  test('the channel of all people has messages about people whom the subscriber may see', async () => {
    const { received, make, ids } = await setup()
    await make.item({ collection: ids.closed, people: ['Anna'] })
    const message: RealtimeMessage = { action: 'update', person: { id: 1, name: 'Anna' } }
    expect(received('viewing', channels.person(1), message, true)).toEqual({ action: 'update', person: { id: 1 } })
    expect(received('visitor', channels.person(1), message, true)).toBeNull()
    expect(received('visitor', channels.person(9), { action: 'delete', person: { id: 9 } }, true)).toBeNull()
    expect(received('visitor', channels.person(9), { action: 'delete', person: { id: 9 } })).not.toBeNull()
  })

  test('only the user who requested a slideshow receives its message', async () => {
    const { received, job, ids } = await setup()
    const id = await job(ids.viewing)
    const message: RealtimeMessage = { action: 'complete', fileid: 'abc', job: { id } }
    expect(received('viewing', channels.slideshow, message)).toEqual({ action: 'complete', fileid: 'abc', job: { id } })
    expect(received('admin', channels.slideshow, message)).toBeNull()
    expect(received('visitor', channels.slideshow, message)).toBeNull()
  })

  test('only global admins receive changes of accounts and the audit log, without details', async () => {
    const { received } = await setup()
    const message: RealtimeMessage = { action: 'delete', message: 'kenji', person: { id: 7 } }
    for (const channel of [channels.users, channels.audit]) {
      expect(received('admin', channel, message)).toEqual({ action: 'update' })
      for (const who of ['visitor', 'outside', 'viewing', 'updating', 'unlocked'] as const)
        expect(received(who, channel, message)).toBeNull()
    }
  })

  test('only global admins receive messages about a disabled plugin; everybody learns that it was disabled', async () => {
    const { received, db } = await setup()
    const id = await db.transact(
      { userId: null },
      tx => tx.run("INSERT INTO plugins (folder, active) VALUES ('p', 0)").lastInsertRowid,
    )
    const pluginEvent = (who: Parameters<typeof received>[0], plugin: object) =>
      received(who, channels.plugins, { action: 'update', plugin })
    expect(pluginEvent('visitor', { id })).toBeNull()
    expect(pluginEvent('admin', { id })).not.toBeNull()
    expect(pluginEvent('visitor', { id, active: false })?.plugin).toEqual({ id, active: false })
  })
})
