import { describe, expect, test } from 'bun:test'
import type { Viewer } from '../../../core/accounts/access.ts'
import { exportPeople } from '../../../core/exchange/exporting/export-people.ts'
import { createItems } from '../../../core/items/items.ts'
import { createFaces } from '../../../core/people/faces/faces.ts'
import { createPeople } from '../../../core/people/people.ts'
import { createVocabulary } from '../../../core/words/vocabulary.ts'
import { openTestLibrary, secondsOf, unlockValue } from '../../support/library.ts'

async function library() {
  const { db, make, clock, viewer } = openTestLibrary()
  const followUps: string[] = []
  const people = createPeople({
    db,
    items: createItems({ db }),
    queueRemainingWork: async () => void followUps.push('text'),
  })
  const faces = createFaces({ db, clock })
  const updater = await make.user()
  const member = await make.user()
  const own = await make.collection({ name: 'Family', updaters: [updater], viewers: [member] })
  const open = await make.collection({ name: 'Open', public: true })
  const discreet = await make.collection({ name: 'Kept', public: true, keepPrivate: true })
  const viewers: Record<string, Viewer> = {
    visitor: viewer(null),
    stranger: viewer(await make.user()),
    member: viewer(member),
    updater: viewer(updater),
    admin: viewer(await make.user('admin', { globalAdmin: true })),
  }
  const as = (name: string): Viewer => viewers[name] ?? viewer(null)
  const search = (q: string) => createItems({ db }).list(as('admin'), { collectionId: 0 }, { q })._meta.total_records
  return { db, make, viewer, people, faces, as, own, open, discreet, followUps, search }
}

const refusal = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(() => null)
    .catch((error: unknown) => error)

