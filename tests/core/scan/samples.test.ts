import { expect, test } from 'bun:test'
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, parse } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import { isLong } from '../../support/long.ts'
import { describeWithSamples, type ExpectedFile, expectedFiles } from '../../support/samples.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

/** Scans a directory into its own library. */
async function scanDirectory(directory: string) {
  const library = openLibrary({
    role: 'worker',
    data: join(temporaryDirectory(), 'data'),
    create: true,
    environment: {},
    stderrLevel: 'none',
  })
  const { row } = await library.collections.resolve(terminalViewer, directory, { create: true })
  const scan = async (asked: { full?: boolean } = {}) => {
    const input = { collectionId: row.id, ...asked }
    const id = await library.jobs.enqueue(terminalViewer, 'scan', input, { inProcess: true })
    const job = await library.jobs.run(id)
    return { ...job, figures: JSON.parse(job?.counts ?? '{}') }
  }
  return { library, first: await scan(), scan }
}

interface Row {
  path: string
  role: string
  item: string | null
  width: number
  height: number
  thumbhash: string | null
  problem: string | null
}

const rowsQuery = `SELECT CASE d.path WHEN '' THEN '' ELSE d.path || '/' END || CAST(f.name_bytes AS TEXT) AS path, f.role, i.name AS item,
    i.width, i.height, i.thumbhash, i.problem
  FROM files AS f JOIN dirs AS d ON d.id = f.dir_id LEFT JOIN items AS i ON i.id = f.item_id`

function isMedia(file: ExpectedFile): boolean {
  return file.kind === 'image' || file.kind === 'video'
}

/** All files in a long run; otherwise one in four, and every file that may belong to another or has an odd name. */
function chosenFiles(files: ExpectedFile[]): ExpectedFile[] {
  if (isLong) return files
  const stem = ({ path }: ExpectedFile) => join(parse(path).dir, parse(path).name.replace(/\..*$/, ''))
  const perStem = Map.groupBy(files, stem)
  const odd = /\/(odd names|live-photos|formats\/(raw|mixed))\//
  return files.filter((file, n) => n % 4 === 0 || (perStem.get(stem(file))?.length ?? 0) > 1 || odd.test(file.path))
}

/** The directory with these files: of the samples, or a copy of some of them. */
function directoryOf(samples: string, part: string, files: ExpectedFile[]): string {
  if (isLong) return join(samples, part)
  const directory = temporaryDirectory()
  for (const { path } of files) cpSync(join(samples, path), join(directory, path))
  return join(directory, part)
}

/** Roles of files that belong to the item of another file, with the reason. */
const partOfAnother: Record<string, string> = {
  companion: 'a RAW beside its JPEG',
  motion: "a Live Photo's film",
}

/** Intended differences in size from the expected data, with the reason. */
const sizeDiffers: Record<string, string> = {}

