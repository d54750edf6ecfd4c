/** What lies over the page: dialogs, menus, the viewer. */
import { computed, signal } from '@preact/signals-react'

/** Things that lie over the page, the last one on top. Escape closes that one only. */
export interface Layer {
  id: number
  modal: boolean
  /** How often Back has to be pressed until it is closed; null: it has an address of its own. */
  steps: number | null
  /** What is in it is not lost with the session. */
  keeps: boolean
  close: () => void
}

export const layers = signal<readonly Layer[]>([])

/** What Back closes, the last one first; what lies under a layer with an address of its own belongs to the address before. */
export const stepLayers = computed(() =>
  layers.value.slice(layers.value.findLastIndex(({ steps }) => steps === null) + 1),
)

export const keepsWork = computed(() => layers.value.some(({ keeps }) => keeps))

export const anyModal = computed(() => layers.value.some(({ modal }) => modal))
