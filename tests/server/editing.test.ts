import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { openScanningLibrary, picture } from '../support/scanning-library.ts'

/** A scanned library behind real routes, with a global admin. */
async function testServer() {
  const scanned = openScanningLibrary()
  const { library, put, scan, root } = scanned
  put('a.jpg', await picture({ seed: 1, width: 400, height: 300 }))
  put('b.jpg', await picture({ seed: 2 }))
  await scan()
  const user = await library.users.create(
    terminalViewer,
    { username: 'admin', name: 'A', email: 'a@b', password: 'secret', unlockPin: '1234', globalAdmin: true },
    true,
  )
  const { token } = await library.sessions.open(user, 'test')
  const app = createApp(library, { files: new Map(), index: '', policy: '' }, createMediaOnDemand(library))
  const ids = [...scanned.items().values()].map(({ id }) => id)

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const response = await app.request(`http://keepsake.test${path}`, {
      method,
      ...(text === undefined ? {} : { body: text }),
      headers: {
        host: 'keepsake.test',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...headers,
      },
    })
    const json = await response.text()
    return { status: response.status, body: json === '' ? null : JSON.parse(json) }
  }

  /** Starts a job by a call, and runs it here. */
  async function runJob(method: string, path: string, body?: unknown) {
    const { status, body: started } = await send(method, path, body)
    expect(status).toBe(200)
    await library.jobs.run(started.taskid)
    return send('GET', `/v1/job/${started.taskid}`)
  }

  return { ...scanned, root, send, runJob, ids }
}

