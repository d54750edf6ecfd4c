/** When a double click opens or closes a dialog, its second click must not press what is there then. */

/** The longest double click of operating systems, and its tolerance. */
const doubleClick = { ms: 500, pixels: 8 }

interface Press {
  x: number
  y: number
  at: number
}
let last: Press | null = null
addEventListener(
  'pointerdown',
  ({ clientX: x, clientY: y }) => {
    last = { x, y, at: performance.now() }
  },
  true,
)

/** Called when something else may appear under the pointer: ignores a second press at the same place. */
export function ignoreSecondPress(): void {
  if (last === null) return
  const { x, y, at } = last
  const left = at + doubleClick.ms - performance.now()
  if (left <= 0) return
  const over = new AbortController()
  const ignore = (event: MouseEvent) => {
    if (Math.hypot(event.clientX - x, event.clientY - y) >= doubleClick.pixels) return over.abort()
    // Let the click of the first press itself pass, and clicks by key.
    if (event.type === 'click' && event.detail < 2) return
    event.preventDefault()
    event.stopPropagation()
  }
  for (const kind of ['pointerdown', 'mousedown', 'click', 'dblclick'] as const)
    addEventListener(kind, ignore, { capture: true, signal: over.signal })
  setTimeout(() => over.abort(), left)
}
