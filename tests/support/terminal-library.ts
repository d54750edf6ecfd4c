/** A library for the terminal UI: names of every kind, keywords, ratings, recycled and missing items. */
import { Database } from 'bun:sqlite'
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import type { Library } from '../../core/library.ts'
import { openLibrary } from '../../core/library.ts'
import { renditionPath } from '../../core/media/cache/renditions.ts'
import { programCommand } from './command.ts'
import { createBuilders, secondsOf } from './library.ts'
import { temporaryDirectory } from './temporary.ts'
import { openScreen, type ScreenOptions, type TerminalScreen } from './terminal-screen.ts'

/** File names as they occur in practice, and malicious ones. */
export const oddNames = {
  escape: 'red\u001b[31m\u001b[2J\u001b]0;owned\u0007.jpg',
  bidi: 'safe\u202egpj.exe.jpg',
  emoji: 'family 👨‍👩‍👧‍👦 👍🏽.jpg',
  chinese: '北京的春天和夏天.jpg',
  japanese: '花見の写真.jpg',
  arabic: 'صور العائلة.jpg',
  combining: 'Ame\u0301lie a\u0300 Noe\u0308l.jpg',
  long: `${'a very long name '.repeat(12)}.jpg`,
  lines: 'two\nlines\tand a tab.jpg',
} as const

export interface TerminalLibrary {
  data: string
  collections: { family: number; holidays: number; prints: number }
  /** Ids by name of the file. */
  items: ReadonlyMap<string, number>
  /** Opens the library in this process for `work`, as another process beside the UI would. */
  with<T>(work: (library: Library) => Promise<T> | T): Promise<T>
  /** Starts `keepsake tui` on the library. */
  tui(screen: string, options?: ScreenOptions): TerminalScreen
}

const opened: TerminalScreen[] = []

/** Closes all UIs that a file's tests have opened: for `afterAll`. */
export async function closeScreens(): Promise<void> {
  for (const screen of opened.splice(0)) await screen.close()
}

/** Locks the database like a program with a long transaction; returns a function that unlocks it. */
export function lockDatabase({ data }: TerminalLibrary): () => void {
  const db = new Database(join(data, 'library.db'))
  db.run('PRAGMA busy_timeout = 30000')
  db.run('BEGIN IMMEDIATE')
  return () => {
    db.run('ROLLBACK')
    db.close()
  }
}

/** 220 visible items in three collections. On the disk are only three recycled files and the preview of one item. */
export async function createTerminalLibrary(): Promise<TerminalLibrary> {
  const home = temporaryDirectory()
  const data = join(home, 'data')
  const open = () => openLibrary({ role: 'terminal', data, create: true, environment: {}, stderrLevel: 'none' })
  const library = open()
  const make = createBuilders(library.db)
  const ines = await make.user('ines', { globalAdmin: true })
  const ben = await make.user('ben')
  await make.user('clara')
  // Tests delete files in two collections, so their directories exist. The directory of the third does not.
  const path = (name: string) => join(home, name)
  for (const name of ['family', 'holidays']) mkdirSync(path(name))
  for (const n of [1, 2, 3]) {
    const file = join(path('family'), `old-${n}.jpg`)
    writeFileSync(file, Buffer.alloc(1000))
    utimesSync(file, secondsOf(`2001-01-0${n}`), secondsOf(`2001-01-0${n}`))
  }
  const family = await make.collection({ name: 'Family', path: path('family'), admins: [ines], viewers: [ben] })
  const holidays = await make.collection({ name: 'Holidays', path: path('holidays'), public: true })
  const prints = await make.collection({ name: 'Großmutters Alben von der Küste', path: '/pictures/prints' })
  const items = new Map<string, number>()
  const put = async (fields: Parameters<typeof make.item>[0] & { name: string }) => {
    const id = await make.item({ added: 1_700_000_000, ...fields })
    items.set(fields.name, id)
    return id
  }
  const keywords = ['Beach', 'Sea', 'Birthday', 'Garden', 'Snow']
  for (let n = 0; n < 210; n++) {
    const month = 1 + (n % 12)
    await put({
      collection: n % 3 === 0 ? holidays : family,
      name: `IMG_${String(1000 + n)}.JPG`,
      folder: `20${String(10 + (n % 9))}`,
      taken: `20${String(10 + (n % 9))}-${String(month).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')} 10:${String(n % 60).padStart(2, '0')}:00`,
      keywords: n % 4 === 0 ? [] : [keywords[n % 5] ?? '', ...(n % 6 === 0 ? ['Family day'] : [])],
      people: n % 7 === 0 ? ['Anna Müller', 'Ben'] : [],
      ...(n % 5 === 0 ? { rating: 1 + (n % 4) } : {}),
      ...(n % 11 === 0 ? { type: 'video' as const } : {}),
    })
  }
  for (const [n, name] of Object.values(oddNames).entries())
    await put({
      collection: prints,
      name,
      taken: `2020-05-${String(28 - n).padStart(2, '0')} 12:00:00`,
      keywords: ['Odd'],
    })
  await put({
    collection: prints,
    name: 'garden.jpg',
    taken: '2021-06-01 15:30:00',
    keywords: ['Garden', 'Summer'],
    people: ['Anna Müller'],
    description: 'In the garden behind the house, on a summer’s day.',
    place: { latitude: 54.3233, longitude: 10.1228, placeName: 'Kiel' },
    camera: 'Canon EOS 80D',
    rating: 4,
    content: 'aaaaaaaaaaaaaaaa-rs',
    width: 480,
    height: 320,
  })
  for (const n of [1, 2, 3])
    await put({ collection: family, name: `old-${n}.jpg`, taken: `2001-01-0${n}`, deleted: 1_700_000_000 + n })
  for (const n of [1, 2])
    await put({ collection: holidays, name: `lost-${n}.jpg`, taken: `2002-02-0${n}`, missing: 1_700_000_000 + n })
  const cache = library.cache
  library.close()
  await paint(renditionPath(cache, 'aaaaaaaaaaaaaaaa-rs', 'small'))
  cpSync(join(import.meta.dir, '../../plugins/sample-statistics'), join(data, 'plugins/sample-statistics'), {
    recursive: true,
  })
  return {
    data,
    collections: { family, holidays, prints },
    items,
    async with(work) {
      const again = open()
      try {
        return await work(again)
      } finally {
        again.close()
      }
    },
    tui(screen, options = {}) {
      const started = openScreen([...programCommand(), '--data', data, 'tui', screen], options)
      opened.push(started)
      return started
    },
  }
}

/** A picture of two halves, red above blue. */
async function paint(path: string): Promise<void> {
  const half = (background: string) =>
    sharp({ create: { width: 480, height: 160, channels: 3, background } })
      .png()
      .toBuffer()
  const bytes = await sharp({ create: { width: 480, height: 320, channels: 3, background: '#000' } })
    .composite([
      { input: await half('#ff0000'), top: 0, left: 0 },
      { input: await half('#0000ff'), top: 160, left: 0 },
    ])
    .webp({ quality: 100 })
    .toBuffer()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}
