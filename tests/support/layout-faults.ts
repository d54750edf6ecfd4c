/** Finds faults in the layout of a page at its present size, for walks and for tests of all screens. */
import type { Page } from 'playwright'

/** Elements that may scroll sideways, and lists whose width their own walks check. */
const sideways = '[role=tablist], pre, .filmstrip, .grid-scroller, .search-scroll, .person-years, .fm, .fm *'

/** Elements under which items are scrolled, so that they may cover the items' buttons. */
const covers =
  '.bars, .bottom-bar, .album-top, .tl-stuck, .tl-pill, .scrub-thumb, thead, .selection-bar, .toasts, .pager, .sheet-head, .dialog-foot'

const script = `(() => {
  const faults = []
  const root = document.documentElement
  const style = one => getComputedStyle(one)
  const nameOf = one => (one.ariaLabel ?? one.textContent ?? '').trim().slice(0, 40) || one.className || one.tagName
  if (root.scrollWidth > root.clientWidth) faults.push('the page is wider than its window')
  for (const one of document.querySelectorAll('main, main *, .guest, .guest *'))
    if (one.scrollWidth > one.clientWidth + 1 && ['auto', 'scroll'].includes(style(one).overflowX) && !one.matches('${sideways}'))
      faults.push('scrolls sideways: ' + nameOf(one))
  const seen = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '') || !seen(one)) continue
    const { overflowX, textOverflow, webkitLineClamp } = style(one)
    if (overflowX === 'visible' || ['auto', 'scroll'].includes(overflowX) || one.clientWidth <= 1) continue
    if (one.scrollWidth > one.clientWidth + 1 && textOverflow !== 'ellipsis' && webkitLineClamp === 'none')
      faults.push('is cut off: ' + nameOf(one))
  }
  const dialogs = [...document.querySelectorAll('dialog:modal')]
  const top = document.querySelector('.details-sheet') ?? dialogs.at(-1) ?? document.body
  for (const one of top.querySelectorAll('button, a[href], input, select, textarea, [role=slider], [role=checkbox]')) {
    const box = one.getBoundingClientRect()
    if (box.width < 8 || box.height < 8 || !seen(one) || style(one).pointerEvents === 'none') continue
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    let scrolls = false
    let out = false
    for (let up = one.parentElement; up !== null; up = up.parentElement) {
      const { overflowX, overflowY } = style(up)
      if (overflowX === 'visible' && overflowY === 'visible') continue
      const edge = up.getBoundingClientRect()
      const canScroll = ['auto', 'scroll'].includes(overflowY) || up.matches('${sideways}')
      scrolls ||= canScroll
      if (canScroll && (y < edge.top || y > edge.bottom || (up.matches('${sideways}') && (x < edge.left || x > edge.right)))) out = true
    }
    if (out || (scrolls && (y < 0 || y > innerHeight))) continue
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
      faults.push('is outside the window: ' + nameOf(one))
      continue
    }
    const hit = document.elementFromPoint(x, y)
    // Menus and messages cover what lies below them.
    if (hit?.closest('[role=menu]') != null && hit.closest('[role=menu]') !== one.closest('[role=menu]')) continue
    if (hit?.closest('.float, .popover') != null && one.closest('.float, .popover') === null) continue
    const isHit = hit !== null && (one.contains(hit) || hit.contains(one) || one.closest('label')?.contains(hit) ||
      (hit.closest('.card-pic') !== null && hit.closest('.card-pic') === one.closest('.card-pic')))
    if (!isHit && !(scrolls && hit?.closest('${covers}') != null)) faults.push('is covered: ' + nameOf(one) + ' by ' + (hit?.className || hit?.tagName))
  }
  return [...new Set(faults)]
})()`

/** Texts that are cut off without an ellipsis, what scrolls sideways, and controls that cannot be pressed; one line each. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(script)
}
