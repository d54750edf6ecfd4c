/** Remembers the dragged entries, because browsers reveal them to a drop target only at the end of a drag. */
import { signal } from '@preact/signals-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

export const draggedItems = signal<readonly FileNode[]>([])

/** No pointer events occur during a drag, so the next one means that it is over. */
const endEvents = ['dragend', 'drop', 'pointermove', 'pointerdown'] as const

/** Other events than `dragend` end a drag, too, because scrolling may have removed the dragged entry. */
export function beginDrag(items: readonly FileNode[]): void {
  draggedItems.value = items
  const ended = new AbortController()
  for (const sign of endEvents)
    addEventListener(
      sign,
      () => {
        ended.abort()
        // Run after the drop's own handler.
        setTimeout(() => {
          if (draggedItems.peek() === items) draggedItems.value = []
        })
      },
      { capture: true, signal: ended.signal },
    )
}
