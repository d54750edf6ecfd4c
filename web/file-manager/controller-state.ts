/** State of a file manager: the open folder, its entries and selection, dialogs, messages. */
import { computed, signal } from '@preact/signals-react'
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'
import { fileWidget } from '../../schema/limits.ts'
import type { Dropped } from '../kit/dropped-tree.ts'
import { createToasts } from '../kit/toasts.ts'
import type { Driver } from './driver.ts'
import { type EntryChoice, noChoice } from './list/choosing.ts'
import { type Sorting, sorted } from './list/sorting.ts'
import type { FileManagerOptions } from './options.ts'
import { parentOf } from './paths.ts'

export type Dialog =
  | { kind: 'delete' | 'archive'; items: readonly FileNode[] }
  | { kind: 'rename' | 'unarchive' | 'preview'; item: FileNode }
  | { kind: 'new-folder' | 'new-file' }
  | { kind: 'move'; items: readonly FileNode[]; target: string | null }
  | { kind: 'upload'; dropped: Promise<Dropped> | null }
  | { kind: 'message'; text: string }

interface OpenMenu {
  x: number
  y: number
  items: readonly FileNode[]
}

export function createControllerState(options: FileManagerOptions, driver: Driver) {
  const path = signal(options.startPath ?? fileWidget.startPath)
  const listing = signal<FileListing | null>(null)
  /** The last list that was loaded in the background, for which the scroll position is kept. */
  const renewedListing = signal<FileListing | null>(null)
  /** Whether a selection box is being drawn. */
  const isDrawingBox = signal(false)
  /** The search whose result is shown; '' if a folder is shown. */
  const shownSearch = signal('')
  const query = signal('')
  const loading = signal(false)
  /** Whether the path or search has changed, but its list is not loaded yet, or could not be loaded. */
  const isElsewhere = signal(false)
  const fault = signal('')
  const sorting = signal<Sorting | null>(null)
  const choice = signal<EntryChoice>(noChoice)
  const dialog = signal<Dialog | null>(null)
  const menu = signal<OpenMenu | null>(null)
  const toasts = createToasts<{ text: string; isError: boolean }>(() => fileWidget.toastMs)
  /** How often each file was replaced here, because a replaced file may keep its time and size. */
  const replaceCounts = signal<ReadonlyMap<string, number>>(new Map())
  const nodes = computed(() => sorted(listing.value?.files ?? [], sorting.value))
  /** Whether the shown list is that of the path or search, so that actions are possible. */
  const isReady = computed(() => listing.value !== null && fault.value === '' && !isElsewhere.value)
  const selected = computed<readonly FileNode[]>(() =>
    [...choice.value.selected].sort((a, b) => a - b).flatMap(at => nodes.value[at] ?? []),
  )

  const fixedTop = signal(options.fixedTop === true)
  /** Whether the folder's entries are fixed, so that nothing can be added or removed. */
  const isFixedFolder = (folder: string): boolean => fixedTop.value && folder === '/'
  /** Whether nothing can be created in the open folder. */
  const isFixed = computed(() => driver.onlyFolders || isFixedFolder(path.value))
  /** Whether the items can be changed. Tests their own folders, since a search finds items below the open folder. */
  const mayChange = (items: readonly FileNode[]): boolean =>
    !driver.onlyFolders && !items.some(item => isFixedFolder(parentOf(item.path)))
  return {
    path,
    listing,
    renewedListing,
    isDrawingBox,
    shownSearch,
    query,
    loading,
    isElsewhere,
    fault,
    sorting,
    choice,
    dialog,
    menu,
    toasts,
    replaceCounts,
    nodes,
    isReady,
    selected,
    fixedTop,
    isFixedFolder,
    isFixed,
    mayChange,
  }
}

export type ControllerState = ReturnType<typeof createControllerState>
