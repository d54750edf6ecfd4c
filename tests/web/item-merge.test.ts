import { describe, expect, test } from 'bun:test'
import { type FormBox, type ItemForm, noPlace } from '../../web/state/item-form.ts'
import { mergeForms, resolved, without } from '../../web/state/item-merge.ts'

const ada: FormBox = { key: 'p7', id: 7, kind: 'person', subject: 3, name: 'Ada', x: 10, y: 20, width: 50, height: 50 }
const bike: FormBox = { ...ada, key: 'o7', kind: 'object', subject: 4, name: 'Bike' }
const fresh: FormBox = { ...ada, key: 'new 1', id: 0, subject: 0, name: 'Eva', x: 500 }
const base: ItemForm = {
  date: '2019-08-03 14:05:00',
  description: 'By the river',
  category: [],
  keywords: ['sea'],
  author: [],
  place: noPlace,
  boxes: [ada, bike],
}

describe('what the other one saved', () => {
  test('comes in where nothing was begun here', () => {
    const theirs = { ...base, description: 'Else', keywords: ['sun'], place: { ...noPlace, placeName: 'Vienna' } }
    expect(mergeForms(base, base, theirs)).toEqual({ form: theirs, conflicts: {} })
  })

  test('stands beside what was begun in other parts', () => {
    const mine = { ...base, keywords: ['sea', 'sun'] }
    const { form, conflicts } = mergeForms(base, mine, { ...base, description: 'Else' })
    expect(form).toMatchObject({ keywords: ['sea', 'sun'], description: 'Else' })
    expect(conflicts).toEqual({})
  })

  test('is nobody’s change where the library has written a word as it is known, or guessed a place’s name', () => {
    const mine = { ...base, keywords: ['sea', 'sun'] }
    expect(mergeForms(base, mine, { ...base, keywords: ['Sea'] })).toEqual({ form: mine, conflicts: {} })
    const there = { ...noPlace, latitude: 48.2, longitude: 16.37 }
    const placed = { ...base, place: there }
    const named = { ...base, place: { ...there, placeName: 'At home' } }
    const guessed = { ...base, place: { ...there, placeName: 'Vienna, Austria', guessed: true } }
    expect(mergeForms(placed, named, guessed)).toEqual({ form: named, conflicts: {} })
    expect(mergeForms(placed, placed, guessed).form.place.placeName).toBe('Vienna, Austria')
    // Somebody gave it another name, or moved it.
    for (const place of [
      { ...guessed.place, guessed: false },
      { ...guessed.place, latitude: 50 },
    ]) {
      expect(mergeForms(placed, named, { ...base, place }).conflicts).toEqual({ place })
    }
  })

  test('is told where both have changed the same part, and nothing here is lost', () => {
    const mine = { ...base, description: 'Mine', keywords: ['sea', 'mine'] }
    const theirs = { ...base, description: 'Theirs', keywords: ['theirs'] }
    const { form, conflicts } = mergeForms(base, mine, theirs)
    expect(form).toMatchObject({ description: 'Mine', keywords: ['sea', 'mine'] })
    expect(conflicts).toEqual({ description: 'Theirs', keywords: ['theirs'] })
    const kept = resolved(form, conflicts, 'description', 'mine')
    expect(kept.description).toBe('Mine')
    const taken = resolved(kept, without(conflicts, 'description'), 'keywords', 'theirs')
    expect(taken).toMatchObject({ description: 'Mine', keywords: ['theirs'] })
    expect(resolved(form, conflicts, 'keywords', 'both').keywords).toEqual(['theirs', 'sea', 'mine'])
  })

  test('is no conflict where both say the same', () => {
    const same = { ...base, description: 'Same' }
    expect(mergeForms(base, same, { ...same }).conflicts).toEqual({})
  })

  test('stays told when the item comes again before somebody chose', () => {
    const mine = { ...base, description: 'Mine' }
    const theirs = { ...base, description: 'Theirs' }
    const first = mergeForms(base, mine, theirs)
    expect(mergeForms(theirs, first.form, theirs, first.conflicts).conflicts).toEqual({ description: 'Theirs' })
    expect(mergeForms(theirs, first.form, theirs).conflicts).toEqual({})
  })
})

