/** What replaces a picture of the library, as a cropped one does, keeps what was known of it. */
import type { Viewer } from '../access.ts'
import { changeItem, itemToEdit } from '../editing/item-edit.ts'
import type { StoredBox } from '../editing/item-parts.ts'
import type { PlaceFacts } from '../files/disk.ts'
import { displayName } from '../files/names.ts'
import { withMetadataOf } from '../metadata/write/carry.ts'
import { type ChangeParts, splitPath } from './change-parts.ts'
import type { Place } from './places.ts'

/** Larger files go as they are: their bytes are not held in memory. */
const mostBytes = 64 * 1024 ** 2

type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/** All of it where it is small; else a stream that gives the same. */
async function held(content: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const pieces: Uint8Array[] = []
  let size = 0
  const iterator = content[Symbol.asyncIterator]()
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    pieces.push(next.value)
    size += next.value.length
    if (size <= mostBytes) continue
    return (async function* () {
      yield* pieces
      for (let more = await iterator.next(); more.done !== true; more = await iterator.next()) yield more.value
    })()
  }
  return new Uint8Array(Buffer.concat(pieces))
}

export function createReplacedPictures({ db, clock, disk, log }: Pick<ChangeParts, 'db' | 'clock' | 'disk' | 'log'>) {
  /** The new bytes with what the old file says, as far as the new ones say nothing. */
  async function carried(place: Place, before: PlaceFacts, content: AsyncIterable<Uint8Array>): Promise<Bytes> {
    if (before.size > mostBytes) return content
    const fresh = await held(content)
    if (!(fresh instanceof Uint8Array)) return fresh
    try {
      return withMetadataOf(disk.read(place.at, mostBytes), fresh, {
        name: displayName(splitPath(place.at.path).name),
        mtimeMs: before.mtimeSeconds * 1000,
        now: clock.now(),
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      })
    } catch (error) {
      log.warn('what a picture says could not be carried over to the one that replaces it', { error })
      return fresh
    }
  }

  /** Boxes lie where they lay on a picture of another size, so that they mean nothing: who was in one stays without it. */
  async function takeBoxesAway(viewer: Viewer, itemId: number, { width, height }: { width: number; height: number }) {
    await db.transact(viewer, tx => {
      const item = itemToEdit(tx, itemId)
      if (item === null || (item.width === width && item.height === height)) return
      const nowhere = (boxes: readonly StoredBox[]) => {
        const named = boxes.filter(({ subject }) => subject !== null)
        const first = named.filter((box, n) => named.findIndex(({ subject }) => subject === box.subject) === n)
        return first.map(box => ({ ...box, x: 0, y: 0, width: 0, height: 0 }))
      }
      const { people, objects } = item.parts
      if (![...people, ...objects].some(box => box.width > 0)) return
      changeItem(tx, item, { people: nowhere(people), objects: nowhere(objects) }, { operation: 'item.region' })
    })
  }

  /** Does the replacement; `write` gets the bytes and the time that the file keeps, in seconds. */
  async function replace(
    viewer: Viewer,
    { place, itemId, before }: { place: Place; itemId: number; before: PlaceFacts },
    content: AsyncIterable<Uint8Array>,
    write: (bytes: Bytes, modified: number) => Promise<void>,
  ): Promise<void> {
    const size = db.get<{ width: number; height: number }>('SELECT width, height FROM items WHERE id = ?', itemId)
    // Pictures that nothing but their file dates have their place by it. Never rounded up into the next second.
    const modified = before.mtimeSeconds + Math.floor(before.mtimeNanoseconds / 1000) / 1e6
    await write(await carried(place, before, content), modified)
    if (size !== null) await takeBoxesAway(viewer, itemId, size)
  }

  return { replace }
}
