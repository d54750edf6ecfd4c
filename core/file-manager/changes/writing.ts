/** New folders and files, saved texts and uploads: each file is there whole or as it was. */
import { Failure } from '../../../schema/errors.ts'
import type { Viewer } from '../../accounts/access.ts'
import type { PlaceFacts } from '../../files/disk.ts'
import { joinPath } from '../../files/names.ts'
import type { WriteOptions } from '../../files/write-whole.ts'
import { fileFailure } from '../file-failures.ts'
import { itemAt } from '../item-at.ts'
import type { Place } from '../places.ts'
import { isOfVersion } from '../versions.ts'
import { newName } from '../virtual-path.ts'
import { type ChangeParts, demandFolder, demandWritable, splitPath, takenName } from './change-parts.ts'
import { createHeldFolders, type HeldFolder } from './held-folders.ts'
import type { ReceivedFile } from './receiving.ts'
import { createReplacedPictures } from './replaced-picture.ts'

/** What a sender says of the file that he sends. */
export interface FileUpload {
  /** Its name in the folder; of no meaning where a file is replaced. */
  name: string
  /** A file of that name is replaced; else it is a `conflict`. */
  overwrite?: boolean
  /** Milliseconds since the epoch: the file's own time where it came from. */
  modified?: number
  /** Bytes as the sender announces them, where he does. */
  length?: number | null
  /** Of the file that he made this one from: one that is another by now is not replaced, and that is `changed`. */
  version?: string
}

const changed = ({ virtual }: Place) =>
  new Failure('changed', `${virtual} was changed by somebody else meanwhile. Open it again.`)

