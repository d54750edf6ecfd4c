/** The slideshow of selected items that is playing. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../../schema/api/items.ts'

/** The items of the slideshow, oldest selection first; null while none plays. */
export const slideshow = signal<readonly Item[] | null>(null)

export function playSlideshow(items: readonly Item[]): void {
  slideshow.value = items
}

export function stopSlideshow(): void {
  slideshow.value = null
}
