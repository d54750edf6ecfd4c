/** The controller of a file manager: opens, searches and reloads folders, and handles changes. */
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'
import { limits } from '../../schema/limits.ts'
import { createLoading } from './controller-loading.ts'
import { createRenewal } from './controller-renewal.ts'
import { type ControllerState, createControllerState, type Dialog } from './controller-state.ts'
import { createControllerView } from './controller-view.ts'
import { type Driver, FileRefused } from './driver.ts'
import { createHttpDriver } from './http-driver.ts'
import { type FileManagerOptions, postDataOf, sizeLimitOf, viewModeOf } from './options.ts'
import { parentOf } from './paths.ts'
import { createPreferences, type LanguageNotice, type Preferences } from './preferences.ts'

const messageOf = (error: unknown): string => (error instanceof FileRefused ? error.message : String(error))

/** Access to the files themselves, for viewers and thumbnails. */
function createFileAccess({ replaceCounts }: ControllerState, driver: Driver) {
  return {
    /** A version that changes with the file. */
    versionOf: ({ path: of, last_modified, file_size }: FileNode): string =>
      [last_modified, file_size, replaceCounts.value.get(of) ?? 0].join('-'),

    async replace(item: FileNode, picture: Blob, version: string): Promise<void> {
      await driver.replace(item.path, item.basename, picture, version)
      replaceCounts.value = new Map([
        ...replaceCounts.peek(),
        [item.path, (replaceCounts.peek().get(item.path) ?? 0) + 1],
      ])
    },
  }
}

/** `latest`: the options of the page, which may change. */
function createDriver(latest: { options: FileManagerOptions }): Driver {
  const { url, session, subscribe } = latest.options
  return createHttpDriver({
    url,
    postData: () => postDataOf(latest.options),
    ...(session === undefined ? {} : { session }),
    ...(subscribe === undefined ? {} : { subscribe }),
  })
}

function createDialogs({ isReady, isFixed, path, dialog }: ControllerState, { t, intl }: Preferences) {
  return {
    /** Opens a dialog. For too many entries, it opens an error message instead. */
    openDialog(next: Dialog) {
      if (!isReady.peek() && next.kind !== 'message') return
      const max = limits.maxFileItems
      const isTooMany = 'items' in next && next.items.length > max
      const text = () => t('serverTooMany', max.toLocaleString(intl.peek()))
      dialog.value = isTooMany ? { kind: 'message', text: text() } : next
    },

    /** The folder for what is made from an item: the open folder or, if that is fixed, the item's folder. */
    targetFolderFor: (item: FileNode | undefined): string =>
      isFixed.peek() && item !== undefined ? parentOf(item.path) : path.peek(),
  }
}

export function createController(options: FileManagerOptions, givenDriver?: Driver) {
  // The page may pass other options later, so most are read at each use.
  const latest = { options }
  const driver = givenDriver ?? createDriver(latest)
  const preferences = createPreferences(options.id, options)
  const { t, localized } = preferences

  const state = createControllerState(options, driver)
  const { path, query, dialog, toasts, isReady } = state
  const view = createControllerView(state)
  const loading = createLoading({
    state,
    view,
    driver,
    messageOf,
    onOpen: opened => latest.options.onOpen?.(opened),
    cancelledText: () => t('serverStopped'),
  })
  const renewing = createRenewal({ state, view, loading, driver, messageOf })
  const { open, refresh, cancel, search } = loading
  let unsubscribe: (() => void) | undefined

  const showToast = (text: string, isError = false) => toasts.show({ text, isError })
  const showLanguageNotice = (notice: LanguageNotice | null) => void (notice !== null && showToast(notice.text, true))

  return {
    ...state,
    driver,
    preferences,
    t,
    localized,
    showToast,
    open,
    refresh,
    cancel,
    search,
    scheduleRenewal: renewing.schedule,
    messageOf,
    sortBy: view.sortBy,
    selectAll: view.selectAll,
    ...createFileAccess(state, driver),
    ...createDialogs(state, preferences),

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
      void preferences.setOptionLocale(next.locale ?? 'en').then(showLanguageNotice)
    },

    goUp: () => open(parentOf(path.peek())),

    /** Called after a change: shows the returned list if it is the open folder's, else reloads. */
    async changed(listing: FileListing | null, select?: string): Promise<void> {
      const isHere = listing?.dirname === path.peek() && query.peek() === ''
      if (listing === null || !isHere) return refresh()
      loading.stop()
      view.show(listing, select === undefined ? {} : { select })
    },

    enter(node: FileNode) {
      if (!isReady.peek()) return
      if (node.type === 'dir') void open(node.path)
      else dialog.value = { kind: 'preview', item: node }
    },

    async begin(): Promise<void> {
      void preferences.begin().then(showLanguageNotice)
      unsubscribe = driver.subscribe?.(renewing.schedule)
      await open(path.peek())
    },

    async setLocale(name: string): Promise<void> {
      const message = await preferences.setLocale(name)
      if (message !== null) showToast(message.text, message.kind === 'unknown')
    },

    end() {
      unsubscribe?.()
      renewing.end()
      loading.end()
      toasts.closeAll()
    },
  }
}

export type Controller = ReturnType<typeof createController>
