import { describe, expect, test } from 'bun:test'
import { type FormBox, type ItemForm, noPlace } from '../../web/admin/metadata/item-form.ts'
import { mergeForms } from '../../web/admin/metadata/item-merge.ts'

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

describe('a change by another user', () => {
  test('is taken over when nothing was edited here', () => {
    const theirs = { ...base, description: 'Else', keywords: ['sun'], place: { ...noPlace, placeName: 'Vienna' } }
    expect(mergeForms(base, base, theirs)).toEqual(theirs)
  })

  test('is merged with edits of other parts; in the same part the edit here wins', () => {
    const mine = { ...base, description: 'Mine' }
    const theirs = { ...base, description: 'Theirs', date: '2020-01-01 00:00:00' }
    expect(mergeForms(base, mine, theirs)).toEqual({ ...base, description: 'Mine', date: '2020-01-01 00:00:00' })
  })

  test('to a list is merged: additions and removals by either user count', () => {
    const began = { ...base, keywords: ['sea', 'sun', 'sand'] }
    const mine = { ...base, keywords: ['sea', 'sand', 'mine'] }
    const theirs = { ...base, keywords: ['Sun', 'sea', 'theirs'] }
    expect(mergeForms(began, mine, theirs).keywords).toEqual(['sea', 'theirs', 'mine'])
    expect(mergeForms(base, { ...base, keywords: ['sea', 'sun'] }, { ...base, keywords: ['Sea'] }).keywords).toEqual([
      'Sea',
      'sun',
    ])
  })
})

describe('boxes', () => {
  const moved = (box: FormBox, x: number) => ({ ...box, x })
  const ida = { ...ada, key: 'told', id: 9, subject: 5, name: 'Ida' }
  const cases: [string, FormBox[], FormBox[], FormBox[]][] = [
    ['drawn by either are kept', [ada, bike, fresh], [ada, bike, ida], [ada, bike, ida, fresh]],
    ['moved by either are moved', [moved(ada, 1), bike], [ada, moved(bike, 2)], [moved(ada, 1), moved(bike, 2)]],
    ['removed by either are gone', [bike], [ada], []],
    [
      'moved by both are where the user here moved them',
      [moved(ada, 1), bike],
      [moved(ada, 2), bike],
      [moved(ada, 1), bike],
    ],
    ['removed here and moved there are gone', [bike], [moved(ada, 2), bike], [bike]],
    [
      'moved here and removed there are created again',
      [moved(ada, 1), bike],
      [bike],
      [bike, { ...moved(ada, 1), id: 0 }],
    ],
  ]
  test.each(cases)('%s', (_, mine, theirs, boxes) => {
    const merged = mergeForms(base, { ...base, boxes: mine }, { ...base, boxes: theirs })
    expect([...merged.boxes]).toEqual(boxes)
  })

  const face: FormBox = { ...ada, key: 'face 1', id: 0, subject: 0, name: '', found: true, x: 302, y: 298 }
  const kit: FormBox = { ...ada, key: 'person 9', id: 9, subject: 5, name: 'Kit', x: 300, y: 300 }
  const nowhere = { x: 0, y: 0, width: 0, height: 0 }
  const late: [string, FormBox[], FormBox[], FormBox[]][] = [
    ['a face found here and named there is one box', [face], [kit], [{ ...kit, key: 'face 1' }]],
    [
      'a face with the same person on both sides is one box',
      [{ ...face, subject: 5 }],
      [kit],
      [{ ...kit, key: 'face 1' }],
    ],
    [
      'a face with the same new name on both sides is one box',
      [{ ...face, name: 'kit' }],
      [kit],
      [{ ...kit, key: 'face 1' }],
    ],
    [
      'a face named differently by both is one box with the name from here',
      [{ ...face, subject: 6, name: 'Mia' }],
      [kit],
      [{ ...face, subject: 6, name: 'Mia', id: 9 }],
    ],
    ['a face at another place is another box', [{ ...face, x: 360 }], [kit], [kit, { ...face, x: 360 }]],
    [
      'an object in the place of a face is another box',
      [face],
      [{ ...kit, kind: 'object' }],
      [{ ...kit, kind: 'object' }, face],
    ],
    [
      'two objects may have the same place',
      [{ ...face, kind: 'object', subject: 6, name: 'Cup' }],
      [{ ...kit, kind: 'object' }],
      [
        { ...kit, kind: 'object' },
        { ...face, kind: 'object', subject: 6, name: 'Cup' },
      ],
    ],
    [
      'a person without a box is listed once',
      [{ ...face, subject: 5, ...nowhere }],
      [{ ...kit, ...nowhere }],
      [{ ...kit, key: 'face 1', ...nowhere }],
    ],
  ]
  test.each(late)('%s', (_, mine, theirs, boxes) => {
    const before = { ...base, boxes: [] }
    const merged = mergeForms(before, { ...base, boxes: mine }, { ...base, boxes: theirs })
    expect([...merged.boxes]).toEqual(boxes)
  })

  test('that existed before a new one was drawn over them are kept', () => {
    const drawn = { ...fresh, x: ada.x }
    expect(mergeForms(base, { ...base, boxes: [ada, bike, drawn] }, base).boxes).toEqual([ada, bike, drawn])
  })

  test('keep their local key', () => {
    const { boxes } = mergeForms(base, base, { ...base, boxes: [{ ...moved(ada, 3), key: 'person 7' }, bike] })
    expect(boxes[0]).toEqual({ ...moved(ada, 3), key: 'p7' })
  })
})
