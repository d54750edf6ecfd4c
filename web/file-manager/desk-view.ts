/** The list that is shown: what was selected in it stays so when it is loaded again, and nothing acts on it while another is. */
import type { FileListing } from '../../schema/api/file-manager.ts'
import type { DeskState } from './desk-state.ts'
import { type Choice, noChoice } from './list/choosing.ts'
import { nextSorting, type SortColumn } from './list/sorting.ts'
import { areIn } from './renewing.ts'

/** A folder, or what is searched for below it; '' is the folder itself. */
interface Target {
  path: string
  text: string
}

const isTarget = (one: Target | null, other: Target) => one?.path === other.path && one.text === other.text

export function createView(state: DeskState) {
  const { path, listing, found, elsewhere, fault, choice, menu, nodes, selected, sorting, isReady } = state
  /** What the list is of. */
  let shown: Target | null = null
  /** What came last, as a list or as a refusal: a cancelled request leads back to it. */
  let last: Target | null = null
  /** What was selected in the list that is shown, while another is loaded. */
  let aside: Choice | null = null

  /** Nothing acts on entries of another folder than the path says: their selection is put aside. */
  function goElsewhere() {
    aside ??= choice.peek()
    choice.value = noChoice
    menu.value = null
    elsewhere.value = true
  }

  function comeBack() {
    if (aside !== null) choice.value = aside
    aside = null
    elsewhere.value = false
  }

  /** A menu for entries that are gone would only lead to refusals. */
  function closeStaleMenu() {
    if (!areIn(listing.peek(), menu.peek()?.items ?? [])) menu.value = null
  }

  /** Shows a list. What is selected stays so where it is still there: the same folder may just have changed. */
  function show(next: FileListing, { text = '', select }: { text?: string; select?: string } = {}) {
    const isSame = listing.peek()?.dirname === next.dirname && found.peek() === text
    comeBack()
    const kept = new Set(isSame ? selected.peek().map(node => node.path) : [])
    const active = isSame ? choice.peek().active : -1
    const activePath = nodes.peek()[active]?.path
    if (select !== undefined) {
      kept.clear()
      kept.add(select)
    }
    listing.value = next
    found.value = text
    fault.value = ''
    closeStaleMenu()
    shown = { path: path.peek(), text }
    last = shown
    const indexes = kept.size === 0 ? [] : nodes.peek().flatMap((node, at) => (kept.has(node.path) ? [at] : []))
    // Where nothing of it is left, the keys go on at what has come into its place.
    const still = activePath === undefined ? -1 : nodes.peek().findIndex(node => node.path === activePath)
    const first = indexes[0] ?? (still >= 0 ? still : Math.min(active, nodes.peek().length - 1))
    choice.value = { selected: new Set(indexes), active: first, anchor: first }
  }

  /** What was requested cannot be shown: the message is shown in place of the list. */
  function refuse(target: Target, message: string) {
    goElsewhere()
    aside = noChoice
    last = target
    fault.value = message
  }

  return {
    show,
    refuse,
    goElsewhere,
    comeBack,
    closeStaleMenu,
    isShown: (target: Target): boolean => isTarget(shown, target),

    sortBy(column: SortColumn) {
      // While another list is loaded, nothing of this one is selected any more.
      if (aside !== null) aside = noChoice
      const kept = new Set(selected.peek().map(node => node.path))
      sorting.value = nextSorting(sorting.peek(), column)
      const indexes = nodes.peek().flatMap((node, at) => (kept.has(node.path) ? [at] : []))
      choice.value = { selected: new Set(indexes), active: indexes[0] ?? -1, anchor: indexes[0] ?? -1 }
    },

    selectAll() {
      if (!isReady.peek()) return
      choice.value = { ...choice.peek(), selected: new Set(nodes.peek().keys()) }
    },

    /** Goes back to what came last; returns it, or null where nothing has come yet. */
    goBack(): Target | null {
      if (last !== null) path.value = last.path
      if (shown !== null && last === shown) comeBack()
      return last
    },
  }
}

export type View = ReturnType<typeof createView>
