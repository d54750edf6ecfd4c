/** Starts the page's state: what is loaded at the start, and when the filter, the user or the open picture changes. */
import { effect } from '@preact/signals-react'
import { startAddress } from '../app/address.ts'
import { loadCollections } from '../app/collections.ts'
import { page } from '../app/current-filter.ts'
import { includeHidden, startHidden } from '../app/hidden.ts'
import { startPictureRecovery } from '../app/loading/failed-pictures.ts'
import { loadOptions, theme } from '../app/options.ts'
import { loadRuntime, runtime } from '../app/runtime.ts'
import { loadSession, user } from '../app/session.ts'
import { list, listKey, loadCurrentPage, openList } from '../items/items.ts'
import { cardToFocus, lastOpenedIndex, loadOpen, openId, reloadOpen, updateOpenIndex } from '../items/open-item.ts'
import { loadAfterOutage } from '../items/reload-items-and-words.ts'
import { startSelection } from '../items/selection/selection.ts'
import { loadTimeline, timelineKey } from '../items/timeline.ts'
import { onStoredElsewhere } from '../kit/stored.ts'
import { startViewport } from '../kit/viewport.ts'
import { updatePlugins } from '../plugins/active-plugins.ts'
import { applyUserLanguage } from './own-language.ts'

/** Calls `act` soon, and again when the key changes, but not when other signals that `act` reads change. */
function whenever<T>(key: () => T, act: (key: T) => void): void {
  effect(() => {
    const now = key()
    queueMicrotask(() => act(now))
  })
}

/** Starts the state. Returns when the server's settings are loaded, or could not be loaded. */
export async function startState(): Promise<void> {
  startPage()
  await loadRuntime()
  startLibrary()
}

/** Starts what needs no server. */
function startPage(): void {
  startViewport()
  startPictureRecovery()
  startAddress()
  loadOptions()
  onStoredElsewhere('keepsake.options', loadOptions)
  effect(() => {
    document.documentElement.dataset.theme = `keepsake-${theme.value}`
    // The colour of the browser's and the system's bars.
    const background = theme.value === 'dark' ? '#100f0e' : '#fbf9f5'
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', background)
  })
}

let isStarted = false

/** Starts the rest, once the server's settings are loaded. */
function startLibrary(): void {
  if (runtime.value === null || isStarted) return
  isStarted = true
  loadSession()
  startSelection()
  startHidden()
  whenever(
    () => `${user.value?.id ?? 0} ${includeHidden.value}`,
    () => {
      void loadCollections()
      reloadOpen()
    },
  )
  whenever(
    () => user.value?.language,
    () => applyUserLanguage(),
  )
  whenever(
    () => user.value?.id,
    () => void updatePlugins(),
  )
  whenever(
    () => listKey.value,
    () => void openList(),
  )
  whenever(
    () => timelineKey.value,
    () => void loadTimeline(),
  )
  whenever(() => list.value, updateOpenIndex)
  whenever(
    () => page.value,
    () => void loadCurrentPage(),
  )
  whenever(
    () => openId.value,
    id => {
      if (id !== null) void loadOpen()
      else cardToFocus.value = lastOpenedIndex.value
    },
  )
}

/** Loads again what could not be loaded while the server was out of reach. `quiet`: without reporting failures. */
export async function tryAgain(how: { quiet: boolean }): Promise<void> {
  if (runtime.value === null) {
    await loadRuntime(how)
    startLibrary()
  } else await loadAfterOutage(how)
}
