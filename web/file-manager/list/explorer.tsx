/** What is in the folder, as a list or a grid, however much it is: only what is in view is drawn. */

import { useSignals } from '@preact/signals-react/runtime'
import { CloudUpload } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { fileWidget } from '../../../schema/limits.ts'
import type { Desk } from '../desk.ts'
import { useDesk } from '../desk-context.ts'
import { goneTo, noChoice, withClick, withMove } from './choosing.ts'
import { GridEntry, ListEntry } from './entry.tsx'
import { asksForKeys, isLetter } from './keys.ts'
import { ListHead } from './list-head.tsx'
import { Nothing, Waiting } from './nothing.tsx'
import { heightOf, inView, type Layout, shownAt, startOf } from './rows-in-view.ts'
import { useBox } from './use-box.ts'
import { placeOf, useEntryDrag } from './use-entry-drag.ts'
import { useLongPress } from './use-long-press.ts'

/** Pixels. A list's row is higher where it has two lines. */
const measures = { list: 40, listOfTwo: 56, cell: 120, gridRow: 126, gridInset: 12, narrowInset: 4, listInset: 0 }
/** Narrower is a phone. */
const narrowPx = 600
/** Letters that are typed within this time are one word. */
const wordMs = 700

function layoutOf({
  width,
  count,
  isGrid,
  twoLines,
}: {
  width: number
  count: number
  isGrid: boolean
  twoLines: boolean
}): Layout {
  if (!isGrid) {
    return {
      count,
      columns: 1,
      row: twoLines ? measures.listOfTwo : measures.list,
      cell: width,
      inset: measures.listInset,
    }
  }
  const inset = width < narrowPx ? measures.narrowInset : measures.gridInset
  const room = Math.max(0, width - 2 * inset)
  const columns = Math.max(1, Math.floor(room / measures.cell))
  return { count, columns, row: measures.gridRow, cell: room / columns, inset }
}

