/** Synchronizes the library with changed directories immediately, like a scan of just these directories. */
import { Failure } from '../../../schema/errors.ts'
import { terminalViewer, type Viewer } from '../../accounts/access.ts'
import type { CollectionRow } from '../../collections/collections.ts'
import { DiskError } from '../../files/disk-error.ts'
import { bytesOfText, componentsOf, displayName, joinPath } from '../../files/names.ts'
import { createBatchWriter } from '../../kernel/database/batches.ts'
import type { DecodePool } from '../../media/decode/decode-pool.ts'
import { ignoredName } from '../../media/formats/sniff.ts'
import type { MovingParts } from '../../moving/move-files.ts'
import { createDirectoryScan } from '../../scan/directory-scan.ts'
import { fewFiles } from '../../scan/read-unit.ts'
import { noCounts } from '../../scan/scan-counts.ts'
import { createVanishing } from '../../scan/vanishing.ts'
import { type Survey, survey } from '../../survey/survey.ts'
import { usualExclusionMarkers } from '../../survey/walk.ts'
import type { Jobs } from '../../work/jobs.ts'

export interface Changed {
  collection: CollectionRow
  /** Path below the collection's directory, bytes. */
  dir: Buffer
  /** Whether everything below it is included. */
  deep?: boolean
}

interface SyncState extends MovingParts {
  jobs: Jobs
  /** The last task of each collection: the collection's next task waits for it. */
  lanes: Map<number, Promise<void>>
  background: Set<Promise<void>>
  closing: AbortController
  /** Opened on first use. */
  pool: DecodePool | null
  failed: number
}

const ignore = () => {}

/** Whether a directory contains a marker file that excludes the directory from scans. */
function hasExclusionMarker({ disk }: SyncState, root: string, dir: Buffer): boolean {
  return [...usualExclusionMarkers].some(marker => {
    try {
      return disk.stat({ root, path: joinPath(dir, bytesOfText(marker)) })?.kind === 'file'
    } catch (error) {
      // The directory is no directory or cannot be entered, so no marker is found.
      if (error instanceof DiskError) return false
      throw error
    }
  })
}

function isScanned(state: SyncState, { collection, dir }: Changed): boolean {
  const names = componentsOf(dir)
  if (names === null || names.some(name => ignoredName(displayName(name), 'dir'))) return false
  const onPath = names.concat(Buffer.of()).map((_, depth) => joinPath(...names.slice(0, depth)))
  return !onPath.some(one => hasExclusionMarker(state, collection.path, one))
}

/** Reads directories like a scan. Marks nothing as missing, since only a complete scan knows which files are gone. */
async function scan(state: SyncState, collection: CollectionRow, surveyed: Survey): Promise<void> {
  const { db, clock, closing } = state
  const counts = noCounts()
  const writer = createBatchWriter(db, crypto.randomUUID(), () => collection.id)
  state.pool ??= state.openPool(false)
  const scanning = createDirectoryScan({
    ...state,
    collection,
    jobId: 0,
    full: false,
    fileWins: false,
    pool: state.pool,
    surveyed,
    writer,
    vanishing: createVanishing({ db, clock, collection, counts }),
    counts,
    signal: closing.signal,
    onFile() {},
  })
  for (const directory of surveyed.directories) {
    closing.signal.throwIfAborted()
    await scanning.scan(directory)
  }
  await scanning.finish()
  await writer.flush()
}

/** Queues a scan of a directory. If another job uses the collection, scans here in the background instead. */
async function deferToScan(
  state: SyncState,
  viewer: Viewer,
  { collection, dir }: Changed,
  surveyed: Survey,
): Promise<void> {
  const { jobs, log, background } = state
  try {
    const below = dir.toString('base64')
    await jobs.enqueue(viewer, 'scan', { collectionId: collection.id, below })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const work = scan(state, collection, surveyed)
      // If this job cannot be queued, its pictures are made on demand.
      .then(() => jobs.enqueue(terminalViewer, 'renditions', {}).then(ignore, ignore))
      .catch((failure: unknown) => {
        state.failed++
        log.warn('files are not in the library before the next scan', { error: failure })
      })
      .finally(() => background.delete(work))
    background.add(work)
  }
}

async function synchronizeOne(state: SyncState, viewer: Viewer, changed: Changed): Promise<void> {
  const { collection, dir } = changed
  if (!isScanned(state, changed)) return
  const surveyed = await survey({
    db: state.db,
    collectionId: collection.id,
    root: collection.path,
    below: dir,
    shallow: changed.deep !== true,
    full: false,
    signal: state.closing.signal,
    onProgress() {},
  })
  if (surveyed.directories.length === 0) return
  return surveyed.toOpen > fewFiles ? deferToScan(state, viewer, changed, surveyed) : scan(state, collection, surveyed)
}

export function createSynchronizer(parts: MovingParts & { jobs: Jobs }) {
  const lanes = new Map<number, Promise<void>>()
  const background = new Set<Promise<void>>()
  const closing = new AbortController()
  const state: SyncState = { ...parts, lanes, background, closing, pool: null, failed: 0 }
  return {
    /** Whether scans read a directory of a collection. A directory that does not exist yet is judged by its name. */
    isScanned: (changed: Changed): boolean => isScanned(state, changed),

    /** Number of changes that could not be synchronized: the next scan reads them. */
    failures: (): number => state.failed,

    /**
     * Resolves when the library is synchronized; if there are many files to read, when a scan is queued or started.
     * Never throws: the change is done, and the next scan repairs what fails here.
     */
    async synchronize(viewer: Viewer, list: readonly Changed[]): Promise<void> {
      for (const changed of list) {
        const { id } = changed.collection
        // Sequential: two concurrent tasks in one directory would read its new files twice.
        const turn = (lanes.get(id) ?? Promise.resolve())
          .then(() => synchronizeOne(state, viewer, changed))
          .catch((error: unknown) => {
            state.failed++
            if (!closing.signal.aborted)
              parts.log.error('the library could not follow a change', { collection: id, error })
          })
        lanes.set(id, turn)
        await turn
        if (lanes.get(id) === turn) lanes.delete(id)
      }
    },

    async close(): Promise<void> {
      closing.abort(new Failure('interrupted', 'The library is closed'))
      await Promise.all([...lanes.values(), ...background]).catch(() => {})
      await state.pool?.close()
    },
  }
}

export type Synchronizer = ReturnType<typeof createSynchronizer>
