import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { channels, closeCodes } from '../../schema/realtime.ts'
import { runCommand } from '../support/command.ts'
import { type LibraryWithServer, openLibraryWithServer } from '../support/library-with-server.ts'
import { openRealtime } from '../support/realtime.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

let opened: LibraryWithServer | null = null
function testServer(): LibraryWithServer {
  if (opened === null) throw new Error('the server is not open')
  return opened
}

const onChannel =
  (channel: string) =>
  ({ channel: on }: { channel: string }) =>
    on === channel

beforeAll(async () => {
  opened = await openLibraryWithServer()
  await opened.address()
})
afterAll(async () => {
  await opened?.close()
})

/** Changes rights as the product does: in a transaction with the internal event. */
function change(sql: string, value: number | string): Promise<void> {
  return testServer().library.db.transact(terminalViewer, tx => {
    tx.run(sql, value)
    tx.event(channels.rights, { action: 'update' })
  })
}

describe('messages', () => {
  test('a change by another process reaches the users with the rights for it, and no others', async () => {
    const { collection, user, giveRight, connect, library } = testServer()
    const { id, items } = await collection()
    const anna = await user('anna')
    const ben = await user('ben')
    await giveRight(id, anna.id)
    const [allowed, denied] = [await connect(anna.token), await connect(ben.token)]
    expect(await allowed.request('subscribe', { channels: [channels.collection(id)] })).toEqual({
      channels: [channels.collection(id)],
      refused: [],
      reload: false,
    })
    expect((await denied.request('subscribe', { channels: [channels.collection(id)] })).refused).toEqual([
      channels.collection(id),
    ])
    const item = items[0] ?? 0
    await library.as(terminalViewer).items.rotate({ params: { id: item }, query: { direction: 'right' } })
    const push = await allowed.nextMessage(onChannel(channels.collection(id)))
    expect(push.message).toEqual({ action: 'update', item: { id: item, collection_id: id }, context: 'item' })
    expect(push.event).toBeNumber()
    await denied.request('ping')
    expect(denied.unread).toEqual([])
  })

  test('changes of a command in its own process are received, too', async () => {
    const { collection, user, connect, data } = testServer()
    const { id } = await collection()
    const admin = await user('chief', true)
    const client = await connect(admin.token)
    await client.request('subscribe', { channels: [channels.collection(id)] })
    expect((await runCommand(['--data', data, 'scan', String(id)])).code).toBe(0)
    expect((await client.nextMessage(onChannel(channels.collection(id)))).message.action).toBe('update')
  })

  test('two browsers receive what a third changes over HTTP', async () => {
    const { collection, user, connect, address } = testServer()
    const { id, items } = await collection()
    const admin = await user('chief two', true)
    const clients = await Promise.all([connect(admin.token), connect(admin.token)])
    for (const client of clients) await client.request('subscribe', { channels: [channels.collection(id)] })
    const response = await fetch(`${await address()}/v1/item/${items[1]}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(response.status).toBeLessThan(300)
    for (const client of clients) {
      const { message } = await client.nextMessage(onChannel(channels.collection(id)))
      expect(message).toEqual({ action: 'delete', item: { id: items[1], collection_id: id }, context: 'item' })
    }
  })

  test('equal messages in a row are sent once, in the place of the last', async () => {
    const { collection, connect, giveRight, library } = testServer()
    const { id } = await collection()
    await giveRight(id, null)
    const client = await connect(null)
    await client.request('subscribe', { channels: [channels.collection(id)] })
    await library.db.transact(terminalViewer, tx => {
      for (let n = 0; n < 20; n++) tx.event(channels.collection(id), { action: 'update', collection: { id } })
      tx.event(channels.collection(id), { action: 'complete', collection: { id } })
    })
    await client.nextMessage(({ message }) => message.action === 'complete')
    expect(client.unread).toHaveLength(1)
  })

  test('nothing is received after unsubscribing', async () => {
    const { collection, connect, giveRight, publish } = testServer()
    const { id } = await collection()
    const other = await collection()
    await giveRight(id, null)
    await giveRight(other.id, null)
    const client = await connect(null)
    await client.request('subscribe', { channels: [channels.collection(id), channels.collection(other.id)] })
    expect(await client.request('unsubscribe', { channels: [channels.collection(id), 'unknown'] })).toEqual({
      channels: [channels.collection(other.id)],
    })
    await publish(channels.collection(id), { action: 'update', collection: { id } })
    await publish(channels.collection(other.id), { action: 'update', collection: { id: other.id } })
    await client.nextMessage(onChannel(channels.collection(other.id)))
    expect(client.unread).toEqual([])
  })
})

describe('reconnecting', () => {
  test('missed messages are sent after subscribing, once and in order', async () => {
    const { collection, connect, giveRight, publish } = testServer()
    const { id } = await collection()
    await giveRight(id, null)
    const channel = channels.collection(id)
    const before = await connect(null)
    await before.request('subscribe', { channels: [channel] })
    await publish(channel, { action: 'create', collection: { id } })
    const last = (await before.nextMessage(onChannel(channel))).event
    before.close()
    await publish(channel, { action: 'update', collection: { id } })
    await publish(channel, { action: 'complete', collection: { id } })
    const witness = await connect(null)
    expect((await witness.request('subscribe', { channels: [channel] })).channels).toEqual([channel])
    const after = await connect(null, last)
    await after.request('subscribe', { channels: [channel] })
    await publish(channel, { action: 'delete', collection: { id } })
    await after.nextMessage(({ message }) => message.action === 'delete')
    expect(after.unread.map(({ message }) => message.action)).toEqual(['update', 'complete'])
    await witness.nextMessage(({ message }) => message.action === 'delete')
    expect(witness.unread.filter(({ message }) => message.action === 'create')).toEqual([])
  })

  test('a client whose last event was pruned or is unknown must reload', async () => {
    const { address, library, publish, connect } = testServer()
    await publish(channels.plugins, { action: 'update' })
    const first = library.db.get<{ id: number }>('SELECT min(id) AS id FROM events')?.id ?? 0
    await library.db.transact(terminalViewer, tx => tx.run('DELETE FROM events WHERE id <= ?', first + 2))
    for (const [lastEvent, reload] of [
      [first, true],
      [first + 2, false],
      [1_000_000_000, true],
    ] as const) {
      const client = await openRealtime(await address())
      expect((await client.request('authenticate', { lastEvent })).reload).toBe(reload)
      client.close()
    }
    const fresh = await connect(null)
    expect((await fresh.request('authenticate', {})).reload).toBe(false)
  })
})

describe('rights that change', () => {
  test('a user who leaves a group loses its channels, and receives nothing of them any more', async () => {
    const { collection, user, giveRight, connect, publish } = testServer()
    const [kept, lost] = [await collection(), await collection()]
    const carl = await user('carl')
    await giveRight(kept.id, carl.id)
    const group = await giveRight(lost.id, carl.id)
    const client = await connect(carl.token)
    await client.request('subscribe', { channels: [channels.collection(kept.id), channels.collection(lost.id)] })
    await change('DELETE FROM access_members WHERE group_id = ?', group)
    await publish(channels.collection(lost.id), { action: 'update', collection: { id: lost.id } })
    const { message } = await client.nextMessage(onChannel('session'))
    expect(message).toEqual({
      action: 'update',
      session: { unlocked: false, globaladmin: false, channels: [channels.collection(kept.id)] },
      context: 'session',
    })
    await publish(channels.collection(kept.id), { action: 'update', collection: { id: kept.id } })
    await client.nextMessage(onChannel(channels.collection(kept.id)))
    expect(client.unread).toEqual([])
  })

  test('a connection ends with its session, whatever ended it', async () => {
    const { user, connect, address } = testServer()
    const ways: [string, (user: { id: number; token: string }) => Promise<unknown>][] = [
      [
        'logout',
        async ({ token }) =>
          fetch(`${await address()}/v1/users/logout`, { headers: { authorization: `Bearer ${token}` } }),
      ],
      ['disabling', ({ id }) => change('UPDATE users SET disabled = 1 WHERE id = ?', id)],
      // The server notices this by its clock, without an event.
      [
        'expiry',
        ({ id }) =>
          testServer().library.db.transact(terminalViewer, tx =>
            tx.run('UPDATE sessions SET expires_at = 1 WHERE user_id = ?', id),
          ),
      ],
    ]
    for (const [name, end] of ways) {
      const who = await user(`ends by ${name}`.slice(0, 20))
      const client = await connect(who.token)
      await end(who)
      expect((await client.closed).code).toBe(closeCodes.sessionEnded)
      expect(client.unread.map(({ channel, message }) => [channel, message.action])).toEqual([['session', 'delete']])
      await expect(connect(who.token)).rejects.toThrow('Sign in again')
    }
  })

  test('changes of hidden items are sent only while the session is unlocked', async () => {
    const { collection, user, giveRight, connect, library, publish } = testServer()
    const { id, items } = await collection()
    const [hidden = 0, shown = 0] = items
    const dora = await user('dora')
    await giveRight(id, dora.id)
    await library.db.transact(terminalViewer, tx => tx.run('UPDATE items SET hidden_by = 1 WHERE id = ?', hidden))
    const unlockUntil = (seconds: number) =>
      library.db.transact(terminalViewer, tx =>
        tx.run("UPDATE sessions SET unlock_value = 'x', unlocked_until = ? WHERE user_id = ?", seconds, dora.id),
      )
    const client = await connect(dora.token)
    const channel = channels.collection(id)
    await client.request('subscribe', { channels: [channel] })
    const touch = async () => {
      await publish(channel, { action: 'update', item: { id: hidden, collection_id: id } })
      await publish(channel, { action: 'create', item: { id: shown, collection_id: id } })
      await client.nextMessage(({ message }) => message.action === 'create')
      return client.unread.splice(0).filter(onChannel(channel)).length
    }
    expect(await touch()).toBe(0)
    await unlockUntil(Math.floor(Date.now() / 1000) + 600)
    expect(await touch()).toBe(1)
    await unlockUntil(1)
    expect(await touch()).toBe(0)
  })

  test('a renewed session continues over the same connection', async () => {
    const { user, connect, library } = testServer()
    const emil = await user('emil')
    const client = await connect(emil.token)
    await client.request('subscribe', { channels: [channels.rpc(String(emil.id))] })
    const viewer = (await library.sessions.of(emil.token))?.viewer ?? terminalViewer
    const { token } = await library.sessions.renew(viewer, 'test')
    await client.request('authenticate', { token })
    await library.db.transact(terminalViewer, tx => tx.run('DELETE FROM sessions WHERE id = ?', viewer.sessionId))
    await testServer().publish(channels.rpc(String(emil.id)), { action: 'complete', job: { id: 1 } })
    expect((await client.nextMessage(onChannel(channels.rpc(String(emil.id))))).message.job).toEqual({ id: 1 })
  })
})

describe('accounts', () => {
  test('only global admins are notified of changed accounts', async () => {
    const { user, connect, library } = testServer()
    const [gina, hugo, ines] = [await user('gina', true), await user('hugo', true), await user('ines')]
    const others = [await connect(ines.token), await connect(null)]
    for (const other of others) {
      expect((await other.request('subscribe', { channels: [channels.users] })).refused).toEqual([channels.users])
    }
    const admin = await connect(gina.token)
    expect((await admin.request('subscribe', { channels: [channels.users] })).refused).toEqual([])
    const viewer = (await library.sessions.of(hugo.token))?.viewer ?? terminalViewer
    const nextMessage = async () => (await admin.nextMessage(onChannel(channels.users))).message
    await library.as(viewer).users.disable({ params: { id: ines.id }, body: { disabled: true } })
    expect(await nextMessage()).toEqual({ action: 'update', context: 'users' })
    await user('jean')
    expect(await nextMessage()).toEqual({ action: 'update', context: 'users' })
    expect(others.flatMap(({ unread }) => unread.filter(onChannel(channels.users)))).toEqual([])

    // A user who is no global admin any more receives no more notifications.
    await library.as(viewer).users.put({ body: { user: { id: gina.id, globaladmin: false } } })
    const { message } = await admin.nextMessage(onChannel('session'))
    expect(message).toMatchObject({ action: 'update', session: { channels: [] } })
    admin.unread.length = 0
    await user('kurt')
    await admin.request('ping')
    expect(admin.unread.filter(onChannel(channels.users))).toEqual([])
  })
})

describe('folders', () => {
  test('only global admins can subscribe to changes by the file manager', async () => {
    const { collection, user, connect, library } = testServer()
    const { id } = await collection()
    const [vera, nora] = [await user('vera', true), await user('nora')]
    for (const other of [await connect(nora.token), await connect(null)]) {
      expect((await other.request('subscribe', { channels: [channels.files] })).refused).toEqual([channels.files])
    }
    const admin = await connect(vera.token)
    expect((await admin.request('subscribe', { channels: [channels.files] })).refused).toEqual([])
    const { places, actions } = library.fileManager
    const folder = await places.find(terminalViewer, `/${library.collections.byId(id)?.name}`)
    if (folder === null) throw new Error('there is no such folder')
    await actions.createFolder(terminalViewer, folder, 'new')
    const { message } = await admin.nextMessage(onChannel(channels.files))
    expect(message).toEqual({ action: 'update', context: 'files' })
    // A failed action is published, too, because it may have changed something before it failed.
    await expect(actions.createFile(terminalViewer, folder, 'new')).rejects.toThrow('already something')
    expect((await admin.nextMessage(onChannel(channels.files))).message).toEqual({ action: 'update', context: 'files' })
  })
})

describe('groups of faces', () => {
  test('only editors can subscribe to changes of face groups', async () => {
    const { collection, user, giveRight, connect, publish } = testServer()
    const { id } = await collection()
    const [lena, mark] = [await user('lena'), await user('mark')]
    await giveRight(id, lena.id, 'update')
    await giveRight(id, mark.id)
    for (const other of [await connect(mark.token), await connect(null)]) {
      expect((await other.request('subscribe', { channels: [channels.faceGroups] })).refused).toEqual([
        channels.faceGroups,
      ])
    }
    const editor = await connect(lena.token)
    expect((await editor.request('subscribe', { channels: [channels.faceGroups] })).refused).toEqual([])
    await publish(channels.faceGroups, { action: 'update', item: { id: 1 } })
    expect((await editor.nextMessage(onChannel(channels.faceGroups))).message).toEqual({
      action: 'update',
      context: 'face-groups',
    })
  })
})

describe('other tokens', () => {
  test("a script's token receives what its user may, until it is revoked", async () => {
    const { collection, user, giveRight, connect, library, publish } = testServer()
    const { id } = await collection()
    const fritz = await user('fritz')
    await giveRight(id, fritz.id)
    const issued = await library.tokens.issueApi(terminalViewer, { username: 'fritz', name: 'script', expiresAt: null })
    const client = await connect(issued.token)
    await client.request('subscribe', { channels: [channels.collection(id)] })
    await publish(channels.collection(id), { action: 'update', collection: { id } })
    await client.nextMessage(onChannel(channels.collection(id)))
    await library.tokens.revoke(terminalViewer, issued.id)
    expect((await client.closed).code).toBe(closeCodes.sessionEnded)
  })

  test("a device's token cannot connect", async () => {
    const { user, connect, library } = testServer()
    const gerd = await user('gerd')
    const viewer = (await library.sessions.of(gerd.token))?.viewer ?? terminalViewer
    const value = '0123456789abcdef'.repeat(2)
    await library.tokens.create(viewer, { name: 'television', value })
    await expect(connect(value)).rejects.toThrow('Sign in again')
  })
})

describe('a server that stops', () => {
  test('closes all connections, and ends', async () => {
    const server = await startServer(join(temporaryDirectory(), 'data'))
    const client = await openRealtime(server.address)
    await client.request('authenticate')
    server.child.kill('SIGTERM')
    expect((await client.closed).code).toBe(closeCodes.goingAway)
    expect(await server.child.exited).toBe(0)
  })
})

describe('refusals', () => {
  test('a page of another origin gets no websocket', async () => {
    const { address } = testServer()
    const at = await address()
    for (const origin of ['http://evil.example', 'null', `${at}.evil.example`, at.replace('http', 'https')]) {
      await expect(openRealtime(at, origin)).rejects.toThrow()
      const response = await fetch(`${at}/v1/realtime`, { headers: { origin, upgrade: 'websocket' } })
      expect(response.status).toBe(403)
    }
    // A program sends no origin, and has no cookie that a page could use.
    const program = await openRealtime(at, null)
    expect(await program.request('authenticate')).toMatchObject({ user: null })
    program.close()
    expect((await fetch(`${at}/v1/realtime`)).status).toBe(426)
  })

  test('only a ping is accepted before authentication, and an invalid token is refused', async () => {
    const client = await openRealtime(await testServer().address())
    expect(await client.request('ping')).toEqual({})
    for (const [method, params] of [
      ['subscribe', { channels: ['plugins'] }],
      ['unsubscribe', { channels: ['plugins'] }],
      ['rpc', { method: 'plugin', params: { module: 'a', method: 'b' } }],
      ['authenticate', { token: 'not a token' }],
    ] as const) {
      await expect(client.request(method, params)).rejects.toMatchObject({ code: 'unauthenticated' })
    }
    client.close()
  })

  test('unknown and forbidden channels are refused in the same way', async () => {
    const { collection, connect } = testServer()
    const { id } = await collection()
    const client = await connect(null)
    const requested = [
      channels.collection(id),
      'collection-4711',
      'nonsense',
      '.rights',
      'RPC#1',
      'task-1',
      'person-77',
    ]
    expect(await client.request('subscribe', { channels: requested })).toEqual({
      channels: [],
      refused: requested,
      reload: false,
    })
  })

  test('invalid frames are refused with an error and affect no other connection', async () => {
    const client = await openRealtime(await testServer().address())
    for (const text of [
      '',
      'not json',
      'null',
      '[]',
      '{}',
      '"x"',
      '{"id":1e99,"method":"ping"}',
      '{"method":"ping"}',
      `{"id":"${'x'.repeat(101)}","method":"ping"}`,
      '\u0000',
      '{"__proto__":{"id":3},"method":"ping"}',
      new Uint8Array([1, 2, 3]),
    ]) {
      client.send(text)
      expect((await client.nextError()).code).toBe('invalid')
    }
    const bad: [string, unknown, string | undefined][] = [
      ['nonsense', undefined, 'method'],
      ['subscribe', undefined, 'params'],
      ['subscribe', { channels: [] }, 'params.channels'],
    ]
    for (const [method, params, field] of bad) {
      await expect(client.request(method, params)).rejects.toMatchObject({ code: 'invalid', field })
    }
    client.close()
    const another = await testServer().connect(null)
    expect(await another.request('ping')).toEqual({})
    await expect(another.request('subscribe', { channels: ['x'.repeat(101)] })).rejects.toMatchObject({
      code: 'invalid',
    })
    await expect(another.request('authenticate', { lastEvent: -1 })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('a frame that is too large ends the connection, and too many messages are refused', async () => {
    const { connect } = testServer()
    const large = await connect(null)
    large.send(`{"id":1,"method":"ping","params":"${'x'.repeat(70_000)}"}`)
    expect((await large.closed).code).not.toBe(1000)
    const many = await connect(null)
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => many.request('ping')))
    const refused = results.filter(result => result.status === 'rejected')
    // The hundred messages may have been spread over two seconds.
    expect(refused.length).toBeGreaterThanOrEqual(59)
    expect(refused[0]?.reason).toMatchObject({ code: 'tooMany' })
    const flood = await connect(null)
    for (let n = 0; n < 1000; n++) flood.send('{"id":1,"method":"ping"}')
    expect((await flood.closed).code).toBe(closeCodes.policy)
  })

  test('the number of subscriptions is limited', async () => {
    const { user, connect, library } = testServer()
    const admin = await user('chief three', true)
    const people = await library.db.transact(terminalViewer, tx =>
      Array.from({ length: 201 }, () => tx.run('INSERT INTO people (birthdate) VALUES (NULL)').lastInsertRowid),
    )
    const client = await connect(admin.token)
    const names = people.map(channels.person)
    expect((await client.request('subscribe', { channels: names.slice(0, 200) })).refused).toEqual([])
    await expect(client.request('subscribe', { channels: names.slice(200) })).rejects.toMatchObject({ code: 'tooMany' })
  })
})

describe('a client that does not read', () => {
  test('is disconnected, while the others receive everything', async () => {
    const { collection, user, connect, library, address } = testServer()
    const { id } = await collection()
    // Notices about a collection are only for its administrators.
    const { token } = await user('chief four', true)
    const channel = channels.collection(id)
    const { hostname, port } = new URL(await address())
    const slow = await slowReader(hostname, Number(port), token, channel)
    const quick = await connect(token)
    await quick.request('subscribe', { channels: [channel] })
    const words = 'x'.repeat(2000)
    let sent = 0
    // Sends more than the buffers of the system hold.
    while (sent < 20_000) {
      await library.db.transact(terminalViewer, tx => {
        for (let n = 0; n < 400; n++)
          tx.event(channel, { action: 'update', level: 'notice', message: `${++sent} ${words}`, collection: { id } })
      })
      const last = `${sent} `
      await quick.nextMessage(({ message }) => message.message?.startsWith(last) === true)
      expect(quick.unread.splice(0).filter(({ message }) => message.level === 'notice')).toHaveLength(399)
    }
    expect(await slow.rest()).toBeLessThan(sent * words.length)
    expect(await quick.request('ping')).toEqual({})
  }, 60_000)
})

/** A raw websocket that subscribes and then stops reading. */
async function slowReader(hostname: string, port: number, token: string, channel: string) {
  const closed = Promise.withResolvers<void>()
  const subscribed = Promise.withResolvers<void>()
  let bytes = 0
  const socket = await Bun.connect({
    hostname,
    port,
    socket: {
      data(_socket, piece) {
        bytes += piece.length
        const text = piece.toString('latin1')
        if (text.includes('\r\n\r\n') && !isSent) authenticate()
        if (text.includes('"refused":[]')) subscribed.resolve()
      },
      end: () => closed.resolve(),
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  })
  let isSent = false
  function authenticate() {
    isSent = true
    socket.write(frame({ id: 1, method: 'authenticate', params: { token } }))
    socket.write(frame({ id: 2, method: 'subscribe', params: { channels: [channel] } }))
  }
  function frame(value: unknown) {
    const text = Buffer.from(JSON.stringify(value))
    const head = Buffer.from([0x81, 0x80 | Math.min(text.length, 126)])
    const length = Buffer.from([text.length >> 8, text.length & 255])
    return Buffer.concat([head, text.length < 126 ? Buffer.of() : length, Buffer.alloc(4), text])
  }
  socket.write(
    `GET /v1/realtime HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  )
  await subscribed.promise
  socket.pause()
  return {
    /** Reads to the end of the connection; returns the number of all received bytes. */
    async rest() {
      socket.resume()
      await closed.promise
      return bytes
    },
  }
}
