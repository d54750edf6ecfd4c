import { describe, expect, test } from 'bun:test'
import { type ReconciledFile, reconcile } from '../../../core/survey/reconcile.ts'

/** Deterministic random numbers. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** A file from the text 'name size seconds.nanoseconds'. */
function file(text: string): ReconciledFile {
  const [raw = '', size = '0', time = '0.0'] = text.split(' ')
  const [seconds, nanoseconds] = time.split('.').map(Number)
  return { raw, size: Number(size), mtimeSeconds: seconds ?? 0, mtimeNanoseconds: nanoseconds ?? 0 }
}

function outcome(found: string[], known: string[]): string[] {
  const { added, changed, unchanged, gone } = reconcile(found.map(file), known.map(file))
  return [
    ...added.map(({ raw }) => `added ${raw}`),
    ...changed.map(({ found }) => `changed ${found.raw}`),
    ...unchanged.map(({ found }) => `same ${found.raw}`),
    ...gone.map(({ raw }) => `gone ${raw}`),
  ]
}

describe('a directory compared with its rows', () => {
  test.each([
    ['an empty directory', [], [], []],
    ['a first scan', ['a 1 5.0', 'b 2 5.0'], [], ['added a', 'added b']],
    ['no changes', ['a 1 5.7'], ['a 1 5.7'], ['same a']],
    ['another size', ['a 2 5.7'], ['a 1 5.7'], ['changed a']],
    ['a nanosecond later', ['a 1 5.8'], ['a 1 5.7'], ['changed a']],
    ['an earlier time', ['a 1 4.7'], ['a 1 5.7'], ['changed a']],
    ['an emptied directory', [], ['a 1 5.0', 'b 1 5.0'], ['gone a', 'gone b']],
    ['a renamed file', ['b 1 5.0'], ['a 1 5.0'], ['added b', 'gone a']],
    ['another case', ['A.jpg 1 5.0'], ['a.jpg 1 5.0'], ['added A.jpg', 'gone a.jpg']],
    ['both cases', ['A 1 5.0', 'a 2 5.0'], ['a 2 5.0', 'A 1 5.0'], ['same A', 'same a']],
    // é as one character and as two, in bytes.
    ['another Unicode form', ['\xc3\xa9 1 5.0'], ['e\xcc\x81 1 5.0'], ['added \xc3\xa9', 'gone e\xcc\x81']],
    ['a name that is listed twice', ['a 1 5.0', 'a 1 5.0'], [], ['added a']],
  ])('%s', (_, found, known, expected) => {
    expect(outcome(found, known)).toEqual(expected)
  })

  test('returns the same objects, so that rows keep their ids', () => {
    const known = { ...file('a 1 5.0'), id: 7 }
    const found = { ...file('a 1 5.0'), device: 'other' }
    const result = reconcile([found], [known])
    expect(result.unchanged[0]?.found).toBe(found)
    expect(result.unchanged[0]?.known).toBe(known)
  })

  test('gives the same result as comparing every file with every row', () => {
    const random = createRandom(1)
    for (let round = 0; round < 500; round++) {
      const names = Array.from({ length: random(12) }, (_, n) => `f${n}`)
      const some = () =>
        names.filter(() => random(4) > 0).map(raw => file(`${raw} ${random(2)} ${random(2)}.${random(2)}`))
      const found = some()
      const known = some()
      const result = reconcile(found, known)
      const sameAs = (a: ReconciledFile, b: ReconciledFile) => JSON.stringify(a) === JSON.stringify(b)
      const named = (files: ReconciledFile[], raw: string) => files.find(other => other.raw === raw)
      expect(result.added).toEqual(found.filter(f => named(known, f.raw) === undefined))
      expect(result.gone).toEqual(known.filter(k => named(found, k.raw) === undefined))
      expect(result.unchanged.map(pair => pair.found)).toEqual(found.filter(f => known.some(k => sameAs(f, k))))
      expect(result.changed.map(pair => pair.found)).toEqual(
        found.filter(f => known.some(k => k.raw === f.raw && !sameAs(f, k))),
      )
    }
  })
})
