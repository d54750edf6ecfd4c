/** Drags by mouse: a pressed element is dragged once the pointer moves, its picture follows it, and Escape cancels. */
import { figure } from '../../schema/figures.ts'

/** A press becomes a drag when the pointer has moved by this many pixels. */
const minDistance = 6
/** Height in pixels of the areas at the top and bottom in which dragging scrolls, and pixels per frame. */
const edgeSize = 60
const scrollStep = 14

export interface DragSource {
  /** The dragged element; the first picture in it follows the pointer. */
  from: Element
  /** Follows the pointer if there is no picture. */
  name: string
  count: number
  /** The drop target that contains this element; null if there is none. */
  targetAt: (element: Element) => Element | null
  /** Called with each position of the pointer. */
  moveTo?: ((x: number, y: number) => void) | undefined
  /** `target`: null outside targets. */
  drop: (target: Element | null) => void
  /** Called after the drop, and when the drag is cancelled. */
  end?: () => void
  /** What scrolls while the pointer is at its edges. */
  scroller?: Element | null | undefined
}

interface Drag extends DragSource {
  ghost: HTMLElement
  target: Element | null
}

function startDrag(source: DragSource): Drag {
  const ghost = document.createElement('div')
  ghost.className = 'drag-ghost'
  const picture = source.from.querySelector('img')
  if (picture !== null)
    ghost.append(Object.assign(new Image(), { src: picture.currentSrc, alt: '', className: 'drag-ghost-picture' }))
  else ghost.append(Object.assign(document.createElement('p'), { textContent: source.name, dir: 'auto' }))
  if (source.count > 1) ghost.append(Object.assign(document.createElement('b'), { textContent: figure(source.count) }))
  document.body.append(ghost)
  source.from.setAttribute('data-dragged', '')
  return { ...source, ghost, target: null }
}

function moveTo(drag: Drag, x: number, y: number): void {
  const under = document.elementFromPoint(x, y)
  const target = under === null ? null : drag.targetAt(under)
  if (target !== drag.target) {
    drag.target?.removeAttribute('data-drop')
    target?.setAttribute('data-drop', '')
    drag.target = target
  }
  // Over a target, the picture is small and below the pointer, so that the target stays visible.
  drag.ghost.toggleAttribute('data-small', target !== null)
  drag.ghost.style.translate = target === null ? `${x - 90}px ${y - 40}px` : `${x + 12}px ${y + 12}px`
  drag.moveTo?.(x, y)
}

function finish({ ghost, from, target, end }: Drag): void {
  ghost.remove()
  from.removeAttribute('data-dragged')
  target?.removeAttribute('data-drop')
  end?.()
}

function scrollAtEdges({ scroller }: Drag, x: number, y: number): void {
  const box = scroller?.getBoundingClientRect()
  if (box === undefined || x < box.left || x > box.right) return
  if (y < box.top + edgeSize) scroller?.scrollBy(0, -scrollStep)
  else if (y > box.bottom - edgeSize) scroller?.scrollBy(0, scrollStep)
}

function suppress(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

/** `find`: what a pressed element drags; null if it cannot be dragged. Works until the page is left. */
export function enableMouseDrag(find: (pressed: Element) => (() => DragSource) | null): void {
  let press: { start: () => DragSource; x: number; y: number; moved: boolean } | null = null
  let drag: Drag | null = null
  let pointer = { x: 0, y: 0 }
  const end = () => {
    if (drag !== null) finish(drag)
    drag = null
  }
  const scroll = () => {
    if (drag === null) return
    scrollAtEdges(drag, pointer.x, pointer.y)
    moveTo(drag, pointer.x, pointer.y)
    requestAnimationFrame(scroll)
  }
  addEventListener('pointerdown', ({ target, button, pointerType, clientX: x, clientY: y }) => {
    end()
    const isPress = button === 0 && pointerType === 'mouse' && target instanceof Element
    const start = isPress ? find(target) : null
    press = start === null ? null : { start, x, y, moved: false }
  })
  // The browser would drag the link, or select text.
  for (const type of ['dragstart', 'selectstart']) addEventListener(type, event => press !== null && suppress(event))
  const cancel = () => {
    press = null
    end()
  }
  addEventListener('pointermove', ({ clientX: x, clientY: y, buttons }) => {
    if (press === null) return
    // The button was released outside the window.
    if (buttons === 0) return cancel()
    pointer = { x, y }
    if (press.moved) return
    if (Math.hypot(x - press.x, y - press.y) < minDistance) return
    press.moved = true
    drag = startDrag(press.start())
    scroll()
  })
  addEventListener('pointerup', ({ clientX: x, clientY: y }) => {
    if (drag !== null) {
      moveTo(drag, x, y)
      drag.drop(drag.target)
    }
    if (press?.moved === true) {
      // The click that follows would open what is under the pointer.
      addEventListener('click', suppress, { capture: true })
      setTimeout(() => removeEventListener('click', suppress, { capture: true }))
    }
    cancel()
  })
  addEventListener('pointercancel', cancel)
  addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Escape' || drag === null) return
      suppress(event)
      end()
    },
    { capture: true },
  )
}
