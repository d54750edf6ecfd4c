/** Hidden items do not seem to exist for global admins with a locked session, and for editors. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { createBuilders } from '../support/library.ts'
import { temporaryDirectory, temporaryOnDisk } from '../support/temporary.ts'
import { openTestServer } from '../support/test-server.ts'

temporaryOnDisk()
const testServer = openTestServer()
const { library, sendJson } = testServer
const { db } = library
const make = createBuilders(db)
afterAll(() => testServer.close())

let collection = 0
let hidden = 0
let shown = 0
let locked = ''
let unlocked = ''
let editor = ''

/** A new session, unlocked with the PIN. */
async function unlockedToken(username: string): Promise<string> {
  const user = library.users.byName(username)
  if (user === null) throw new Error(`nobody is called ${username}`)
  const { token } = await library.sessions.open(user, 'other')
  expect((await sendJson('POST', '/v1/keystrings/unlock', token, { pin: '4711' })).status).toBe(200)
  return token
}

const field = (json: unknown, name: string): unknown => Object(json)[name]

beforeAll(async () => {
  collection = await testServer.collection('pictures')
  locked = (await testServer.user('boss', { globalAdmin: true })).token
  unlocked = await unlockedToken('boss')
  editor = (await testServer.user('editor', { collectionId: collection, right: 'update' })).token
  hidden = await make.item({ collection, name: 'archaeopteryx.jpg', keywords: ['Locked'] })
  shown = await make.item({ collection, name: 'shown.jpg', keywords: ['Beach'] })
  const word = db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Locked'")?.id ?? 0
  await library.keystrings.update(terminalViewer, word, { isHidden: true, isAssociatedItemsHidden: true })
})

/** Runs all queued jobs. */
async function runJobs(): Promise<void> {
  for (const { id } of db.all<{ id: number }>("SELECT id FROM jobs WHERE state = 'queued' ORDER BY id"))
    await library.jobs.run(id)
}

describe('access/explain', () => {
  test('treats a hidden item like a missing one unless the session is unlocked', async () => {
    const explain = (id: number, token: string) => sendJson('GET', `/v1/access/explain?item=${id}`, token)
    const absent = await explain(987_654, locked)
    expect(absent.status).toBe(404)
    expect(await explain(hidden, locked)).toEqual(
      JSON.parse(JSON.stringify(absent).replaceAll('987654', String(hidden))),
    )
    expect(await explain(shown, locked)).toMatchObject({ status: 200, json: { name: 'shown.jpg' } })
    expect(await explain(hidden, unlocked)).toMatchObject({ status: 200, json: { name: 'archaeopteryx.jpg' } })
    expect(library.accessExplained.explain(terminalViewer, { item: hidden })).toMatchObject({
      name: 'archaeopteryx.jpg',
    })
  })
})

describe('history', () => {
  const history = async (token: string) => {
    const { json } = await sendJson('GET', '/v1/history/0', token)
    const steps = field(json, 'steps')
    return Array.isArray(steps) ? steps : []
  }

  test('does not list steps that changed only hidden items; mixed steps list and undo only visible items', async () => {
    const rate = (items: number[], token: string) =>
      sendJson('PUT', '/v1/item/tags', token, { items, changes: [{ tagName: 'Rating', mode: 'set', data: 4 }] })
    expect((await rate([hidden, shown], unlocked)).status).toBeLessThan(300)
    await runJobs()
    expect(
      (await sendJson('PUT', `/v1/item/${hidden}/tag/Description`, unlocked, { data: 'hidden words' })).status,
    ).toBe(200)
    const all = await history(unlocked)
    const visible = await history(locked)
    expect(all.filter(one => one.operation.startsWith('item.')).map(one => one.items)).toEqual([1, 2])
    const [step] = visible.filter(one => one.operation.startsWith('item.'))
    expect(visible.filter(one => one.operation.startsWith('item.'))).toHaveLength(1)
    expect(step).toMatchObject({ items: 1, item_id: shown, item_name: 'shown.jpg', undoable: true, undone: false })
    const ofHidden = all.find(one => one.item_id === hidden)
    expect(await sendJson('POST', `/v1/history/${ofHidden.step}/undo`, locked)).toMatchObject({ status: 404 })

    expect((await sendJson('POST', `/v1/history/${step.step}/undo`, locked)).status).toBe(200)
    await runJobs()
    const rating = (id: number) =>
      db.get<{ rating: number | null }>('SELECT rating FROM items WHERE id = ?', id)?.rating
    expect({ shown: rating(shown), hidden: rating(hidden) }).toEqual({ shown: null, hidden: 4 })
    const undone = (await history(locked)).find(one => one.step === step.step)
    expect(undone).toMatchObject({ undone: true, undoable: false, partly_undone: false })
    const job = db.get<{ total: number; counts: string }>("SELECT total, counts FROM jobs WHERE kind = 'undo'")
    expect({ ...job }).toMatchObject({ total: 1, counts: expect.stringContaining('"undone":1') })
    // An unlocked session sees the rest of the step, and undoes it.
    expect((await history(unlocked)).find(one => one.step === step.step)).toMatchObject({ partly_undone: true })
    expect((await sendJson('POST', `/v1/history/${step.step}/undo`, unlocked)).status).toBe(200)
    await runJobs()
    expect(rating(hidden)).toBe(null)
  })
})

