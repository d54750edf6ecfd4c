/** The dragged entries: browsers tell a drop target only at the end of a drag. */
import { signal } from '@preact/signals-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

export const draggedItems = signal<readonly FileNode[]>([])

/** No pointer moves during a drag: the next pointer event means that it is over. */
const signs = ['dragend', 'drop', 'pointermove', 'pointerdown'] as const

/**
 * From here to `dragend`, which never comes if the list has scrolled the entry out of the page meanwhile: hence the
 * other events.
 */
export function beginDrag(items: readonly FileNode[]): void {
  draggedItems.value = items
  const over = new AbortController()
  for (const sign of signs)
    addEventListener(
      sign,
      () => {
        over.abort()
        // After the drop's own handler.
        setTimeout(() => {
          if (draggedItems.peek() === items) draggedItems.value = []
        })
      },
      { capture: true, signal: over.signal },
    )
}

export const bringsFiles = (transfer: DataTransfer): boolean => transfer.types.includes('Files')
