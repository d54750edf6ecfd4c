/** Layers over the page: dialogs, menus, the viewer. */
import { computed, signal } from '@preact/signals-react'

/** The open layers, the last one on top. Escape closes only that one. */
export interface Layer {
  id: number
  /** How many presses of Back close it; null: it has an address of its own. */
  steps: number | null
  /** Its content survives the end of the session. */
  keeps: boolean
  close: () => void
}

export const layers = signal<readonly Layer[]>([])

/** The layers that Back closes, last first; those under a layer with an address belong to the address before. */
export const stepLayers = computed(() =>
  layers.value.slice(layers.value.findLastIndex(({ steps }) => steps === null) + 1),
)

export const keepsWork = computed(() => layers.value.some(({ keeps }) => keeps))
