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

describe('what another user saved', () => {
  test('is taken over where nothing was started here', () => {
    const theirs = { ...base, description: 'Else', keywords: ['sun'], place: { ...noPlace, placeName: 'Vienna' } }
    expect(mergeForms(base, base, theirs)).toEqual(theirs)
  })

  test('is beside what was started in other parts; in the same part, what was typed stays', () => {
    const mine = { ...base, description: 'Mine' }
    const theirs = { ...base, description: 'Theirs', date: '2020-01-01 00:00:00' }
    expect(mergeForms(base, mine, theirs)).toEqual({ ...base, description: 'Mine', date: '2020-01-01 00:00:00' })
  })

  test('of lists: added by either is in, removed by either is out', () => {
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
  const told = { ...ada, key: 'told', id: 9, subject: 5, name: 'Ida' }
  const cases: [string, FormBox[], FormBox[], FormBox[]][] = [
    ['drawn by either are there', [ada, bike, fresh], [ada, bike, told], [ada, bike, told, fresh]],
    ['moved by either are moved', [moved(ada, 1), bike], [ada, moved(bike, 2)], [moved(ada, 1), moved(bike, 2)]],
    ['removed by either are gone', [bike], [ada], []],
    [
      'moved by both are where they were moved here',
      [moved(ada, 1), bike],
      [moved(ada, 2), bike],
      [moved(ada, 1), bike],
    ],
    ['removed here and moved there are gone', [bike], [moved(ada, 2), bike], [bike]],
    ['moved here and removed there are drawn anew', [moved(ada, 1), bike], [bike], [bike, { ...moved(ada, 1), id: 0 }]],
  ]
  test.each(cases)('%s', (_, mine, theirs, boxes) => {
    const merged = mergeForms(base, { ...base, boxes: mine }, { ...base, boxes: theirs })
    expect([...merged.boxes]).toEqual(boxes)
  })

  const face: FormBox = { ...ada, key: 'face 1', id: 0, subject: 0, name: '', found: true, x: 302, y: 298 }
  const kit: FormBox = { ...ada, key: 'person 9', id: 9, subject: 5, name: 'Kit', x: 300, y: 300 }
  const somewhere = { x: 0, y: 0, width: 0, height: 0 }
  const late: [string, FormBox[], FormBox[], FormBox[]][] = [
    ['a face that was found here and named there is that one', [face], [kit], [{ ...kit, key: 'face 1' }]],
    ['also when it was named the same here', [{ ...face, subject: 5 }], [kit], [{ ...kit, key: 'face 1' }]],
    ['or by the same new name', [{ ...face, name: 'kit' }], [kit], [{ ...kit, key: 'face 1' }]],
    [
      'named otherwise by both it is one box, called as it is here',
      [{ ...face, subject: 6, name: 'Mia' }],
      [kit],
      [{ ...face, subject: 6, name: 'Mia', id: 9 }],
    ],
    ['at another place it is another one', [{ ...face, x: 360 }], [kit], [kit, { ...face, x: 360 }]],
    ['a thing in a face’s place is no face', [face], [{ ...kit, kind: 'object' }], [{ ...kit, kind: 'object' }, face]],
    [
      'two things may lie in one place',
      [{ ...face, kind: 'object', subject: 6, name: 'Cup' }],
      [{ ...kit, kind: 'object' }],
      [
        { ...kit, kind: 'object' },
        { ...face, kind: 'object', subject: 6, name: 'Cup' },
      ],
    ],
    [
      'somebody somewhere is there once',
      [{ ...face, subject: 5, ...somewhere }],
      [{ ...kit, ...somewhere }],
      [{ ...kit, key: 'face 1', ...somewhere }],
    ],
  ]
  test.each(late)('%s', (_, mine, theirs, boxes) => {
    const before = { ...base, boxes: [] }
    const merged = mergeForms(before, { ...base, boxes: mine }, { ...base, boxes: theirs })
    expect([...merged.boxes]).toEqual(boxes)
  })

  test('that stood there when one was drawn over them are another', () => {
    const drawn = { ...fresh, x: ada.x }
    expect(mergeForms(base, { ...base, boxes: [ada, bike, drawn] }, base).boxes).toEqual([ada, bike, drawn])
  })

  test('keep the key that they have here', () => {
    const { boxes } = mergeForms(base, base, { ...base, boxes: [{ ...moved(ada, 3), key: 'person 7' }, bike] })
    expect(boxes[0]).toEqual({ ...moved(ada, 3), key: 'p7' })
  })
})
