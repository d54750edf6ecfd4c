/** Reloads the shown folder when it may have changed, without disturbing the user. */
import { batch } from '@preact/signals-react'
import type { Loading } from './controller-loading.ts'
import type { ControllerState } from './controller-state.ts'
import type { ControllerView } from './controller-view.ts'
import { type Driver, NoResponse } from './driver.ts'
import { withNewIndexes } from './list/choosing.ts'
import { draggedItems } from './list/dragged.ts'
import { createRenewing, isSameListing } from './renewing.ts'

interface RenewalOptions {
  state: ControllerState
  view: ControllerView
  loading: Loading
  driver: Driver
  messageOf: (error: unknown) => string
}

export function createRenewal({ state, view, loading, driver, messageOf }: RenewalOptions) {
  const { path, query, fault, listing, shownSearch, isReady, nodes, choice } = state
  let wasRefused = false

  /** Retries a folder or search that failed. */
  async function retry(signal: AbortSignal): Promise<void> {
    const [target, text] = [path.peek(), query.peek()]
    const request = text === '' ? driver.index(target, signal) : driver.search(target, text, signal)
    const next = await request.catch(() => null)
    const isStillWanted = fault.peek() !== '' && path.peek() === target && query.peek() === text && !loading.isLoading()
    if (next !== null && isStillWanted && !signal.aborted) view.show(next, { text })
  }

  /** Loads the folder again, and shows it if it has changed. Returns false if it must be called again later. */
  async function renew(signal: AbortSignal): Promise<boolean> {
    const before = listing.peek()
    if (fault.peek() !== '') {
      await retry(signal)
      return true
    }
    if (before === null || shownSearch.peek() !== '') return true
    // Only while nothing is loading, drawn or dragged, and no newer list is shown.
    const mayRenew = () =>
      listing.peek() === before &&
      isReady.peek() &&
      query.peek() === '' &&
      !loading.isLoading() &&
      !state.isDrawingBox.peek() &&
      draggedItems.peek().length === 0
    if (!mayRenew()) return false
    const target = { path: path.peek(), text: '' }
    const next = await driver
      .index(target.path, signal)
      // Without a response, try again.
      .catch((error: unknown) => (error instanceof NoResponse ? null : messageOf(error)))
    if (signal.aborted) return true
    if (next === null || !mayRenew()) return false
    if (typeof next === 'string') {
      // The folder is gone or no longer accessible. This is shown only after two refusals in a row.
      if (wasRefused) view.showError(target, next)
      wasRefused = !wasRefused
      return !wasRefused
    }
    wasRefused = false
    if (isSameListing(before, next)) return true
    batch(() => {
      const old = nodes.peek()
      state.renewedListing.value = next
      listing.value = next
      const indexes = new Map(nodes.peek().map((node, at) => [node.path, at]))
      const indexOf = (at: number) => indexes.get(old[at]?.path ?? '') ?? -1
      choice.value = withNewIndexes(choice.peek(), indexOf, indexes.size)
      view.closeStaleMenu()
    })
    return true
  }

  return createRenewing(renew)
}