describe('renaming a keystring', () => {
  test('to the name of a hidden keystring responds as for a free name, and merges the two', async () => {
    const [cove, sea] = [await make.keystring('Cove'), await make.keystring('Sea')]
    const tagged = await make.item({ collection, name: 'cove.jpg', keywords: ['Cove'] })
    await make.item({ collection, name: 'sea.jpg', keywords: ['Sea'] })
    const free = await sendJson('PUT', `/v1/keystrings/${sea}`, editor, { content: 'Nobody' })
    const taken = await sendJson('PUT', `/v1/keystrings/${cove}`, editor, { content: 'locked' })
    expect(free).toMatchObject({ status: 200, json: { id: sea, content: 'Nobody', itemcount: 1 } })
    expect(taken).toEqual(
      JSON.parse(JSON.stringify(free).replace('"Nobody"', '"locked"').replace(`"id":${sea}`, `"id":${cove}`)),
    )
    await runJobs()
    expect(db.get('SELECT 1 FROM keystrings WHERE id = ?', cove)).toBeNull()
    expect((await sendJson('GET', `/v1/item/${tagged}`, editor)).status).toBe(404)
    expect(db.get<{ n: number }>('SELECT hidden_by AS n FROM items WHERE id = ?', tagged)?.n).toBe(1)
  })

  test('to the name of a hidden keystring does not hide items that the user may not tag or cannot see', async () => {
    const attic = await testServer.collection('attic')
    const word = await make.keystring('Harbour')
    const own = await make.item({ collection, name: 'own.jpg', keywords: ['Harbour'] })
    const foreign = await make.item({ collection: attic, name: 'others.jpg', keywords: ['Harbour'] })
    const unseen = await make.item({ collection, name: 'unseen.jpg', keywords: ['Harbour', 'Locked'] })
    expect(await sendJson('PUT', `/v1/keystrings/${word}`, editor, { content: 'Locked' })).toMatchObject({
      status: 200,
      json: { id: word, content: 'Locked', itemcount: 1 },
    })
    await runJobs()
    const wordsOf = (id: number) =>
      db.all<{ content: string }>(
        'SELECT content FROM keyed JOIN keystrings ON key = keystrings.id * 4 WHERE item_id = ? ORDER BY content',
        id,
      )
    expect(wordsOf(own)).toEqual([{ content: 'Locked' }])
    expect(wordsOf(foreign)).toEqual([{ content: 'Harbour' }])
    expect(wordsOf(unseen)).toEqual([{ content: 'Harbour' }, { content: 'Locked' }])
    expect((await sendJson('GET', `/v1/item/${foreign}`, locked)).status).toBe(200)
  })

  test('to the name of a hidden keystring is refused for global admins and unlocked sessions, who see it', async () => {
    const word = await make.keystring('Bay')
    for (const token of [locked, await unlockedToken('editor')])
      expect(await sendJson('PUT', `/v1/keystrings/${word}`, token, { content: 'Locked' })).toMatchObject({
        status: 409,
        json: { error: expect.stringContaining('Merge the two instead') },
      })
  })
})

test('a locked session cannot undo a merge that made a keystring hide items', async () => {
  const [into, other] = [await make.keystring('Inlet'), await make.keystring('Gone')]
  await library.keystrings.update(terminalViewer, other, { isAssociatedItemsHidden: true })
  expect((await sendJson('POST', `/v1/keystrings/${into}/merge/${other}`, unlocked)).status).toBeLessThan(300)
  await runJobs()
  const item = await make.item({ collection, name: 'inlet.jpg', keywords: ['Inlet'] })
  const hides = () =>
    db.get<{ hides: number }>('SELECT is_associated_items_hidden AS hides FROM keystrings WHERE id = ?', into)?.hides
  expect(hides()).toBe(1)
  const merge = db.get<{ step: string }>(
    "SELECT step FROM history WHERE operation = 'keystring.merge' ORDER BY id DESC",
  )
  await sendJson('POST', `/v1/history/${merge?.step}/undo`, locked)
  await runJobs()
  expect(hides()).toBe(1)
  expect((await sendJson('GET', `/v1/item/${item}`, locked)).status).toBe(404)
  await sendJson('POST', `/v1/history/${merge?.step}/undo`, unlocked)
  await runJobs()
  expect(hides()).toBe(0)
})

test('an administrator with a locked session cannot reveal hidden items', async () => {
  const cellar = await testServer.collection('cellar')
  await make.item({ collection: cellar, name: 'away.jpg', keywords: ['Locked'] })
  const word = db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Locked'")?.id ?? 0
  const refused = { status: 409, json: { error: 'Unlock hidden items first' } }
  const reveal = (token: string) => sendJson('PUT', `/v1/keystrings/${word}`, token, { isAssociatedItemsHidden: false })
  const setVariants = (pathVariant: string, token: string) =>
    sendJson('PUT', `/v1/collection/${cellar}`, token, { pathVariant })
  const forget = (token: string) => sendJson('DELETE', `/v1/collection/${cellar}`, token)

  const variants = join(temporaryDirectory(), 'edited')
  mkdirSync(variants)
  expect((await setVariants(variants, unlocked)).status).toBe(200)
  // An import of metadata would replace the hiding keywords by those in the files.
  const importMetadata = (token: string) => sendJson('PUT', `/v1/collection/meta/import/${cellar}`, token)
  for (const act of [reveal, forget, importMetadata, (token: string) => setVariants('', token)])
    expect(await act(locked)).toMatchObject(refused)
  const hiding = db.get<{ step: string }>("SELECT step FROM history WHERE operation = 'keystring.update' ORDER BY id")
  expect((await sendJson('POST', `/v1/history/${hiding?.step}/undo`, locked)).status).toBe(200)
  await runJobs()
  expect((await sendJson('GET', `/v1/item/${hidden}`, locked)).status).toBe(404)
  // A request that changes nothing is never refused.
  expect((await setVariants(variants, locked)).status).toBe(200)
  expect((await setVariants('', unlocked)).status).toBe(200)
  expect((await forget(unlocked)).status).toBe(204)
  expect((await reveal(unlocked)).status).toBe(200)
})
