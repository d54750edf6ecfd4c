import { describe, expect, test } from 'bun:test'
import { assignGuesses, placedPeople } from '../../web/admin/metadata/faces/face-guesses.ts'
import { faceAfterRotation, missedByServer, placeFaces } from '../../web/admin/metadata/faces/face-places.ts'
import type { FaceRun } from '../../web/admin/metadata/faces/face-recognition.ts'
import { faceSettingsOf, minConfidence } from '../../web/admin/metadata/faces/face-settings.ts'
import { resultText } from '../../web/admin/metadata/faces/face-text.ts'
import { boxChanges, type FormBox, isProposal } from '../../web/admin/metadata/item-form.ts'
import type { SeenFace } from '../../web/faces/face-messages.ts'

const at = (x: number, y: number, side = 100) => ({ x, y, width: side, height: side })
const face = (x: number, y: number, side = 100): SeenFace => ({ box: at(x, y, side), confidence: 0.9, vector: [] })
const box = (change: Partial<FormBox>): FormBox => ({
  key: 'a',
  id: 7,
  kind: 'person',
  subject: 3,
  name: 'Jonas',
  ...at(100, 100),
  ...change,
})
const proposal: Partial<FormBox> = { id: 0, subject: 0, name: '', found: true }

describe('faces and existing boxes', () => {
  const tables: [string, SeenFace[], FormBox[], { matched: number; fresh: number; stale: number }][] = [
    ['a face away from all boxes is new', [face(500, 500)], [box({})], { matched: 0, fresh: 1, stale: 0 }],
    [
      'a small face at 6 units from a box is new',
      [face(106, 100, 10)],
      [box(at(100, 100, 10))],
      { matched: 0, fresh: 1, stale: 0 },
    ],
    ['a face that overlaps a box enough is the same', [face(120, 120)], [box({})], { matched: 1, fresh: 0, stale: 0 }],
    ['each face matches one box', [face(100, 100)], [box({}), box({ key: 'b' })], { matched: 1, fresh: 0, stale: 0 }],
    ['each box matches one face', [face(100, 100), face(102, 100)], [box({})], { matched: 1, fresh: 1, stale: 0 }],
    [
      'an object box does not match a face',
      [face(100, 100)],
      [box({ kind: 'object' })],
      { matched: 0, fresh: 1, stale: 0 },
    ],
    ['a person without a box matches no face', [face(0, 0)], [box(at(0, 0, 0))], { matched: 0, fresh: 1, stale: 0 }],
    [
      'an earlier proposal that is not found again is removed',
      [],
      [box(proposal), box({})],
      { matched: 0, fresh: 0, stale: 1 },
    ],
    ['a proposal that is found again is kept', [face(101, 101)], [box(proposal)], { matched: 1, fresh: 0, stale: 0 }],
  ]
  for (const [name, faces, boxes, counts] of tables) {
    test(name, () => {
      const { matched, newFaces, lostBoxes } = placeFaces(faces, boxes)
      expect({ matched: matched.length, fresh: newFaces.length, stale: lostBoxes.length }).toEqual(counts)
    })
  }

  test('a face within 5 units of a box is the same', () => {
    // These faces are too small to overlap enough.
    expect(placeFaces([face(105, 95, 8)], [box(at(100, 100, 8))]).matched).toHaveLength(1)
    expect(placeFaces([face(106, 95, 8)], [box(at(100, 100, 8))]).matched).toHaveLength(0)
  })

  test('a face matches the nearer box', () => {
    const near = box({ key: 'near', ...at(101, 100) })
    expect(placeFaces([face(100, 100)], [box({ key: 'far', ...at(130, 100) }), near]).matched[0]?.box).toBe(near)
  })

  test('a face box is cut at the edges of the picture and rotates with it', () => {
    const sides = { width: 1000, height: 600 }
    expect(faceAfterRotation(face(-10, 550), sides, 0).box).toEqual({ x: 0, y: 550, width: 90, height: 50 })
    expect(faceAfterRotation(face(100, 200), sides, 90).box).toEqual({ x: 300, y: 100, width: 100, height: 100 })
    expect(faceAfterRotation(face(100, 200), sides, -90).box).toEqual({ x: 200, y: 800, width: 100, height: 100 })
  })

  test('a found face is saved only when it has a name', () => {
    const found = box({ key: 'f', ...proposal })
    expect(isProposal(found)).toBe(true)
    expect(boxChanges([], [found])).toEqual([])
    expect(boxChanges([found], [])).toEqual([])
    const named = { ...found, subject: 3, name: 'Jonas' }
    expect(boxChanges([], [named])).toEqual([{ act: 'create', box: named }])
    // A drawn box is saved without a name.
    const drawn = box({ id: 0, subject: 0, name: '' })
    expect(boxChanges([], [drawn])).toEqual([{ act: 'create', box: drawn }])
  })
})

