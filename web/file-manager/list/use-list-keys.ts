/** The keys of the list of files. */
import { type KeyboardEvent, type RefObject, useRef } from 'react'
import type { Controller } from '../controller.ts'
import { indexAfterKey, noChoice, withClick, withMove } from './choosing.ts'
import { isHelpKey, isLetter } from './keys.ts'
import type { Layout } from './rows-in-view.ts'

/** Letters typed within this time form one word. */
const wordMs = 700

/** Returns a function that returns the index of the next entry whose name begins with the typed letters, or null. */
function useTypedWord(controller: Controller) {
  const typed = useRef({ word: '', at: 0 })
  return (key: string, now: number): number | null => {
    const { current } = typed
    const isNew = now - current.at > wordMs
    current.word = (isNew ? '' : current.word) + key.toLocaleLowerCase()
    current.at = now
    const nodes = controller.nodes.peek()
    const { active } = controller.choice.peek()
    for (let step = 0; step < nodes.length; step++) {
      const at = (Math.max(0, active) + step + (isNew && active >= 0 ? 1 : 0)) % nodes.length
      if (nodes[at]?.basename.toLocaleLowerCase().startsWith(current.word) === true) return at
    }
    return null
  }
}

interface ListKeys {
  list: RefObject<HTMLElement | null>
  layout: Layout
  /** Height of the view in pixels. */
  viewHeight: number
  openMenu: (at: { x: number; y: number }, target: EventTarget) => void
  show: (at: number) => void
}

/** Returns the key handler: arrows, typed letters, and the keys of the menu's actions. */
export function useListKeys(controller: Controller, { list, layout, viewHeight, openMenu, show }: ListKeys) {
  const findTyped = useTypedWord(controller)
  const { choice, selected, nodes, menu, preferences } = controller
  const { onlyFolders } = controller.driver
  const isRtl = preferences.direction.value === 'rtl'

  function openMenuByKey(fallback: HTMLElement) {
    const now = choice.peek()
    const items = selected.peek()
    const [first] = items
    const at = first === undefined || now.selected.has(now.active) ? now.active : nodes.peek().indexOf(first)
    const entry = list.current?.querySelector(`[data-at="${at}"]`) ?? fallback
    const { left, right, top, height } = entry.getBoundingClientRect()
    const place = { x: isRtl ? right - 24 : left + 24, y: top + Math.min(height, 80) / 2 }
    // The menu is for the selection, whether it is visible or not; else for the focused entry.
    if (items.length > 0) menu.value = { ...place, items }
    else openMenu(place, entry)
  }

  function typeLetter(event: KeyboardEvent) {
    // `/` focuses the search, and `?` shows the page's keys.
    if (event.key === '/' || isHelpKey(event)) return
    const at = findTyped(event.key, event.timeStamp)
    if (at === null) return
    const none = { shift: false, ctrl: false }
    choice.value = onlyFolders ? { ...noChoice, active: at } : withMove(choice.peek(), at, none)
    show(at)
  }

  /** Returns false for keys without an action on the selection. */
  function openChangeDialog(key: string): boolean {
    const items = selected.peek()
    const [first] = items
    if (first === undefined || !controller.mayChange(items)) return false
    if (key === 'Delete') controller.openDialog({ kind: 'delete', items })
    else if (key === 'F2' && items.length === 1) controller.openDialog({ kind: 'rename', item: first })
    else return false
    return true
  }

  /** Returns false for keys that the list does not use. */
  function handleKey(event: KeyboardEvent<HTMLElement>, held: { shift: boolean; ctrl: boolean }): boolean {
    const { key } = event
    const now = choice.peek()
    const node = nodes.peek()[now.active]
    const page = Math.max(1, Math.floor(viewHeight / layout.row))
    const shape = { count: layout.count, columns: layout.columns, page, rtl: isRtl }
    const to = event.altKey ? null : indexAfterKey(key, now.active, shape)
    if (to !== null) {
      choice.value = onlyFolders ? { ...noChoice, active: to } : withMove(now, to, held)
      show(to)
    } else if ((key === 'Enter' || (key === ' ' && onlyFolders)) && node !== undefined) controller.enter(node)
    else if (key === ' ' && now.active >= 0) choice.value = withClick(now, now.active, { shift: false, ctrl: true })
    else if (held.ctrl && isLetter(event, 'a')) {
      if (!onlyFolders) controller.selectAll()
    } else if (key === 'Escape' && now.selected.size > 0) choice.value = { ...noChoice, active: now.active }
    else return openChangeDialog(key)
    return true
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    const { key } = event
    const held = { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey }
    if (key === 'ContextMenu' || (key === 'F10' && held.shift)) {
      event.preventDefault()
      openMenuByKey(event.currentTarget)
    } else if (key === 'Backspace' || (key === 'ArrowUp' && event.altKey)) {
      event.preventDefault()
      void controller.goUp()
    } else if (!controller.isReady.peek()) {
      // Prevent the browser from selecting the text of the whole page.
      if (held.ctrl && isLetter(event, 'a')) event.preventDefault()
    } else if (handleKey(event, held)) event.preventDefault()
    else if (key.length === 1 && !held.ctrl && !event.altKey) typeLetter(event)
  }
}
