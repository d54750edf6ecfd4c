/** Example arguments for functions that build statements of filters, lists, duplicates, boxes and the history. */
import { everything, type Filter } from '../../core/filter/filter.ts'
import type { Frame } from '../../core/filter/frame.ts'
import type { Branch, Driver } from '../../core/filter/plan.ts'
import { raw } from '../../core/kernel/database/sql-fragment.ts'

const frame: Frame = { collections: 'all', states: [0, 1], from: 0, to: 1000 }
const frameOfTwo: Frame = { ...frame, collections: [1, 2], states: [0] }
const key: Filter = { is: 'key', keys: [4, 8], tags: 1 }
const words: Filter = { is: 'text', text: 'sea', phrase: false, columns: ['keywords', 'place'] }
const everyCondition: Filter = {
  is: 'and',
  of: [
    key,
    words,
    { is: 'not', of: { is: 'collection', ids: [3] } },
    {
      is: 'or',
      of: [
        { is: 'month', months: [7], calendar: 'gregorian' },
        { is: 'month', months: [5], calendar: 'persian' },
        { is: 'taken', from: 1, to: 2 },
      ],
    },
    { is: 'added', from: 1, to: 2 },
    { is: 'folder', text: 'Rome', exact: false, dirs: [1, 2] },
    { is: 'near', latitude: 48, longitude: 11, radius: 1000 },
    { is: 'box', south: 1, west: 170, north: 2, east: -170 },
  ],
}

const branch = (driver: Driver, of: Frame = frame, rest: Filter = everything): Branch => ({
  driver,
  frame: of,
  rest,
  candidates: () => 10,
})
const byKey = branch({ by: 'key', key: 4, tags: 1 })
const branches: Branch[][] = [
  [],
  [byKey],
  [branch({ by: 'key', key: 4, tags: 1 }, frameOfTwo, everyCondition)],
  [branch({ by: 'keys', keys: [4, 8], tags: 1 })],
  [branch({ by: 'text', match: 'sea' }), byKey],
  [branch({ by: 'near', area: { is: 'near', latitude: 48, longitude: 11, radius: 1000 } }, frameOfTwo)],
  [branch({ by: 'added', added: { is: 'added', from: 1, to: 2 } })],
  [branch({ by: 'folder', folder: { is: 'folder', text: 'Rome', exact: false, dirs: [1, 2] } }, frameOfTwo)],
  [branch({ by: 'items' }, frameOfTwo, everyCondition)],
  [branch({ by: 'stream', state: 0, collection: null }), branch({ by: 'stream', state: 0, collection: 1 })],
]
const stretch = { low: { taken: 1, id: 2 }, high: { taken: 5, id: 6 } }
const slice = { descending: true, limit: 10, offset: 0 }
const body = {
  taken: raw('i.taken'),
  id: raw('i.id'),
  from: raw('items AS i'),
  where: raw('1'),
  order: '',
  repeats: false,
}
const everyItem = raw('SELECT id AS value, id FROM items')
const where = raw('i.state = 0')
const place = { value: 1, id: 2 }

