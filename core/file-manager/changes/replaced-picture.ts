/** Keeps the metadata of a library picture when its file is replaced, for example by a cropped one. */
import { eq } from 'drizzle-orm'
import { items } from '../../../schema/tables/items.ts'
import { isOtherShape, removeBoxes } from '../../editing/boxes/moved-boxes.ts'
import { itemToEdit } from '../../editing/item-edit.ts'
import type { PlaceFacts } from '../../files/disk.ts'
import { displayName } from '../../files/names.ts'
import { closeUnit } from '../../journal/journal.ts'
import { withMetadataOf } from '../../metadata/write/carry.ts'
import { beginUnit } from '../../moving/journal-units.ts'
import type { FilePlace } from '../places.ts'
import { type Change, nameOfPlace } from './change-parts.ts'

/** A new picture above this size is stored unchanged. Of an old one, only this much is read: metadata comes first. */
const maxBytes = 64 * 1024 ** 2

type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/** All bytes of a small file; otherwise a stream of them. */
async function collectBytes(content: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const pieces: Uint8Array[] = []
  let size = 0
  const iterator = content[Symbol.asyncIterator]()
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    pieces.push(next.value)
    size += next.value.length
    if (size <= maxBytes) continue
    return (async function* () {
      yield* pieces
      for (let more = await iterator.next(); more.done !== true; more = await iterator.next()) yield more.value
    })()
  }
  return new Uint8Array(Buffer.concat(pieces))
}

/** A library picture that is being replaced. */
interface OldPicture {
  place: FilePlace
  itemId: number
  before: PlaceFacts
}

function beginningOf({ disk }: Change, { at }: FilePlace): Uint8Array {
  const file = disk.open(at)
  try {
    return file.read(0, Math.min(file.size, maxBytes))
  } finally {
    file.close()
  }
}

/** Adds the metadata that only the old file has to the new bytes. */
async function withOldMetadata(
  change: Change,
  { place, before }: OldPicture,
  content: AsyncIterable<Uint8Array>,
): Promise<Bytes> {
  const newBytes = await collectBytes(content)
  if (!(newBytes instanceof Uint8Array)) return newBytes
  try {
    return withMetadataOf(beginningOf(change, place), newBytes, {
      name: displayName(nameOfPlace(place)),
      mtimeMs: before.mtimeSeconds * 1000,
      now: change.clock.now(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  } catch (error) {
    change.log.warn('the metadata of a replaced picture could not be carried over', { error })
    return newBytes
  }
}

/** Records the replacement in the journal, because after a crash the regions may still be those of the old picture. */
function beginReplacement(change: Change, { place, itemId }: OldPicture, bytes: Uint8Array): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  return beginUnit(change, change.viewer, [
    { operation: 'replace', itemId, source: place.at, hash, size: bytes.length },
  ])
}

/** Replaces the file. `write` receives the bytes, and the modification time that the file keeps, in seconds. */
export async function replacePicture(
  change: Change,
  old: OldPicture,
  content: AsyncIterable<Uint8Array>,
  write: (bytes: Bytes, modified: number) => Promise<void>,
): Promise<void> {
  const { db, journal, viewer } = change
  const { place, itemId, before } = old
  const { width, height } = items
  const size = db.orm.select({ width, height }).from(items).where(eq(items.id, itemId)).get()
  // The file's time may be the picture's only date, so it stays. It is never rounded up to the next second.
  const modified = before.mtimeSeconds + Math.floor(before.mtimeNanoseconds / 1000) / 1e6
  const bytes = await withOldMetadata(change, old, content)
  const name = displayName(nameOfPlace(place))
  const isOther = size !== undefined && bytes instanceof Uint8Array && isOtherShape(bytes, name, size)
  const unit = isOther ? await beginReplacement(change, old, bytes) : null
  try {
    await write(bytes, modified)
  } catch (error) {
    if (unit !== null) await journal.abandon(unit)
    throw error
  }
  await db.transact(viewer, tx => {
    const after = itemToEdit(tx, itemId)
    const isSame = after === null || (after.width === size?.width && after.height === size.height)
    if (unit !== null || (size !== undefined && !isSame)) removeBoxes(tx, itemId)
    if (unit !== null) closeUnit(tx, unit)
  })
}
