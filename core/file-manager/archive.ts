/** Packs files and folders into a new zip beside them. */
import { Failure } from '../../schema/errors.ts'
import type { Viewer } from '../access.ts'
import { bytesOfRaw, displayName, displayRaw, joinPath, rawOf } from '../files/names.ts'
import { isTemporaryName, temporaryName } from '../files/write-whole.ts'
import { uniqueNames, type ZipEntry, zipName, zipped } from '../files/zip-out.ts'
import { closeUnit, holderOfProcess, writeJournal } from '../moving/journal.ts'
import { walk } from '../scan/walk.ts'
import { type ChangeParts, demandFolder, demandWritable, splitPath, takenName } from './change-parts.ts'
import { outermost } from './deleting.ts'
import { fileFailure } from './file-failures.ts'
import type { Place } from './places.ts'
import { newName } from './virtual-path.ts'

/** So many entries an archive has at most: what one can unpack here again. */
const mostEntries = 100_000

const noMarkers: ReadonlySet<string> = new Set()

/** '.zip' is put to a name that lacks it. */
export function archiveName(name: string): Buffer {
  const bytes = newName(name)
  return /\.zip$/i.test(name) ? bytes : newName(`${bytes.toString()}.zip`)
}

/** The bytes of a file, or null when it went away. */
function opener({ disk }: ChangeParts, at: Place['at']): () => Promise<ReadableStream<Uint8Array> | null> {
  return async () => {
    if (disk.stat(at)?.kind !== 'file') return null
    return (await disk.openAsync(at)).stream()
  }
}

/** Every file below a folder, and folders that are empty. Links, and what nobody is shown, are left out. */
async function* entriesBelow(parts: ChangeParts, folder: Place, signal?: AbortSignal): AsyncGenerator<ZipEntry> {
  const top = displayName(splitPath(folder.at.path).name)
  const hidden = await parts.places.dataDirectory()
  const own = hidden === null ? null : Buffer.from(hidden.path)
  const ours = (path: Buffer) => own !== null && joinPath(Buffer.from(folder.at.root), path).equals(own)
  for await (const { path, display, entries, error } of walk(folder.at.root, {
    below: folder.at.path,
    endMarkers: noMarkers,
    ignored: raw => isTemporaryName(raw),
    ...(signal === undefined ? {} : { signal }),
  })) {
    if (error !== null) throw new Failure('denied', `${display} cannot be read: ${error}`, { field: 'items' })
    const below = displayName(path.subarray(folder.at.path.length))
    if (isWithinOwn(path, folder, own)) continue
    const shown = entries.filter(({ raw, kind }) => kind !== 'dir' || !ours(joinPath(path, bytesOfRaw(raw))))
    if (shown.length === 0)
      yield { name: `${top}${below}/`, modified: parts.clock.now(), folder: true, open: async () => null }
    for (const { raw, kind, mtimeSeconds, mtimeNanoseconds } of shown) {
      if (kind !== 'file') continue
      const at = { root: folder.at.root, path: joinPath(path, bytesOfRaw(raw)) }
      yield {
        name: `${top}${below}/${displayRaw(raw)}`,
        modified: mtimeSeconds * 1000 + mtimeNanoseconds / 1e6,
        open: opener(parts, at),
      }
    }
  }
}

function isWithinOwn(path: Buffer, { at }: Place, own: Buffer | null): boolean {
  if (own === null) return false
  const whole = rawOf(joinPath(Buffer.from(at.root), path))
  return whole === rawOf(own) || whole.startsWith(`${rawOf(own)}/`)
}

async function* entriesOf(parts: ChangeParts, items: readonly Place[], signal?: AbortSignal): AsyncGenerator<ZipEntry> {
  const nameOf = uniqueNames()
  let count = 0
  const named = (entry: ZipEntry): ZipEntry => {
    if (++count > mostEntries)
      throw new Failure('tooLarge', `An archive has at most ${mostEntries} entries: choose fewer.`, { field: 'items' })
    const name = zipName(entry.name)
    return { ...entry, name: entry.folder === true ? `${nameOf(name)}/` : nameOf(name) }
  }
  for (const item of items) {
    const found = parts.places.look(item, 'items')
    if (found.kind === 'dir') {
      for await (const entry of entriesBelow(parts, item, signal)) yield named(entry)
      continue
    }
    yield named({
      name: displayName(splitPath(item.at.path).name),
      modified: found.mtimeSeconds * 1000,
      open: opener(parts, item.at),
    })
  }
}

async function* aborting(pieces: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal?.throwIfAborted()
    yield piece
  }
}

/** The archive is there whole or not at all; a taken name is a `conflict`. */
export async function archiveItems(
  parts: ChangeParts,
  viewer: Viewer,
  { folder, items, name }: { folder: Place; items: readonly Place[]; name: string },
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock, disk, journal, places } = parts
  if (items.length === 0) throw new Failure('invalid', 'Choose what is to be packed.', { field: 'items' })
  demandFolder(places, folder)
  demandWritable(folder)
  const target = places.within(folder, archiveName(name))
  for (const item of items) {
    if (item.at.path.length === 0)
      throw new Failure('invalid', `${item.virtual} is a root: choose what lies in it.`, { field: 'items' })
    places.look(item, 'items')
  }
  if (disk.stat(target.at) !== null) throw takenName(target.virtual)
  const temporary = temporaryName()
  const beside = { root: target.at.root, path: joinPath(folder.at.path, temporary) }
  const unit = crypto.randomUUID()
  const entry = { unit, operation: 'write' as const, itemId: null, hash: null, size: 0 }
  await db.transact(viewer, tx => {
    writeJournal(
      tx,
      holderOfProcess(),
      [{ ...entry, source: beside, destination: null, temporary: beside }],
      clock.now(),
    )
  })
  try {
    const pieces = aborting(zipped(entriesOf(parts, outermost(items), signal)), signal)
    await disk.write(target.at, pieces, { temporary })
    await db.transact(viewer, tx => closeUnit(tx, unit))
  } catch (error) {
    await journal.abandon(unit)
    if (error instanceof Failure && error.code === 'conflict') throw takenName(target.virtual)
    throw fileFailure(error, target)
  }
}