export const filterAndItemExamples: Record<string, readonly (readonly unknown[])[]> = {
  'core/filter/counts.sql.ts monthCounts': [[frame], [frameOfTwo]],
  'core/filter/counts.sql.ts countInFrame': [[frame], [frameOfTwo, where]],
  'core/filter/counts.sql.ts keyCounts': [[key, frame]],
  'core/filter/counts.sql.ts countOfText': [['sea', 10]],
  'core/filter/counts.sql.ts countBetweenLatitudes': [[[1, 2], 10]],
  'core/filter/counts.sql.ts countOfAdded': [[1, 2, 10]],
  'core/filter/counts.sql.ts countInFolder': [[[1, 2], 10]],
  'core/filter/counts.sql.ts newestHits': [['sea', 10]],
  'core/filter/counts.sql.ts countOfRows': [[everyItem]],
  'core/filter/counts.sql.ts countByMonth': [[raw('1'), '[]']],
  'core/filter/merging.sql.ts mergedHits': [
    ['sea', [], stretch],
    ['sea', [{ bodies: [body, body], excluded: true }], stretch],
  ],
  'core/filter/pages.sql.ts handSelect': [
    [{ frame: frameOfTwo, months: null, rest: everyCondition }, 1, slice, null],
    [{ frame: frameOfTwo, months: [1], rest: everything }, 1, slice, place],
  ],
  'core/filter/pages.sql.ts handMarkers': [[{ frame: frameOfTwo, months: null, rest: everyCondition }, 1]],
  'core/filter/pages.sql.ts sortedSelect': branches.map(some => [some, frameOfTwo, 'name', slice, place]),
  'core/filter/pages.sql.ts streamSelect': [
    [frameOfTwo, everyCondition, 'added', slice, null],
    [{ ...frameOfTwo, collections: [1] }, everything, 'name', slice, place],
    [{ ...frameOfTwo, collections: Array.from({ length: 500 }, (_, n) => n) }, everything, 'name', slice, null],
  ],
  'core/filter/seen-items.sql.ts anItemOfCollection': [['i.state = 0']],
  'core/filter/seen-items.sql.ts itemsAmong': [[[1, 2], where]],
  'core/filter/seen-items.sql.ts collectionsAmong': [[[1, 2], where]],
  'core/filter/seen-items.sql.ts goneItems': [
    ['deleted', 1, where],
    ['missing', 1, where],
  ],
  'core/filter/seen-items.sql.ts itemWhere': [[{ id: { expression: 'i.id' } }, 1, where]],
  'core/filter/select.sql.ts pageSelect': [
    ...branches.map(some => [some, stretch, slice]),
    [branches[9], stretch, slice, { disjoint: true }],
  ],
  'core/filter/select.sql.ts countSelect': [
    ...branches.map(some => [some, stretch]),
    [[byKey], stretch, [{ filter: key, key: 8, negated: true }]],
  ],
  'core/filter/select.sql.ts daysSelect': branches.slice(1).map(some => [some, stretch]),
  'core/filter/select.sql.ts daysOf': [
    [everyItem, 0],
    [everyItem, 28],
  ],
  'core/items/items.sql.ts pageRows': [
    [everyItem, {}],
    [everyItem, { path: true, gone: true, coordinates: true }],
  ],
  'core/people/overview.sql.ts bestFace': [[1, where]],
  'core/people/overview.sql.ts chosenFace': [[1, 2, where]],
  'core/people/overview.sql.ts peopleWith': [[1, where, 6]],
  'core/people/overview.sql.ts peopleOn': [[[1, 2], where]],
  'core/people/overview.sql.ts placesOfPerson': [[1, where]],
  'core/places/visited.sql.ts itemsByPlace': [[where]],
  'core/items/items.sql.ts pagePositions': [[everyItem]],
  'core/items/items.sql.ts pageShapes': [[everyItem]],
  'core/items/items.sql.ts idsAmong': [[[1, 2], where]],
  'core/items/items.sql.ts rowsAmong': [[[1, 2], where]],
  'core/items/items.sql.ts countsByCollection': [[frame]],
  'core/items/duplicates/duplicates.sql.ts exactGroups': [[where]],
  'core/items/duplicates/duplicates.sql.ts nearGroups': [[where]],
  'core/editing/boxes/boxes.sql.ts foundOnItem': [['i.state = 0']],
  'core/editing/history.sql.ts hiddenParts': [
    ['step', true],
    ['step', false],
  ],
  'core/editing/history.sql.ts itemToUndo': [
    ['step', true],
    ['step', false],
  ],
  'core/editing/history.sql.ts itemOfStep': [
    ['step', true],
    ['step', false],
  ],
  'core/editing/history.sql.ts rowBefore': [
    ['parts', 1, raw('1')],
    ['rows', 1, raw('1')],
  ],
  'core/editing/history.sql.ts newestRow': [
    ['parts', 'step', raw('1')],
    ['rows', 'step', raw('1')],
  ],
}
