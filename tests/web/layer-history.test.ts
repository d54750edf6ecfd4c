import { describe, expect, test } from 'bun:test'
import { createLayerHistory, type LayerHistory } from '../../web/app/layer-history.ts'

/** The history of a browser and a page with layers. `finishNavigation` completes everything that was started. */
function browser({ refuses = false } = {}) {
  let entries: { to: string; state: object }[] = [{ to: '/', state: {} }]
  let at = 0
  let shown: { to: string; entry: object } = { to: '/', entry: {} }
  let layers = 0
  let moves: number[] = []
  let acts: (() => void)[] = []
  const layerHistory: LayerHistory = createLayerHistory({
    state: () => entries[at]?.state,
    push(state, to = shown.to) {
      entries = [...entries.slice(0, ++at), { to, state }]
    },
    replace(state, to = shown.to) {
      entries[at] = { to, state }
    },
    traverse: by => moves.push(by),
    current: () => shown,
    show(next) {
      shown = next ?? { to: entries[at]?.to ?? '', entry: {} }
    },
    closeLayers(count) {
      if (!refuses) set(layers - count)
    },
    defer: act => acts.push(act),
  })
  function set(count: number) {
    layers = Math.max(0, count)
    layerHistory.setLayerCount(layers)
  }
  function move(by: number) {
    if (entries[at + by] === undefined) return
    at += by
    layerHistory.onPopState()
  }
  function finishNavigation() {
    while (acts.length + moves.length > 0) {
      const [dueActs, dueMoves] = [acts, moves]
      acts = []
      moves = []
      for (const act of dueActs) act()
      for (const by of dueMoves) move(by)
    }
  }
  layerHistory.start()
  finishNavigation()
  return {
    layerHistory,
    finishNavigation,
    open: () => set(layers + 1),
    shut: () => set(layers - 1),
    go: (to: string, replace = false) => layerHistory.go(to, { replace, entry: {} }),
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
    take(known: { to: string; state: object }[], index: number) {
      entries = [...known]
      at = index
      layers = 0
      shown = { to: entries[at]?.to ?? '', entry: {} }
      layerHistory.start()
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
  test('leaves no entry behind', () => {
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
  test('replaces the entry of the layer when the layer closes', () => {
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

  test('waits for a move back that has not arrived', () => {
    const page = browser()
    page.open()
    page.finishNavigation()
    page.shut()
    // The page has started to move back, but has not arrived.
    page.go('/map')
    page.finishNavigation()
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

  test('leaves no entry of the layers in either direction', () => {
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

test('going back from the page skips the entry of a layer', () => {
  const page = browser()
  page.go('/item/1')
  page.finishNavigation()
  page.open()
  page.finishNavigation()
  page.layerHistory.back()
  page.shut()
  page.finishNavigation()
  expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
})

test('going back from the page waits for a layer that has just closed', () => {
  const page = browser()
  page.go('/item/1')
  page.finishNavigation()
  page.open()
  page.finishNavigation()
  page.shut()
  page.layerHistory.back()
  page.finishNavigation()
  expect(page.now).toEqual({ to: '/', layers: 0, behind: 0 })
})

test('a reload with an open layer removes its entry', () => {
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
