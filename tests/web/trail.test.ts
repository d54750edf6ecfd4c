import { describe, expect, test } from 'bun:test'
import { createTrail, type Trail } from '../../web/app/trail.ts'

/** The history of a browser and a page with layers. `finishNavigation` completes everything that was started. */
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
  function finishNavigation() {
    while (acts.length + journeys.length > 0) {
      const [due, ways] = [acts, journeys]
      acts = []
      journeys = []
      for (const act of due) act()
      for (const by of ways) move(by)
    }
  }
  trail.start()
  finishNavigation()
  return {
    trail,
    finishNavigation,
    open: () => set(layers + 1),
    shut: () => set(layers - 1),
    go: (to: string, replace = false) => trail.go(to, { replace, entry: {} }),
    press(by: number) {
      move(by)
      finishNavigation()
    },
    /** Reloads the page: the layers are gone, the history stays. */
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
      finishNavigation()
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
  test('closes the layer first, and then goes back', () => {
    const page = browser()
    page.go('/map')
    page.finishNavigation()
    page.open()
    page.finishNavigation()
    page.press(-1)
    expect(page.now).toEqual({ to: '/map', layers: 0, behind: 1 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('closes only the top layer', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.open()
    page.finishNavigation()
    expect(page.now.behind).toBe(2)
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 1, behind: 1 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('does not close a layer that refuses, however often it is pressed', () => {
    const page = browser({ refuses: true })
    page.open()
    page.finishNavigation()
    page.press(-1)
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 1, behind: 1 })
  })

  test('over several entries at once closes the layers of the entries that it leaves', () => {
    const page = browser()
    page.go('/map')
    page.finishNavigation()
    page.open()
    page.finishNavigation()
    page.press(-2)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })
})

describe('a layer that is closed by its button', () => {
  test('leaves no step behind', () => {
    const page = browser()
    page.go('/map')
    page.finishNavigation()
    page.open()
    page.finishNavigation()
    page.shut()
    page.finishNavigation()
    expect(page.now).toEqual({ to: '/map', layers: 0, behind: 1 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('is not opened again by Forward', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.shut()
    page.finishNavigation()
    page.press(1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
  })

  test('can be replaced by another layer at once', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.shut()
    page.open()
    page.finishNavigation()
    expect(page.now).toEqual({ to: '/', layers: 1, behind: 1 })
  })

  test('keeps a new address of the screen below it', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.go('/?near=1', true)
    page.shut()
    page.finishNavigation()
    expect(page.now).toEqual({ to: '/?near=1', layers: 0, behind: 0 })
    expect(page.addresses).toEqual(['/?near=1'])
  })
})

describe('a link in a layer', () => {
  test('replaces the step of the layer when the layer closes', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.go('/map')
    page.shut()
    page.finishNavigation()
    expect(page.addresses).toEqual(['/', '/map'])
    page.press(-1)
    expect(page.now.to).toBe('/')
    page.press(1)
    expect(page.now.to).toBe('/map')
  })

  test('waits for a step back that has not ended', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.shut()
    // The step back has started, but not ended.
    const ended = page.finishNavigation
    page.go('/map')
    ended()
    expect(page.addresses).toEqual(['/', '/map'])
    expect(page.now.to).toBe('/map')
  })

  test('changes the address below a layer that stays open', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.go('/?and=a')
    page.finishNavigation()
    page.go('/?and=a&and=b')
    page.finishNavigation()
    expect(page.now).toEqual({ to: '/?and=a&and=b', layers: 1, behind: 3 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/?and=a&and=b', layers: 0, behind: 2 })
    page.press(-1)
    expect(page.now).toEqual({ to: '/?and=a', layers: 0, behind: 1 })
  })

  test('leaves no step of the layers in either direction', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.open()
    page.finishNavigation()
    page.go('/map')
    page.shut()
    page.shut()
    page.finishNavigation()
    page.press(-1)
    expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
    page.press(1)
    expect(page.now.to).toBe('/map')
  })
})

test('a step back by the page skips the step of a layer', () => {
  const page = browser()
  page.go('/item/1')
  page.finishNavigation()
  page.open()
  page.finishNavigation()
  page.trail.back()
  page.shut()
  page.finishNavigation()
  expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
})

test('a step back by the page waits for a layer that has just closed', () => {
  const page = browser()
  page.go('/item/1')
  page.finishNavigation()
  page.open()
  page.finishNavigation()
  page.shut()
  page.trail.back()
  page.finishNavigation()
  expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
})

test('a reload with an open layer removes its step', () => {
  const page = browser()
  page.go('/map')
  page.finishNavigation()
  page.open()
  page.finishNavigation()
  const again = page.reload()
  expect(again.now).toEqual({ to: '/map', layers: 0, behind: 1 })
  again.press(-1)
  expect(again.now).toEqual({ to: '/', layers: 0, behind: 0 })
})
