/** Packs files and folders into a new zip in a folder. */
import { Failure, sentence } from '../../../schema/errors.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import { codeOf, DiskError, diskError } from '../../files/disk-error.ts'
import { bytesOfRaw, bytesOfText, componentsOf, displayName, displayRaw, joinPath, rawOf } from '../../files/names.ts'
import { isWithin } from '../../files/overlap.ts'
import { uniqueNames, type ZipEntry, zipName, zipped } from '../../files/zip-out.ts'
import { pathOf } from '../../moving/paths.ts'
import { type WalkedDirectory, walk } from '../../survey/walk.ts'
import { isDotRaw } from '../dot-names.ts'
import { fileFailure, namingFailures } from '../file-failures.ts'
import { absoluteRaw, type FilePlace } from '../places.ts'
import { nameOnWire, newName } from '../virtual-path.ts'
import {
  type Change,
  changedMeanwhile,
  nameOfPlace,
  nameTaken,
  requireFolder,
  requireWritablePlace,
  stoppable,
} from './change-parts.ts'
import { outermost } from './deleting.ts'
import { type HeldFolder, holdFolder, writeInto } from './held-folders.ts'

/** Maximum number of entries, the same as for unpacking. */
const maxEntries = 100_000

const noMarkers: ReadonlySet<string> = new Set()

/** Appends '.zip' to a name that lacks it. */
function archiveName(name: string): Buffer {
  const bytes = newName(name)
  return /\.zip$/i.test(name) ? bytes : newName(`${bytes.toString()}.zip`)
}