describe('suggestions name nobody twice on a picture', () => {
  const like = (person: number, similarity: number, matches = 3) => ({ person, similarity, matches })
  const faces = (...lists: ReturnType<typeof like>[][]) => lists.map((people, n) => ({ key: `face ${n + 1}`, people }))
  const tables: [string, ReturnType<typeof faces>, number[], (number | null)[]][] = [
    ['each face gets its likeliest person', faces([like(1, 0.9), like(2, 0.6)], [like(2, 0.8)]), [], [1, 2]],
    ['the more similar face gets the name', faces([like(1, 0.6)], [like(1, 0.9)]), [], [null, 1]],
    ['the less similar face gets its next person', faces([like(1, 0.7), like(3, 0.5)], [like(1, 0.9)]), [], [3, 1]],
    [
      'a face whose next person is taken too gets the one after',
      faces([like(1, 0.7), like(2, 0.6), like(3, 0.5)], [like(1, 0.9)], [like(2, 0.8)]),
      [],
      [3, 1, 2],
    ],
    [
      'of equally similar faces, the one with more matches gets the name',
      faces([like(1, 0.9, 2)], [like(1, 0.9, 5)]),
      [],
      [null, 1],
    ],
    ['of equal faces, the first gets the name', faces([like(1, 0.9)], [like(1, 0.9)]), [], [1, null]],
    [
      'a person with a box on the picture is not suggested',
      faces([like(1, 0.9), like(2, 0.5)], [like(1, 0.8)]),
      [1],
      [2, null],
    ],
    ['no suggestion without known people', faces([], []), [], [null, null]],
  ]
  for (const [name, list, there, people] of tables) {
    test(name, () => {
      const guesses = assignGuesses(list, new Set(there))
      expect(list.map(({ key }) => guesses.get(key)?.person ?? null)).toEqual(people)
    })
  }

  test('counts only people with a box as placed', () => {
    const boxes = [box({}), box({ key: 'b', subject: 4, ...at(0, 0, 0) }), box({ key: 'c', subject: 0, name: 'New' })]
    expect([...placedPeople([...boxes, box({ key: 'd', subject: 5, kind: 'object' })])]).toEqual([3])
    expect([...placedPeople(boxes, 'a')]).toEqual([])
  })
})

test('adds only faces that the server has not found', () => {
  const [sure, faint] = [face(100, 100), face(500, 500)]
  expect(missedByServer([sure], [face(102, 99), faint])).toEqual([faint])
  expect(missedByServer([], [faint])).toEqual([faint])
})

describe('the settings of the face search', () => {
  for (const [stored, confidence] of [
    [null, 5],
    [{}, 5],
    [{ confidence: 1 }, 1],
    [{ confidence: 10 }, 10],
    [{ confidence: 0 }, 5],
    [{ confidence: 11 }, 5],
    [{ confidence: 2.5 }, 5],
    ['nonsense', 5],
  ] as const) {
    test(`remembered ${JSON.stringify(stored)}: the slider is at ${confidence}`, () => {
      expect(faceSettingsOf(stored).confidence).toBe(confidence)
    })
  }

  test('the minimum confidence is a tenth of the slider', () => {
    expect([1, 5, 10].map(confidence => minConfidence({ confidence }))).toEqual([0.1, 0.5, 1])
  })

  test('naming people automatically is off by default', () => {
    expect(faceSettingsOf({}).nameSure).toBe(false)
  })
})

describe('the result text', () => {
  const run: FaceRun = {
    state: 'done',
    ids: [1],
    done: 1,
    pictures: 0,
    faces: 0,
    named: 0,
    suggested: 0,
    learnt: 0,
    unseen: 0,
    fault: null,
  }
  const tables: [Partial<FaceRun>, string][] = [
    [{}, 'No faces found'],
    [{ faces: 1, pictures: 1 }, '1 face'],
    [{ faces: 3, pictures: 1, named: 1, suggested: 2 }, '3 faces: 1 named, 2 with a suggestion'],
    [{ ids: [1, 2, 3], done: 3 }, 'No faces found on 3 items'],
    [
      { ids: [1, 2, 3], done: 3, pictures: 2, faces: 1200, learnt: 4, unseen: 1 },
      '1,200 faces on 2 of 3 items: 4 learnt, 1 item not looked at',
    ],
    [{ state: 'stopped', done: 0 }, 'Stopped'],
    [{ state: 'stopped', ids: [1, 2, 3], done: 2, pictures: 1, faces: 1 }, 'Stopped. 1 face on 1 of 2 items'],
  ]
  for (const [change, text] of tables) test(text, () => expect(resultText({ ...run, ...change })).toBe(text))
})
