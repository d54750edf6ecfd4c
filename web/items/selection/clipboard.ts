/** Copies pictures (as PNG) and links to the clipboard; where that is impossible, a dialog offers them instead. */
import { type ImageFormat, imageAddress } from '../../../schema/addresses.ts'
import type { Item } from '../../../schema/api/items.ts'
import { Refused } from '../../../schema/client.ts'
import { base } from '../../api.ts'
import { openManualCopy } from '../../app/dialogs.ts'
import { attempt, report, say } from '../../app/messages.ts'
import { selectionTexts } from '../../texts/selection.ts'
import { imageNotFound } from '../item-text.ts'

export const copySizes = ['tiny', 'small', 'medium', 'large', 'variant'] as const
export type CopySize = (typeof copySizes)[number]

/** Browsers allow clipboard access only over https or on localhost. */
function canWriteClipboard(): boolean {
  return isSecureContext && 'clipboard' in navigator && typeof ClipboardItem !== 'undefined'
}

/**
 * Writes content that may still be loading, because some browsers allow the call only while a click is handled. Returns
 * false if the browser refuses.
 */
async function write(type: 'image/png' | 'text/plain', content: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ [type]: content })])
    return true
  } catch {
    return false
  }
}

/** Converts a picture to PNG, the only picture format that browsers accept for the clipboard. */
async function asPng(picture: Blob): Promise<Blob> {
  if (picture.type === 'image/png') return picture
  const bitmap = await createImageBitmap(picture)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}

async function fetchPng(href: string): Promise<Blob> {
  const response = await fetch(href, { credentials: 'include' })
  if (!response.ok) throw new Refused(response.status, imageNotFound, undefined, 'notFound')
  return asPng(await response.blob())
}

/** Format and file extension of the picture that is offered for download if copying is impossible. */
function downloadedFormat(size: CopySize): { format: ImageFormat; ending: string } {
  return size === 'variant' ? { format: 'jpeg', ending: 'jpg' } : { format: 'webp', ending: 'webp' }
}

/** A file name for the downloaded picture: 'dunes.webp'. */
function downloadName(name: string, size: CopySize): string {
  return `${name.replace(/\.[^.]*$/, '')}.${downloadedFormat(size).ending}`
}

/** A video's variant is a video, which the clipboard does not accept, so its largest still is copied. */
function copiedSize({ type }: Pick<Item, 'type'>, size: CopySize): CopySize {
  return type === 'video' && size === 'variant' ? 'large' : size
}

/** Copies a picture, or offers it for download. Failures are reported. */
export async function copyImage(item: Item, chosen: CopySize): Promise<void> {
  const size = copiedSize(item, chosen)
  const { format } = downloadedFormat(size)
  const byHand = () =>
    openManualCopy({ picture: imageAddress(item, size, format, base.value), name: downloadName(item.name, size) })
  if (!canWriteClipboard()) return byHand()
  const picture = fetchPng(imageAddress(item, size, null, base.value))
  const written = write('image/png', picture)
  try {
    await picture
  } catch (error) {
    report(error, selectionTexts.failedToDownloadImage)
    return
  }
  if (await written) say(selectionTexts.imageCopiedToClipboard)
  else byHand()
}

/** Copies a link that may still be loading, such as that of a new share, or shows it. Failures are reported. */
export async function copyText(link: Promise<string>, success: string, failure: string): Promise<void> {
  const written = canWriteClipboard()
    ? write(
        'text/plain',
        link.then(text => new Blob([text], { type: 'text/plain' })),
      )
    : Promise.resolve(false)
  await attempt(failure, async () => {
    const text = await link
    if (await written) say(success)
    else openManualCopy({ link: text })
  })
}
