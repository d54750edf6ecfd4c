/** What one file manager does: opening, searching and renewing folders, and what follows from a change. */
import { batch } from '@preact/signals-react'
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'
import { fileWidget, limits } from '../../schema/limits.ts'
import { createDeskState, type Dialog } from './desk-state.ts'
import { type Driver, FileRefused, NoAnswer } from './driver.ts'
import { createHttpDriver } from './http-driver.ts'
import { type Choice, carriedOver, noChoice } from './list/choosing.ts'
import { draggedItems } from './list/dragged.ts'
import { nextSorting, type SortColumn } from './list/sorting.ts'
import { type FileManagerOptions, postDataOf, sizeLimitOf, viewModeOf } from './options.ts'
import { above } from './paths.ts'
import { createPreferences, type LanguageTold } from './preferences.ts'
import { areIn, createRenewing, isSameListing } from './renewing.ts'

/** A folder, or what is looked for below it; '' is the folder itself. */
interface Target {
  path: string
  text: string
}

const isTarget = (one: Target | null, other: Target) => one?.path === other.path && one.text === other.text

const messageOf = (error: unknown): string => (error instanceof FileRefused ? error.message : String(error))

export function createDesk(options: FileManagerOptions, own?: Driver) {
  // The page may say other things later; what it says now counts.
  const latest = { options }
  const driver =
    own ??
    createHttpDriver({
      url: options.url,
      postData: () => postDataOf(latest.options),
      ...(options.session === undefined ? {} : { session: options.session }),
      ...(options.follow === undefined ? {} : { follow: options.follow }),
    })
  const preferences = createPreferences(options.id, options)
  const { t, told } = preferences

  const state = createDeskState(options, driver)
  const { path, listing, found, query, loading, elsewhere, fault, sorting, choice } = state
  const { dialog, menu, toasts, nodes, isReady, selected, isFixed } = state

  let fetching: AbortController | null = null
  /** What the list is of. */
  let shown: Target | null = null
  /** What came last, as a list or as a refusal: there a cancelled fetch leads back to. */
  let settled: Target | null = null
  /** What was selected in the list that is shown, while something else is fetched. */
  let aside: Choice | null = null
  let debounce: ReturnType<typeof setTimeout> | undefined

  const say = (text: string, isError = false) => toasts.show({ text, isError })

  const sayUnknown = (told: LanguageTold | null) => void (told !== null && say(told.text, true))

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

  /** Takes a list in. What is selected stays so where it is still there: the same folder may just have changed. */
  function show(next: FileListing, { text = '', select }: { text?: string; select?: string } = {}) {
    const isSame = listing.peek()?.dirname === next.dirname && found.peek() === text
    comeBack()
    const kept = new Set(isSame ? selected.peek().map(node => node.path) : [])
    const stood = isSame ? choice.peek().active : -1
    const stoodOn = nodes.peek()[stood]?.path
    if (select !== undefined) {
      kept.clear()
      kept.add(select)
    }
    listing.value = next
    found.value = text
    fault.value = ''
    closeStaleMenu()
    shown = { path: path.peek(), text }
    settled = shown
    const places = kept.size === 0 ? [] : nodes.peek().flatMap((node, at) => (kept.has(node.path) ? [at] : []))
    // Where nothing of it is left, the keys go on at what has come into the place.
    const still = stoodOn === undefined ? -1 : nodes.peek().findIndex(node => node.path === stoodOn)
    const first = places[0] ?? (still >= 0 ? still : Math.min(stood, nodes.peek().length - 1))
    choice.value = { selected: new Set(places), active: first, anchor: first }
  }

  /** What was asked for cannot be shown: the words stand in the list's place. */
  function refuse(target: Target, words: string) {
    goElsewhere()
    aside = noChoice
    settled = target
    fault.value = words
  }

  /** A menu of what is not in the list any more would only lead to refusals. */
  function closeStaleMenu() {
    if (!areIn(listing.peek(), menu.peek()?.items ?? [])) menu.value = null
  }

  /** A new fetch ends the one before it. Answers false where it was ended itself. */
  async function fetched(ask: (signal: AbortSignal) => Promise<FileListing>, text = ''): Promise<boolean> {
    fetching?.abort()
    const mine = new AbortController()
    fetching = mine
    const target = { path: path.peek(), text }
    if (isTarget(shown, target)) comeBack()
    else goElsewhere()
    loading.value = true
    try {
      const next = await ask(mine.signal)
      if (fetching !== mine) return false
      show(next, { text })
      return true
    } catch (error) {
      if (fetching === mine && !mine.signal.aborted) {
        refuse(target, messageOf(error))
      }
      return false
    } finally {
      if (fetching === mine) {
        fetching = null
        loading.value = false
      }
    }
  }

  async function open(next: string): Promise<void> {
    clearTimeout(debounce)
    query.value = ''
    const before = path.peek()
    path.value = next
    const came = await fetched(signal => driver.index(next, signal))
    // A page's address goes along with the path, also where it cannot be opened: Back leads away from there.
    if (came || fault.peek() !== '') latest.options.onOpen?.(next)
    if (!came) return
    // Keys go on from the folder that one came out of.
    const left = nodes.peek().findIndex(node => node.path === before)
    if (left >= 0) choice.value = { ...noChoice, active: left }
  }

  function searchNow(text: string): Promise<boolean> {
    return fetched(signal => driver.search(path.peek(), text, signal), text)
  }

  async function refresh(): Promise<void> {
    if (query.peek() !== '') await searchNow(query.peek())
    else await fetched(signal => driver.index(path.peek(), signal))
  }

  /**
   * Asks for the folder that is shown, as it is now. Answers false where that cannot be taken in just now: something else is
   * fetched, a drag goes on, or something was done here meanwhile that may be newer.
   */
  /** Did the last renewal meet a refusal? */
  let isRefused = false

  /** What could not be opened, or searched, may be there again. */
  async function comeAgain(signal: AbortSignal): Promise<boolean> {
    const [target, text] = [path.peek(), query.peek()]
    const asked = text === '' ? driver.index(target, signal) : driver.search(target, text, signal)
    const next = await asked.catch(() => null)
    const isAwaited = fault.peek() !== '' && path.peek() === target && query.peek() === text && fetching === null
    if (next !== null && isAwaited && !signal.aborted) show(next, { text })
    return true
  }

  async function renew(signal: AbortSignal): Promise<boolean> {
    const before = listing.peek()
    if (fault.peek() !== '') return comeAgain(signal)
    if (before === null || found.peek() !== '') return true
    const mayRenew = () =>
      listing.peek() === before &&
      isReady.peek() &&
      query.peek() === '' &&
      fetching === null &&
      !state.drawing.peek() &&
      draggedItems.peek().length === 0
    if (!mayRenew()) return false
    const target = { path: path.peek(), text: '' }
    const next = await driver
      .index(target.path, signal)
      // Where nobody answers it is asked again.
      .catch((error: unknown) => (error instanceof NoAnswer ? null : messageOf(error)))
    if (signal.aborted) return true
    if (next === null || !mayRenew()) return false
    if (typeof next === 'string') {
      // The folder is gone, or is nobody's to see any more; who says so twice means it.
      if (isRefused) refuse(target, next)
      isRefused = !isRefused
      return !isRefused
    }
    isRefused = false
    if (isSameListing(before, next)) return true
    batch(() => {
      const old = nodes.peek()
      state.renewed.value = next
      listing.value = next
      const places = new Map(nodes.peek().map((node, at) => [node.path, at]))
      const placeOf = (at: number) => places.get(old[at]?.path ?? '') ?? -1
      choice.value = carriedOver(choice.peek(), placeOf, places.size)
      closeStaleMenu()
    })
    return true
  }
  const renewing = createRenewing(renew)
  let endFollowing: (() => void) | undefined

  return {
    ...state,
    driver,
    preferences,
    t,
    told,
    say,
    open,
    refresh,
    askAgain: renewing.heard,
    messageOf,

    /** Changes when the file does. */
    versionOf: ({ path: of, last_modified, file_size }: FileNode): string =>
      [last_modified, file_size, state.replaced.value.get(of) ?? 0].join('-'),

    async replace(item: FileNode, picture: Blob, version: string): Promise<void> {
      await driver.replace(item.path, item.basename, picture, version)
      const { replaced } = state
      replaced.value = new Map([...replaced.peek(), [item.path, (replaced.peek().get(item.path) ?? 0) + 1]])
    },

    /** Why a viewer was shown nothing: it is refused or gone. '': it would come now, after somebody has signed in again, say. */
    async whyNotShown(of: string): Promise<string> {
      try {
        await driver.demandPreview(of)
        return ''
      } catch (error) {
        return messageOf(error)
      }
    },

    get sizeLimit() {
      return sizeLimitOf(latest.options)
    },
    get viewMode() {
      return viewModeOf(latest.options.viewMode)
    },
    get onSelectPath() {
      return latest.options.onSelectPath
    },
    refusalOf: (of: string): string => latest.options.refusalOf?.(of) ?? '',
    noteOf: (of: string): string => latest.options.noteOf?.(of) ?? '',

    update(next: FileManagerOptions) {
      const { startPath } = latest.options
      latest.options = next
      const wanted = next.startPath
      if (wanted !== undefined && wanted !== startPath && wanted !== path.peek()) void open(wanted)
      preferences.setOptionDark(next.dark ?? true)
      void preferences.setOptionLocale(next.locale ?? 'en').then(sayUnknown)
    },

    goUp: () => open(above(path.peek())),

    /** Ends the fetch that is under way; what was shown before stays, and path and search are of that again. */
    cancel() {
      clearTimeout(debounce)
      fetching?.abort()
      fetching = null
      loading.value = false
      query.value = settled?.text ?? ''
      if (settled !== null) path.value = settled.path
      else fault.value = t('serverStopped')
      if (shown !== null && settled === shown) comeBack()
    },

    /** Asks when nothing was typed for 400 ms; an empty search shows the folder again. */
    search(text: string) {
      query.value = text
      clearTimeout(debounce)
      const begin = () => void (text.trim() === '' ? open(path.peek()) : searchNow(text))
      if (text === '') begin()
      else debounce = setTimeout(begin, fileWidget.searchDebounceMs)
    },

    sortBy(column: SortColumn) {
      // Where something else is fetched already, nothing of this list is selected any more.
      if (aside !== null) aside = noChoice
      const chosen = selected.peek().map(node => node.path)
      sorting.value = nextSorting(sorting.peek(), column)
      const kept = new Set(chosen)
      const places = nodes.peek().flatMap((node, at) => (kept.has(node.path) ? [at] : []))
      choice.value = { selected: new Set(places), active: places[0] ?? -1, anchor: places[0] ?? -1 }
    },

    selectAll() {
      if (!isReady.peek()) return
      choice.value = { ...choice.peek(), selected: new Set(nodes.peek().keys()) }
    },

    /** Opens a dialog. That it is about too many entries is told before it asks anything. */
    ask(next: Dialog) {
      if (!isReady.peek() && next.kind !== 'message') return
      const most = limits.fileItemsMost
      const isTooMany = 'items' in next && next.items.length > most
      const text = () => t('serverTooMany', most.toLocaleString(preferences.intl.peek()))
      dialog.value = isTooMany ? { kind: 'message', text: text() } : next
    },

    /** Where something is made of an entry: here, or beside it where nothing can be made here. */
    placeFor: (item: FileNode | undefined): string =>
      isFixed.peek() && item !== undefined ? above(item.path) : path.peek(),

    /** After a change: what it answered is shown where it is this folder, else it is asked for. */
    async changed(answer: FileListing | null, select?: string): Promise<void> {
      const isHere = answer?.dirname === path.peek() && query.peek() === ''
      if (answer === null || !isHere) return refresh()
      fetching?.abort()
      fetching = null
      loading.value = false
      show(answer, select === undefined ? {} : { select })
    },

    enter(node: FileNode) {
      if (!isReady.peek()) return
      if (node.type === 'dir') void open(node.path)
      else dialog.value = { kind: 'preview', item: node }
    },

    async begin(): Promise<void> {
      void preferences.begin().then(sayUnknown)
      endFollowing = driver.follow?.(renewing.heard)
      await open(path.peek())
    },

    async setLocale(name: string): Promise<void> {
      const said = await preferences.setLocale(name)
      if (said !== null) say(said.text, said.kind === 'unknown')
    },

    end() {
      clearTimeout(debounce)
      endFollowing?.()
      renewing.end()
      fetching?.abort()
      toasts.closeAll()
    },
  }
}

export type Desk = ReturnType<typeof createDesk>
