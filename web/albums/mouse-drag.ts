/** Drags by mouse: a press that moves lifts something, its picture follows the pointer, and Escape cancels. */
import { figure } from '../../schema/figures.ts'

/** Pixels that the pointer moves before a press becomes a drag. */
const slack = 6
/** Height in pixels of the areas at the top and bottom in which dragging scrolls, and pixels per frame. */
const edge = 60
const fastest = 14

export interface Lifted {
  /** The dragged element; the first picture in it follows the pointer. */
  from: Element
  /** Follows the pointer if there is no picture. */
  name: string
  count: number
  /** What the dragged can be dropped on at this element; null if nothing. */
  targetAt: (element: Element) => Element | null
  /** Called with each position of the pointer. */
  carry?: ((x: number, y: number) => void) | undefined
  /** `target`: null outside targets. */
  drop: (target: Element | null) => void
  /** Called after the drop, and when the drag is cancelled. */
  end?: () => void
  /** What scrolls while the pointer is at its edges. */
  scroller?: Element | null | undefined
}

interface Drag extends Lifted {
  ghost: HTMLElement
  target: Element | null
}

function begin(lifted: Lifted): Drag {
  const ghost = document.createElement('div')
  ghost.className = 'lifted'
  const picture = lifted.from.querySelector('img')
  if (picture !== null)
    ghost.append(Object.assign(new Image(), { src: picture.currentSrc, alt: '', className: 'lifted-picture' }))
  else ghost.append(Object.assign(document.createElement('p'), { textContent: lifted.name, dir: 'auto' }))
  if (lifted.count > 1) ghost.append(Object.assign(document.createElement('b'), { textContent: figure(lifted.count) }))
  document.body.append(ghost)
  lifted.from.setAttribute('data-lifted', '')
  return { ...lifted, ghost, target: null }
}

function carry(drag: Drag, x: number, y: number): void {
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
  drag.carry?.(x, y)
}

function finish({ ghost, from, target, end }: Drag): void {
  ghost.remove()
  from.removeAttribute('data-lifted')
  target?.removeAttribute('data-drop')
  end?.()
}

function scrollAtEdges({ scroller }: Drag, x: number, y: number): void {
  const box = scroller?.getBoundingClientRect()
  if (box === undefined || x < box.left || x > box.right) return
  if (y < box.top + edge) scroller?.scrollBy(0, -fastest)
  else if (y > box.bottom - edge) scroller?.scrollBy(0, fastest)
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

/** `find`: how to lift what was pressed; null if it cannot be dragged. Works until the page is left. */
export function startMouseDrag(find: (pressed: Element) => (() => Lifted) | null): void {
  let press: { lift: () => Lifted; x: number; y: number; moved: boolean } | null = null
  let drag: Drag | null = null
  let pointer = { x: 0, y: 0 }
  const end = () => {
    if (drag !== null) finish(drag)
    drag = null
  }
  const scroll = () => {
    if (drag === null) return
    scrollAtEdges(drag, pointer.x, pointer.y)
    carry(drag, pointer.x, pointer.y)
    requestAnimationFrame(scroll)
  }
  addEventListener('pointerdown', ({ target, button, pointerType, clientX: x, clientY: y }) => {
    end()
    const isPress = button === 0 && pointerType === 'mouse' && target instanceof Element
    const lift = isPress ? find(target) : null
    press = lift === null ? null : { lift, x, y, moved: false }
  })
  // The browser would drag the link, or select text.
  for (const type of ['dragstart', 'selectstart']) addEventListener(type, event => press !== null && swallow(event))
  const cancel = () => {
    press = null
    end()
  }
  addEventListener('pointermove', ({ clientX: x, clientY: y, buttons }) => {
    if (press === null) return
    // It was released outside the window.
    if (buttons === 0) return cancel()
    pointer = { x, y }
    if (press.moved) return
    if (Math.hypot(x - press.x, y - press.y) < slack) return
    press.moved = true
    drag = begin(press.lift())
    scroll()
  })
  addEventListener('pointerup', ({ clientX: x, clientY: y }) => {
    if (drag !== null) {
      carry(drag, x, y)
      drag.drop(drag.target)
    }
    if (press?.moved === true) {
      // The click that follows would open what is under the pointer.
      addEventListener('click', swallow, { capture: true })
      setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    }
    cancel()
  })
  addEventListener('pointercancel', cancel)
  addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Escape' || drag === null) return
      swallow(event)
      end()
    },
    { capture: true },
  )
}
