/** The frame's open dialog (at most one), and the login over it. Screens have dialogs of their own. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import type { Link } from '../../schema/api/shares.ts'

/** Dropped or picked files, each with its folder. */
export interface Chosen {
  files: readonly { file: File; folder: string }[]
  /** Number of files that were neither pictures nor films. */
  leftOut: number
}

/** What a new link is about: ids. */
export type LinkSubject = { items: number[] } | { album: number } | { person: number }

export type Dialog =
  | { kind: 'keys' }
  | { kind: 'options' }
  | { kind: 'profile' }
  /** `refused`: whether the last PIN was wrong. */
  | { kind: 'pin'; refused: boolean }
  | { kind: 'search-help' }
  /** `chosen`: the files; null if none are chosen yet. */
  | { kind: 'upload'; chosen: Chosen | null }
  /** `items`: ids; null for the filter's items. */
  | { kind: 'slideshow'; items: readonly number[] | null }
  /** A new link to these, or an existing one. */
  | { kind: 'link'; of: LinkSubject | { link: Link }; title: string }
  | { kind: 'delete'; items: readonly Item[] }
  /** A change of many items at once. */
  | { kind: 'many'; what: 'tag' | 'date' | 'place'; items: readonly Item[] }
  /** Content that could not be copied to the clipboard: a picture to download, or a link to copy manually. */
  | { kind: 'by-hand'; what: { picture: string; name: string } | { link: string } }
  /** `start`: the map's initial view while no place is chosen. */
  | { kind: 'location'; start: { latitude: number; longitude: number; zoom: number } | null }

/** `guard`: a protected screen asked for the login, so cancelling it goes to Home. */
interface Login {
  kind: 'login'
  guard: boolean
  username: string
}

export type Entrance =
  | Login
  /** `from`: the login dialog that this replaces. */
  | { kind: 'register'; from: Login | null }

export const dialog = signal<Dialog | null>(null)

/** The open login or registration. It covers dialogs that were open when the session ended, which keep their text. */
export const entrance = signal<Entrance | null>(null)

export function openLogin({ guard = false, username = '' } = {}): void {
  entrance.value = { kind: 'login', guard, username }
}

export function openRegister(): void {
  const { value } = entrance
  entrance.value = { kind: 'register', from: value?.kind === 'login' ? value : null }
}

/** Cancels a registration. Returns to the login if the registration was opened from there. */
export function leaveRegister(): void {
  const { value } = entrance
  if (value?.kind === 'register') entrance.value = value.from
}

/** Closes the login. If the user's session had ended, their unfinished work is dropped (`app/session.ts`). */
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

/** The PIN was wrong. If the dialog was closed meanwhile, it stays closed. */
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

export function openByHand(what: { picture: string; name: string } | { link: string }): void {
  dialog.value = { kind: 'by-hand', what }
}

export function closeDialog(): void {
  dialog.value = null
}

/** Closes a dialog of this kind when its work is done, if it is still open. */
export function endDialog(kind: Dialog['kind']): void {
  if (dialog.peek()?.kind === kind) closeDialog()
}
