import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  type KnownFace,
  type LikePerson,
  similarity,
  suggestPeople,
  surePeople,
  surePerson,
} from '../../schema/faces.ts'
import { limits } from '../../schema/limits.ts'

/** Pseudo-random numbers, the same in every run. */
function vectorOf(seed: number, length = 1024): number[] {
  let state = seed * 2_654_435_761 + 1
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  })
}

/** A face with this similarity to `face` (all zeros); only the first of its numbers is not zero. */
function faceLike(similarityToZeros: number): number[] {
  const { min, max, multiplier } = limits.faces
  const distance = (100 * (1 - (similarityToZeros * (max - min) + min))) ** 2
  return [Math.sqrt(distance / multiplier), ...Array.from({ length: 15 }, () => 0)]
}

const face = Array.from({ length: 16 }, () => 0)
const known = (person: number, ...likenesses: number[]): KnownFace[] =>
  likenesses.map(one => ({ person, vector: faceLike(one) }))

describe('the similarity of two faces', () => {
  test('equals the result of the library whose models describe the faces', async () => {
    const path = join(import.meta.dir, '../../node_modules/@vladmandic/human/src/face/match.ts')
    const theirs: { similarity(a: number[], b: number[], options: object): number } = await import(path)
    const { order, multiplier, min, max } = limits.faces
    const similarities = new Set<number>()
    for (let n = 0; n < 60; n++) {
      const a = vectorOf(n)
      // From nearly identical to completely different.
      const b = vectorOf(n + 1000).map((number, at) => (a[at] ?? 0) + (number - 0.5) * 6 * (n / 60) ** 3)
      const alike = similarity(a, b)
      expect(alike).toBe(theirs.similarity(a, b, { order, multiplier, min, max }))
      similarities.add(alike)
    }
    expect(similarities.size).toBeGreaterThan(15)
    expect([...similarities]).toContain(0)
    expect([...similarities]).toContain(1)
  })

  for (const [name, a, b, alike] of [
    ['the same face', [1, 2, 3], [1, 2, 3], 1],
    ['faces of different models', [1, 2, 3], [1, 2, 3, 4], 0],
    ['no faces at all', [], [], 0],
    ['faces at a distance of 20, which counts as equal', face, faceLike(1), 1],
    ['faces at a distance of 50', face, faceLike(0.5), 0.5],
    ['faces at a distance of 80', face, faceLike(0), 0],
  ] as const) {
    test(`${name}: ${alike}`, () => expect(similarity(a, b)).toBe(alike))
  }

  test('is the same for a Float32Array as for a list of numbers', () => {
    const [a, b] = [vectorOf(1), vectorOf(1).map(number => number + 0.02)]
    expect(similarity(Float32Array.from(a), b)).toBeCloseTo(similarity(a, b), 2)
  })
})

describe('suggestions of people', () => {
  const cases: [string, KnownFace[], LikePerson[]][] = [
    ['are empty if nobody is known', [], []],
    ['leave out people without a matching face', known(1, 0.5, 0.3, 0), []],
    ['include a person with one matching face', known(1, 0.6), [{ person: 1, similarity: 0.6, matches: 1 }]],
    [
      'have the mean similarity of the five most similar faces',
      known(1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.55, 0.2),
      [{ person: 1, similarity: 0.76, matches: 6 }],
    ],
    [
      'have the mean similarity of all faces, also those that do not match, if there are fewer than five',
      known(1, 0.6, 0.4, 0.2),
      [{ person: 1, similarity: 0.4, matches: 1 }],
    ],
    [
      'are in order of similarity, and for equal similarity in order of matches',
      [...known(3, 0.6), ...known(1, 0.7), ...known(2, 0.7, 0.7)],
      [
        { person: 2, similarity: 0.7, matches: 2 },
        { person: 1, similarity: 0.7, matches: 1 },
        { person: 3, similarity: 0.6, matches: 1 },
      ],
    ],
  ]
  for (const [name, faces, people] of cases) test(name, () => expect(suggestPeople(face, faces)).toEqual(people))

  test('are at most five', () => {
    const many = Array.from({ length: 9 }, (_, n) => known(n + 1, 0.55 + n / 50)).flat()
    expect(suggestPeople(face, many).map(({ person }) => person)).toEqual([9, 8, 7, 6, 5])
  })

  test('ignore faces of another model', () => {
    expect(suggestPeople(face, [{ person: 1, vector: vectorOf(1) }])).toEqual([])
  })
})

describe('people who are named automatically', () => {
  const five = suggestPeople(face, known(1, 0.9, 0.9, 0.9, 0.9, 0.9))
  const six = suggestPeople(face, known(1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9))

  test('have more than five matching faces', () => {
    expect(surePerson([])).toBeNull()
    expect(surePerson(five)).toBeNull()
    expect(surePerson(six)?.person).toBe(1)
  })

  test('are the most similar ones, even if more faces of another person match', () => {
    const other: LikePerson = { person: 2, similarity: 0.95, matches: 1 }
    expect(surePerson([other, ...six])).toBeNull()
  })

  test('are named once on a picture, and not if they have a box there', () => {
    const better: LikePerson[] = [{ person: 1, similarity: 0.95, matches: 9 }]
    const another: LikePerson[] = [{ person: 2, similarity: 0.6, matches: 7 }]
    expect([...surePeople([six, better, five, another])].map(([at, { person }]) => [at, person])).toEqual([
      [1, 1],
      [3, 2],
    ])
    expect([...surePeople([six, another], new Set([1])).keys()]).toEqual([1])
  })
})
