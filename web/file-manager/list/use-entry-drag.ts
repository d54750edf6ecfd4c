/** Drags entries into folders, and files from the computer into the open folder. */
import { type DragEvent, useState } from 'react'
import { droppedTree, hasFiles } from '../../kit/dropped-tree.ts'
import type { Controller } from '../controller.ts'
import { mayMoveInto } from '../paths.ts'
import { withClick } from './choosing.ts'
import { beginDrag, draggedItems } from './dragged.ts'

/** The index of an event's entry; -1 for none. */
export function entryIndexOf(target: EventTarget): number {
  const entry = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null
  return entry === null ? -1 : Number(entry.dataset.at)
}

/** The drag image: the number of entries. */
function showCount(event: DragEvent, count: number): void {
  if (count < 2) return
  const chip = document.createElement('div')
  chip.className = 'fm-drag-chip'
  chip.textContent = String(count)
  document.body.append(chip)
  event.dataTransfer.setDragImage(chip, -12, -8)
  setTimeout(() => chip.remove())
}

export function useEntryDrag(controller: Controller) {
  const [overIndex, setOver] = useState(-1)
  const [isFileDrag, setFileDrag] = useState(false)
  const { choice, selected, nodes, openDialog, isFixed, isReady, mayChange, driver } = controller
  const leave = () => {
    setOver(-1)
    setFileDrag(false)
  }
  const folderAt = (event: DragEvent) => {
    const at = isReady.peek() ? entryIndexOf(event.target) : -1
    const node = nodes.peek()[at]
    return node?.type === 'dir' && mayMoveInto(node.path, draggedItems.peek()) ? { at, path: node.path } : null
  }
  return {
    overIndex,
    isFileDrag,
    handlers: {
      onDragStart(event: DragEvent) {
        const at = entryIndexOf(event.target)
        if (at < 0 || !isReady.peek()) return event.preventDefault()
        if (!choice.peek().selected.has(at)) choice.value = withClick(choice.peek(), at, { shift: false, ctrl: false })
        if (!mayChange(selected.peek())) return event.preventDefault()
        beginDrag(selected.peek())
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData(
          'text/plain',
          selected
            .peek()
            .map(({ path }) => path)
            .join('\n'),
        )
        showCount(event, selected.peek().length)
      },
      onDragEnd: leave,
      onDragOver(event: DragEvent) {
        if (draggedItems.peek().length > 0) {
          const folder = folderAt(event)
          setOver(folder?.at ?? -1)
          if (folder === null) return
          event.preventDefault()
          event.dataTransfer.dropEffect = 'move'
        } else if (hasFiles(event.dataTransfer)) {
          // A browser would open an unhandled drop instead of the page.
          event.preventDefault()
          event.dataTransfer.dropEffect = driver.onlyFolders ? 'none' : 'copy'
          setFileDrag(!isFixed.peek() && isReady.peek())
        }
      },
      onDragLeave(event: DragEvent<HTMLElement>) {
        const { relatedTarget, currentTarget } = event
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) leave()
      },
      onDrop(event: DragEvent) {
        const folder = folderAt(event)
        const items = draggedItems.peek()
        leave()
        if (items.length > 0) {
          if (folder === null) return
          event.preventDefault()
          openDialog({ kind: 'move', items, target: folder.path })
        } else if (hasFiles(event.dataTransfer)) {
          event.preventDefault()
          openDialog(
            isFixed.peek()
              ? { kind: 'message', text: controller.t('serverTop') }
              : { kind: 'upload', dropped: droppedTree(event.dataTransfer) },
          )
        }
      },
    },
  }
}
