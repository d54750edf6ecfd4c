/** Options of the file manager, and their defaults. */
import { fileWidget } from '../../schema/limits.ts'
import { bytesOf } from './list/sizes.ts'

export interface PageSession {
  /** Returns the session for a call; waits while the user is asked to sign in. */
  current: () => Promise<string>
  /** The same without waiting, for a call that is sent immediately. */
  now: () => string
  /**
   * Asks the user to sign in, if the server no longer knows the session with which a call was sent. Resolves to whether
   * the call can be repeated.
   */
  signInAgain: (sentSession: string) => Promise<boolean>
}

export interface FileManagerOptions {
  url: string
  /** The id under which the browser remembers its state. */
  id: string
  dark?: boolean
  /** en, fa, ru, tr, or the language of `texts`. */
  locale?: string
  /** The texts of `locale` by key, if it is another language. */
  texts?: Readonly<Record<string, string>> | undefined
  /** The widget's height outside of full screen, as a CSS length. */
  maxHeight?: string
  /** Maximum size of an uploaded file, such as `10mb`. */
  maxFileSize?: string
  /** Extra parameters of every call; a function is evaluated each time. */
  postData?: Record<string, string> | (() => Record<string, string>)
  startPath?: string
  /** 0: the cropping frame may leave the picture. 1–3: it stays inside; with 2 the picture fits the area, with 3 it covers it. */
  viewMode?: number
  /** Whether the entries of '/' are fixed: nothing is created, renamed, moved or deleted there. */
  fixedTop?: boolean
  /** Called by 'Select Path' with the open folder; if absent, there is no such button. */
  onSelectPath?: (path: string) => void
  /** Returns why the open folder cannot be selected; '' if it can. */
  refusalOf?: (path: string) => string
  /** Returns a note about a folder, shown at the end of its row; '' for none. */
  noteOf?: (path: string) => string
  /** Set if the page can ask the user to sign in again. */
  session?: PageSession
  /** Calls back when the folders may have changed, to reload the shown list. Returns the function that ends this. */
  subscribe?: (changed: () => void) => () => void
  /** Called with the path of each folder, whether or not it could be opened. */
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
