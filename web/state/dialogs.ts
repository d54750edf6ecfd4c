/** Which dialog of the frame is open. At most one; screens have their own beside it. */
import { computed, signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import type { Chosen } from './dropped.ts'

export type Dialog =
  /** `guard`: a protected screen asked for it; cancelling then goes Home. */
  | { kind: 'login'; guard: boolean; username: string }
  | { kind: 'register' }
  | { kind: 'keys' }
  | { kind: 'options' }
  | { kind: 'profile' }
  /** `refused`: the last one was wrong. */
  | { kind: 'pin'; refused: boolean }
  | { kind: 'search-help' }
  /** `chosen`: what is to go somewhere; null: nothing is chosen yet. */
  | { kind: 'upload'; chosen: Chosen | null }
  /** `items`: ids; null: what is shown. */
  | { kind: 'slideshow'; items: readonly number[] | null }
  | { kind: 'shares' }
  | { kind: 'delete'; items: readonly Item[] }
  /** What could not be put on the clipboard: a picture to download, or a link to copy by hand. */
  | { kind: 'by-hand'; what: { picture: string; name: string } | { link: string } }
  /** `start`: where the map opens when no place is chosen yet. */
  | { kind: 'location'; start: { latitude: number; longitude: number; zoom: number } | null }

export const dialog = signal<Dialog | null>(null)

/** What was open when the session ended: it waits under the login, with what was typed in it. */
export const waitingDialog = signal<Dialog | null>(null)

/** The dialog that is open waits for the login. */
export function letDialogWait(): void {
  waitingDialog.value = dialog.peek()
}

export function openLogin({ guard = false, username = '' } = {}): void {
  dialog.value = { kind: 'login', guard, username }
}

export function openRegister(): void {
  dialog.value = { kind: 'register' }
}

export function toggleKeys(): void {
  dialog.value = dialog.value?.kind === 'keys' ? null : { kind: 'keys' }
}

export function openOptions(): void {
  dialog.value = { kind: 'options' }
}

export function openProfile(): void {
  dialog.value = { kind: 'profile' }
}

export function openLocation(start: { latitude: number; longitude: number; zoom: number } | null = null): void {
  dialog.value = { kind: 'location', start }
}

export function openPin({ refused = false } = {}): void {
  dialog.value = { kind: 'pin', refused }
}

export function openSearchHelp(): void {
  dialog.value = { kind: 'search-help' }
}

export function openUpload(chosen: Chosen | null): void {
  dialog.value = { kind: 'upload', chosen }
}

export function openSlideshow(items: readonly number[] | null = null): void {
  dialog.value = { kind: 'slideshow', items }
}

export function openShares(): void {
  dialog.value = { kind: 'shares' }
}

export function openByHand(what: { picture: string; name: string } | { link: string }): void {
  dialog.value = { kind: 'by-hand', what }
}

export function closeDialog(): void {
  dialog.value = waitingDialog.peek()
  waitingDialog.value = null
}

/** Things that lie over the page, the last one on top. Escape closes that one only. */
export interface Layer {
  id: number
  modal: boolean
  /** How often Back has to be pressed until it is closed; null: it has an address of its own. */
  steps: number | null
  /** What stands in it is not lost with the session. */
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

/** The topmost layer that takes all input; what lies below it is inert. */
export const topModal = computed(() => layers.value.findLast(({ modal }) => modal)?.id ?? null)
