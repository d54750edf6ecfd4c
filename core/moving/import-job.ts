/** Import: copies items that this collection lacks, from another collection or a directory. */
import { z } from 'zod'
import { Failure, sentence } from '../../schema/errors.ts'
import {
  requireGlobalAdmin,
  requireOnCollection,
  showsHiddenTo,
  terminalViewer,
  type Viewer,
} from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { pathsOverlap } from '../files/overlap.ts'
import type { Items } from '../items/items.ts'
import type { SameContent } from '../items/same-content.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { rootState } from '../survey/safety.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind, onCollection } from '../work/job-kind.ts'
import type { Jobs } from '../work/jobs.ts'
import { importCollection } from './import-collection.ts'
import { importDirectory } from './import-directory.ts'
import { createImporter, type ImportContext } from './import-units.ts'
import type { MovingParts } from './move-files.ts'
import { noteFailedMove } from './move-outcomes.ts'
import { sideOf } from './sides.ts'
import { collectionGone, requireCollection, requireTarget } from './targets.ts'

const importInput = z.object({
  collectionId: z.int().positive(),
  /** The source: another collection, or a directory (absolute). */
  otherId: z.int().positive().nullable().default(null),
  directory: z.string().nullable().default(null),
  /** For a directory: sort by the file's own date when no other is known. */
  guess: z.boolean().default(false),
  /** Whether the requester sees hidden items. If not, these are not copied. */
  showsHidden: z.boolean().default(false),
  userId: z.int().nullable().default(null),
  step: z.string(),
})
type ImportInput = z.output<typeof importInput>

export interface ImportParts extends MovingParts {
  items: Items
  findItemWithContent: SameContent
  /** A user with their current rights, always locked; null if the account no longer exists. */
  viewerOf: (userId: number) => Viewer | null
}

/** Checks everything that an import of another collection requires: `admin` on the target, `view` on the source. */
export function requireImport(
  db: LibraryDatabase,
  viewer: Viewer,
  { id, otherId }: { id: number; otherId: number },
): { target: CollectionRow; other: CollectionRow } {
  requireOnCollection(viewer, id, 'admin')
  const target = requireTarget(db, id)
  requireOnCollection(viewer, otherId, 'view')
  const other = requireCollection(db, otherId)
  if (id === otherId) throw new Failure('conflict', 'A collection cannot be imported into itself.')
  return { target, other }
}

function requireReadable(directory: string): void {
  if (rootState(directory).kind === 'present') return
  throw new Failure('notFound', sentence`There is no directory ${directory} that can be read.`)
}

/** Like `requireImport`, for a directory of this machine; for global admins. */
export function requireDirectoryImport(
  { db, data }: { db: LibraryDatabase; data: string },
  viewer: Viewer,
  { id, directory }: { id: number; directory: string },
): CollectionRow {
  requireGlobalAdmin(viewer)
  requireOnCollection(viewer, id, 'admin')
  const target = requireTarget(db, id)
  requireReadable(directory)
  if (pathsOverlap(directory, target.path))
    throw new Failure('conflict', sentence`${directory} and the directory of '${target.name}' lie within each other.`)
  if (pathsOverlap(directory, data))
    throw new Failure('conflict', sentence`${directory} and the data directory lie within each other.`)
  return target
}

/** Requests an import from another collection; returns the job. */
export async function startImport(
  { db, jobs }: { db: LibraryDatabase; jobs: Jobs },
  viewer: Viewer,
  { id, otherId }: { id: number; otherId: number },
  options: { inProcess?: boolean } = {},
): Promise<number> {
  requireImport(db, viewer, { id, otherId })
  const input = {
    collectionId: id,
    otherId,
    showsHidden: showsHiddenTo(viewer),
    userId: viewer.userId,
    step: crypto.randomUUID(),
  }
  return jobs.enqueue(viewer, 'import', input, options)
}

/** Like `startImport`, from a directory of this machine; for global admins. */
export async function startDirectoryImport(
  { db, jobs, data }: { db: LibraryDatabase; jobs: Jobs; data: string },
  viewer: Viewer,
  { id, directory, guess = false }: { id: number; directory: string; guess?: boolean },
  options: { inProcess?: boolean } = {},
): Promise<number> {
  requireDirectoryImport({ db, data }, viewer, { id, directory })
  const input = { collectionId: id, directory, guess, userId: viewer.userId, step: crypto.randomUUID() }
  return jobs.enqueue(viewer, 'import', input, options)
}

async function run(parts: ImportParts, { jobId, input, signal, progress }: JobContext<ImportInput>): Promise<JobEnd> {
  const { db, clock, journal } = parts
  await journal.recover({ job: jobId, signal })
  const target = requireTarget(db, input.collectionId, collectionGone())
  const viewer = input.userId === null ? terminalViewer : parts.viewerOf(input.userId)
  if (viewer === null) throw new Failure('denied', 'The account that requested it no longer exists.')
  requireOnCollection(viewer, target.id, 'admin')
  const moving = { holder: jobId, actor: { userId: input.userId, step: input.step }, signal }
  const importer = createImporter(parts, sideOf(db, target), moving, (tx, path, reason) =>
    noteFailedMove(tx, { collectionId: target.id, itemId: null, path, jobId, at: clock.now() }, reason),
  )
  const { counts } = importer
  progress({ done: 0, counts: { ...counts } })
  const onDone: ImportContext['onDone'] = (done, total, message) =>
    progress({ done, total, message, counts: { ...counts } })
  const importing = { ...parts, importer, signal, onDone }
  const { otherId, directory, guess } = input
  if (otherId !== null) {
    const other = requireCollection(db, otherId, new Failure('notFound', 'The other collection no longer exists.'))
    requireOnCollection(viewer, other.id, 'view')
    await importCollection(importing, viewer, target, other, input.showsHidden)
  } else if (directory !== null) {
    requireGlobalAdmin(viewer)
    requireReadable(directory)
    await importDirectory(importing, target, { directory, guess, jobId })
  }
  await importer.flush()
  const message = importer.message()
  progress({ total: counts.selected, message, counts: { ...counts } })
  return { state: 'done', message, problems: counts.failed }
}

export function importJob(parts: ImportParts): JobKind {
  return jobKind({ kind: 'import', input: importInput, ...onCollection, run: context => run(parts, context) })
}