describeWithSamples('the sample library', samples => {
  const expected = chosenFiles(expectedFiles(samples).filter(file => file.path.startsWith('library/')))
  let opening: Promise<Awaited<ReturnType<typeof scanDirectory>>> | null = null
  const library = () => {
    opening ??= scanDirectory(directoryOf(samples, 'library', expected))
    return opening
  }

  test('has an item for every picture and video, except those that belong to another item', async () => {
    const { library: opened, first } = await library()
    expect(first.state).toBe('done')
    const rows = new Map(opened.db.all<Row>(rowsQuery).map(row => [row.path, row]))
    const without = expected
      .filter(isMedia)
      .map(file => file.path.slice('library/'.length))
      .filter(path => {
        const row = rows.get(path)
        return row === undefined || row.item === null || (row.role !== 'main' && partOfAnother[row.role] === undefined)
      })
    expect(without).toEqual([])
  }, 300_000)

  test('shows every picture that an independent decoder reads, upright and in the right size', async () => {
    const { library: opened } = await library()
    const rows = new Map(opened.db.all<Row>(rowsQuery).map(row => [row.path, row]))
    const wrong: string[] = []
    for (const file of expected) {
      const path = file.path.slice('library/'.length)
      const row = rows.get(path)
      if (file.kind !== 'image' || file.pixels?.decodes !== true || row?.role !== 'main') continue
      if (row.thumbhash === null || row.problem !== null) wrong.push(`${path}: not shown (${row.problem})`)
      const size = `${row.width}x${row.height}`
      const should = `${file.displayWidth}x${file.displayHeight}`
      if (file.displayWidth !== undefined && size !== should && sizeDiffers[path] === undefined)
        wrong.push(`${path}: ${size}, expected ${should}`)
    }
    expect(wrong).toEqual([])
  }, 300_000)

  test('is not read again by a second scan', async () => {
    const { scan, library: opened } = await library()
    expect(await scan()).toMatchObject({
      state: 'done',
      total: 0,
      figures: { new: 0, changed: 0, moved: 0, missing: 0 },
    })
    expect(opened.db.get("SELECT count(*) AS n FROM files WHERE role = 'motion'")).toEqual({ n: 1 })
  }, 300_000)
})

describeWithSamples('the broken samples', samples => {
  test('neither stop nor crash a scan, and are not read again by a second scan', async () => {
    const files = chosenFiles(expectedFiles(samples).filter(file => file.path.startsWith('broken/')))
    const { library, first, scan } = await scanDirectory(directoryOf(samples, 'broken', files))
    expect(first.state).toBe('done')
    expect(library.db.all("SELECT path, reason FROM problems WHERE code = 'crashed'")).toEqual([])
    expect(await scan()).toMatchObject({ state: 'done', total: 0 })
    library.close()
  }, 300_000)
})

describeWithSamples('a Live Photo that comes apart', samples => {
  test("the video's item becomes that of the pair, and the video gets a new one when the picture is removed", async () => {
    const root = join(temporaryDirectory(), 'live')
    mkdirSync(root)
    const copyHalf = (name: string) => copyFileSync(join(samples, 'library/live-photos', name), join(root, name))
    copyHalf('IMG_7943_HEVC.MOV')
    const { library, scan } = await scanDirectory(root)
    const items = () =>
      library.db.all('SELECT id, name, type, motion, missing IS NOT NULL AS missing FROM items ORDER BY id')
    const [film] = library.db.all<{ id: number }>('SELECT id FROM items')
    copyHalf('IMG_7943.HEIC')
    await scan()
    expect(items()).toEqual([{ id: film?.id, name: 'IMG_7943.HEIC', type: 'image', motion: 1, missing: 0 }])
    expect(await scan()).toMatchObject({ total: 0 })
    // Even a full scan never makes the video of a pair an item of its own.
    expect((await scan({ full: true })).figures).toMatchObject({ new: 0, missing: 0 })
    expect(items()).toMatchObject([{ id: film?.id, motion: 1, missing: 0 }])
    mkdirSync(join(root, 'moved'))
    for (const name of ['IMG_7943.HEIC', 'IMG_7943_HEVC.MOV']) renameSync(join(root, name), join(root, 'moved', name))
    expect((await scan()).figures).toMatchObject({ new: 0, moved: 1, missing: 0 })
    for (const name of ['IMG_7943.HEIC', 'IMG_7943_HEVC.MOV']) renameSync(join(root, 'moved', name), join(root, name))
    expect((await scan()).figures).toMatchObject({ new: 0, moved: 1, missing: 0 })
    rmSync(join(root, 'IMG_7943.HEIC'))
    await scan()
    expect(items()).toMatchObject([
      { id: film?.id, name: 'IMG_7943.HEIC', missing: 1 },
      { name: 'IMG_7943_HEVC.MOV', type: 'video', missing: 0 },
    ])
    expect(await scan()).toMatchObject({ total: 0 })
    library.close()
  }, 120_000)
})
