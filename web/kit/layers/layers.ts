/** Layers over the page: dialogs, menus, the viewer. */
import { computed, signal } from '@preact/signals-react'

export interface Layer {
  id: number
  /** How many presses of Back close the layer; null if it has its own address. */
  steps: number | null
  /** Whether its content is kept when the session ends. */
  keeps: boolean
  close: () => void
}

/** The open layers, the top one last. Escape closes only the top one. */
export const layers = signal<readonly Layer[]>([])

/** The layers that Back closes, the top one last. Layers below one with an address belong to the previous address. */
export const stepLayers = computed(() =>
  layers.value.slice(layers.value.findLastIndex(({ steps }) => steps === null) + 1),
)

export const keepsWork = computed(() => layers.value.some(({ keeps }) => keeps))