describe('people', () => {
  test('are those on items that the caller sees; editors see all people with birthdates', async () => {
    const { people, make, as, own, open, discreet, db } = await library()
    await make.item({ collection: own, people: ['Ada', 'Ben'] })
    await make.item({ collection: open, people: ['Ben'] })
    await make.item({ collection: discreet, people: ['Cem'] })
    await make.keystring('Secret', { hidesItems: true })
    await make.item({ collection: open, people: ['Dora', 'Ben'], keywords: ['Secret'] })
    await make.person('Nobody')
    await db.transact({ userId: null }, tx => void tx.run("UPDATE people SET birthdate = '1970-02-03'"))
    const seen = (name: string) =>
      people.list(as(name), {}).map(({ names, birthdate, itemcount }) => [names[0]?.name, itemcount, birthdate])
    expect(seen('visitor')).toEqual([['Ben', 1, null]])
    expect(seen('stranger')).toEqual([['Ben', 1, null]])
    expect(seen('member')).toEqual([
      ['Ada', 1, null],
      ['Ben', 2, null],
    ])
    const everybody = ['Ada', 'Ben', 'Cem', 'Dora', 'Nobody']
    const counts = { updater: [1, 2, 0, 0, 0], admin: [1, 2, 1, 0, 0] }
    for (const [name, numbers] of Object.entries(counts)) {
      expect(seen(name)).toEqual(everybody.map((person, n) => [person, numbers[n] ?? 0, '1970-02-03']))
    }
    expect(people.names(as('visitor'), {}).map(({ name }) => name)).toEqual(['Ben'])
    expect(people.names(as('updater'), {})).toHaveLength(5)
  })

  test('on hidden items are listed in unlocked sessions only', async () => {
    const { people, make, viewer, open } = await library()
    await make.keystring('Secret', { hidesItems: true })
    await make.item({ collection: open, people: ['Dora'], keywords: ['Secret'] })
    const unlocked = viewer(await make.user(), { unlocked: true })
    expect(people.list(unlocked, {})).toEqual([])
    expect(people.list(unlocked, { includeHidden: 'wrong' })).toEqual([])
    expect(people.list(unlocked, { includeHidden: unlockValue })).toMatchObject([{ itemcount: 1 }])
  })

  test('are created and changed only by users who may edit a collection', async () => {
    const { people, as, faces } = await library()
    const { id, names } = await people.create(as('admin'), { names: ['Eva'] })
    const nameId = names[0]?.id ?? 0
    const calls = (viewer: Viewer) => [
      () => people.create(viewer, { names: ['Eva'] }),
      () => people.update(viewer, id, { birthdate: '1980-01-01' }),
      () => people.addName(viewer, id, { name: 'Eve' }),
      () => people.updateName(viewer, { id, nameId }, { name: 'Eva' }),
      () => faces.list(viewer),
      () => faces.add(viewer, id, { embedding_data: new Array(1024).fill(0.5) }),
    ]
    for (const call of calls(as('visitor'))) expect(await refusal(call)).toMatchObject({ code: 'unauthenticated' })
    for (const name of ['stranger', 'member']) {
      for (const call of calls(as(name))) expect(await refusal(call)).toMatchObject({ code: 'denied' })
    }
    for (const call of calls(as('updater'))) expect(await refusal(call)).toBeNull()
    expect(await refusal(() => people.removeUnused(as('updater')))).toMatchObject({ code: 'denied' })
    expect(await refusal(() => people.removeUnused(as('visitor')))).toMatchObject({ code: 'unauthenticated' })
    expect(await refusal(() => people.update(as('updater'), 999, { birthdate: null }))).toMatchObject({
      code: 'notFound',
    })
  })

  test('have each name once, normalized; an empty name is refused', async () => {
    const { people, as } = await library()
    const made = await people.create(as('updater'), {
      names: [' Anna\u0000Lena ', 'anna lena', { name: 'Anna Berg', start: 5, finish: 9 }],
      birthdate: '1980-05-06',
    })
    expect(made).toMatchObject({
      birthdate: '1980-05-06',
      names: [
        { name: 'Anna Lena', active_from: null, active_to: null },
        { name: 'Anna Berg', active_from: 5, active_to: 9 },
      ],
    })
    expect(await refusal(() => people.create(as('updater'), { names: ['\u0007'] }))).toMatchObject({
      code: 'invalid',
      field: 'name',
    })
    expect(people.list(as('updater'), {})).toHaveLength(1)
  })

  test('always keep at least one name', async () => {
    const { people, as } = await library()
    const { id, names } = await people.create(as('updater'), { names: ['One', 'Two'] })
    const [first, second] = names.map(name => name.id)
    await people.removeName(as('updater'), { id, nameId: first ?? 0 })
    expect(await refusal(() => people.removeName(as('updater'), { id, nameId: second ?? 0 }))).toMatchObject({
      code: 'conflict',
      message: 'The last name of a person cannot be deleted.',
    })
    expect(await refusal(() => people.removeName(as('updater'), { id, nameId: first ?? 0 }))).toMatchObject({
      code: 'notFound',
    })
    const other = await people.create(as('updater'), { names: ['Other', 'More'] })
    const foreign = { id, nameId: other.names[0]?.id ?? 0 }
    expect(await refusal(() => people.removeName(as('updater'), foreign))).toMatchObject({ code: 'notFound' })
    expect(await refusal(() => people.updateName(as('updater'), foreign, { name: 'x' }))).toMatchObject({
      code: 'notFound',
    })
  })

  test('updating a name keeps its period unless a new one is given, and a period must end after its start', async () => {
    const { people, as } = await library()
    const { id, names } = await people.create(as('updater'), { names: [{ name: 'Old', start: 10, finish: 20 }] })
    const where = { id, nameId: names[0]?.id ?? 0 }
    expect(await people.updateName(as('updater'), where, { name: 'New' })).toMatchObject({
      name: 'New',
      active_from: 10,
      active_to: 20,
    })
    expect(await people.updateName(as('updater'), where, { name: 'New', finish: null })).toMatchObject({
      active_from: 10,
      active_to: null,
    })
    expect(await refusal(() => people.updateName(as('updater'), where, { name: 'New', finish: 10 }))).toMatchObject({
      code: 'invalid',
      field: 'finish',
    })
  })

  test('are found by all their names, but not by a removed one', async () => {
    const { people, make, as, own, search, followUps } = await library()
    for (let n = 0; n < 3; n++) await make.item({ collection: own, people: ['Ada Byron'] })
    const [ada] = people.list(as('admin'), {})
    const id = ada?.id ?? 0
    const added = await people.addName(as('updater'), id, { name: 'Ada Lovelace' })
    expect([search('person:byron'), search('person:lovelace')]).toEqual([3, 3])
    await people.updateName(as('updater'), { id, nameId: added.id }, { name: 'Ada King' })
    expect([search('person:king'), search('person:lovelace')]).toEqual([3, 0])
    await people.removeName(as('updater'), { id, nameId: added.id })
    expect([search('person:king'), search('person:byron')]).toEqual([0, 3])
    expect(followUps).toEqual([])
  })

  test('on many items have their search text updated by a job', async () => {
    const { people, make, as, own, search, followUps, db } = await library()
    for (let n = 0; n < 201; n++) await make.item({ collection: own, people: ['Ada'] })
    const id = people.list(as('admin'), {})[0]?.id ?? 0
    await people.addName(as('updater'), id, { name: 'Lovelace' })
    expect(followUps).toEqual(['text'])
    expect(db.all('SELECT key FROM text_due')).toEqual([{ key: id * 4 + 1 }])
    expect([search('person:ada'), search('person:lovelace')]).toEqual([201, 0])
  })

  test('that are on no item, not even a recycled or missing one, are deleted; all others are kept', async () => {
    const { people, make, as, own, db } = await library()
    await make.item({ collection: own, people: ['Live'] })
    await make.item({ collection: own, people: ['Recycled'], deleted: 5 })
    await make.item({ collection: own, people: ['Missing'], missing: 5 })
    for (let n = 0; n < 230; n++) await make.person(`Nobody ${n}`)
    expect(await people.removeUnused(as('admin'))).toBe(230)
    expect(people.names(as('admin'), {}).map(({ name }) => name)).toEqual(['Live', 'Recycled', 'Missing'])
    expect(await people.removeUnused(as('admin'))).toBe(0)
    expect(db.get('SELECT count(*) AS n FROM events WHERE message LIKE ?', '%Nobody%')).toEqual({ n: 0 })
  })

  test('send changes to their channel, by id', async () => {
    const { people, as, db } = await library()
    const { id } = await people.create(as('updater'), { names: ['Confidential'] })
    await people.update(as('updater'), id, { birthdate: '1990-01-01' })
    await people.update(as('updater'), id, { birthdate: '1990-01-01' })
    const events = db.all<{ channel: string; message: string }>('SELECT channel, message FROM events ORDER BY id')
    expect(events.map(({ channel, message }) => [channel, JSON.parse(message)])).toEqual([
      [`person-${id}`, { action: 'create', person: { id } }],
      [`person-${id}`, { action: 'update', person: { id } }],
    ])
  })

  test('are exported with all their names, for global admins only', async () => {
    const { people, as, db } = await library()
    await people.create(as('updater'), { names: [{ name: 'Ada', finish: 100 }, 'Ada L.'], birthdate: '1815-12-10' })
    await people.create(as('updater'), { names: ['Ben'] })
    const text = exportPeople(db, as('admin'))
    expect(JSON.parse(text)).toEqual([
      {
        id: 1,
        birthdate: '1815-12-10',
        names: [
          { name: 'Ada', active_from: null, active_to: 100 },
          { name: 'Ada L.', active_from: null, active_to: null },
        ],
      },
      { id: 2, birthdate: null, names: [{ name: 'Ben', active_from: null, active_to: null }] },
    ])
    expect(await refusal(() => exportPeople(db, as('updater')))).toMatchObject({ code: 'denied' })
    expect(await refusal(() => exportPeople(db, as('visitor')))).toMatchObject({ code: 'unauthenticated' })
  })
})

