/** Addresses that answer bytes, not JSON: pictures, streams. */
import { z } from 'zod'
import type { AccessRule } from './contract.ts'
import { idNumber } from './contract.ts'

export const imageSizes = ['tiny', 'small', 'medium', 'large', 'variant', 'original'] as const
export type ImageSize = (typeof imageSizes)[number]
export const imageFormats = ['webp', 'jpeg', 'avif', 'png'] as const
export type ImageFormat = (typeof imageFormats)[number]

export const imageQuery = z.object({
  pThumbnail: z.enum(imageSizes).optional(),
  pFormat: z.enum(imageFormats).optional(),
  /** Both only make the address unique. */
  rotation: z.string().max(20).optional(),
  reloads: z.string().max(100).optional(),
})

const ofItem = z.object({ id: idNumber })
const seen: AccessRule = { who: 'all', on: { thing: 'item', right: 'view' }, refused: [400, 404] }

/** Declared like calls, so that the rights matrix and OpenAPI know them; answered by server/bytes.ts. */
export const byteRoutes = {
  image: {
    method: 'GET',
    path: '/v1/item/:id/image',
    summary: 'A picture of an item in a size and format.',
    rule: seen,
    params: ofItem,
    query: imageQuery,
  },
  stream: {
    method: 'GET',
    path: '/v1/item/:id/stream',
    summary: "A video, or a live photo's motion part; answers ranges.",
    rule: seen,
    params: ofItem,
    query: z.object({ reloads: z.string().max(100).optional() }),
  },
} as const

/** Address of an item's picture. */
export function imageAddress(
  item: { id: number; reloads: string },
  size: ImageSize,
  format: ImageFormat | null = null,
  base = '',
): string {
  const asked = format === null ? '' : `&pFormat=${format}`
  return `${base}/v1/item/${item.id}/image?pThumbnail=${size}${asked}&reloads=${encodeURIComponent(item.reloads)}`
}

/** Address of an item's moving picture. */
export function streamAddress(item: { id: number; reloads: string }, base = ''): string {
  return `${base}/v1/item/${item.id}/stream?reloads=${encodeURIComponent(item.reloads)}`
}
