import { describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomOf } from '../../../bench/seed-library.ts'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { forecast } from '../../../core/upkeep/forecast.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../../support/scanning-library.ts'

const pictures = new Map(
  await Promise.all(['X', 'Y', 'Z'].map(async (name, n) => [name, await picture({ seed: n })] as const)),
)

/** Writes a file. `text` is 'directory/name picture', with a name of `pictures`. */
function put(root: string, text: string) {
  const [path = '', content = ''] = text.split(' ')
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), pictures.get(content) ?? '')
}

const placesOf = (library: ScanningLibrary) =>
  new Map([...library.items()].map(([path, { id, missing }]) => [id, missing === null ? path : null]))

/** How the places of items changed: '+' for new items, '-' for missing ones, '→' for moved ones. */
function changedPlaces(before: Map<number, string | null>, after: Map<number, string | null>): string[] {
  const lines = [...after].flatMap(([id, path]) => {
    const old = before.get(id)
    if (old === undefined) return [`+ ${path}`]
    if (path === null) return [`- ${old}`]
    return old === path ? [] : [`${old} → ${path}`]
  })
  return lines.sort()
}

async function forecastLines({ library, root }: ScanningLibrary): Promise<string[]> {
  const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
  const lines: string[] = []
  const request = { below: Buffer.alloc(0), full: false, acceptMissing: true, signal: new AbortController().signal }
  await forecast(library.db, row, request, ({ change, path, from }) => {
    if (change === 'changed') return
    lines.push(change === 'new' ? `+ ${path}` : change === 'missing' ? `- ${path}` : `${from} → ${path}`)
  })
  return lines.sort()
}

describe('matching of removed and added files, in a scan and a dry run', () => {
  test.each([
    ['a renamed file', ['a/1 X'], ['a/2 X'], ['a/1 → a/2']],
    ['a moved file', ['a/1 X'], ['b/1 X'], ['a/1 → b/1']],
    ['a different file of the same name', ['a/1 X'], ['b/1 Y'], ['+ b/1', '- a/1']],
    ['copies that swapped directories', ['a/1 X', 'b/2 X'], ['a/2 X', 'b/1 X'], ['a/1 → b/1', 'b/2 → a/2']],
    [
      'two removed files and one added: the file of the same name is moved',
      ['a/1 X', 'b/2 X'],
      ['c/2 X'],
      ['- a/1', 'b/2 → c/2'],
    ],
    [
      'a directory of equal files',
      ['a/1 X', 'a/2 X', 'a/3 X'],
      ['b/1 X', 'b/2 X', 'b/3 X'],
      ['a/1 → b/1', 'a/2 → b/2', 'a/3 → b/3'],
    ],
    ['a copy of an existing file is new', ['a/1 X'], ['b/1 Y', 'b/2 Z'], ['+ b/1', '+ b/2', '- a/1']],
  ])('%s', async (_, gone, added, expected) => {
    const library = openScanningLibrary()
    const named = (text: string) => text.replace(' ', '.jpg ')
    for (const text of [...gone, 'stays/here Z']) put(library.root, named(text))
    await library.scan()
    const before = placesOf(library)
    for (const text of gone) rmSync(join(library.root, named(text).split(' ')[0] ?? ''))
    for (const text of added) put(library.root, named(text))
    const dry = await forecastLines(library)
    await library.scan({ acceptMissing: true })
    const lines = expected.map(line => line.replace(/\w\/\d/g, '$&.jpg'))
    expect({ dry, real: changedPlaces(before, placesOf(library)) }).toEqual({ dry: lines, real: lines })
  })

  test('every item has one place at the end, and as many as possible are moved', async () => {
    const uniform = randomOf(2)
    const random = (below: number) => Math.floor(uniform() * below)
    for (let round = 0; round < 12; round++) {
      const library = openScanningLibrary()
      const some = (top: string) => {
        const paths = new Set(Array.from({ length: random(10) }, () => `${top}${random(3)}/${random(4)}.jpg`))
        return [...paths].map(path => `${path} ${'XYZ'[random(3)]}`)
      }
      const [gone, added] = [some('g'), some('n')]
      for (const text of [...gone, 'stays/here.jpg Z']) put(library.root, text)
      await library.scan()
      const before = placesOf(library)
      for (const text of gone) rmSync(join(library.root, text.split(' ')[0] ?? ''))
      for (const text of added) put(library.root, text)
      const dry = await forecastLines(library)
      await library.scan({ acceptMissing: true })
      const lines = changedPlaces(before, placesOf(library))
      expect(lines).toEqual(dry)
      const count = (texts: readonly string[], content: string) => texts.filter(text => text.endsWith(content)).length
      const moves = ['X', 'Y', 'Z'].reduce((sum, one) => sum + Math.min(count(gone, one), count(added, one)), 0)
      const counted = (mark: string) => lines.filter(line => line.startsWith(mark)).length
      expect({ moved: lines.length - counted('+') - counted('-'), new: counted('+'), missing: counted('-') }).toEqual({
        moved: moves,
        new: added.length - moves,
        missing: gone.length - moves,
      })
    }
  }, 60_000)

  test('250 equal files in a renamed directory keep their names', async () => {
    const library = openScanningLibrary()
    for (let n = 0; n < 250; n++) put(library.root, `a/${n}.jpg X`)
    await library.scan()
    const before = placesOf(library)
    renameSync(join(library.root, 'a'), join(library.root, 'b'))
    await library.scan({ acceptMissing: true })
    const lines = changedPlaces(before, placesOf(library))
    expect(lines.every(line => /^a\/(.+) → b\/\1$/.test(line))).toBe(true)
    expect(lines.length).toBe(250)
  }, 60_000)

  test('a file is moved from another collection, and a missing one is found again', async () => {
    const library = openScanningLibrary()
    put(library.root, 'a/1.jpg X')
    put(library.root, 'a/2.jpg Y')
    await library.scan()
    const other = join(library.root, '../other')
    put(other, 'b/3.jpg Z')
    put(other, 'b/stays.jpg X')
    const { row } = await library.library.collections.resolve(terminalViewer, other, { create: true })
    const { jobs } = library.library
    await jobs.run(await jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }))
    rmSync(join(library.root, 'a/2.jpg'))
    await library.scan({ acceptMissing: true })
    put(library.root, 'a/2.jpg Y')
    renameSync(join(other, 'b/3.jpg'), join(library.root, 'a/3.jpg'))
    expect(await forecastLines(library)).toEqual(['b/3.jpg → a/3.jpg'])
    expect((await library.scan()).figures).toMatchObject({ moved: 1, changed: 1, new: 0, missing: 0 })
  })
})

