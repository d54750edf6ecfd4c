/** The shown list: keeps the selection on a reload, and blocks actions while another list loads. */
import type { FileListing } from '../../schema/api/file-manager.ts'
import type { ControllerState } from './controller-state.ts'
import { type EntryChoice, noChoice } from './list/choosing.ts'
import { nextSorting, type SortColumn } from './list/sorting.ts'
import { areIn } from './renewing.ts'

/** A folder, or a search below it; without a search ('') the folder itself. */
interface Target {
  path: string
  text: string
}

const isTarget = (one: Target | null, other: Target) => one?.path === other.path && one.text === other.text

export function createControllerView(state: ControllerState) {
  const { path, listing, shownSearch, isElsewhere, fault, choice, menu, nodes, selected, sorting, isReady } = state
  /** The folder or search whose list is shown. */
  let shownTarget: Target | null = null
  /** The folder or search of the last result (a list or an error), restored when a request is cancelled. */
  let lastTarget: Target | null = null
  /** The selection of the shown list, kept while another list loads. */
  let asideSelection: EntryChoice | null = null

  /** Puts the selection aside, because the path has changed, and actions must never apply to entries elsewhere. */
  function setSelectionAside() {
    asideSelection ??= choice.peek()
    choice.value = noChoice
    menu.value = null
    isElsewhere.value = true
  }

  function restoreSelection() {
    if (asideSelection !== null) choice.value = asideSelection
    asideSelection = null
    isElsewhere.value = false
  }

  /** Closes a menu for entries that are gone, because its actions would be refused. */
  function closeStaleMenu() {
    if (!areIn(listing.peek(), menu.peek()?.items ?? [])) menu.value = null
  }

  /** Shows a list. If it is the shown folder or search again, entries that still exist stay selected. */
  function show(next: FileListing, { text = '', select }: { text?: string; select?: string } = {}) {
    const isSame = listing.peek()?.dirname === next.dirname && shownSearch.peek() === text
    restoreSelection()
    const kept = new Set(isSame ? selected.peek().map(node => node.path) : [])
    const active = isSame ? choice.peek().active : -1
    const activePath = nodes.peek()[active]?.path
    if (select !== undefined) {
      kept.clear()
      kept.add(select)
    }
    listing.value = next
    shownSearch.value = text
    fault.value = ''
    closeStaleMenu()
    shownTarget = { path: path.peek(), text }
    lastTarget = shownTarget
    const indexes = kept.size === 0 ? [] : nodes.peek().flatMap((node, at) => (kept.has(node.path) ? [at] : []))
    // If the focused entry is gone, the focus moves to the entry that took its position.
    const still = activePath === undefined ? -1 : nodes.peek().findIndex(node => node.path === activePath)
    const nextActive = indexes[0] ?? (still >= 0 ? still : Math.min(active, nodes.peek().length - 1))
    choice.value = { selected: new Set(indexes), active: nextActive, anchor: nextActive }
  }

  /** Shows an error instead of the list. */
  function showError(target: Target, message: string) {
    setSelectionAside()
    asideSelection = noChoice
    lastTarget = target
    fault.value = message
  }

  return {
    show,
    showError,
    setSelectionAside,
    restoreSelection,
    closeStaleMenu,
    isShown: (target: Target): boolean => isTarget(shownTarget, target),

    sortBy(column: SortColumn) {
      // The selection that was put aside consists of indices, which sorting makes wrong.
      if (asideSelection !== null) asideSelection = noChoice
      const kept = new Set(selected.peek().map(node => node.path))
      sorting.value = nextSorting(sorting.peek(), column)
      const indexes = nodes.peek().flatMap((node, at) => (kept.has(node.path) ? [at] : []))
      choice.value = { selected: new Set(indexes), active: indexes[0] ?? -1, anchor: indexes[0] ?? -1 }
    },

    selectAll() {
      if (!isReady.peek()) return
      choice.value = { ...choice.peek(), selected: new Set(nodes.peek().keys()) }
    },

    /** Restores the last result; returns its target, or null if there is none yet. */
    restoreLast(): Target | null {
      if (lastTarget !== null) path.value = lastTarget.path
      if (shownTarget !== null && lastTarget === shownTarget) restoreSelection()
      return lastTarget
    },
  }
}

export type ControllerView = ReturnType<typeof createControllerView>
