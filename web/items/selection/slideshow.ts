/** Which slideshow is playing; starts and stops it. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../../schema/api/items.ts'

/** What the player needs of an item, which may be an item of a link. */
export interface Shot extends Pick<Item, 'id' | 'type' | 'problem' | 'width' | 'height' | 'taken' | 'thumbhash'> {
  /** Degrees. */
  rotation: number
  place: string
  /** Address of the large picture. */
  picture: string
  /** Address of the film. */
  film: string
}

/** What a slideshow plays: these items, the gallery's list, or what a function returns each time the player needs more. */
export type Slideshow = readonly Item[] | 'list' | (() => Promise<Shot[]>)

/** Null while no slideshow is playing. */
export const slideshow = signal<{ of: Slideshow } | null>(null)

export function playSlideshow(of: Slideshow): void {
  slideshow.value = { of }
}

export function stopSlideshow(): void {
  slideshow.value = null
}
