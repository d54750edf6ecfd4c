/** Parts and checks that the actions on files share. */
import { Failure, type Sentence, sentence } from '../../../schema/errors.ts'
import type { Viewer } from '../../accounts/access.ts'
import type { CollectionRow } from '../../collections/collections.ts'
import type { PlaceFacts } from '../../files/disk.ts'
import type { MovingParts } from '../../moving/move-files.ts'
import { splitPath } from '../../moving/paths.ts'
import type { Jobs } from '../../work/jobs.ts'
import { fileFailure, namingFailures } from '../file-failures.ts'
import type { FilePlace, FilePlaces } from '../places.ts'
import type { KeptBytes } from './kept-bytes.ts'
import type { LaneWork } from './lane-work.ts'
import type { PlaceLocks } from './place-locks.ts'
import type { Synchronizer } from './synchronizer.ts'

export interface ChangeParts extends MovingParts {
  places: FilePlaces
  jobs: Jobs
  data: string
  /** Maximum size of a file in bytes. */
  limit: number
  synchronizer: Synchronizer
  kept: KeptBytes
  locks: PlaceLocks
  lanes: LaneWork
}

export interface Change extends ChangeParts {
  viewer: Viewer
  /** Aborted when the client disconnects. */
  signal: AbortSignal | undefined
}

/** Throws 403 if the collection's files are read-only. */
export function requireWritablePlace({ collection }: FilePlace, field = 'path'): void {
  if (collection?.readonly !== 1) return
  throw new Failure('denied', sentence`'${collection.name}' is read-only: its files stay as they are.`, { field })
}

/** Like `requireWritablePlace`; also throws 409 if a managed collection determines names and folders of its files. */
export function requireUnmanaged(place: FilePlace, field = 'path'): void {
  requireWritablePlace(place, field)
  if (place.collection?.managed !== 1) return
  throw new Failure(
    'conflict',
    sentence`'${place.collection.name}' is managed: it names and places its files itself. Switch that off in the collection's settings first.`,
    { field },
  )
}

/** Facts about a movable entry. Throws for roots, and for folders and links that lead to the library's directories. */
export async function requireMovable<T extends PlaceFacts>(
  places: FilePlaces,
  place: FilePlace,
  requireFacts: (place: FilePlace, field: string) => T,
  field = 'items',
): Promise<T> {
  if (place.at.path.length === 0)
    throw cannotMove(sentence`${place.virtual} is one of the roots of the file manager`, field)
  requireUnmanaged(place, field)
  const facts = requireFacts(place, field)
  if (facts.kind === 'file') return facts
  const { holdsOwn, collections } = await places.holdings(place)
  const [first] = collections
  const { virtual } = place
  const isLink = facts.kind === 'link'
  if (first !== undefined)
    throw cannotMove(
      isLink
        ? sentence`${virtual} leads to the directory of the collection '${first.name}'`
        : sentence`${virtual} holds the directory of the collection '${first.name}'`,
      field,
    )
  if (holdsOwn)
    throw cannotMove(
      isLink
        ? sentence`${virtual} leads to a folder that the settings name`
        : sentence`${virtual} holds a folder that the settings name`,
      field,
    )
  return facts
}

function cannotMove(why: Sentence, field: string): Failure {
  return new Failure('conflict', sentence`${why}: it cannot be moved or renamed.`, { field })
}

export function requireFolder(places: FilePlaces, place: FilePlace, field = 'path'): void {
  if (places.requireEntry(place, field).kind === 'dir') return
  throw new Failure('invalid', sentence`${place.virtual} is not a folder.`, { field })
}

export function collectionsOf(list: readonly FilePlace[]): CollectionRow[] {
  const found = new Map<number, CollectionRow>()
  for (const { collection } of list) if (collection !== null) found.set(collection.id, collection)
  return [...found.values()]
}

export function nameTaken(virtual: string, field = 'name'): Failure {
  return new Failure('conflict', sentence`There is already something named ${virtual}. Choose another name.`, { field })
}

/** The parent folder of a place that is not a root. */
export function folderOf(place: FilePlace): FilePlace {
  const virtual = place.virtual.slice(0, Math.max(0, place.virtual.lastIndexOf('/')))
  return {
    ...place,
    at: { root: place.at.root, path: splitPath(place.at.path).dir },
    inCollection: place.inCollection === null ? null : splitPath(place.inCollection).dir,
    virtual,
    name: virtual.slice(virtual.lastIndexOf('/') + 1),
  }
}

/** The last name of a place's path on the disk. */
export function nameOfPlace({ at }: FilePlace): Buffer {
  return splitPath(at.path).name
}

export function statOf({ disk }: Pick<ChangeParts, 'disk'>, place: FilePlace): PlaceFacts | null {
  return namingFailures(place, () => disk.stat(place.at))
}

export function tooLargeFile({ limit }: Pick<ChangeParts, 'limit'>): Failure {
  return new Failure('tooLarge', sentence`A file can have at most ${limit} bytes here.`, { field: 'file' })
}

/** Maps errors of writing a file to failures with its virtual path. */
export function refusalAt(place: FilePlace, error: unknown): unknown {
  const code = error instanceof Failure ? error.code : null
  if (code === 'changed') return changedMeanwhile(place)
  return code === 'conflict' ? nameTaken(place.virtual) : fileFailure(error, place)
}

export function changedMeanwhile({ virtual }: { virtual: string }): Failure {
  return new Failure('changed', sentence`${virtual} was changed by another user meanwhile. Open it again.`)
}

/** Passes the bytes through until the signal aborts. */
export async function* stoppable(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    signal?.throwIfAborted()
    yield piece
  }
  signal?.throwIfAborted()
}
