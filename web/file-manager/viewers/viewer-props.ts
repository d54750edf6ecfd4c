/** Props of viewers in the preview dialog. */
import type { ReactNode } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

/** While it is saving nothing closes the viewer: an error must be shown. */
export type ViewerWork = '' | 'loading' | 'saving'

export interface ViewerProps {
  item: FileNode
  /** It was loaded, or has failed. */
  onLoaded: () => void
  /** '' once it is tried again. */
  onFault: (message: string) => void
  /** Buttons at the start of the dialog's footer. */
  setTools: (tools: ReactNode) => void
  /** There are unsaved changes. The same function each time. */
  setUnsaved: (unsaved: boolean) => void
  /** Work after loading; '': none. The same function each time. */
  setWork: (work: ViewerWork) => void
  /** The unsaved changes have changed: warnings have to be repeated. */
  onDraft: () => void
  /** Called before that button drops unsaved changes: false the first time, when the warning is shown. */
  mayLose: (button: string) => boolean
  onChanged: () => void
}