/** Passes the bytes through. Errors name the file, including the error for a file that became shorter meanwhile. */
function withNamedErrors(bytes: ReadableStream<Uint8Array>, virtual: string): ReadableStream<Uint8Array> {
  const reader = bytes.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          if (codeOf(error) !== null) throw fileFailure(diskError(error, ''), virtual, 'items')
          throw changedMeanwhile({ virtual })
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Opens a file for packing. Throws if it is gone, because users may delete the originals after packing them. */
function createOpener({ disk }: Change, at: DiskPlace, virtual: string): ZipEntry['open'] {
  return async () => {
    try {
      if (disk.stat(at)?.kind !== 'file') throw new DiskError('ENOENT', '')
      return withNamedErrors((await disk.openAsync(at)).stream(), virtual)
    } catch (error) {
      throw fileFailure(error, virtual, 'items')
    }
  }
}

/** A folder whose contents are packed. It is held open meanwhile, since it may be renamed. */
interface Packing {
  change: Change
  folder: FilePlace
  held: HeldFolder
}

/** Path of a walked entry in the encoding of the protocol. */
function virtualBelow({ folder }: Packing, path: Buffer): string {
  return [folder.virtual, ...(componentsOf(path) ?? []).map(nameOnWire)].join('/')
}

/** Yields the files of one directory. If the directory is renamed meanwhile, the archive has its earlier path. */
async function* filesOf(packing: Packing, { path, display, entries }: WalkedDirectory): AsyncGenerator<ZipEntry> {
  const { change, folder, held } = packing
  const top = displayName(nameOfPlace(folder))
  const below = { root: held.at.root, path: joinPath(held.at.path, path) }
  const inside = change.disk.hold(below)
  try {
    for (const { raw, kind, mtimeSeconds, mtimeNanoseconds } of entries) {
      if (kind !== 'file') continue
      const name = bytesOfRaw(raw)
      const at = inside === null ? { ...below, path: joinPath(below.path, name) } : { root: inside.root, path: name }
      yield {
        name: [top, ...(display === '' ? [] : [display]), displayRaw(raw)].join('/'),
        modified: mtimeSeconds * 1000 + mtimeNanoseconds / 1e6,
        open: createOpener(change, at, virtualBelow(packing, joinPath(path, name))),
      }
    }
  } finally {
    inside?.close()
  }
}

/** Yields files and empty folders below a folder. Omits links, names that begin with a dot, and the data directory. */
async function* entriesBelow(packing: Packing, signal?: AbortSignal): AsyncGenerator<ZipEntry> {
  const { change, folder, held } = packing
  const top = displayName(nameOfPlace(folder))
  const data = await change.places.dataDirectory()
  const dataPath = data === null ? null : rawOf(bytesOfText(data.path))
  const absolute = (path: Buffer) => absoluteRaw({ root: folder.at.root, path: joinPath(folder.at.path, path) })
  const below = (path: Buffer) => path.subarray(held.at.path.length === 0 ? 0 : held.at.path.length + 1)
  // Directories that were listed, but not walked yet: the walk skips a directory that was removed meanwhile.
  const unwalked = new Map<string, Buffer>([['', Buffer.of()]])
  for await (const walked of walk(held.at.root, {
    below: held.at.path,
    exclusionMarkers: noMarkers,
    ignored: isDotRaw,
    ...(signal === undefined ? {} : { signal }),
  })) {
    const path = below(walked.path)
    const virtual = virtualBelow(packing, path)
    unwalked.delete(rawOf(path))
    if (walked.error !== null)
      throw new Failure('denied', sentence`${virtual} cannot be read: ${walked.error}`, { field: 'items' })
    if (dataPath !== null && isWithin(absolute(path), dataPath)) continue
    const shown = walked.entries.filter(({ raw, kind }) => kind !== 'dir' || absolute(pathOf(path, raw)) !== dataPath)
    for (const { raw, kind } of shown) {
      const inner = pathOf(path, raw)
      if (kind === 'dir') unwalked.set(rawOf(inner), inner)
    }
    const display = displayName(path)
    if (shown.length === 0)
      yield { name: `${top}/${display}/`, modified: change.clock.now(), folder: true, open: async () => null }
    try {
      yield* filesOf(packing, { ...walked, path, display, entries: shown })
    } catch (error) {
      throw fileFailure(error, virtual, 'items')
    }
  }
  for (const path of unwalked.values())
    throw fileFailure(new DiskError('ENOENT', ''), virtualBelow(packing, path), 'items')
}

async function* entriesOf(change: Change, items: readonly FilePlace[], signal?: AbortSignal): AsyncGenerator<ZipEntry> {
  const unique = uniqueNames()
  let count = 0
  const named = (entry: ZipEntry): ZipEntry => {
    if (++count > maxEntries)
      throw new Failure('tooLarge', sentence`An archive can have at most ${maxEntries} entries: select fewer.`, {
        field: 'items',
      })
    const name = zipName(entry.name)
    return { ...entry, name: entry.folder === true ? `${unique(name)}/` : unique(name) }
  }
  for (const item of items) {
    const found = change.places.requireEntry(item, 'items')
    if (found.kind === 'dir') {
      const held = namingFailures(item, () => holdFolder(change, item), 'items')
      try {
        for await (const entry of entriesBelow({ change, folder: item, held }, signal)) yield named(entry)
      } finally {
        held.close()
      }
      continue
    }
    yield named({
      name: displayName(nameOfPlace(item)),
      modified: found.mtimeSeconds * 1000,
      open: createOpener(change, item.at, item.virtual),
    })
  }
}

/** Creates the archive atomically; a taken name is a `conflict`. */
export async function archiveItems(
  change: Change,
  folder: FilePlace,
  items: readonly FilePlace[],
  name: string,
): Promise<void> {
  const { disk, places, viewer, signal } = change
  if (items.length === 0) throw new Failure('invalid', 'Choose what to pack.', { field: 'items' })
  requireFolder(places, folder)
  requireWritablePlace(folder)
  const target = places.within(folder, archiveName(name))
  for (const item of items) {
    if (item.at.path.length === 0)
      throw new Failure('invalid', sentence`${item.virtual} is a root folder: select something in it.`, {
        field: 'items',
      })
    places.requireEntry(item, 'items')
  }
  await places.requireUnhidden(viewer, target)
  if (disk.stat(target.at) !== null) throw nameTaken(target.virtual)
  const held = namingFailures(folder, () => holdFolder(change, folder), 'items')
  try {
    const pieces = stoppable(zipped(entriesOf(change, outermost(items), signal)), signal)
    await writeInto(change, { place: target, held }, pieces, {})
  } catch (error) {
    const isTaken = error instanceof Failure && error.code === 'conflict'
    throw isTaken ? nameTaken(target.virtual) : fileFailure(error, target)
  } finally {
    held.close()
  }
}
