/** The slideshow that is playing. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../../schema/api/items.ts'

/** What a player shows of an item, or of an item of a link. */
export interface Shot extends Pick<Item, 'id' | 'type' | 'problem' | 'width' | 'height' | 'taken' | 'thumbhash'> {
  /** Degrees. */
  rotation: number
  place: string
  /** Address of the large picture. */
  picture: string
  /** Address of the film. */
  film: string
}

/** Items, those of the gallery's list, or a function that returns the next ones; null while none plays. */
export type Slideshow = readonly Item[] | 'list' | (() => Promise<Shot[]>)

const playing = signal<{ of: Slideshow } | null>(null)

export { playing as slideshow }

export function playSlideshow(of: Slideshow): void {
  playing.value = { of }
}

export function stopSlideshow(): void {
  playing.value = null
}