describe('the name for the date of a picture', () => {
  const married = secondsOf('2005-06-04')
  const cases: [string, { name: string; from?: number; to?: number }[], [number, string][]][] = [
    [
      'is the maiden name until the wedding and the married name from then on',
      [
        { name: 'Maiden', to: married },
        { name: 'Married', from: married },
      ],
      [
        [married - 1, 'Maiden'],
        [married, 'Married'],
        [married + 1, 'Married'],
      ],
    ],
    [
      'is the one that started last if several are active',
      [{ name: 'Always' }, { name: 'Stage', from: married, to: married + 100 }],
      [
        [married - 1, 'Always'],
        [married, 'Stage'],
        [married + 99, 'Stage'],
        [married + 100, 'Always'],
      ],
    ],
    [
      'is the one with an end if several started at the same time',
      [{ name: 'Always' }, { name: 'Child', to: married }],
      [
        [married - 1, 'Child'],
        [married, 'Always'],
      ],
    ],
    [
      'is missing if no name was active',
      [
        { name: 'Early', to: 0 },
        { name: 'Late', from: 100 },
      ],
      [
        [-1, 'Early'],
        [0, 'No name available'],
        [99, 'No name available'],
        [100, 'Late'],
      ],
    ],
  ]
  for (const [title, names, wanted] of cases) {
    test(title, async () => {
      const { db, make } = await library()
      const id = await make.person(...names)
      const words = createVocabulary(db)
      words.refresh()
      expect(wanted.map(([taken]) => [taken, words.personName(id, taken)])).toEqual(wanted)
    })
  }

  test('changes at once when a name or its period changes', async () => {
    const { make, people, as, own, db } = await library()
    const id = await make.item({ collection: own, boxes: [{ person: 'Old', x: 1, y: 1, width: 50, height: 50 }] })
    const items = createItems({ db })
    const shown = () => items.get(as('member'), { id }, {}).tags.People?.data[0]?.name
    expect(shown()).toBe('Old')
    const [person] = people.list(as('admin'), {})
    const where = { id: person?.id ?? 0, nameId: person?.names[0]?.id ?? 0 }
    await people.updateName(as('updater'), where, { name: 'New' })
    expect(shown()).toBe('New')
    await people.updateName(as('updater'), where, { name: 'New', start: secondsOf('2021-01-01') })
    expect(shown()).toBe('No name available')
  })
})

