/** Mouse and touch on the list of files: clicks, the menu, long presses, drawn boxes and drags. */
import { type MouseEvent, type PointerEvent, type RefObject, useEffect } from 'react'
import type { Controller } from '../controller.ts'
import { noChoice, withClick } from './choosing.ts'
import type { Layout } from './rows-in-view.ts'
import { useSelectionBox } from './use-box.ts'
import { entryIndexOf, useEntryDrag } from './use-entry-drag.ts'
import { useLongPress } from './use-long-press.ts'

export function useListPointer(controller: Controller, ref: RefObject<HTMLElement | null>, layout: Layout) {
  const { nodes, choice, menu, selected, isReady, preferences } = controller
  const { onlyFolders } = controller.driver
  const isCoarse = matchMedia('(pointer: coarse)').matches
  /** The index of an event's entry; -1 for none, and while another folder is being opened. */
  const pointedAt = (target: EventTarget) => (isReady.peek() ? entryIndexOf(target) : -1)
  const openMenu = (at: { x: number; y: number }, target: EventTarget) => {
    const place = pointedAt(target)
    if (place < 0 || onlyFolders) choice.value = noChoice
    else if (!choice.peek().selected.has(place))
      choice.value = withClick(choice.peek(), place, { shift: false, ctrl: false })
    menu.value = { ...at, items: selected.peek() }
  }
  const longPress = useLongPress(openMenu)
  const drag = useEntryDrag(controller)
  const box = useSelectionBox(ref, preferences.direction.value === 'rtl', {
    layout: () => layout,
    read: () => choice.peek(),
    write: next => {
      choice.value = next
    },
  })
  const isDrawing = box.box !== null
  useEffect(() => {
    controller.isDrawingBox.value = isDrawing
  }, [controller, isDrawing])
  function onClick(event: MouseEvent) {
    if (box.wasDrawn.current || longPress.wasLong.current) return
    const at = pointedAt(event.target)
    const node = nodes.peek()[at]
    if (node === undefined) {
      choice.value = noChoice
      return
    }
    if (onlyFolders) return controller.enter(node)
    const isTouch = isCoarse && !event.shiftKey && !event.ctrlKey && !event.metaKey
    if (!isTouch)
      choice.value = withClick(choice.peek(), at, { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey })
    // A tap opens an entry; once something is selected, a tap selects.
    else if (choice.peek().selected.size > 0) choice.value = withClick(choice.peek(), at, { shift: false, ctrl: true })
    else controller.enter(node)
  }

  return {
    openMenu,
    box: box.box,
    over: drag.overIndex,
    brings: drag.isFileDrag,
    handlers: {
      onClick,
      onDoubleClick(event: MouseEvent) {
        const node = nodes.peek()[pointedAt(event.target)]
        if (node !== undefined && !isCoarse && !onlyFolders) controller.enter(node)
      },
      onContextMenu(event: MouseEvent) {
        event.preventDefault()
        // A long press has already opened the menu, or is about to.
        if (!longPress.isFinger.current) openMenu({ x: event.clientX, y: event.clientY }, event.target)
      },
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (!onlyFolders && isReady.peek()) box.onPointerDown(event)
        longPress.onPointerDown(event)
      },
      onPointerMove: longPress.onPointerMove,
      onPointerUp: longPress.end,
      onPointerCancel: longPress.end,
      onScroll: longPress.end,
      ...drag.handlers,
    },
  }
}
