/** What is being dragged from one place of a file manager to another: browsers tell it only where it is let go. */
import { signal } from '@preact/signals-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

export const draggedItems = signal<readonly FileNode[]>([])

/** While something is dragged no pointer moves: the next that does, or what is let go, says that it is over. */
const signs = ['dragend', 'drop', 'pointermove', 'pointerdown'] as const

/**
 * From here to `dragend`. That never comes where the list has scrolled the entry away meanwhile, and taken it out of the
 * page: hence the other signs.
 */
export function beginDrag(items: readonly FileNode[]): void {
  draggedItems.value = items
  const over = new AbortController()
  for (const sign of signs)
    addEventListener(
      sign,
      () => {
        over.abort()
        // After whoever takes what was let go.
        setTimeout(() => {
          if (draggedItems.peek() === items) draggedItems.value = []
        })
      },
      { capture: true, signal: over.signal },
    )
}

export const bringsFiles = (transfer: DataTransfer): boolean => transfer.types.includes('Files')
