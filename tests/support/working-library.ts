/** A library with real files on the disk, for tests of jobs in the terminal UI: scanning, sorting, copying, cancelling. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import { programCommand } from './command.ts'
import { picture, takenAt } from './scanning-library.ts'
import { temporaryDirectory } from './temporary.ts'
import { openScreen, type ScreenOptions, type TerminalScreen } from './terminal-screen.ts'

export interface WorkingLibrary {
  /** Contains `pictures/NAME`, `data` and the files that a test writes. */
  directory: string
  data: string
  /** Folder of the pictures of a collection. */
  folder(name: string): string
  put(path: string, bytes: Uint8Array | string): void
  /** Writes `count` different small pictures. */
  pictures(folder: string, count: number): Promise<void>
  /** Creates a collection of `pictures/NAME` and scans it. */
  collection(name: string, settings?: { managed?: boolean }): Promise<number>
  scan(id: number): Promise<void>
  with<T>(work: (library: Library) => Promise<T> | T): Promise<T>
  tui(screen?: string, options?: ScreenOptions): TerminalScreen
  close(): Promise<void>
}

export function openWorkingLibrary(): WorkingLibrary {
  const directory = temporaryDirectory()
  const data = join(directory, 'data')
  const opened: TerminalScreen[] = []
  let seed = 0
  const folder = (name: string) => join(directory, 'pictures', name)

  async function withLibrary<T>(work: (library: Library) => Promise<T> | T): Promise<T> {
    const library = openLibrary({ role: 'terminal', data, create: true, environment: {}, stderrLevel: 'none' })
    try {
      return await work(library)
    } finally {
      library.close()
    }
  }

  function put(path: string, bytes: Uint8Array | string) {
    const whole = join(directory, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, bytes)
  }

  const scan = (id: number) =>
    withLibrary(async ({ jobs }) => {
      await jobs.run(await jobs.enqueue(terminalViewer, 'scan', { collectionId: id }, { inProcess: true }))
    })

  return {
    directory,
    data,
    folder,
    put,
    scan,
    async pictures(name, count) {
      for (let n = 0; n < count; n++) {
        seed++
        const day = String(1 + (n % 28)).padStart(2, '0')
        const exif = takenAt(`20${10 + (n % 9)}-0${1 + (n % 9)}-${day} 10:00:00`)
        put(`pictures/${name}/${String(n).padStart(4, '0')}.jpg`, await picture({ seed, exif }))
      }
    },
    async collection(name, settings = {}) {
      mkdirSync(folder(name), { recursive: true })
      const id = await withLibrary(async library => {
        const client = library.as(terminalViewer)
        const body = { name, path: folder(name), ...settings }
        const formats = settings.managed === true ? { folderFormat: '{Year}/{Month}', fileFormat: 'IMG_' } : {}
        return (await client.collections.create({ body: { ...body, ...formats } })).id
      })
      await scan(id)
      return id
    },
    with: withLibrary,
    tui(screen = 'dashboard', options = {}) {
      const home = { HOME: directory, ...options.environment }
      const started = openScreen([...programCommand(), '--data', data, 'tui', screen], {
        ...options,
        environment: home,
      })
      opened.push(started)
      return started
    },
    async close() {
      for (const screen of opened.splice(0)) await screen.close()
    },
  }
}