describe('editing over HTTP', () => {
  test('writes tags, returns versions, and names the field of invalid values', async () => {
    const { send, ids } = await testServer()
    const [id] = ids
    const tag = `/v1/item/${id}/tag`
    expect(await send('POST', `${tag}/Keywords`, { data: ['Sea'] })).toMatchObject({
      status: 200,
      body: { version: 1 },
    })
    expect(await send('PUT', `${tag}/Keywords`, { data: ['Lake'] }, { 'if-match': '"1"' })).toMatchObject({
      body: { version: 2 },
    })
    expect(await send('PUT', `${tag}/Keywords`, { data: ['Pond'] }, { 'if-match': '"1"' })).toMatchObject({
      status: 409,
      body: { code: 'changed', current: { version: 2, data: [{ content: 'Lake' }] } },
    })
    expect(await send('PUT', `${tag}/Rating`, { data: 9 })).toMatchObject({ status: 400, body: { field: 'data' } })
    expect(await send('PUT', `${tag}/Title`, { data: 'x' })).toMatchObject({ status: 400, body: { field: 'tagName' } })
    expect(await send('PUT', `${tag}/Description`, {})).toMatchObject({ status: 200, body: { id: 0 } })
    expect(await send('PUT', `/v1/item/99999/tag/Rating`, { data: 1 })).toMatchObject({ status: 404 })
    const { body } = await send('GET', `/v1/item/${id}`)
    expect((await send('DELETE', `${tag}/${body.tags.Keywords.id}`)).status).toBe(204)
    expect((await send('DELETE', `${tag}/${body.tags.Keywords.id}`)).status).toBe(404)
  })

  test('adds, changes, rotates and removes regions of people', async () => {
    const { send, ids, library } = await testServer()
    const [id] = ids
    const person = await library.db.transact(
      { userId: null },
      tx => tx.run('INSERT INTO people DEFAULT VALUES').lastInsertRowid,
    )
    const box = { x: 10, y: 20, width: 50, height: 50 }
    const address = `/v1/item/${id}/tag/People/object`
    const drawn = await send('POST', address, { data: { person, ...box } })
    expect(drawn).toMatchObject({ status: 201, body: { tag: { version: 1 } } })
    expect(await send('PUT', address, { data: { id: drawn.body.id, person, ...box, x: 400 } })).toMatchObject({
      status: 200,
    })
    expect(await send('PUT', address, { data: { id: drawn.body.id, person, ...box, y: 740 } })).toMatchObject({
      status: 400,
      body: { field: 'data' },
    })
    const turned = await send('PUT', `/v1/item/${id}/tools/rotate?direction=right`)
    expect(turned.body).toMatchObject({ width: 300, height: 400, tags: { People: { data: [{ x: 680, y: 400 }] } } })
    expect(await send('PUT', `/v1/item/${id}/tools/rotate?direction=up`)).toMatchObject({
      status: 400,
      body: { field: 'direction' },
    })
    expect((await send('DELETE', `${address}/${drawn.body.id}`)).status).toBe(204)
    expect((await send('DELETE', `${address}/${drawn.body.id}`)).status).toBe(404)
  })

  test('edits many items as one step of the history, which can be undone once', async () => {
    const { send, runJob, ids } = await testServer()
    const job = await runJob('PUT', '/v1/item/tags', {
      items: ids,
      changes: [{ tagName: 'Keywords', mode: 'add', data: ['Sea'] }],
    })
    expect(job.body).toMatchObject({ kind: 'edit', state: 'done', counts: { changed: 2 } })
    const { body: before } = await send('GET', '/v1/history/0')
    const again = await send('PUT', '/v1/item/tags', {
      items: ids,
      changes: [{ tagName: 'Keywords', mode: 'add', data: ['Sea'] }],
    })
    expect(again.body).toEqual({ taskid: expect.any(Number), step: expect.any(String) })
    expect(before.steps[0]).toMatchObject({ operation: 'item.bulk', items: 2, username: 'admin', undoable: true })
    await runJob('POST', `/v1/history/${before.steps[0].step}/undo`, {})
    expect(await send('POST', `/v1/history/${before.steps[0].step}/undo`, {})).toMatchObject({ status: 409 })
    const { body: page } = await send('GET', '/v1/item/list/0?q=keyword:sea')
    expect(page._meta.total_records).toBe(0)
    const wrong = { items: ids, changes: [{ tagName: 'Keywords', mode: 'merge', data: [] }] }
    expect(await send('PUT', '/v1/item/tags', wrong)).toMatchObject({ status: 400, body: { field: 'changes.0.mode' } })
  })

  test('recycles, restores and purges scanned items, and the next scan finds nothing new', async () => {
    const { send, runJob, ids, root, scan } = await testServer()
    const [id, other] = ids
    expect((await send('DELETE', `/v1/item/${id}`)).status).toBe(204)
    expect((await send('GET', '/v1/item/deleted/0')).body).toMatchObject({
      _meta: { total_records: 1 },
      items: [{ id }],
    })
    expect(await send('PUT', `/v1/item/${id}/restore`)).toMatchObject({ status: 200, body: { id, properties: [] } })
    for (let n = 0; n < 2; n++) expect((await send('DELETE', `/v1/item/${id}`)).status).toBe(204)
    expect((await send('GET', `/v1/item/${id}`)).status).toBe(404)
    expect(existsSync(join(root, 'a.jpg'))).toBe(false)
    expect((await scan()).figures).toMatchObject({ new: 0, missing: 0 })
    await send('DELETE', `/v1/item/${other}`)
    expect((await runJob('DELETE', '/v1/item/deleted/0')).body).toMatchObject({ kind: 'purge', counts: { deleted: 1 } })
    expect(existsSync(join(root, 'b.jpg'))).toBe(false)
    expect((await send('GET', '/v1/item/missing/0')).body).toMatchObject({ items: [] })
    expect((await send('DELETE', '/v1/item/missing/0')).body).toEqual({ forgotten: 0, back: 0 })
  })

  test('recycles several items as one step, which is undone as a whole', async () => {
    const { send, runJob, ids } = await testServer()
    expect(await send('PUT', '/v1/item/deleted', { items: [...ids, 987_654] })).toMatchObject({ status: 404 })
    expect((await send('GET', '/v1/item/deleted/0')).body.items).toEqual([])
    const { body: recycled } = await send('PUT', '/v1/item/deleted', { items: ids })
    expect(recycled).toEqual({ changed: 2, taskid: null, step: expect.any(String) })
    expect((await send('GET', '/v1/item/deleted/0')).body._meta.total_records).toBe(2)
    const { body: history } = await send('GET', '/v1/history/0')
    expect(history.steps[0]).toMatchObject({ step: recycled.step, operation: 'item.recycle', items: 2, undoable: true })

    // A second request for items in the bin changes nothing.
    const { body: nothing } = await send('PUT', '/v1/item/deleted', { items: ids })
    expect(await send('POST', `/v1/history/${nothing.step}/undo`, {})).toMatchObject({ status: 404 })
    await runJob('POST', `/v1/history/${recycled.step}/undo`, {})
    expect((await send('GET', '/v1/item/list/0')).body._meta.total_records).toBe(2)
  })

  test('a purged item of a read-only collection is not found again, not even by a full scan', async () => {
    const { send, ids, root, scan, library } = await testServer()
    const [id] = ids
    await library.db.transact({ userId: null }, tx => tx.run('UPDATE collections SET readonly = 1'))
    for (let n = 0; n < 2; n++) expect((await send('DELETE', `/v1/item/${id}`)).status).toBe(204)
    expect(existsSync(join(root, 'a.jpg'))).toBe(true)
    await scan()
    await scan({ full: true })
    expect((await send('GET', '/v1/item/list/0')).body._meta.total_records).toBe(1)
  }, 30_000)
})
