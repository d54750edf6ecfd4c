/** A library on the disk with real decode workers, for tests that scan. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import type { Clock } from '../../core/kernel/clock.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import type { JobRow } from '../../core/work/job-row.ts'
import { picture, takenAt } from './pictures.ts'
import { temporaryDirectory } from './temporary.ts'

export { picture, takenAt }

export interface ScanningLibrary {
  library: Library
  data: string
  /** Directory of the pictures. */
  root: string
  /** Writes a file below the root. */
  put(path: string, bytes: Uint8Array | string): void
  scan(input?: {
    full?: boolean
    acceptMissing?: boolean
    below?: string
  }): Promise<JobRow & { figures: Record<string, number> }>
  /** Items by path relative to the root, with the columns that tests check. */
  items(): Map<string, FoundItem>
}

interface FoundItem {
  id: number
  type: string
  taken_at: string
  taken_source: string
  missing: number | null
  problem: string | null
  motion: number
  content: string
  tags: Record<string, { v: number; u?: number; d?: unknown }>
}

interface Row extends Omit<FoundItem, 'tags'> {
  dir: string
  name: string
  tags: string
}

/** An empty library and an empty directory beside it. */
export function openScanningLibrary(options: { clock?: Clock } = {}): ScanningLibrary {
  const directory = temporaryDirectory()
  const data = join(directory, 'data')
  const root = join(directory, 'pictures')
  mkdirSync(root)
  const library = openLibrary({
    role: 'worker',
    data,
    create: true,
    environment: {},
    stderrLevel: 'none',
    ...options,
  })
  // Closed at the end of the process: tests of a file may share a library.
  process.on('exit', () => library.close())
  return {
    library,
    data,
    root,
    put(path, bytes) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), bytes)
    },
    async scan(input = {}) {
      const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
      const job = await library.jobs.enqueue(
        terminalViewer,
        'scan',
        { collectionId: row.id, ...input, below: Buffer.from(input.below ?? '').toString('base64') },
        { inProcess: true },
      )
      const ended = await library.jobs.run(job)
      if (ended === null) throw new Error('another process took the scan')
      return { ...ended, figures: JSON.parse(ended.counts) }
    },
    items() {
      const rows = library.db.all<Row>(
        `SELECT i.id, d.path AS dir, i.name, i.type, i.taken_at, i.taken_source, i.missing, i.problem, i.motion, i.content, i.tags
         FROM items AS i JOIN dirs AS d ON d.id = i.dir_id ORDER BY d.path, i.name`,
      )
      return new Map(
        rows.map(({ dir, name, tags, ...rest }) => [
          dir === '' ? name : `${dir}/${name}`,
          { ...rest, tags: JSON.parse(tags) },
        ]),
      )
    },
  }
}

/** Everything a library holds except what differs from run to run (ids, times), to compare two libraries. */
export function libraryContents({ library }: Pick<ScanningLibrary, 'library'>): unknown {
  const { db } = library
  return {
    items: db.all(
      `SELECT d.path AS dir, i.name, i.type, i.taken, i.taken_offset, i.taken_source, i.latitude, i.longitude, i.rating, i.width,
         i.height, i.duration, i.mime, i.size, i.content, i.thumbhash, i.phash, i.renditions & 3 AS renditions, i.problem, i.motion,
         i.missing IS NOT NULL AS missing, json_array_length(i.keys) AS keys, i.details,
         (SELECT group_concat(k.content, '|') FROM json_each(i.tags, '$.Keywords.d') AS j JOIN keystrings AS k ON k.id = j.value) AS keywords
       FROM items AS i JOIN dirs AS d ON d.id = i.dir_id ORDER BY d.path, i.name`,
    ),
    files: db.all(
      `SELECT d.path AS dir, hex(f.name_bytes) AS name, f.role, f.size, f.mtime, f.mtime_ns, f.content, i.name AS item
       FROM files AS f JOIN dirs AS d ON d.id = f.dir_id LEFT JOIN items AS i ON i.id = f.item_id ORDER BY d.path, name`,
    ),
    dirs: db.all('SELECT path, hex(fingerprint) AS fingerprint FROM dirs ORDER BY path'),
    regions: db.all(
      `SELECT i.name, r.type, r.x, r.y, r.width, r.height, coalesce(p.name, o.name) AS who FROM regions AS r JOIN items AS i ON i.id = r.item_id
       LEFT JOIN person_names AS p ON p.person_id = r.person_id LEFT JOIN objects AS o ON o.id = r.object_id
       ORDER BY i.name, i.dir_id, r.type, r.x, r.y, who`,
    ),
    problems: db.all('SELECT path, code, reason FROM problems ORDER BY path, code'),
    months: db.all('SELECT state, ym, n FROM item_month ORDER BY state, ym'),
    words: db.all('SELECT count(*) AS n FROM item_text'),
  }
}
