/** Where the bytes of an item are: its own file, its edited version, its variants. */
import { displayName } from '../../core/files/names.ts'
import type { FileFacts } from '../../core/files/open-file.ts'
import { type ItemForBytes, pathOfFile } from '../../core/items/item-bytes.ts'
import { type FoundVariant, findVariants, type VariantPlace } from '../../core/media/cache/kept-variant.ts'
import { Failure } from '../../schema/errors.ts'
import type { FileToSend } from './held-file.ts'

/** Types that a browser displays and that cannot run anything; everything else is a download. */
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
export function mainFile(item: ItemForBytes): FileToSend & { name: string; scanned: FileFacts } {
  const { collectionPath, main } = item.files()
  if (main === null) throw new Failure('notFound', 'Image not found')
  const { size, mtimeSeconds, mtimeNanoseconds } = main
  return {
    root: collectionPath,
    path: pathOfFile(collectionPath, main),
    name: displayName(main.nameBytes),
    scanned: { size, mtimeSeconds, mtimeNanoseconds },
  }
}

/** Where the item's variants are kept; null if its collection has no variants path. */
export function variantsPlace(item: ItemForBytes): VariantPlace | null {
  const { variantPath: root, collectionPath, main } = item.files()
  return root === '' || main === null ? null : { root, collectionPath, ...main }
}

/** The edited version, and kept variants of the unchanged file. */
export async function variantsOf(item: ItemForBytes) {
  const place = variantsPlace(item)
  if (place === null) return { owners: null, kept: null }
  const { owners, kept } = await findVariants(place, item.type, item.content)
  const { root } = place
  return { owners: owners === null ? null : { ...owners, root }, kept: kept === null ? null : { ...kept, root } }
}

/** Part of the ETag: changes with the edited version, which the item's content key does not describe. */
export function editOf({ size, mtimeMs }: FoundVariant): string {
  return `owners-${size}-${mtimeMs}`
}

/** The type of an edited version, by its name; a generic type if browsers may not show it. */
export function typeOfName(name: string): string {
  const type = Bun.file(name).type.split(';')[0] ?? ''
  return inlineTypes.has(type) ? type : 'application/octet-stream'
}
