/** The tags to write for an item that has none. */
import type { WantedTags } from '../../core/metadata/write/written-tags.ts'

export const noTags: WantedTags = {
  date: null,
  description: '',
  keywords: [],
  category: [],
  author: [],
  position: null,
  placeName: '',
  rating: null,
  rotation: 0,
  regions: [],
  people: [],
  objects: [],
}
