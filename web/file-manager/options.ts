/** Options of the file manager, and their defaults. */
import { fileWidget } from '../../schema/limits.ts'
import { bytesOf } from './list/sizes.ts'

export interface SessionOfPage {
  /** Returns the session for a call; waits while the user is asked to sign in. */
  current: () => Promise<string>
  /** The same without waiting, for a call that is sent now. */
  now: () => string
  /** The server does not know that session any more. Returns whether the call can be repeated, once that is clear. */
  ended: (session: string) => Promise<boolean>
}

export interface FileManagerOptions {
  url: string
  /** The id under which the browser remembers its state. */
  id: string
  dark?: boolean
  /** en, fa, ru or tr. */
  locale?: string
  /** Its largest height: a CSS length. */
  maxHeight?: string
  /** Limit of an uploaded file: `10mb`. */
  maxFileSize?: string
  /** Extra parameters of every call; a function is evaluated each time. */
  postData?: Record<string, string> | (() => Record<string, string>)
  startPath?: string
  /** Binds the cropping frame: 0 not, 1 to the picture, 2 fills the room in one direction, 3 in both. */
  viewMode?: number
  /** The entries of '/' are fixed: nothing is created, renamed, moved or deleted there. */
  fixedTop?: boolean
  /** Called by 'Select Path' with the open folder; without it there is no such button. */
  onSelectPath?: (path: string) => void
  /** Why the open folder cannot be selected; '' where it can. */
  refusalOf?: (path: string) => string
  /** A note about a folder, at the end of its row; '' for none. */
  noteOf?: (path: string) => string
  /** Where the page can ask the user to sign in again. */
  session?: SessionOfPage
  /** Calls back when the folders may have changed: the shown list is reloaded. Returns the function that ends it. */
  follow?: (changed: () => void) => () => void
  /** Called with the folder of the path, whether it could be opened or not. */
  onOpen?: (path: string) => void
}

const defaultBytes = 10 * 1024 ** 2

export function sizeLimitOf({ maxFileSize = fileWidget.maxFileSize }: Pick<FileManagerOptions, 'maxFileSize'>): number {
  return bytesOf(maxFileSize) ?? defaultBytes
}

/** Clamped to 0–3. */
export function viewModeOf(mode = 1): number {
  return Number.isFinite(mode) ? Math.min(fileWidget.maxViewMode, Math.max(0, Math.round(mode))) : 0
}

export function postDataOf({ postData }: Pick<FileManagerOptions, 'postData'>): Record<string, string> {
  return typeof postData === 'function' ? postData() : (postData ?? {})
}
