/**
 * What goes on the clipboard: pictures as PNG, which the browser makes of what the server sends, and links as text. Where
 * browsers refuse it, another way is offered.
 */
import { type ImageFormat, imageAddress } from '../../../schema/addresses.ts'
import type { Item } from '../../../schema/api/items.ts'
import { Refused } from '../../../schema/client.ts'
import { base } from '../../api.ts'
import { openByHand } from '../../app/dialogs.ts'
import { report, say, succeeds } from '../../app/messages.ts'
import { imageNotFound } from '../item-text.ts'

export const copySizes = ['tiny', 'small', 'medium', 'large', 'variant'] as const
export type CopySize = (typeof copySizes)[number]

/** Browsers let pages write there only over https, or on the machine itself. */
function mayWrite(): boolean {
  return isSecureContext && 'clipboard' in navigator && typeof ClipboardItem !== 'undefined'
}

/** Writes what is still on its way: some browsers want to be asked within the press. False where it is refused. */
async function write(type: 'image/png' | 'text/plain', coming: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ [type]: coming })])
    return true
  } catch {
    return false
  }
}

/** Browsers take no other format of pictures for the clipboard. */
async function asPng(picture: Blob): Promise<Blob> {
  if (picture.type === 'image/png') return picture
  const bitmap = await createImageBitmap(picture)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}

async function download(href: string): Promise<Blob> {
  const response = await fetch(href, { credentials: 'include' })
  if (!response.ok) throw new Refused(response.status, imageNotFound, undefined, 'notFound')
  return asPng(await response.blob())
}

/** What is downloaded instead, and under which ending. */
function downloadedFormat(size: CopySize): { format: ImageFormat; ending: string } {
  return size === 'variant' ? { format: 'jpeg', ending: 'jpg' } : { format: 'webp', ending: 'webp' }
}

/** A file name for a picture that is downloaded instead: 'dunes.webp'. */
function downloadName(name: string, size: CopySize): string {
  return `${name.replace(/\.[^.]*$/, '')}.${downloadedFormat(size).ending}`
}

/** A video's variant is a video, which no clipboard takes: it has its largest still instead. */
function copiedSize({ type }: Pick<Item, 'type'>, size: CopySize): CopySize {
  return type === 'video' && size === 'variant' ? 'large' : size
}

export async function copyImage(item: Item, chosen: CopySize): Promise<void> {
  const size = copiedSize(item, chosen)
  const { format } = downloadedFormat(size)
  const byHand = () =>
    openByHand({ picture: imageAddress(item, size, format, base.value), name: downloadName(item.name, size) })
  if (!mayWrite()) return byHand()
  const picture = download(imageAddress(item, size, null, base.value))
  const written = write('image/png', picture)
  try {
    await picture
  } catch (error) {
    report(error, 'Failed to download image')
    return
  }
  if (await written) say('Image copied to clipboard')
  else byHand()
}

/** Copies a link that is still being made; returns false when making it failed. */
export async function copyLink(link: Promise<string>, said: string, failure: string): Promise<void> {
  const may = mayWrite()
  const written = may
    ? write(
        'text/plain',
        link.then(text => new Blob([text], { type: 'text/plain' })),
      )
    : Promise.resolve(false)
  await succeeds(failure, async () => {
    const text = await link
    if (await written) say(said)
    else openByHand({ link: text })
  })
}
