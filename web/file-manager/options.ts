/** What a page that shows the file manager may say about it, and what counts where it says nothing. */
import { fileWidget } from '../../schema/limits.ts'
import { bytesOf } from './list/sizes.ts'

/** Whom the server sees behind the widget's calls. */
export interface SessionOfPage {
  /** Returns the session that a call is about to use; waits while somebody is asked to sign in. */
  current: () => Promise<string>
  /** The same for a call that goes off now, whoever may be awaited. */
  now: () => string
  /** The server does not know that one any more. Returns whether the call is worth making again, once that is clear. */
  ended: (session: string) => Promise<boolean>
}

export interface FileManagerOptions {
  url: string
  /** Under this name the browser remembers how it was left. */
  id: string
  dark?: boolean
  /** en, fa, ru or tr. */
  locale?: string
  /** How high it becomes: a length of CSS. */
  maxHeight?: string
  /** Of one file that is uploaded: `10mb`. */
  maxFileSize?: string
  /** Extra parameters of every call; asked again for each where it is a function. */
  postData?: Record<string, string> | (() => Record<string, string>)
  /** Another one later opens that folder. */
  startPath?: string
  /** How the frame for cropping is bound to the picture: 0 not at all, 1 stays on it, 2 picture fills the room one way, 3 both. */
  viewMode?: number
  /** What is in '/' is given: there nothing is made, renamed, moved or deleted. */
  fixedTop?: boolean
  /** What 'Select Path' does with the folder that is open; without it there is no such button. */
  onSelectPath?: (path: string) => void
  /** Why the folder that is open cannot be selected; '' where it can. */
  refusalOf?: (path: string) => string
  /** A word about a folder, at the end of its row; '' for none. */
  noteOf?: (path: string) => string
  /** Told how the dialog that lies over it is closed, and null when none does: so that a page's Back can close it first. */
  onLayer?: (close: (() => void) | null) => void
  /** Where a page asks people to sign in again by itself. */
  session?: SessionOfPage
  /**
   * Tells it when something in the folders of the endpoint may have changed: then the list that is shown is requested
   * again. Returns how to end that.
   */
  follow?: (changed: () => void) => () => void
  /** Told which folder the path names now, whether it could be opened or not. */
  onOpen?: (path: string) => void
}

const defaultBytes = 10 * 1024 ** 2

export function sizeLimitOf({ maxFileSize = fileWidget.maxFileSize }: Pick<FileManagerOptions, 'maxFileSize'>): number {
  return bytesOf(maxFileSize) ?? defaultBytes
}

/** Clamped to 0–3. */
export function viewModeOf(mode = 1): number {
  return Number.isFinite(mode) ? Math.min(fileWidget.viewModeMost, Math.max(0, Math.round(mode))) : 0
}

export function postDataOf({ postData }: Pick<FileManagerOptions, 'postData'>): Record<string, string> {
  return typeof postData === 'function' ? postData() : (postData ?? {})
}
