/** Copies metadata of a picture's file to its replacement, for example after cropping. */
import { memorySource } from '../byte-source.ts'
import type { DateContext } from '../choose-date.ts'
import { mergeMetadata, storedPicture } from '../merge.ts'
import type { CameraData, Metadata } from '../metadata.ts'
import { readMetadataOf } from '../read.ts'
import { UnsafeWrite } from './file-change.ts'
import { changedFully, exifIn, isWritable, withExif } from './picture-file.ts'
import { editTiff } from './tiff-edit.ts'
import { differingSets, isGuess, type WantedTags } from './written-tags.ts'

const orientation = 0x112
const exifPointer = 0x8769
/** Tags about the old pixels: sizes, colour space, interoperability. */
const ofPixels = { main: [0x100, 0x101], exif: [0xa001, 0xa002, 0xa003, 0xa005] }

/** Whether a file has only technical metadata, like one that a browser's canvas wrote. */
function isEmptyMetadata({ dates, latitude, description, title, rating, camera, ...lists }: Metadata): boolean {
  const values = [latitude, description, title, rating]
  const words = [dates, lists.keywords, lists.category, lists.author, lists.people, lists.regions]
  return (
    values.every(value => value === undefined) &&
    words.every(({ length }) => length === 0) &&
    Object.values(camera).every(value => value === undefined || value === null)
  )
}

/** The old EXIF for a new, upright picture, without the thumbnail: it may show parts that were cropped. */
function uprightExif(tiff: Uint8Array): Uint8Array | null {
  const editor = editTiff(tiff)
  if (editor === null) return null
  editor.dropThumbnail()
  const gone = (tags: readonly number[]) => new Map(tags.map(tag => [tag, null]))
  editor.change(null, gone(ofPixels.main))
  if (editor.directoryAt(exifPointer) !== null) editor.change(exifPointer, gone(ofPixels.exif))
  if (editor.has(null, orientation)) editor.change(null, new Map([[orientation, editor.short(1)]]))
  return editor.bytes()
}

function withOldExif(old: Uint8Array, fresh: Uint8Array): Uint8Array {
  const exif = exifIn(old)
  const upright = exif === null ? null : uprightExif(exif)
  return upright === null ? fresh : (withExif(fresh, upright) ?? fresh)
}

const sameCamera = (a: CameraData, b: CameraData) =>
  (['make', 'model', 'lens', 'focalLength', 'aperture', 'exposure', 'iso'] as const).every(name => a[name] === b[name])

/**
 * The new picture with the old file's metadata. If its size differs, regions become names without a place. A new
 * picture that has metadata already, or is of a kind that cannot be written, is returned unchanged.
 */
export function withMetadataOf(old: Uint8Array, fresh: Uint8Array, { name, ...environment }: DateContext): Uint8Array {
  if (!isWritable(fresh) || !isEmptyMetadata(readMetadataOf(memorySource(fresh), name))) return fresh
  const merged = (file: Metadata) => mergeMetadata({ name, ...environment, file, companions: [], sidecars: [] })
  const before = merged(readMetadataOf(memorySource(old), name))
  const base = withOldExif(old, fresh)
  const file = readMetadataOf(memorySource(base), name)
  const after = merged(file)
  const isSameSize = before.width === after.width && before.height === after.height
  const named = (kind: 'person' | 'object') =>
    isSameSize ? [] : before.regions.filter(region => region.kind === kind).map(region => region.name)
  const { latitude, longitude } = before
  const wanted: WantedTags = {
    date: before.date === null || isGuess(before.date.source) ? null : before.date,
    description: before.description ?? '',
    keywords: before.keywords,
    category: before.category,
    author: before.author,
    position: latitude === null || longitude === null ? null : { latitude, longitude },
    placeName: before.placeName ?? '',
    rating: before.rating ?? (before.favorite ? 5 : null),
    rotation: before.rotation ?? 0,
    regions: isSameSize ? before.regions : [],
    people: [...new Set([...before.people, ...named('person')])],
    objects: [...new Set([...before.objects, ...named('object')])],
  }
  const sets = differingSets(wanted, after)
  // Camera metadata that the old file has outside of EXIF: in XMP, or in formats older than EXIF.
  const isCameraSame = sameCamera(before.camera, after.camera) && before.altitude === after.altitude
  const cameraData = isCameraSame ? {} : { cameraData: { ...before.camera, altitude: before.altitude } }
  if (sets.size === 0 && isCameraSame) return base
  const picture = storedPicture({ file, sidecars: [] })
  try {
    const read = (changed: Uint8Array) => merged(readMetadataOf(memorySource(changed), name))
    return changedFully(base, { wanted, sets, picture, complete: [], ...cameraData }, read) ?? base
  } catch (error) {
    if (error instanceof UnsafeWrite) return base
    throw error
  }
}
