/** Which dialog of the frame is open, at most one, and whether it is asked who is there; screens have their own beside them. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'

/** Files that were dropped or picked, each with the folder that it lay in. */
export interface Chosen {
  files: readonly { file: File; folder: string }[]
  /** How many were neither pictures nor films. */
  leftOut: number
}

export type Dialog =
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

/** `guard`: a protected screen requested it; cancelling then goes Home. */
interface Login {
  kind: 'login'
  guard: boolean
  username: string
}

export type Entrance =
  | Login
  /** `from`: the login that it is in for. */
  | { kind: 'register'; from: Login | null }

export const dialog = signal<Dialog | null>(null)

/**
 * Asks who is there. It lies over everything else: what was open when the session ended waits under it, with what was typed.
 */
export const entrance = signal<Entrance | null>(null)

export function openLogin({ guard = false, username = '' } = {}): void {
  entrance.value = { kind: 'login', guard, username }
}

export function openRegister(): void {
  const { value } = entrance
  entrance.value = { kind: 'register', from: value?.kind === 'login' ? value : null }
}

/** No registration after all: to the login that it was begun from, if there was one. */
export function leaveRegister(): void {
  const { value } = entrance
  if (value?.kind === 'register') entrance.value = value.from
}

/** Closes the login. A user whose session had ended and who did not sign in again is given up (`app/session.ts`). */
export function closeEntrance(): void {
  entrance.value = null
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

export function openPin(): void {
  dialog.value = { kind: 'pin', refused: false }
}

/** The one that was sent is wrong. Whoever has closed the dialog meanwhile is not asked again. */
export function refusePin(): void {
  if (dialog.peek()?.kind === 'pin') dialog.value = { kind: 'pin', refused: true }
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
  dialog.value = null
}

/** What a dialog of this kind has waited for is here: it closes, where it is still the one that is open. */
export function endDialog(kind: Dialog['kind']): void {
  if (dialog.peek()?.kind === kind) closeDialog()
}
