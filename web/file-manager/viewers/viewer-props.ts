/** What the dialog that shows a file gives the viewer of its kind. */
import type { ReactNode } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

/** While something is saved nothing closes the viewer: it would be saved all the same, or be lost where that fails. */
export type Work = '' | 'loading' | 'saving'

export interface ViewerProps {
  item: FileNode
  /** It has come, or will not come. */
  onLoaded: () => void
  /** '' once it is tried again. */
  onFault: (message: string) => void
  /** Buttons at the start of the dialog's foot. */
  setTools: (tools: ReactNode) => void
  /** Something is written that is not saved. The same function each time. */
  setUnsaved: (unsaved: boolean) => void
  /** What it is at after it has loaded; '': nothing. The same function each time. */
  setWork: (work: Work) => void
  /** What is not saved is another by now: whoever goes on has to be told again. */
  onDraft: () => void
  /** Before what is not saved uses that button: false the first time, when that is said. */
  mayLose: (button: string) => boolean
  /** What was saved changed the file. */
  onChanged: () => void
}
