import { describe, expect, test } from 'bun:test'
import { type MovableFile, matchMoves, type ReconciledFile, reconcile } from '../../../core/survey/reconcile.ts'

/** Numbers that look random and are the same in every run. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** 'name size seconds.nanoseconds' */
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

describe('a directory against its rows', () => {
  test.each([
    ['nothing against nothing', [], [], []],
    ['a first scan', ['a 1 5.0', 'b 2 5.0'], [], ['added a', 'added b']],
    ['nothing new', ['a 1 5.7'], ['a 1 5.7'], ['same a']],
    ['another size', ['a 2 5.7'], ['a 1 5.7'], ['changed a']],
    ['a nanosecond later', ['a 1 5.8'], ['a 1 5.7'], ['changed a']],
    ['an earlier time', ['a 1 4.7'], ['a 1 5.7'], ['changed a']],
    ['an emptied directory', [], ['a 1 5.0', 'b 1 5.0'], ['gone a', 'gone b']],
    ['a renamed file', ['b 1 5.0'], ['a 1 5.0'], ['added b', 'gone a']],
    ['another case', ['A.jpg 1 5.0'], ['a.jpg 1 5.0'], ['added A.jpg', 'gone a.jpg']],
    ['both cases', ['A 1 5.0', 'a 2 5.0'], ['a 2 5.0', 'A 1 5.0'], ['same A', 'same a']],
    // é in one character and in two, as bytes.
    ['another Unicode form', ['\xc3\xa9 1 5.0'], ['e\xcc\x81 1 5.0'], ['added \xc3\xa9', 'gone e\xcc\x81']],
    ['a name that was told twice', ['a 1 5.0', 'a 1 5.0'], [], ['added a']],
  ])('%s', (_, found, known, expected) => {
    expect(outcome(found, known)).toEqual(expected)
  })

  test('gives back the very objects, so that rows keep their ids', () => {
    const known = { ...file('a 1 5.0'), id: 7 }
    const found = { ...file('a 1 5.0'), device: 'other' }
    const result = reconcile([found], [known])
    expect(result.unchanged[0]?.found).toBe(found)
    expect(result.unchanged[0]?.known).toBe(known)
  })

  test('agrees with looking for each file among all, on any two directories', () => {
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

interface Movable extends MovableFile {
  hash: string | null
}

/** 'directory/name content#hash', 5 bytes; content '-' could not be read, '0' is empty. */
function movable(text: string): Movable {
  const [path = '', words = ''] = text.split(' ')
  const [content = '', hash] = words.split('#')
  const slash = path.lastIndexOf('/')
  return {
    directory: path.slice(0, Math.max(0, slash)),
    raw: path.slice(slash + 1),
    size: content === '0' ? 0 : 5,
    content: content === '-' ? '' : content,
    hash: hash ?? null,
  }
}

function pathOf({ directory, raw }: MovableFile): string {
  return directory === '' ? raw : `${directory}/${raw}`
}

const hashes = { ofGone: (moved: Movable) => moved.hash, ofAdded: (moved: Movable) => moved.hash }

function moves(gone: string[], added: string[]): string[] {
  const result = matchMoves(gone.map(movable), added.map(movable), hashes)
  return [
    ...result.moved.map(({ from, to }) => `${pathOf(from)} → ${pathOf(to)}`),
    ...result.added.map(found => `+ ${pathOf(found)}`),
    ...result.missing.map(known => `- ${pathOf(known)}`),
  ].sort()
}

describe('what went against what came', () => {
  test.each([
    ['nothing', [], [], []],
    ['a renamed file', ['a/1 X'], ['a/2 X'], ['a/1 → a/2']],
    ['a moved file', ['a/1 X'], ['b/1 X'], ['a/1 → b/1']],
    ['the same name is not the same file', ['a/1 X'], ['b/1 Y'], ['+ b/1', '- a/1']],
    ['two copies came, one went: the one of the same name', ['a/1 X'], ['a/2 X', 'b/1 X'], ['+ a/2', 'a/1 → b/1']],
    [
      'two copies came, none of the same name: the one of the same directory',
      ['b/1 X'],
      ['a/2 X', 'b/2 X'],
      ['+ a/2', 'b/1 → b/2'],
    ],
    ['two copies came, neither alike: the first', ['c/1 X'], ['b/2 X', 'a/2 X'], ['+ b/2', 'c/1 → a/2']],
    ['copies swapped their directories', ['a/1 X', 'b/2 X'], ['a/2 X', 'b/1 X'], ['a/1 → b/1', 'b/2 → a/2']],
    ['two went, one came', ['a/1 X', 'b/2 X'], ['c/2 X'], ['- a/1', 'b/2 → c/2']],
    [
      'a whole directory of equal files',
      ['a/1 X', 'a/2 X', 'a/3 X'],
      ['b/1 X', 'b/2 X', 'b/3 X'],
      ['a/1 → b/1', 'a/2 → b/2', 'a/3 → b/3'],
    ],
    ['the hash decides against the name', ['a/1 X#p', 'a/2 X#q'], ['b/1 X#q', 'b/2 X#p'], ['a/1 → b/2', 'a/2 → b/1']],
    [
      'known hashes that differ are never paired',
      ['a/1 X#p', 'a/2 X#p'],
      ['b/1 X#q', 'b/2 X#q'],
      ['+ b/1', '+ b/2', '- a/1', '- a/2'],
    ],
    [
      'without a hash of what went, names decide',
      ['a/1 X', 'a/2 X'],
      ['b/2 X#p', 'b/1 X#q'],
      ['a/1 → b/1', 'a/2 → b/2'],
    ],
    [
      'a file whose hash cannot be made comes last',
      ['a/1 X#p', 'a/2 X#p'],
      ['b/1 X', 'b/3 X#p'],
      ['a/1 → b/3', 'a/2 → b/1'],
    ],
    ['one on each side needs no hash', ['a/1 X#p'], ['b/1 X#q'], ['a/1 → b/1']],
    ['empty files move with their name alone', ['a/1 0', 'a/2 0'], ['b/1 0', 'a/3 0'], ['+ a/3', '- a/2', 'a/1 → b/1']],
    ['what could not be read is like nothing', ['a/1 -'], ['b/1 -'], ['+ b/1', '- a/1']],
  ])('%s', (_, gone, added, expected) => {
    expect(moves(gone, added)).toEqual(expected)
  })

  test('a content of another size is another content', () => {
    const [from, to] = [movable('a/1 X'), { ...movable('b/1 X'), size: 6 }]
    expect(matchMoves([from], [to]).moved).toEqual([])
  })

  test('hashes are asked for only where there is a choice and a hash to compare with', () => {
    const asked: string[] = []
    const ofAdded = (moved: Movable) => {
      asked.push(pathOf(moved))
      return moved.hash
    }
    const gone = ['a/1 X#p', 'a/2 Y', 'a/3 Z#q'].map(movable)
    const added = ['b/1 X', 'b/2 Y', 'b/4 Y', 'b/5 Z#q', 'b/6 Z', 'b/7 W'].map(movable)
    matchMoves(gone, added, { ofGone: moved => moved.hash, ofAdded })
    expect(asked).toEqual(['b/5', 'b/6'])
  })

  test('every file ends in one place, all that can move do, and the order of the lists does not matter', () => {
    const random = createRandom(2)
    const shuffled = <T>(things: T[]) =>
      things
        .map(thing => [random(1e9), thing] as const)
        .sort((a, b) => a[0] - b[0])
        .map(([, thing]) => thing)
    for (let round = 0; round < 500; round++) {
      const some = (top: string) => {
        const paths = new Set(Array.from({ length: random(10) }, () => `${top}${random(3)}/${random(4)}`))
        return [...paths].map(path => `${path} ${'XYZ'[random(3)]}`)
      }
      const gone = some('g')
      const added = some('n')
      const result = matchMoves(gone.map(movable), added.map(movable))
      expect([...result.moved.map(({ from }) => from), ...result.missing].map(pathOf).sort()).toEqual(
        gone.map(movable).map(pathOf).sort(),
      )
      expect([...result.moved.map(({ to }) => to), ...result.added].map(pathOf).sort()).toEqual(
        added.map(movable).map(pathOf).sort(),
      )
      for (const { from, to } of result.moved) expect(from.content).toBe(to.content)
      for (const content of 'XYZ') {
        const count = (files: { content: string }[]) => files.filter(one => one.content === content).length
        const pairs = count(result.moved.map(({ from }) => from))
        expect(pairs).toBe(Math.min(count(gone.map(movable)), count(added.map(movable))))
      }
      // A file that went and one that came with its name and content: that name is not left on both sides.
      for (const missing of result.missing) expect(result.added.some(a => a.content === missing.content)).toBe(false)
      expect(moves(shuffled(gone), shuffled(added))).toEqual(moves(gone, added))
    }
  })

  test('ten thousand equal files are no trouble', () => {
    const many = (top: string) => Array.from({ length: 10_000 }, (_, n) => movable(`${top}/${n} X`))
    const { moved } = matchMoves(many('a'), many('b'))
    expect(moved).toHaveLength(10_000)
    expect(moved.every(({ from, to }) => from.raw === to.raw)).toBe(true)
  })
})
