/** Import: copies what another collection, or a directory, has and this collection lacks. The source is never touched. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { demandGlobalAdmin, demandOnCollection, notFound, terminalViewer, type Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import type { Disk } from '../files/disk.ts'
import { pathsOverlap } from '../files/overlap.ts'
import type { Items } from '../items/items.ts'
import type { SameContent } from '../items/same-content.ts'
import { seconds } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { rootState } from '../survey/safety.ts'
import type { JobContext, JobEnd, JobKind, Jobs } from '../work/jobs.ts'
import { importCollection } from './import-collection.ts'
import { importDirectory } from './import-directory.ts'
import { createImporter } from './import-units.ts'
import { noteFailedMove } from './move-outcomes.ts'
import type { MovingParts } from './sort-job.ts'
import { sideOf } from './sort-plan.ts'

const importInput = z.object({
  collectionId: z.int().positive(),
  /** What is copied: another collection, or a directory (absolute). */
  otherId: z.int().positive().nullable().default(null),
  directory: z.string().nullable().default(null),
  /** Of a directory: sort by the file's own date where no other is known. */
  guess: z.boolean().default(false),
  /** Whoever asked sees hidden items. */
  showsHidden: z.boolean().default(false),
  userId: z.int().nullable().default(null),
  /** The history's step. */
  step: z.string(),
})
type ImportInput = z.output<typeof importInput>

export interface ImportParts extends MovingParts {
  disk: Disk
  cache: string
  items: Items
  itemWith: SameContent
  openPool: (low: boolean) => DecodePool
  /** A user with the rights of this moment, never unlocked. */
  viewerOf: (userId: number) => Viewer | null
}

function rowOf(db: LibraryDatabase, id: number): CollectionRow | null {
  return db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id)
}

function demandTarget(db: LibraryDatabase, viewer: Viewer, id: number): CollectionRow {
  demandOnCollection(viewer, id, 'admin')
  const row = rowOf(db, id)
  if (row === null) throw notFound()
  if (row.readonly === 1) throw new Failure('denied', `'${row.name}' is read-only.`)
  return row
}

/** Everything that is asked before another collection is imported: the target needs `admin`, the source `view`. */
export function demandImport(
  db: LibraryDatabase,
  viewer: Viewer,
  { id, otherId }: { id: number; otherId: number },
): { target: CollectionRow; other: CollectionRow } {
  const target = demandTarget(db, viewer, id)
  demandOnCollection(viewer, otherId, 'view')
  const other = rowOf(db, otherId)
  if (other === null) throw notFound()
  if (id === otherId) throw new Failure('conflict', 'A collection cannot be imported into itself.')
  return { target, other }
}

/** The same for a directory of this machine: for global admins. */
export function demandDirectoryImport(
  { db, data }: { db: LibraryDatabase; data: string },
  viewer: Viewer,
  { id, directory }: { id: number; directory: string },
): CollectionRow {
  demandGlobalAdmin(viewer)
  const target = demandTarget(db, viewer, id)
  const root = rootState(directory)
  if (root.kind !== 'present') throw new Failure('notFound', `There is no directory ${directory} that can be read.`)
  if (pathsOverlap(directory, target.path))
    throw new Failure('conflict', `${directory} and the directory of '${target.name}' lie within each other.`)
  if (pathsOverlap(directory, data))
    throw new Failure('conflict', `${directory} and the data directory lie within each other.`)
  return target
}

/** Asks for an import from another collection; answers the job. */
export async function startImport(
  { db, jobs }: { db: LibraryDatabase; jobs: Jobs },
  viewer: Viewer,
  { id, otherId }: { id: number; otherId: number },
  options: { here?: boolean } = {},
): Promise<number> {
  demandImport(db, viewer, { id, otherId })
  const input = {
    collectionId: id,
    otherId,
    showsHidden: viewer.kind === 'terminal' || viewer.unlockValue !== null,
    userId: viewer.userId,
    step: crypto.randomUUID(),
  }
  return jobs.enqueue(viewer, 'import', input, options)
}

/** The same from a directory of this machine: for global admins. */
export async function startDirectoryImport(
  { db, jobs, data }: { db: LibraryDatabase; jobs: Jobs; data: string },
  viewer: Viewer,
  { id, directory, guess = false }: { id: number; directory: string; guess?: boolean },
  options: { here?: boolean } = {},
): Promise<number> {
  demandDirectoryImport({ db, data }, viewer, { id, directory })
  const input = { collectionId: id, directory, guess, userId: viewer.userId, step: crypto.randomUUID() }
  return jobs.enqueue(viewer, 'import', input, options)
}

async function run(parts: ImportParts, { jobId, input, signal, progress }: JobContext<ImportInput>): Promise<JobEnd> {
  const { db, clock, journal } = parts
  await journal.recover({ job: jobId, signal })
  const target = rowOf(db, input.collectionId)
  if (target === null) throw new Failure('notFound', 'The collection is gone.')
  if (target.readonly === 1) throw new Failure('denied', `'${target.name}' is read-only.`)
  const viewer = input.userId === null ? terminalViewer : parts.viewerOf(input.userId)
  if (viewer === null) throw new Failure('denied', 'The account that asked for it is gone.')
  demandOnCollection(viewer, target.id, 'admin')
  const importer = createImporter(parts, sideOf(db, target), {
    holder: jobId,
    actor: { userId: input.userId, step: input.step },
    signal,
    failed: (tx, path, reason) =>
      noteFailedMove(tx, { collectionId: target.id, itemId: null, path, jobId, at: clock.now() }, reason),
  })
  const { counts } = importer
  progress({ done: 0, counts: { ...counts } })
  if (input.otherId !== null) {
    const other = rowOf(db, input.otherId)
    if (other === null) throw new Failure('notFound', 'The other collection is gone.')
    demandOnCollection(viewer, other.id, 'view')
    const whole = {
      ...parts,
      importer,
      now: () => seconds(clock),
      signal,
      onDone: (done: number, total: number, message: string) =>
        progress({ done, total, message, counts: { ...counts } }),
    }
    await importCollection(whole, viewer, target, other, input.showsHidden)
  } else if (input.directory !== null) {
    demandGlobalAdmin(viewer)
    if (rootState(input.directory).kind !== 'present')
      throw new Failure('notFound', `There is no directory ${input.directory} that can be read.`)
    const pool = parts.openPool(true)
    try {
      const onDone = (done: number, message: string) => progress({ done, message, counts: { ...counts } })
      await importDirectory(
        { ...parts, pool, importer, jobId, guess: input.guess, signal, onDone },
        target,
        input.directory,
      )
    } finally {
      await pool.close()
    }
  }
  await importer.flush()
  const message = importer.message()
  progress({ total: counts.selected, message, counts: { ...counts } })
  return { state: 'done', message, problems: counts.failed }
}

export function importJob(parts: ImportParts): JobKind {
  const kind: JobKind<ImportInput> = {
    kind: 'import',
    input: importInput,
    lane: ({ collectionId }) => `collection-${collectionId}`,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
