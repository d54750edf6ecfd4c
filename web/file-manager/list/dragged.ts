/** The dragged entries: browsers tell a drop target only at the end of a drag. */
import { signal } from '@preact/signals-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

export const draggedItems = signal<readonly FileNode[]>([])

/** No pointer moves during a drag: the next pointer event means that it is over. */
const signs = ['dragend', 'drop', 'pointermove', 'pointerdown'] as const

/** Until `dragend`, which never comes if scrolling has removed the entry: hence the other events. */
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
