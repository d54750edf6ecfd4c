/** A program for the browser, as text, that watches the pages while `bench/web.ts` drives them. */
import { z } from 'zod'

/**
 * In every frame, each point of a mesh over the grid is classified: a picture, its blurred stand-in, a placeholder, or
 * blank, which must never occur. Positions are read from the cards' styles, as measuring them would cause a layout.
 */
export const probeScript = `(() => {
  const tasks = []
  new PerformanceObserver(list => {
    for (const { startTime, duration, attribution } of list.getEntries())
      tasks.push({ start: startTime, duration, by: attribution?.[0]?.containerType ?? '' })
  }).observe({ type: 'longtask', buffered: true })
  let input = 0
  for (const type of ['pointerdown', 'pointerup', 'keydown'])
    addEventListener(type, event => { input = event.timeStamp }, { capture: true, passive: true })

  const columns = 6
  const rows = 9
  const kindOf = card => {
    const image = card.querySelector('img')
    if (card.querySelector('.card-failed') !== null || image?.classList.contains('in')) return 'picture'
    if (card.style.backgroundImage !== '') return 'hash'
    return 'place'
  }
  const readCards = () => {
    const scroller = document.querySelector('.grid-scroller')
    if (scroller === null) return null
    const { clientWidth, clientHeight, scrollTop, scrollHeight } = scroller
    const cards = []
    let end = Infinity
    for (const card of scroller.querySelectorAll('.card-pic')) {
      const { insetInlineStart: left, top, width, height } = card.style
      const one = { left: parseFloat(left), top: parseFloat(top) - scrollTop, kind: kindOf(card) }
      one.right = one.left + parseFloat(width)
      one.bottom = one.top + parseFloat(height)
      if (one.bottom <= 0 || one.top >= clientHeight) continue
      cards.push(one)
    }
    const inRows = scroller.classList.contains('timeline')
    const headings = [...scroller.querySelectorAll('.grid-spacer > .tl-head')].map(({ style }) => {
      const top = parseFloat(style.top) - scrollTop
      return { top, bottom: top + parseFloat(style.height) }
    })
    // At the end of the list the last row may be incomplete.
    if (scrollTop + clientHeight >= scrollHeight - 2) end = Math.max(...cards.map(({ top }) => top))
    const points = { blank: 0, place: 0, hash: 0, picture: 0 }
    // Gaps between cards are not blank.
    const near = 6
    for (let row = 0; row < rows; row++) {
      const y = (clientHeight * (row + 0.5)) / rows
      for (let column = 0; column < columns; column++) {
        const x = (clientWidth * (column + 0.5)) / columns
        const found = cards.find(c => x > c.left - near && x < c.right + near && y > c.top - near && y < c.bottom + near)
        if (found !== undefined) points[found.kind]++
        // In the timeline a row may be shorter than the view, and between rows there are headings.
        else if (y < end && !(inRows && cards.concat(headings).some(c => y > c.top - near && y < c.bottom + near))) points.blank++
      }
    }
    return { points, nodes: scroller.getElementsByTagName('*').length }
  }

  let seen = null
  const watch = () => {
    const mine = { frames: 0, blank: 0, whole: 0, pictures: 0, points: 0, pointsSeen: { blank: 0, place: 0, hash: 0, picture: 0 }, nodes: 0, gaps: [] }
    seen = mine
    let before = performance.now()
    const frame = now => {
      if (seen !== mine) return
      const found = readCards()
      if (found !== null) {
        const { points, nodes } = found
        mine.frames++
        if (points.blank > 0) mine.blank++
        if (points.blank + points.place === 0) mine.whole++
        if (points.blank + points.place + points.hash === 0) mine.pictures++
        for (const kind in points) mine.pointsSeen[kind] += points[kind]
        mine.nodes = Math.max(mine.nodes, nodes)
        mine.gaps.push(now - before)
      }
      before = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  }
  const conditions = {
    first: () => (readCards()?.points.picture ?? 0) > 0,
    full: () => {
      const points = readCards()?.points
      return points !== undefined && points.blank + points.place + points.hash === 0
    },
    whole: () => {
      const points = readCards()?.points
      return points !== undefined && points.blank + points.place === 0
    },
    medium: () => layerIn('medium'),
    large: () => layerIn('large'),
    cluster: () => document.querySelector('.map-cluster, .map-item') !== null,
    suggestion: () => document.querySelector('.suggestion') !== null,
  }
  const layerIn = size =>
    [...document.querySelectorAll('.viewer-slide[data-open] img')].some(
      image => image.src.includes('pThumbnail=' + size) && image.complete && image.naturalWidth > 0,
    ) || document.querySelector(otherThanPicture) !== null
  const otherThanPicture = ['video', '.viewer-preparing', '.viewer-fault']
    .map(one => '.viewer-slide[data-open] ' + one)
    .join()
  window.bench = {
    tasks: from => tasks.filter(({ start }) => start >= from),
    watch,
    seen: () => { const was = seen; seen = null; return was },
    now: () => performance.now(),
    isPicture: () => document.querySelector(otherThanPicture) === null,
    /** Checks the condition in every frame; resolves to milliseconds since the page was opened, and since the last input. */
    until: (name, giveUp = 30000) => new Promise((done, fail) => {
      const started = performance.now()
      const check = () => {
        const now = performance.now()
        if (conditions[name]()) done({ at: now, since: now - input })
        else if (now - started > giveUp) fail(new Error(name + ' did not come'))
        else requestAnimationFrame(check)
      }
      check()
    }),
  }
})()`

export const frameStatsShape = z.object({
  frames: z.number(),
  blank: z.number(),
  whole: z.number(),
  pictures: z.number(),
  pointsSeen: z.object({ blank: z.number(), place: z.number(), hash: z.number(), picture: z.number() }),
  nodes: z.number(),
  gaps: z.array(z.number()),
})
export type FrameStats = z.output<typeof frameStatsShape>

export const reachedShape = z.object({ at: z.number(), since: z.number() })

export const longTasksShape = z.array(z.object({ start: z.number(), duration: z.number(), by: z.string() }))
