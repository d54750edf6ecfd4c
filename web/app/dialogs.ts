/** The frame's open dialog (at most one), and login or registration over it. Screens have dialogs of their own. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import type { Link } from '../../schema/api/shares.ts'

/** Dropped or picked files, each with its folder. */
export interface ChosenFiles {
  files: readonly { file: File; folder: string }[]
  /** Number of files that were neither pictures nor films. */
  skippedCount: number
}

/** Ids of what a new link shows. */
export type LinkSubject = { items: number[] } | { album: number } | { person: number }

export type Dialog =
  | { kind: 'keys' }
  | { kind: 'options' }
  | { kind: 'profile' }
  /** `refused`: whether the last PIN was wrong. */
  | { kind: 'pin'; refused: boolean }
  | { kind: 'search-help' }
  /** `chosen`: the files; null if none are chosen yet. */
  | { kind: 'upload'; chosen: ChosenFiles | null }
  /** `items`: ids; null means all items that match the filter. */
  | { kind: 'slideshow'; items: readonly number[] | null }
  /** A new link to these, or an existing one. */
  | { kind: 'link'; of: LinkSubject | { link: Link }; title: string }
  | { kind: 'delete'; items: readonly Item[] }
  /** A change of many items at once. */
  | { kind: 'many'; what: 'tag' | 'date' | 'place'; items: readonly Item[] }
  /** Content that could not be copied to the clipboard: a picture to download, or a link to copy manually. */
  | { kind: 'manual-copy'; what: { picture: string; name: string } | { link: string } }
  /** `start`: the map's initial view while no place is chosen. */
  | { kind: 'location'; start: { latitude: number; longitude: number; zoom: number } | null }

/** `guard`: a screen that needs a user asked for the login, so cancelling it goes to Home. */
interface Login {
  kind: 'login'
  guard: boolean
  username: string
}

export type AccountDialog =
  | Login
  /** `from`: the login dialog that this replaces. */
  | { kind: 'register'; from: Login | null }

export const dialog = signal<Dialog | null>(null)

/** The open login or registration. Dialogs that were open when the session ended stay below it with their input. */
export const accountDialog = signal<AccountDialog | null>(null)

export function openLogin({ guard = false, username = '' } = {}): void {
  accountDialog.value = { kind: 'login', guard, username }
}

export function openRegister(): void {
  const { value } = accountDialog
  accountDialog.value = { kind: 'register', from: value?.kind === 'login' ? value : null }
}

/** Cancels a registration. Returns to the login if the registration was opened from there. */
export function cancelRegister(): void {
  const { value } = accountDialog
  if (value?.kind === 'register') accountDialog.value = value.from
}

/** Closes the login. If the user's session had ended, their unfinished work is dropped (`app/session.ts`). */
export function closeAccountDialog(): void {
  accountDialog.value = null
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

/** Shows that the PIN was wrong. If the dialog was closed meanwhile, it stays closed. */
export function refusePin(): void {
  if (dialog.peek()?.kind === 'pin') dialog.value = { kind: 'pin', refused: true }
}

export function openSearchHelp(): void {
  dialog.value = { kind: 'search-help' }
}

export function openUpload(chosen: ChosenFiles | null): void {
  dialog.value = { kind: 'upload', chosen }
}

export function openSlideshow(items: readonly number[] | null = null): void {
  dialog.value = { kind: 'slideshow', items }
}

export function openManualCopy(what: { picture: string; name: string } | { link: string }): void {
  dialog.value = { kind: 'manual-copy', what }
}

export function closeDialog(): void {
  dialog.value = null
}

/** Closes the open dialog if it is of this kind. A dialog whose work has ended may have been replaced meanwhile. */
export function closeDialogIf(kind: Dialog['kind']): void {
  if (dialog.peek()?.kind === kind) closeDialog()
}
