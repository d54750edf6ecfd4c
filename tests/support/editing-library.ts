/** A library for tests that edit items without a server, with views of its state to compare afterwards. */

import { expect } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer, type Viewer } from '../../core/accounts/access.ts'
import { createRights } from '../../core/accounts/rights.ts'
import { removeBoxes } from '../../core/editing/boxes/moved-boxes.ts'
import { bulkEditJob, planBulkEdit } from '../../core/editing/bulk-edit-job.ts'
import { createHistory } from '../../core/editing/history.ts'
import { mergeDuplicatesJob } from '../../core/editing/merge-duplicates-job.ts'
import { purgeJob } from '../../core/editing/purge-job.ts'
import { createRecycle } from '../../core/editing/recycle.ts'
import { recycleJob } from '../../core/editing/recycle-job.ts'
import { createTags, type TagWriteOptions } from '../../core/editing/tags.ts'
import type { UndoTable } from '../../core/editing/undo.ts'
import { undoJob } from '../../core/editing/undo-job.ts'
import { createDisk } from '../../core/files/disk.ts'
import { createItems } from '../../core/items/items.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { silentLog } from '../../core/kernel/log.ts'
import { createJobs } from '../../core/work/jobs.ts'
import type { TagSetName } from '../../schema/api/tags.ts'
import { openTestLibrary } from './library.ts'

export function openEditingLibrary({ undos = {}, recycleDays = 30 }: { undos?: UndoTable; recycleDays?: number } = {}) {
  const base = openTestLibrary()
  const { db, clock, directory } = base
  const items = createItems({ db })
  const rights = createRights(db)
  const settings = { recycle_days: recycleDays * 86_400 }
  const cache = join(directory, 'cache')
  const disk = createDisk()
  const journal = createJournal({ db, clock, disk, log: silentLog, onReplaced: removeBoxes })
  const parts = { db, clock, items, rights, settings, cache, log: silentLog, disk, journal }
  const tags = createTags(parts)
  const recycle = createRecycle(parts)
  const history = createHistory({ db, items, undos })
  const kinds = [
    bulkEditJob(parts),
    mergeDuplicatesJob(parts),
    recycleJob(parts),
    purgeJob(parts),
    undoJob({ ...parts, undos }),
  ]
  const jobs = createJobs({ db, clock, log: silentLog, kinds })

  async function runJob(viewer: Viewer, kind: string, input: unknown) {
    const row = await jobs.run(await jobs.enqueue(viewer, kind, input))
    if (row === null) throw new Error('another process took the job')
    const counts: Record<string, number> = JSON.parse(row.counts)
    return { ...row, counts }
  }

  const get = (id: number, viewer: Viewer = terminalViewer, includeHidden?: string) =>
    items.get(viewer, { id }, { includeHidden })

  return {
    ...base,
    ...parts,
    tags,
    recycle,
    history,
    jobs,
    runJob,
    get,
    /** Writes a tag set as `viewer`, by default the terminal. */
    saveTag: (
      id: number,
      tagName: TagSetName,
      data: unknown,
      { viewer = terminalViewer, ...options }: Partial<TagWriteOptions> & { viewer?: Viewer } = {},
    ) => tags.save(viewer, { id, tagName }, data, { ifMatch: null, ...options }),
    async bulkEdit(viewer: Viewer, edit: Parameters<typeof planBulkEdit>[2], includeHidden?: string) {
      return runJob(viewer, 'edit', await planBulkEdit({ db, items }, viewer, edit, includeHidden))
    },
    undo: (viewer: Viewer, step: string) => runJob(viewer, 'undo', history.planUndo(viewer, step)),
    /** The newest step. */
    lastStep: () => history.list(terminalViewer, { collectionId: 0 }, {}).steps[0],
    /** Ids that a search in the text language finds. */
    searchIds: (q: string, viewer: Viewer = terminalViewer) =>
      items.list(viewer, { collectionId: 0 }, { q, limit: 5000 }).items.map(({ id }) => id),
    /** Number of rows in the history and of events: a change without effect adds none. */
    changeCounts: () => ({
      history: db.get<{ n: number }>('SELECT count(*) AS n FROM history')?.n ?? 0,
      events: db.get<{ n: number }>('SELECT count(*) AS n FROM events')?.n ?? 0,
    }),
    /** All items and boxes without their versions, to compare them before and after an undo. */
    dump: () => ({
      items: db
        .all<Record<string, unknown> & { tags: string }>('SELECT * FROM items ORDER BY id')
        .map(({ version: _, tags: text, ...row }) => ({ ...row, tags: withoutVersions(JSON.parse(text)) })),
      regions: db
        .all<Record<string, unknown>>('SELECT * FROM regions ORDER BY id')
        .map(({ version: _, ...row }) => row),
      keyed: db.all('SELECT * FROM keyed ORDER BY key, taken, item_id'),
      key_count: db.all('SELECT * FROM key_count ORDER BY 1, 2, 3, 4'),
      item_month: db.all('SELECT * FROM item_month ORDER BY 1, 2, 3'),
    }),
    expectCountersRight: () => expectCorrectCounts(db),
  }
}

/** Tags without their versions. A tag that contains nothing else is left out. */
function withoutVersions(tags: Record<string, { v: number; u?: number; d?: unknown }>): unknown {
  return Object.fromEntries(
    Object.entries(tags).flatMap(([name, { v: _, ...word }]) => (Object.keys(word).length === 0 ? [] : [[name, word]])),
  )
}

/** Compares the tables that triggers maintain with the same values computed from the rows. */
function expectCorrectCounts(db: ReturnType<typeof openTestLibrary>['db']): void {
  const keys =
    'SELECT j.value ->> 0 AS key, i.collection_id, i.state, j.value ->> 1 AS tags FROM items AS i, json_each(i.keys) AS j'
  const counted = `SELECT key, collection_id, state, tags, count(*) AS n FROM (${keys}) GROUP BY 1, 2, 3, 4`
  expect(db.all(`${counted} EXCEPT SELECT * FROM key_count`)).toEqual([])
  expect(db.all(`SELECT * FROM key_count EXCEPT ${counted}`)).toEqual([])
  expect(db.all('SELECT taken * 268435456 + id FROM items EXCEPT SELECT rowid FROM item_text')).toEqual([])
  const parts = `SELECT step, operation, coalesce(collection_id, 0), coalesce(user_id, 0), item_id IS NOT NULL, min(id), max(id),
    max(at), count(*), count(undone_by) FROM history GROUP BY 1, 2, 3, 4, 5`
  const kept =
    'SELECT step, operation, collection_id, user_id, of_items, first_id, newest_id, at, n, undone FROM history_parts'
  expect(db.all(`${parts} EXCEPT ${kept}`)).toEqual([])
  expect(db.all(`${kept} EXCEPT ${parts}`)).toEqual([])
  expect(db.all('SELECT step, sum(items) AS n FROM history_parts GROUP BY step ORDER BY step')).toEqual(
    db.all('SELECT step, count(DISTINCT item_id) AS n FROM history GROUP BY step ORDER BY step'),
  )
}
