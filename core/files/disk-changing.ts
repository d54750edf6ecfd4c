/** Creates, renames and removes entries below a root. */
import { lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { Failure, sentence } from '../../schema/errors.ts'
import { type Anchor, type Anchoring, type DiskPlace, namesOnPath } from './anchor.ts'
import { type Attributes, attributesOf, copyAttributes, withDirectory, withoutExcludedPeople } from './attributes.ts'
import { codeOf } from './disk-error.ts'
import { bytesOfText, displayName, joinPath } from './names.ts'
import { type PlaceAccess, withErrorPath } from './place-access.ts'
import { renameWithoutReplacing } from './rename-without-replacing.ts'

/** Attributes of the directory `levelsUp` levels above a place, without rights for people who cannot enter its parents. */
function attributesLike({ calls, inDirectory }: PlaceAccess, { root, path }: DiskPlace, levelsUp: number): Attributes {
  const names = namesOnPath({ root, path })
  const counterpart = names.slice(0, Math.max(0, names.length - levelsUp))
  const attributesAt = (of: readonly Buffer[]) =>
    inDirectory({ root, path: joinPath(...of) }, ({ entry }) =>
      withDirectory(entry(bytesOfText('.')), fd => attributesOf(calls, fd)),
    )
  const parentModes = counterpart.slice(1).map((_, n) => attributesAt(counterpart.slice(0, n + 1)).mode)
  return withoutExcludedPeople(attributesAt(counterpart), parentModes)
}

/** Whether a directory exists below the root; throws if the root is missing, or a file or link is on the path. */
function isThere(anchoring: Anchoring, root: DiskPlace['root'], names: readonly Uint8Array[]): boolean {
  try {
    anchoring.directory(root, names).close()
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && names.length > 0) return false
    throw error
  }
}

/** Creates a directory; false if it exists already. */
function makeDirectoryIn(directory: Anchor, name: Buffer, mode: number): boolean {
  try {
    mkdirSync(directory.entry(name), { mode })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Runs the removal; false if the entry is missing. */
function tryRemoval(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

function createMoving(access: PlaceAccess) {
  const { calls, anchoring, within, inDirectory } = access
  return {
    /**
     * Creates a directory and its missing parents. `flush`: see `move`. `like` is a directory whose files will be moved
     * here: each new directory gets the owner, rights (never more) and attributes of its counterpart in that path,
     * counted from the end of both paths. Returns what could not be copied, or null.
     */
    makeDirectory(place: DiskPlace, { flush = true, like }: { flush?: boolean; like?: DiskPlace } = {}): string | null {
      const names = namesOnPath(place)
      let lost: string | null = null
      withErrorPath(place, () => {
        let depth = names.length
        while (!isThere(anchoring, place.root, names.slice(0, depth))) depth--
        for (; depth < names.length; depth++) {
          const directory = anchoring.directory(place.root, names.slice(0, depth))
          try {
            const name = names[depth] ?? Buffer.of()
            const attributes = like === undefined ? null : attributesLike(access, like, names.length - depth - 1)
            if (makeDirectoryIn(directory, name, attributes === null ? 0o777 : 0o700) && attributes !== null)
              lost = withDirectory(directory.entry(name), fd => copyAttributes(calls, fd, attributes)) ?? lost
            if (flush) directory.sync()
          } finally {
            directory.close()
          }
        }
        // Throws if the last name is taken by something that is not a directory.
        anchoring.directory(place.root, names).close()
      })
      return lost
    },

    /** Creates one new directory; a taken name is a `conflict`. */
    createDirectory: (place: DiskPlace): void =>
      within(place, (directory, name) => {
        if (!makeDirectoryIn(directory, name, 0o777))
          throw new Failure('conflict', sentence`There is already something named ${displayName(name)}.`)
        directory.sync()
      }),

    /**
     * Renames an entry, never over another one: throws `conflict` if the name is taken, and a DiskError EXDEV between
     * two file systems. Flushes both directories, unless the caller does so after many moves (`sync`).
     */
    move(from: DiskPlace, to: DiskPlace, { flush = true }: { flush?: boolean } = {}): void {
      within(from, (source, oldName) => {
        // A missing source is reported by its own path, not the target's.
        lstatSync(source.entry(oldName))
        within(to, (target, newName) => {
          renameWithoutReplacing(calls, { directory: source, name: oldName }, { directory: target, name: newName })
          if (!flush) return
          target.sync()
          source.sync()
        })
      })
    },

    /** Like `move` without flushing, for several names of one directory; opens both directories only once. */
    moveNames(from: DiskPlace, to: DiskPlace, names: readonly Buffer[], onMoved: (name: Buffer) => void): void {
      inDirectory(from, source =>
        inDirectory(to, target => {
          for (const name of names) {
            renameWithoutReplacing(calls, { directory: source, name }, { directory: target, name })
            onMoved(name)
          }
        }),
      )
    },
  }
}

export function createDiskChanging(access: PlaceAccess) {
  const { within, inDirectory } = access
  const removing =
    (remove: (path: Buffer) => void) =>
    (place: DiskPlace, { flush = true }: { flush?: boolean } = {}): boolean =>
      tryRemoval(() =>
        within(place, (directory, name) => {
          remove(directory.entry(name))
          if (flush) directory.sync()
        }),
      )

  return {
    ...createMoving(access),

    /** Removes a file, or a link itself; false if there was none. `flush`: see `move`. */
    remove: removing(unlinkSync),

    /** Removes files and links by their names in a directory; missing ones are skipped. Nothing is flushed. */
    removeNames: (place: DiskPlace, names: readonly Buffer[]): void =>
      inDirectory(place, directory => {
        for (const name of names) tryRemoval(() => unlinkSync(directory.entry(name)))
      }),

    /** Removes an empty directory; false if there was none. */
    removeDirectory: removing(rmdirSync),
  }
}
