import { describe, expect, test } from 'bun:test'
import { createTrail, type Trail } from '../../web/app/trail.ts'

/** A browser's history and a page with layers, moved by hand: `settle` runs everything that was started. */
function browser({ refuses = false } = {}) {
  let entries: { to: string; state: object }[] = [{ to: '/', state: {} }]
  let at = 0
  let shown: { to: string; entry: object } = { to: '/', entry: {} }
  let layers = 0
  let journeys: number[] = []
  let acts: (() => void)[] = []
  const trail: Trail = createTrail({
    state: () => entries[at]?.state,
    push(state, to = shown.to) {
      entries = [...entries.slice(0, ++at), { to, state }]
    },
    replace(state, to = shown.to) {
      entries[at] = { to, state }
    },
    travel: by => journeys.push(by),
    shown: () => shown,
    changed(coming) {
      shown = coming ?? { to: entries[at]?.to ?? '', entry: {} }
    },
    close(count) {
      if (!refuses) set(layers - count)
    },
    soon: act => acts.push(act),
  })
  function set(count: number) {
    layers = Math.max(0, count)
    trail.layers(layers)
  }
  function move(by: number) {
    if (entries[at + by] === undefined) return
    at += by
    trail.popped()
  }
  function settle() {
    while (acts.length + journeys.length > 0) {
      const [due, ways] = [acts, journeys]
      acts = []
      journeys = []
      for (const act of due) act()
      for (const by of ways) move(by)
    }
  }
  trail.start()
  settle()
  return {
    trail,
    settle,
    open: () => set(layers + 1),
    shut: () => set(layers - 1),
    go: (to: string, replace = false) => trail.go(to, { replace, entry: {} }),
    press(by: number) {
      move(by)
      settle()
    },
    /** The page is loaded again: nothing is open, the history stays. */
    reload() {
      const again = browser()
      again.take(entries, at)
      return again
    },
    take(known: { to: string; state: object }[], place: number) {
      entries = [...known]
      at = place
      layers = 0
      shown = { to: entries[at]?.to ?? '', entry: {} }
      trail.start()
      settle()
    },
    get now() {
      return { to: shown.to, layers, behind: at }
    },
    get addresses() {
      return entries.slice(0, at + 1).map(({ to }) => to)
    },
  }
}

describe('Back', () => {
  test('closes the layer, and then goes where it would have gone', () => {
    const page = browser()
    page.go('/map')
    page.settle()
    page.open()
    page.settle()
    page.press(-1)
    expect(page.now).toEqual({ to: '/map', layers: 0, behind: 1 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('closes one of several, the top one', () => {
    const page = browser()
    page.open()
    page.settle()
    page.open()
    page.settle()
    expect(page.now.behind).toBe(2)
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 1, behind: 1 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('does not close what has something to finish, as often as it is pressed', () => {
    const page = browser({ refuses: true })
    page.open()
    page.settle()
    page.press(-1)
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 1, behind: 1 })
  })

  test('over several entries at once closes what is over the one it leaves', () => {
    const page = browser()
    page.go('/map')
    page.settle()
    page.open()
    page.settle()
    page.press(-2)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })
})

describe('a layer that is closed by its button', () => {
  test('leaves no step behind', () => {
    const page = browser()
    page.go('/map')
    page.settle()
    page.open()
    page.settle()
    page.shut()
    page.settle()
    expect(page.now).toEqual({ to: '/map', layers: 0, behind: 1 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('is not come back to by Forward', () => {
    const page = browser()
    page.open()
    page.settle()
    page.shut()
    page.settle()
    page.press(1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('makes way for another one in the same moment', () => {
    const page = browser()
    page.open()
    page.settle()
    page.shut()
    page.open()
    page.settle()
    expect(page.now).toEqual({ to: '/', layers: 1, behind: 1 })
  })

  test('carries along what was put in place of the address under it', () => {
    const page = browser()
    page.open()
    page.settle()
    page.go('/?near=1', true)
    page.shut()
    page.settle()
    expect(page.now).toEqual({ to: '/?near=1', layers: 0, behind: 0 })
    expect(page.addresses).toEqual(['/?near=1'])
  })
})

describe('an address that is gone to from a layer', () => {
  test('takes the place of its step when it closes', () => {
    const page = browser()
    page.open()
    page.settle()
    page.go('/map')
    page.shut()
    page.settle()
    expect(page.addresses).toEqual(['/', '/map'])
    page.press(-1)
    expect(page.now.to).toBe('/')
    page.press(1)
    expect(page.now.to).toBe('/map')
  })

  test('waits for the way back that is still under way, and is shown at once', () => {
    const page = browser()
    page.open()
    page.settle()
    page.shut()
    // The journey has started, and not ended.
    const ended = page.settle
    page.go('/map')
    ended()
    expect(page.addresses).toEqual(['/', '/map'])
    expect(page.now.to).toBe('/map')
  })

  test('is under a layer that stays open', () => {
    const page = browser()
    page.open()
    page.settle()
    page.go('/?and=a')
    page.settle()
    page.go('/?and=a&and=b')
    page.settle()
    expect(page.now).toEqual({ to: '/?and=a&and=b', layers: 1, behind: 3 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/?and=a&and=b', layers: 0, behind: 2 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/?and=a', layers: 0, behind: 1 })
  })

  test('leaves no step of the layer below to stop at, both ways', () => {
    const page = browser()
    page.open()
    page.settle()
    page.open()
    page.settle()
    page.go('/map')
    page.shut()
    page.shut()
    page.settle()
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
    page.press(1)
    expect(page.now.to).toBe('/map')
  })
})

test('going back by the page itself passes over the step of a layer', () => {
  const page = browser()
  page.go('/item/1')
  page.settle()
  page.open()
  page.settle()
  page.trail.back()
  page.shut()
  page.settle()
  expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
})

test('going back by the page itself waits for the step of a layer that has just closed', () => {
  const page = browser()
  page.go('/item/1')
  page.settle()
  page.open()
  page.settle()
  page.shut()
  page.trail.back()
  page.settle()
  expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
})

test('loaded again with a layer open, its step is gone', () => {
  const page = browser()
  page.go('/map')
  page.settle()
  page.open()
  page.settle()
  const again = page.reload()
  expect(again.now).toEqual({ to: '/map', layers: 0, behind: 1 })
  again.press(-1)
  expect(again.now).toEqual({ to: '/', layers: 0, behind: 0 })
})
