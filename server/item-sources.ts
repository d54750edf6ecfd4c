/** Where the bytes of an item lie: its own file, and what its owner or this program has put beside it. */
import { displayName } from '../core/files/names.ts'
import { type ItemForBytes, pathOfFile } from '../core/item-bytes.ts'
import { type FoundVariant, findVariants, type VariantPlace } from '../core/media/kept-variant.ts'
import { Failure } from '../schema/errors.ts'

/** Types that a browser shows by itself and that cannot run anything; everything else is a download. */
export const inlineTypes = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/jxl',
  'image/heic',
  'image/heif',
  'image/tiff',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'video/x-m4v',
  'video/3gpp',
  'video/ogg',
  'video/x-matroska',
  'video/mp2t',
  'video/mpeg',
  'video/x-msvideo',
])

/** The main file: its absolute path as bytes, and its name. `notFound` while it is missing. */
export function mainFile(item: ItemForBytes): { path: Buffer; name: string } {
  const { collectionPath, main } = item.files()
  if (main === null) throw new Failure('notFound', 'Image not found')
  return { path: pathOfFile(collectionPath, main), name: displayName(main.nameBytes) }
}

/** Where the item's variants belong; null where its collection has no variants path. */
export function variantsPlace(item: ItemForBytes): VariantPlace | null {
  const { variantPath: root, collectionPath, main } = item.files()
  return root === '' || main === null ? null : { root, collectionPath, ...main }
}

/** The owner's edited version, and what was made of the file as it is and is kept beside that. */
export async function variantsOf(item: ItemForBytes) {
  const place = variantsPlace(item)
  return place === null ? { owners: null, kept: null } : findVariants(place, item.type, item.content)
}

/** Its owner may edit it once more, of which the item's own content says nothing: what tells one edit from the next. */
export function editOf({ size, mtimeMs }: FoundVariant): string {
  return `owners-${size}-${mtimeMs}`
}

/** Type of a file of the owner's by its name, as far as it may be shown. */
export function typeOfName(name: string): string {
  const type = Bun.file(name).type.split(';')[0] ?? ''
  return inlineTypes.has(type) ? type : 'application/octet-stream'
}