function useView(desk: Desk) {
  const ref = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ width: 0, height: 0, top: 0 })
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const read = () => {
      const { clientWidth: width, clientHeight: height, scrollTop: top } = current
      setView(before =>
        before.width === width && before.height === height && before.top === top ? before : { width, height, top },
      )
    }
    const observer = new ResizeObserver(read)
    observer.observe(current)
    current.addEventListener('scroll', read, { passive: true })
    read()
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', read)
    }
  }, [])
  // Another folder, or another search, begins at its top.
  const place = `${desk.listing.value?.dirname ?? ''}?${desk.found.value}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what it depends on
  useLayoutEffect(() => {
    if (ref.current !== null) ref.current.scrollTop = 0
  }, [place])
  return { ref, view }
}

/** What is at the top of the view stays there when the list is renewed by itself. */
function useHeldPlace(desk: Desk, ref: RefObject<HTMLElement | null>, layout: Layout) {
  const held = useRef<{ nodes: readonly FileNode[]; first: number; below: number }>({ nodes: [], first: 0, below: 0 })
  const known = useRef(desk.listing.value)
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const nodes = desk.nodes.peek()
    const listing = desk.listing.peek()
    const isRenewed = known.current !== listing && desk.renewed.peek() === listing
    known.current = listing
    if (isRenewed && current.scrollTop > 0) {
      const { nodes: old, first, below } = held.current
      const places = new Map(nodes.map(({ path }, at) => [path, at]))
      // The first row that one saw, or, where that is gone, the first of those after it that is not.
      const still = old.findIndex(({ path }, at) => at >= first && places.has(path))
      const at = places.get(old[still]?.path ?? '')
      if (at !== undefined) current.scrollTop = startOf(layout, at) + (still === first ? below : 0)
    }
    const first = Math.max(0, Math.floor((current.scrollTop - layout.inset) / layout.row)) * layout.columns
    held.current = { nodes, first, below: current.scrollTop - startOf(layout, first) }
  })
}

/** Letters go to the next entry that begins with them. */
function useTypedWord(desk: Desk) {
  const typed = useRef({ word: '', at: 0 })
  return (key: string, now: number): number | null => {
    const { current } = typed
    const isNew = now - current.at > wordMs
    current.word = (isNew ? '' : current.word) + key.toLocaleLowerCase()
    current.at = now
    const nodes = desk.nodes.peek()
    const { active } = desk.choice.peek()
    for (let step = 0; step < nodes.length; step++) {
      const at = (Math.max(0, active) + step + (isNew && active >= 0 ? 1 : 0)) % nodes.length
      if (nodes[at]?.basename.toLocaleLowerCase().startsWith(current.word) === true) return at
    }
    return null
  }
}

export function Explorer() {
  useSignals()
  const desk = useDesk()
  const { nodes, choice, t, preferences, menu, selected, found, driver, isReady } = desk
  /** Folders are gone through, and none of them is selected. */
  const onlyFolders = driver.onlyFolders
  const id = useId()
  const { ref, view } = useView(desk)
  const isGrid = preferences.viewport.value === 'grid' && !onlyFolders
  const isRtl = preferences.direction.value === 'rtl'
  const isCoarse = matchMedia('(pointer: coarse)').matches
  const twoLines = !onlyFolders && (found.value !== '' || view.width < narrowPx)
  const count = nodes.value.length
  const layout = layoutOf({ width: view.width, count, isGrid, twoLines })
  const { from, to } = inView(layout, { ...view, ahead: fileWidget.thumbnailAheadPx })
  const { selected: chosen, active } = choice.value

  /** Which entry an event is about; none where these are the entries of another folder than is being opened. */
  const pointedAt = (target: EventTarget) => (isReady.peek() ? placeOf(target) : -1)
  const openMenu = (at: { x: number; y: number }, target: EventTarget) => {
    const place = pointedAt(target)
    if (place < 0 || onlyFolders) choice.value = noChoice
    else if (!choice.peek().selected.has(place))
      choice.value = withClick(choice.peek(), place, { shift: false, ctrl: false })
    menu.value = { ...at, items: selected.peek() }
  }
  const longPress = useLongPress(openMenu)
  const drag = useEntryDrag(desk)
  const box = useBox(ref, isRtl, {
    layout: () => layout,
    read: () => choice.peek(),
    write: next => {
      choice.value = next
    },
  })
  const isDrawing = box.box !== null
  useEffect(() => {
    desk.drawing.value = isDrawing
  }, [desk, isDrawing])
  useHeldPlace(desk, ref, layout)
  const findTyped = useTypedWord(desk)

  const show = (at: number) => {
    if (ref.current !== null)
      ref.current.scrollTop = shownAt(layout, at, { top: ref.current.scrollTop, height: view.height })
  }
  // Whoever opened a chooser goes on in it with the keys.
  const hasList = desk.listing.value !== null
  useEffect(() => {
    if (onlyFolders && hasList) ref.current?.focus({ preventScroll: true })
  }, [onlyFolders, hasList, ref])
  // What was just made, or renamed, comes into view.
  const shown = useRef<unknown>(null)
  useEffect(() => {
    if (shown.current === desk.listing.value || view.height === 0) return
    shown.current = desk.listing.value
    if (choice.peek().active >= 0 && desk.renewed.peek() !== shown.current) show(choice.peek().active)
  })

  function onClick(event: MouseEvent) {
    if (box.wasDrawn.current || longPress.wasLong.current) return
    const at = pointedAt(event.target)
    const node = nodes.peek()[at]
    if (node === undefined) {
      choice.value = noChoice
      return
    }
    if (onlyFolders) return desk.enter(node)
    const isTouch = isCoarse && !event.shiftKey && !event.ctrlKey && !event.metaKey
    if (!isTouch)
      choice.value = withClick(choice.peek(), at, { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey })
    // A finger opens; once something is selected it selects.
    else if (choice.peek().selected.size > 0) choice.value = withClick(choice.peek(), at, { shift: false, ctrl: true })
    else desk.enter(node)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key } = event
    const isMenu = key === 'ContextMenu' || (key === 'F10' && event.shiftKey)
    const isUp = key === 'Backspace' || (key === 'ArrowUp' && event.altKey)
    const held = { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey }
    // Keys that go through entries have none to go through.
    if (!isReady.peek() && !isMenu && !isUp) {
      // The browser would select the words of the whole page.
      if (held.ctrl && isLetter(event, 'a')) event.preventDefault()
      return
    }
    const now = choice.peek()
    const rows = Math.max(1, Math.floor(view.height / layout.row))
    const to = event.altKey ? null : goneTo(key, now.active, { count, columns: layout.columns, page: rows, rtl: isRtl })
    const done = () => event.preventDefault()
    const node = nodes.peek()[now.active]
    const items = selected.peek()
    if (to !== null) {
      done()
      choice.value = onlyFolders ? { ...noChoice, active: to } : withMove(now, to, held)
      show(to)
    } else if ((key === 'Enter' || (key === ' ' && onlyFolders)) && node !== undefined) {
      done()
      desk.enter(node)
    } else if (key === ' ' && now.active >= 0) {
      done()
      choice.value = withClick(now, now.active, { shift: false, ctrl: true })
    } else if (isUp) {
      done()
      void desk.goUp()
    } else if (held.ctrl && isLetter(event, 'a')) {
      done()
      if (!onlyFolders) desk.selectAll()
    } else if (key === 'Escape' && now.selected.size > 0) {
      done()
      choice.value = { ...noChoice, active: now.active }
    } else if (isMenu) {
      done()
      const [first] = items
      const at = first === undefined || now.selected.has(now.active) ? now.active : nodes.peek().indexOf(first)
      const entry = ref.current?.querySelector(`[data-at="${at}"]`) ?? event.currentTarget
      const { left, right, top, height } = entry.getBoundingClientRect()
      const place = { x: isRtl ? right - 24 : left + 24, y: top + Math.min(height, 80) / 2 }
      // What is selected is meant, in sight or not; else the entry that the keys are on.
      if (items.length > 0) menu.value = { ...place, items }
      else openMenu(place, entry)
    } else if (!desk.mayChange(items)) {
      // Nothing can be done to these.
    } else if (key === 'Delete' && items.length > 0) {
      done()
      desk.ask({ kind: 'delete', items })
    } else if (key === 'F2' && items[0] !== undefined && items.length === 1) {
      done()
      desk.ask({ kind: 'rename', item: items[0] })
    }
    if (event.defaultPrevented || key.length !== 1 || held.ctrl || event.altKey) return
    // No name has a slash in it; the two are keys of their own.
    if (key === '/' || asksForKeys(event)) return
    const at = findTyped(key, event.timeStamp)
    if (at === null) return
    choice.value = onlyFolders
      ? { ...noChoice, active: at }
      : withMove(choice.peek(), at, { shift: false, ctrl: false })
    show(at)
  }

  const Entry = isGrid ? GridEntry : ListEntry
  const isEmpty = count === 0
  return (
    <div className="fm-explorer" style={{ minHeight: fileWidget.explorerLeastPx }}>
      {!isGrid && <ListHead />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: a list box, but where it is empty */}
      <div
        ref={ref}
        className="fm-scroll"
        data-elsewhere={desk.elsewhere.value}
        role={isEmpty ? 'group' : 'listbox'}
        tabIndex={0}
        aria-multiselectable={isEmpty || onlyFolders ? undefined : true}
        aria-label={desk.path.value}
        aria-activedescendant={active >= from && active < to ? `${id}${active}` : undefined}
        data-brings={drag.brings}
        onClick={onClick}
        onDoubleClick={event => {
          const node = nodes.peek()[pointedAt(event.target)]
          if (node !== undefined && !isCoarse && !onlyFolders) desk.enter(node)
        }}
        onKeyDown={onKeyDown}
        onContextMenu={event => {
          event.preventDefault()
          // A long press has opened it already, or is about to.
          if (!longPress.isFinger.current) openMenu({ x: event.clientX, y: event.clientY }, event.target)
        }}
        onPointerDown={event => {
          if (!onlyFolders && isReady.peek()) box.onPointerDown(event)
          longPress.onPointerDown(event)
        }}
        onPointerMove={longPress.onPointerMove}
        onPointerUp={longPress.end}
        onPointerCancel={longPress.end}
        onScroll={longPress.end}
        {...drag.handlers}
      >
        <div role="presentation" className="fm-space" style={{ height: isEmpty ? undefined : heightOf(layout) }}>
          {nodes.value.slice(from, to).map((node, step) => {
            const at = from + step
            const place = {
              top: startOf(layout, at),
              start: layout.inset + (at % layout.columns) * layout.cell,
              width: layout.cell,
              height: layout.row,
            }
            return (
              <Entry
                key={node.path}
                node={node}
                at={at}
                id={`${id}${at}`}
                selected={chosen.has(at)}
                active={at === active}
                target={at === drag.over}
                draggable={!isCoarse && !onlyFolders}
                place={place}
                driver={driver}
                version={desk.versionOf(node)}
                note={desk.noteOf(node.path)}
                intl={preferences.intl.value}
                showsFolder={found.value !== '' && !onlyFolders}
                total={count}
              />
            )
          })}
          {box.box !== null && (
            <div
              aria-hidden="true"
              className="fm-box"
              style={{
                insetInlineStart: box.box.left,
                insetBlockStart: box.box.top,
                width: box.box.right - box.box.left,
                height: box.box.bottom - box.box.top,
              }}
            />
          )}
        </div>
      </div>
      <Waiting isGrid={isGrid} />
      <Nothing />
      {drag.brings && (
        <div className="fm-drop" aria-hidden="true">
          <CloudUpload size={32} strokeWidth={1.25} />
          <p>{t('dropFiles')}</p>
        </div>
      )}
    </div>
  )
}
