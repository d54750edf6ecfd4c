/** Loads folders and searches, one at a time: a new request cancels the previous one. */
import type { FileListing } from '../../schema/api/file-manager.ts'
import { fileWidget } from '../../schema/limits.ts'
import { createRuns } from '../kit/time/runs.ts'
import type { ControllerState } from './controller-state.ts'
import type { ControllerView } from './controller-view.ts'
import type { Driver } from './driver.ts'
import { noChoice } from './list/choosing.ts'

interface LoadingOptions {
  state: ControllerState
  view: ControllerView
  driver: Driver
  messageOf: (error: unknown) => string
  /** Called when a folder was opened or refused. */
  onOpen: (path: string) => void
  cancelledText: () => string
}

export function createLoading({ state, view, driver, messageOf, onOpen, cancelledText }: LoadingOptions) {
  const { path, query, loading, fault, choice, nodes } = state
  const runs = createRuns()
  let debounce: ReturnType<typeof setTimeout> | undefined

  /** Returns false on failure, and if another request has cancelled this one. */
  async function load(request: (signal: AbortSignal) => Promise<FileListing>, text = ''): Promise<boolean> {
    const run = runs.start()
    const target = { path: path.peek(), text }
    if (view.isShown(target)) view.restoreSelection()
    else view.setSelectionAside()
    loading.value = true
    try {
      const next = await request(run)
      if (run.aborted) return false
      view.show(next, { text })
      return true
    } catch (error) {
      if (!run.aborted) view.showError(target, messageOf(error))
      return false
    } finally {
      if (!run.aborted) endLoading()
    }
  }

  /** Aborts the request, if one is running. */
  function endLoading() {
    runs.cancel()
    loading.value = false
  }

  async function open(next: string): Promise<void> {
    clearTimeout(debounce)
    query.value = ''
    const before = path.peek()
    path.value = next
    const hasLoaded = await load(signal => driver.index(next, signal))
    // A page's address follows the path even if the path cannot be opened, so that Back leads away from it.
    if (hasLoaded || fault.peek() !== '') onOpen(next)
    if (!hasLoaded) return
    // If the user came up from a folder in this list, focus that folder.
    const at = nodes.peek().findIndex(node => node.path === before)
    if (at >= 0) choice.value = { ...noChoice, active: at }
  }

  const searchNow = (text: string) => load(signal => driver.search(path.peek(), text, signal), text)

  async function refresh(): Promise<void> {
    if (query.peek() !== '') await searchNow(query.peek())
    else await load(signal => driver.index(path.peek(), signal))
  }

  return {
    open,
    refresh,
    stop: endLoading,
    isLoading: () => loading.peek(),

    /** Cancels the request; the last list or error stays, with its path and search. */
    cancel() {
      clearTimeout(debounce)
      endLoading()
      const last = view.restoreLast()
      query.value = last?.text ?? ''
      if (last === null) fault.value = cancelledText()
    },

    /** Searches after 400 ms without typing; an empty search shows the folder again. */
    search(text: string) {
      query.value = text
      clearTimeout(debounce)
      const begin = () => void (text.trim() === '' ? open(path.peek()) : searchNow(text))
      if (text === '') begin()
      else debounce = setTimeout(begin, fileWidget.searchDebounceMs)
    },

    end() {
      clearTimeout(debounce)
      runs.cancel()
    },
  }
}

export type Loading = ReturnType<typeof createLoading>
