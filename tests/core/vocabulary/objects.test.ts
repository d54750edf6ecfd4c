import { describe, expect, test } from 'bun:test'
import type { Viewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { createObjects } from '../../../core/vocabulary/objects.ts'
import { openTestLibrary } from '../../support/library.ts'

async function library() {
  const { db, make, viewer } = openTestLibrary()
  const objects = createObjects({ db, queueRemainingWork: async () => {} })
  const updaterId = await make.user()
  const own = await make.collection({ updaters: [updaterId] })
  const open = await make.collection({ public: true })
  const visitor = viewer(null)
  const stranger = viewer(await make.user())
  const updater = viewer(updaterId)
  const admin = viewer(await make.user('admin', { globalAdmin: true }))
  const search = (q: string) => createItems({ db }).list(admin, { collectionId: 0 }, { q })._meta.total_records
  return { db, make, objects, own, open, visitor, stranger, updater, admin, search }
}

const refusal = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(() => null)
    .catch((error: unknown) => error)

describe('objects', () => {
  test('are those on items that the caller sees, without hidden properties; editors see all objects and properties', async () => {
    const { objects, make, own, open, visitor, updater } = await library()
    const toy = await objects.create(updater, { name: 'Toy' })
    const ball = await objects.create(updater, { name: 'Ball', description: 'round', isObjectId: toy.id })
    const car = await objects.create(updater, { name: 'Car', isObjectId: toy.id })
    await objects.addProperty(updater, ball.id, { name: 'colour', value: 'red' })
    await objects.addProperty(updater, ball.id, { name: 'price', value: '5', hidden: true })
    await objects.addProperty(updater, car.id, { name: 'plate', value: 'B-XY 1' })
    await make.item({ collection: open, objects: ['Ball'] })
    await make.item({ collection: own, objects: ['Ball', 'Car'] })
    expect(objects.list(visitor, {})).toMatchObject([
      // The parent object is on no item that the visitor sees.
      { name: 'Ball', isObjectId: null, itemcount: 1, properties: [{ name: 'colour', value: 'red', hidden: false }] },
    ])
    expect(objects.list(updater, {})).toMatchObject([
      {
        name: 'Ball',
        isObjectId: toy.id,
        itemcount: 2,
        properties: [{ name: 'colour' }, { name: 'price', hidden: true }],
      },
      { name: 'Car', itemcount: 1 },
      { name: 'Toy', itemcount: 0, properties: [] },
    ])
    expect(objects.propertyNames(visitor, {})).toEqual(['colour'])
    expect(objects.propertyNames(updater, {})).toEqual(['colour', 'plate', 'price'])
  })

  test('can be created and changed by editors, and deleted by global admins', async () => {
    const { objects, visitor, stranger, updater, admin } = await library()
    const { id } = await objects.create(updater, { name: 'Ball' })
    const calls = (viewer: Viewer) => [
      () => objects.create(viewer, { name: 'New' }),
      () => objects.update(viewer, id, { description: 'round' }),
      () => objects.addProperty(viewer, id, { name: 'colour', value: 'red' }),
      () => objects.removeProperty(viewer, { id, propId: 1 }),
    ]
    for (const call of calls(visitor)) expect(await refusal(call)).toMatchObject({ code: 'unauthenticated' })
    for (const call of calls(stranger)) expect(await refusal(call)).toMatchObject({ code: 'denied' })
    for (const call of calls(updater)) expect(await refusal(call)).toBeNull()
    expect(await refusal(() => objects.remove(updater, id, { force: true }))).toMatchObject({ code: 'denied' })
    expect(await refusal(() => objects.remove(admin, id, { force: false }))).toBeNull()
    expect(await refusal(() => objects.update(updater, id, { name: 'x' }))).toMatchObject({ code: 'notFound' })
  })

  test('have unique names, and cannot be part of themselves', async () => {
    const { objects, updater } = await library()
    const a = await objects.create(updater, { name: 'A' })
    const b = await objects.create(updater, { name: 'B', isObjectId: a.id })
    const c = await objects.create(updater, { name: 'C', isObjectId: b.id })
    for (const parent of [a.id, b.id, c.id]) {
      expect(await refusal(() => objects.update(updater, a.id, { isObjectId: parent }))).toMatchObject({
        code: 'conflict',
        field: 'isObjectId',
      })
    }
    expect(await objects.update(updater, c.id, { isObjectId: null })).toMatchObject({ isObjectId: null, name: 'C' })
    expect(await objects.update(updater, a.id, { isObjectId: c.id })).toMatchObject({ isObjectId: c.id })
    expect(await refusal(() => objects.create(updater, { name: 'D', isObjectId: 99 }))).toMatchObject({
      code: 'invalid',
      field: 'isObjectId',
    })
    expect(await refusal(() => objects.create(updater, { name: ' a ' }))).toMatchObject({
      code: 'conflict',
      field: 'name',
    })
    expect(await refusal(() => objects.update(updater, b.id, { name: 'C' }))).toMatchObject({ code: 'conflict' })
    expect(await refusal(() => objects.create(updater, { name: '\u0001' }))).toMatchObject({ code: 'invalid' })
  })

  test('are found by their new name', async () => {
    const { objects, make, updater, own, search } = await library()
    await make.item({ collection: own, objects: ['Ball'] })
    const id = objects.list(updater, {})[0]?.id ?? 0
    await objects.update(updater, id, { name: 'Sphere' })
    expect([search('object:ball'), search('object:sphere')]).toEqual([0, 1])
  })

  test('a property of the same name is replaced and keeps its id', async () => {
    const { objects, updater } = await library()
    const { id } = await objects.create(updater, { name: 'Ball' })
    const first = await objects.addProperty(updater, id, { name: 'colour', value: 'red', hidden: true })
    const second = await objects.addProperty(updater, id, { name: ' colour ', value: 'blue' })
    expect(second).toEqual({ id: first.id, name: 'colour', value: 'blue', hidden: false })
    const other = await objects.create(updater, { name: 'Car' })
    const foreign = { id: other.id, propId: first.id }
    expect(await refusal(() => objects.removeProperty(updater, foreign))).toMatchObject({ code: 'notFound' })
    await objects.removeProperty(updater, { id, propId: first.id })
    expect(objects.list(updater, {})[0]?.properties).toEqual([])
  })

  test('that are on items can only be deleted with force, which removes them from the items', async () => {
    const { objects, make, updater, admin, own, search, db } = await library()
    const toy = await objects.create(updater, { name: 'Toy' })
    for (let n = 0; n < 3; n++) await make.item({ collection: own, objects: ['Toy', 'Car'] })
    await make.item({ collection: own, objects: ['Toy'], deleted: 5 })
    const car = objects.list(updater, {}).find(({ name }) => name === 'Car')
    await objects.update(updater, car?.id ?? 0, { isObjectId: toy.id })
    expect(await refusal(() => objects.remove(admin, toy.id, { force: false }))).toMatchObject({
      code: 'conflict',
      message: 'The object is on 4 items. Delete it with force=true.',
    })
    await objects.remove(admin, toy.id, { force: true })
    expect(objects.list(updater, {})).toMatchObject([{ name: 'Car', isObjectId: null, itemcount: 3 }])
    expect(search('object:toy')).toBe(0)
    expect(db.get('SELECT count(*) AS n FROM keyed WHERE key = ?', toy.id * 4 + 2)).toEqual({ n: 0 })
  })
})
