/** What one file manager knows: the folder that is open, what is in it and selected, what lies over it, what was said. */
import { computed, signal } from '@preact/signals-react'
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'
import { fileWidget } from '../../schema/limits.ts'
import type { Dropped } from '../kit/dropped-tree.ts'
import { createToasts } from '../kit/toasts.ts'
import type { Driver } from './driver.ts'
import { type Choice, noChoice } from './list/choosing.ts'
import { type Sorting, sorted } from './list/sorting.ts'
import type { FileManagerOptions } from './options.ts'
import { above } from './paths.ts'

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

export function createDeskState(options: FileManagerOptions, driver: Driver) {
  const path = signal(options.startPath ?? fileWidget.startPath)
  const listing = signal<FileListing | null>(null)
  /** The last list that was loaded without being requested here: the view keeps its place. */
  const renewed = signal<FileListing | null>(null)
  /** A box is being drawn over the list. */
  const drawing = signal(false)
  /** What was looked for when the list was made; '' is a folder. */
  const found = signal('')
  const query = signal('')
  const loading = signal(false)
  /** What is fetched is not what is shown. */
  const elsewhere = signal(false)
  const fault = signal('')
  const sorting = signal<Sorting | null>(null)
  const choice = signal<Choice>(noChoice)
  const dialog = signal<Dialog | null>(null)
  const menu = signal<OpenMenu | null>(null)
  /** Closes the dialog that is open, where nothing would be lost. */
  const layer = signal<(() => void) | null>(null)
  /** Something of the page lies over the dialog. */
  const toasts = createToasts<{ text: string; isError: boolean }>(() => fileWidget.toastMs)
  /** How often files were replaced from here: one may have kept its time and its size. */
  const replaced = signal<ReadonlyMap<string, number>>(new Map())
  const nodes = computed(() => sorted(listing.value?.files ?? [], sorting.value))
  /** The list that is shown is that of the path: it can be acted on, and things can be made beside it. */
  const isReady = computed(() => listing.value !== null && fault.value === '' && !elsewhere.value)
  const selected = computed<readonly FileNode[]>(() =>
    [...choice.value.selected].sort((a, b) => a - b).flatMap(at => nodes.value[at] ?? []),
  )

  const fixedTop = signal(options.fixedTop === true)
  /** What is in this folder is given: nothing comes into it, and nothing goes. */
  const isGiven = (folder: string): boolean => fixedTop.value && folder === '/'
  /** Nothing can be made in the folder that is open. */
  const isFixed = computed(() => driver.onlyFolders || isGiven(path.value))
  /** Can these be renamed, moved, packed or deleted? A search finds what lies anywhere below the folder that is open. */
  const mayChange = (items: readonly FileNode[]): boolean =>
    !driver.onlyFolders && !items.some(item => isGiven(above(item.path)))
  return {
    path,
    listing,
    renewed,
    drawing,
    found,
    query,
    loading,
    elsewhere,
    fault,
    sorting,
    choice,
    dialog,
    menu,
    layer,
    toasts,
    replaced,
    nodes,
    isReady,
    selected,
    fixedTop,
    isGiven,
    isFixed,
    mayChange,
  }
}

export type DeskState = ReturnType<typeof createDeskState>
