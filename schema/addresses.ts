/** Addresses on the server: the format of paths and queries, and the addresses of pictures, films and files. */
import type { FilterQuery } from './api/items.ts'

export const imageSizes = ['tiny', 'small', 'medium', 'large', 'variant', 'original'] as const
export type ImageSize = (typeof imageSizes)[number]
export const imageFormats = ['webp', 'jpeg', 'avif', 'png'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** Paths that return or take bytes instead of JSON; `api/bytes.ts` declares them. */
export const bytePaths = {
  image: '/v1/item/:id/image',
  stream: '/v1/item/:id/stream',
  sharedImage: '/v1/share/:name/image',
  sharedStream: '/v1/share/:name/stream',
  linkImage: '/v1/link/:name/image/:id',
  linkStream: '/v1/link/:name/stream/:id',
  linkDownload: '/v1/link/:name/download',
  download: '/v1/item/download/:collectionId',
  slideshow: '/v1/slideshow/:fileid',
  exportPeople: '/v1/export/people',
  exportCollection: '/v1/export/collection/:id',
  upload: '/v1/item/upload/:collectionId',
} as const

/** A value of a path or query as text: lists are separated by commas, nested values are JSON. */
export function parameterText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) && value.every(part => typeof part !== 'object') ? value.join(',') : JSON.stringify(value)
}

/** A path such as '/v1/item/:id' with its parameters and query; undefined values are omitted. */
export function addressOf(path: string, params: Record<string, unknown>, query: Record<string, unknown> = {}): string {
  const request = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) request.set(name, parameterText(value))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameterText(params[name] ?? '')))
  return request.size === 0 ? filled : `${filled}?${request}`
}

export function imageAddress(
  { id, reloads }: { id: number; reloads: string },
  size: ImageSize,
  format: ImageFormat | null = null,
  base = '',
): string {
  return base + addressOf(bytePaths.image, { id }, { pThumbnail: size, pFormat: format ?? undefined, reloads })
}

export function streamAddress({ id, reloads }: { id: number; reloads: string }, base = ''): string {
  return base + addressOf(bytePaths.stream, { id }, { reloads })
}

export function sharedImageAddress(name: string, reloads: string, size: ImageSize, base = ''): string {
  return base + addressOf(bytePaths.sharedImage, { name }, { pThumbnail: size, reloads })
}

export function sharedStreamAddress(name: string, reloads: string, base = ''): string {
  return base + addressOf(bytePaths.sharedStream, { name }, { reloads })
}

/** `key`: the value that a link with a password returns for it. */
export function linkImageAddress(
  { name, key }: { name: string; key: string | undefined },
  { id, reloads }: { id: number; reloads: string },
  size: ImageSize,
): string {
  return addressOf(bytePaths.linkImage, { name, id }, { pThumbnail: size, reloads, key })
}

export function linkStreamAddress({ name, key }: { name: string; key: string | undefined }, id: number): string {
  return addressOf(bytePaths.linkStream, { name, id }, { key })
}

export function linkDownloadAddress({ name, key }: { name: string; key: string | undefined }): string {
  return addressOf(bytePaths.linkDownload, { name }, { key })
}

/** Address of the zip with all items of a filter, or with chosen items (ids joined by commas). */
export function downloadAddress(
  collectionId: number,
  query: FilterQuery & { items?: string | undefined },
  base = '',
): string {
  return base + addressOf(bytePaths.download, { collectionId }, query)
}

export function slideshowAddress(fileid: string, base = ''): string {
  return base + addressOf(bytePaths.slideshow, { fileid })
}

/** Address to which a file for a collection is uploaded. `modified`: milliseconds since 1970. */
export function uploadAddress(
  collectionId: number,
  { folder, ...query }: { name: string; modified: number; folder: string },
): string {
  return addressOf(bytePaths.upload, { collectionId }, { ...query, folder: folder === '' ? undefined : folder })
}