describe('boxes', () => {
  const moved = (box: FormBox, x: number) => ({ ...box, x })
  const told = { ...ada, key: 'told', id: 9, subject: 5, name: 'Ida' }
  const cases: [string, FormBox[], FormBox[], FormBox[], FormBox[] | undefined][] = [
    ['drawn by either are there', [ada, bike, fresh], [ada, bike, told], [ada, bike, told, fresh], undefined],
    [
      'moved by either are moved',
      [moved(ada, 1), bike],
      [ada, moved(bike, 2)],
      [moved(ada, 1), moved(bike, 2)],
      undefined,
    ],
    ['removed by either are gone', [bike], [ada], [], undefined],
    [
      'moved by both are told',
      [moved(ada, 1), bike],
      [moved(ada, 2), bike],
      [moved(ada, 1), bike],
      [moved(ada, 2), bike],
    ],
    ['removed here and moved there are told', [bike], [moved(ada, 2), bike], [bike], [moved(ada, 2), bike]],
    [
      'moved here and removed there are drawn anew',
      [moved(ada, 1), bike],
      [bike],
      [bike, { ...moved(ada, 1), id: 0 }],
      [bike],
    ],
  ]
  test.each(cases)('%s', (_, mine, theirs, boxes, there) => {
    const merged = mergeForms(base, { ...base, boxes: mine }, { ...base, boxes: theirs })
    expect([...merged.form.boxes]).toEqual(boxes)
    expect(merged.conflicts.boxes === undefined ? undefined : [...merged.conflicts.boxes]).toEqual(there)
  })

  const face: FormBox = { ...ada, key: 'face 1', id: 0, subject: 0, name: '', found: true, x: 302, y: 298 }
  const kit: FormBox = { ...ada, key: 'person 9', id: 9, subject: 5, name: 'Kit', x: 300, y: 300 }
  const somewhere = { x: 0, y: 0, width: 0, height: 0 }
  const late: [string, FormBox[], FormBox[], FormBox[], FormBox[] | undefined][] = [
    ['a face that was found here and named there is that one', [face], [kit], [{ ...kit, key: 'face 1' }], undefined],
    ['also when it was named the same here', [{ ...face, subject: 5 }], [kit], [{ ...kit, key: 'face 1' }], undefined],
    ['or by the same new name', [{ ...face, name: 'kit' }], [kit], [{ ...kit, key: 'face 1' }], undefined],
    [
      'named otherwise by both it is one box, and told',
      [{ ...face, subject: 6, name: 'Mia' }],
      [kit],
      [{ ...face, subject: 6, name: 'Mia', id: 9 }],
      [{ ...kit, key: 'face 1' }],
    ],
    ['at another place it is another one', [{ ...face, x: 360 }], [kit], [kit, { ...face, x: 360 }], undefined],
    [
      'of two the nearer one is it',
      [{ ...face, key: 'far', x: 310 }, face],
      [kit],
      [
        { ...kit, key: 'face 1' },
        { ...face, key: 'far', x: 310 },
      ],
      undefined,
    ],
    [
      'a thing in a face’s place is no face',
      [face],
      [{ ...kit, kind: 'object' }],
      [{ ...kit, kind: 'object' }, face],
      undefined,
    ],
    [
      'two things may lie in one place',
      [{ ...face, kind: 'object', subject: 6, name: 'Cup' }],
      [{ ...kit, kind: 'object' }],
      [
        { ...kit, kind: 'object' },
        { ...face, kind: 'object', subject: 6, name: 'Cup' },
      ],
      undefined,
    ],
    [
      'somebody somewhere is there once',
      [{ ...face, subject: 5, ...somewhere }],
      [{ ...kit, ...somewhere }],
      [{ ...kit, key: 'face 1', ...somewhere }],
      undefined,
    ],
  ]
  test.each(late)('%s', (_, mine, theirs, boxes, there) => {
    const before = { ...base, boxes: [] }
    const merged = mergeForms(before, { ...base, boxes: mine }, { ...base, boxes: theirs })
    expect([...merged.form.boxes]).toEqual(boxes)
    expect(merged.conflicts.boxes === undefined ? undefined : [...merged.conflicts.boxes]).toEqual(there)
  })

  test('that stood there when one was drawn over them are another', () => {
    const drawn = { ...fresh, x: ada.x }
    expect(mergeForms(base, { ...base, boxes: [ada, bike, drawn] }, base).form.boxes).toEqual([ada, bike, drawn])
  })

  test('keep the key that they have here', () => {
    const { form } = mergeForms(base, base, { ...base, boxes: [{ ...moved(ada, 3), key: 'person 7' }, bike] })
    expect(form.boxes[0]).toEqual({ ...moved(ada, 3), key: 'p7' })
  })
})