export function createWriting(parts: ChangeParts) {
  const { db, disk, places, bringIn, kept, limit } = parts
  const folders = createHeldFolders(parts)
  const pictures = createReplacedPictures(parts)

  function tooLarge(): Failure {
    return new Failure('tooLarge', `A file has at most ${limit} bytes here.`, { field: 'file' })
  }

  async function* counted(
    content: AsyncIterable<Uint8Array>,
    { signal, length = null, least }: { signal?: AbortSignal; length?: number | null; least: number },
  ): AsyncGenerator<Uint8Array> {
    let size = 0
    for await (const piece of content) {
      signal?.throwIfAborted()
      size += piece.length
      if (size > limit) throw tooLarge()
      yield piece
    }
    signal?.throwIfAborted()
    if (length !== null && size !== length)
      throw new Failure('invalid', `${size} of ${length} bytes arrived: send the file again.`, { field: 'file' })
    if (size < least) throw new Failure('invalid', 'The file that was sent is empty.', { field: 'file' })
  }

  /** Writes a file into the folder that was asked for, wherever that is meanwhile, and lets the library follow. */
  async function write(
    viewer: Viewer,
    place: Place,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    how: WriteOptions,
  ): Promise<void> {
    const held = holdFolderOf(place)
    try {
      await folders.write(viewer, { place, held }, content, how).catch((error: unknown) => {
        throw told(error, place)
      })
      const changed = await held.changed()
      if (changed !== null) await bringIn.follow(viewer, [changed])
    } finally {
      held.close()
    }
  }

  function holdFolderOf(place: Place): HeldFolder {
    const { root, path } = place.at
    const above = place.inCollection === null ? null : splitPath(place.inCollection).dir
    try {
      return folders.hold({ ...place, at: { root, path: splitPath(path).dir }, inCollection: above })
    } catch (error) {
      throw told(error, place)
    }
  }

  function told(error: unknown, place: Place): unknown {
    if (error instanceof Failure && error.code === 'changed') return changed(place)
    if (error instanceof Failure && error.code === 'conflict') return takenName(place.virtual)
    return fileFailure(error, place)
  }

  /** Old bytes of what the library knows are not lost with the file. */
  async function keepOld(place: Place): Promise<void> {
    const item = itemAt(db, place)
    if (item !== null) await kept.keep(item.itemId, place.at, splitPath(place.at.path).name)
  }

  async function replace(
    viewer: Viewer,
    place: Place,
    before: PlaceFacts,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    more: { modified?: number } = {},
  ): Promise<void> {
    try {
      await keepOld(place)
    } catch (error) {
      throw fileFailure(error, place)
    }
    await write(viewer, place, content, { replace: true, expected: before, ...more })
  }

  /**
   * What was received into the very folder that it is for needs a name and nothing else: there it is, whatever the folder
   * is called meanwhile. False where that is not all: a file is to be replaced, say, or to have another time.
   */
  async function named(viewer: Viewer, place: Place, asked: FileUpload, received: ReceivedFile): Promise<boolean> {
    const { folder } = received
    if (folder === null || (asked.modified ?? null) !== received.modified) return false
    const target = places.within(place, newName(asked.name))
    await places.demandUnhidden(viewer, target)
    try {
      const { name } = splitPath(target.at.path)
      disk.move(received.at, { root: folder.at.root, path: joinPath(folder.at.path, name) })
    } catch (error) {
      if (asked.overwrite === true && error instanceof Failure && error.code === 'conflict') return false
      throw told(error, target)
    }
    const changed = await folder.changed()
    if (changed !== null) await bringIn.follow(viewer, [changed])
    return true
  }

  /** A name in a folder that is free; what lies there otherwise is told. */
  async function demandFree(viewer: Viewer, folder: Place, name: string): Promise<Place> {
    demandFolder(places, folder)
    demandWritable(folder)
    const place = places.within(folder, newName(name))
    await places.demandUnhidden(viewer, place)
    if (stat(place) !== null) throw takenName(place.virtual)
    return place
  }

  /** Is that what the file has in it? */
  function has(place: Place, bytes: Uint8Array): boolean {
    try {
      const file = disk.open(place.at)
      try {
        return file.size === bytes.length && Buffer.compare(file.read(0, file.size), bytes) === 0
      } finally {
        file.close()
      }
    } catch (error) {
      throw fileFailure(error, place)
    }
  }

  function stat(place: Place): PlaceFacts | null {
    try {
      return disk.stat(place.at)
    } catch (error) {
      throw fileFailure(error, place)
    }
  }

  return {
    async newFolder(viewer: Viewer, folder: Place, name: string): Promise<void> {
      const place = await demandFree(viewer, folder, name)
      try {
        disk.newDirectory(place.at)
      } catch (error) {
        throw told(error, place)
      }
    },

    async newFile(viewer: Viewer, folder: Place, name: string): Promise<void> {
      await write(viewer, await demandFree(viewer, folder, name), new Uint8Array(0), {})
    },

    async save(viewer: Viewer, place: Place, content: string, version?: string): Promise<string> {
      const before = places.look(place)
      if (before.kind !== 'file') throw new Failure('invalid', `${place.virtual} is a folder.`, { field: 'path' })
      demandWritable(place)
      const bytes = Buffer.from(content)
      if (version !== undefined && !isOfVersion(before, version)) {
        // Who lost the answer asks once more, and it is done already.
        if (has(place, bytes)) return content
        throw changed(place)
      }
      if (bytes.length > limit) throw tooLarge()
      await replace(viewer, place, before, bytes)
      return content
    },

    async upload(
      viewer: Viewer,
      place: Place,
      asked: FileUpload,
      sent: AsyncIterable<Uint8Array> | ReceivedFile,
      signal?: AbortSignal,
    ): Promise<void> {
      if ('folder' in sent && (await named(viewer, place, asked, sent))) return
      const content = 'folder' in sent ? sent.content() : sent
      const facts = places.look(place)
      demandWritable(place)
      if ((asked.length ?? 0) > limit) throw tooLarge()
      const target = facts.kind === 'file' ? place : places.within(place, newName(asked.name))
      if (facts.kind !== 'file') await places.demandUnhidden(viewer, target)
      const there = facts.kind === 'file' ? facts : stat(target)
      const replaces = there !== null && (facts.kind === 'file' || asked.overwrite === true)
      if (there !== null && !replaces) throw takenName(target.virtual)
      if (there !== null && there.kind !== 'file')
        throw new Failure('conflict', `${target.virtual} is no file: it is not replaced.`, { field: 'name' })
      if (there !== null && asked.version !== undefined && !isOfVersion(there, asked.version)) throw changed(target)
      const length = asked.length ?? null
      // A picture that became nothing is a mistake; a new file may be empty.
      const least = replaces ? 1 : 0
      const pieces = counted(content, { length, least, ...(signal === undefined ? {} : { signal }) })
      const more = asked.modified === undefined ? {} : { modified: asked.modified / 1000 }
      if (there === null) return write(viewer, target, pieces, more)
      const item = itemAt(db, target)
      if (item?.role !== 'main') return replace(viewer, target, there, pieces, more)
      await pictures.replace(viewer, { place: target, itemId: item.itemId, before: there }, pieces, (bytes, modified) =>
        replace(viewer, target, there, bytes, { modified, ...more }),
      )
    },
  }
}