describe('faces', () => {
  const vector = (length: number, seed = 1) => Array.from({ length }, (_, n) => Math.sin(n * seed))

  async function withRegions() {
    const made = await library()
    const { make, own, open, people, as, db } = made
    const mine = await make.item({
      collection: own,
      boxes: [
        { person: 'Ada', x: 1, y: 1, width: 50, height: 50 },
        { person: 'Ben', x: 90, y: 1, width: 50, height: 50 },
        { object: 'Ball', x: 190, y: 1, width: 50, height: 50 },
      ],
    })
    const closedTo = await make.item({ collection: await make.collection(), people: ['Ada'] })
    await make.item({ collection: open })
    const regionOf = (item: number, n: number) =>
      db.all<{ id: number }>('SELECT id FROM regions WHERE item_id = ? ORDER BY id', item)[n]?.id ?? 0
    const ada = people.list(as('admin'), {})[0]?.id ?? 0
    return { ...made, mine, closedTo, regionOf, ada }
  }

  test('are stored with the name of their model, for a region of the person that the caller sees', async () => {
    const { faces, as, ada, mine, closedTo, regionOf } = await withRegions()
    const face = await faces.add(as('updater'), ada, { object: regionOf(mine, 0), embedding_data: vector(1024) })
    expect(face).toMatchObject({ person: ada, object: regionOf(mine, 0), model: 'human-faceres-1' })
    expect(faces.list(as('updater'))).toEqual([face])
    const refused = [regionOf(mine, 1), regionOf(mine, 2), regionOf(closedTo, 0), 999_999]
    for (const object of refused) {
      expect(
        await refusal(() => faces.add(as('updater'), ada, { object, embedding_data: vector(1024) })),
      ).toMatchObject({
        code: 'invalid',
        field: 'object',
      })
    }
    await faces.add(as('admin'), ada, { object: regionOf(closedTo, 0), embedding_data: vector(1024, 2) })
  })

  test('are unique for each box and model: adding another face replaces the first', async () => {
    const { faces, as, ada, mine, regionOf } = await withRegions()
    const object = regionOf(mine, 0)
    const first = await faces.add(as('updater'), ada, { object, embedding_data: vector(1024) })
    const again = await faces.add(as('admin'), ada, { object, embedding_data: vector(1024, 2) })
    expect(again.id).toBe(first.id)
    const other = await faces.add(as('admin'), ada, { object, embedding_data: vector(16), model: 'other 1.0' })
    const loose = await faces.add(as('admin'), ada, { embedding_data: vector(1024) })
    expect(faces.list(as('updater'))).toEqual([again, other, loose])
  })

  test('of one model have the same length and only finite numbers', async () => {
    const { faces, as, ada } = await withRegions()
    const add = (embedding_data: number[], model?: string) =>
      refusal(() => faces.add(as('updater'), ada, { embedding_data, model }))
    expect(await add(vector(1024))).toBeNull()
    expect(await add(vector(32))).toMatchObject({ code: 'invalid', field: 'embedding_data' })
    expect(await add(vector(32), 'other 1.0')).toBeNull()
    expect(await add([...vector(1023), Number.NaN])).toMatchObject({ code: 'invalid', field: 'embedding_data' })
    const [own, other] = faces.list(as('updater'))
    const change = (face: typeof own, embedding_data: number[], model?: string) =>
      refusal(() => faces.update(as('updater'), { id: ada, faceId: face?.id ?? 0 }, { embedding_data, model }))
    // The length of the built-in model is fixed, even without other faces.
    expect(await change(own, vector(16))).toMatchObject({ field: 'embedding_data' })
    expect(await change(own, vector(1024), 'other 1.0')).toMatchObject({ field: 'embedding_data' })
    // The only face of another model may change its length.
    expect(await change(other, vector(16), 'other 1.0')).toBeNull()
  })

  test('can be updated and removed, but not as faces of another person', async () => {
    const { faces, as, ada, mine, regionOf, people } = await withRegions()
    const face = await faces.add(as('updater'), ada, { object: regionOf(mine, 0), embedding_data: vector(1024) })
    const kept = await faces.update(as('updater'), { id: ada, faceId: face.id }, { embedding_data: vector(1024, 3) })
    expect(kept).toMatchObject({ id: face.id, object: regionOf(mine, 0) })
    const loose = await faces.update(
      as('updater'),
      { id: ada, faceId: face.id },
      { object: null, embedding_data: vector(1024) },
    )
    expect(loose.object).toBeNull()
    const ben = people.list(as('admin'), {})[1]?.id ?? 0
    const foreign = { id: ben, faceId: face.id }
    expect(await refusal(() => faces.update(as('updater'), foreign, { embedding_data: vector(1024) }))).toMatchObject({
      code: 'notFound',
    })
    expect(await refusal(() => faces.remove(as('updater'), foreign))).toMatchObject({ code: 'notFound' })
    await faces.remove(as('updater'), { id: ada, faceId: face.id })
    expect(faces.list(as('updater'))).toEqual([])
  })
})