describe('changes between listing a directory and reading its files', () => {
  /** Runs a scan and calls `meanwhile` when it has listed everything and read nothing. */
  async function scanWith({ library, root }: ScanningLibrary, meanwhile: () => void, input: { full?: boolean } = {}) {
    const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
    const id = await library.jobs.enqueue(
      terminalViewer,
      'scan',
      { collectionId: row.id, ...input },
      { inProcess: true },
    )
    let isListed = false
    const ended = await library.jobs.run(id, {
      onProgress({ total }) {
        if (total === undefined || isListed) return
        isListed = true
        meanwhile()
      },
    })
    expect({ isListed, state: ended?.state }).toEqual({ isListed: true, state: 'done' })
    return JSON.parse(ended?.counts ?? '{}')
  }
  const problems = ({ library }: ScanningLibrary) => library.db.all('SELECT path, code FROM problems')

  test('a removed file gets no item, and a new one is left to the next scan', async () => {
    const library = openScanningLibrary()
    for (const text of ['a/1.jpg X', 'a/2.jpg Y']) put(library.root, text)
    const figures = await scanWith(library, () => {
      rmSync(join(library.root, 'a/2.jpg'))
      put(library.root, 'a/3.jpg Z')
    })
    expect(figures).toMatchObject({ new: 1, failed: 0 })
    expect([...library.items().keys()]).toEqual(['a/1.jpg'])
    expect(problems(library)).toEqual([])
    expect((await library.scan()).figures).toMatchObject({ new: 1, changed: 0, missing: 0 })
  })

  test('a renamed file is handled by the next scan', async () => {
    const library = openScanningLibrary()
    for (const text of ['a/1.jpg X', 'a/2.jpg Y']) put(library.root, text)
    await library.scan()
    const rename = () => renameSync(join(library.root, 'a/2.jpg'), join(library.root, 'a/4.jpg'))
    expect(await scanWith(library, rename, { full: true })).toMatchObject({ missing: 0, failed: 0, moved: 0 })
    expect(problems(library)).toEqual([])
    expect((await library.scan()).figures).toMatchObject({ moved: 1, missing: 0, new: 0 })
  })

  test('a file that changed is read as it is now, and not reported as damaged', async () => {
    const library = openScanningLibrary()
    put(library.root, 'a/1.jpg X')
    await library.scan()
    const before = library.items().get('a/1.jpg')?.content
    const bytes = Buffer.concat([pictures.get('X') ?? Buffer.alloc(0)])
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1
    await scanWith(library, () => writeFileSync(join(library.root, 'a/1.jpg'), bytes), { full: true })
    expect(library.items().get('a/1.jpg')?.content).not.toBe(before)
    expect(problems(library)).toEqual([])
    expect(await library.scan()).toMatchObject({ total: 0 })
  })
})
