/** Props of viewers in the preview dialog. */
import type { ReactNode } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

/** What the viewer is doing; while it is saving, nothing closes it, so that an error can be shown. */
export type ViewerWork = '' | 'loading' | 'saving'

export interface ViewerProps {
  item: FileNode
  /** Called when the viewer has loaded what it shows. */
  onLoaded: () => void
  /** Called with the message of a failure, or with '' to remove the message. */
  onFault: (message: string) => void
  /** Sets buttons at the start of the dialog's footer. */
  setTools: (tools: ReactNode) => void
  /** Sets whether there are unsaved changes. A stable function. */
  setUnsaved: (unsaved: boolean) => void
  /** Sets the work that runs after loading; '' for none. A stable function. */
  setWork: (work: ViewerWork) => void
  /** Called when the unsaved changes have changed, so that the user must be warned again. */
  onDraft: () => void
  /** Called before `button` drops unsaved changes; returns false the first time, and shows the warning. */
  confirmLoss: (button: string) => boolean
  onChanged: () => void
}
