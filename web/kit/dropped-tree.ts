/** Reads dropped files and folders, each file with its folder. */
import { fileWidget } from '../../schema/limits.ts'

/** Whether a drag contains files. Excludes the page's own pictures, which some browsers drag as files. */
export function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true && !transfer.types.includes('text/html')
}

interface DroppedFile {
  file: File
  /** Relative to the drop's target: `Summer/beach`; '' for the target itself. */
  folder: string
}

export interface Dropped {
  files: readonly DroppedFile[]
  emptyFolders: readonly string[]
  /** Whether there were more files and folders than the limit. */
  truncated: boolean
  /** Paths that could not be read. */
  unread: readonly string[]
}

/** The part of browsers' file system entries that is used here. */
export interface DroppedEntry {
  isDirectory: boolean
  name: string
}
interface FileEntry extends DroppedEntry {
  file(done: (file: File) => void, fail: (error: unknown) => void): void
}
interface FolderEntry extends DroppedEntry {
  createReader(): { readEntries(done: (entries: DroppedEntry[]) => void, fail: (error: unknown) => void): void }
}

const isFileEntry = (entry: DroppedEntry): entry is FileEntry => !entry.isDirectory && 'file' in entry
const isFolderEntry = (entry: DroppedEntry): entry is FolderEntry => entry.isDirectory && 'createReader' in entry

/** Yields the folder's entries. Browsers return them in batches of about a hundred; the last batch is empty. */
async function* inside(folder: FolderEntry): AsyncGenerator<DroppedEntry> {
  const reader = folder.createReader()
  for (;;) {
    const some = await new Promise<DroppedEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return
    yield* some
  }
}

/** Reads dropped files and the content of dropped folders, up to `limit` files and folders. */
export async function treeOf(
  entries: readonly DroppedEntry[],
  limit: number = fileWidget.droppedMost,
): Promise<Dropped> {
  const files: DroppedFile[] = []
  const emptyFolders: string[] = []
  const unread: string[] = []
  let readCount = 0
  let truncated = false

  async function readFolder(entry: FolderEntry, path: string): Promise<void> {
    let isEmpty = true
    for await (const inner of inside(entry)) {
      // Skip hidden files: the server refuses their names, and nearly every folder of a Mac has a `.DS_Store`.
      if (inner.name.startsWith('.')) continue
      isEmpty = false
      await readEntry(inner, path)
      if (truncated) return
    }
    if (isEmpty) emptyFolders.push(path)
  }

  async function readEntry(entry: DroppedEntry, folder: string): Promise<void> {
    if (readCount >= limit) {
      truncated = true
      return
    }
    readCount++
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    try {
      if (isFolderEntry(entry)) await readFolder(entry, path)
      else if (isFileEntry(entry))
        files.push({ file: await new Promise<File>((done, fail) => entry.file(done, fail)), folder })
    } catch {
      // The entry was removed meanwhile, or is unreadable.
      unread.push(path)
    }
  }

  for (const entry of entries) {
    if (truncated) break
    await readEntry(entry, '')
  }
  return { files, emptyFolders, truncated, unread }
}

/** Everything that was dropped. Must be called during the event, because the transfer is empty afterwards. */
export function droppedTree(transfer: DataTransfer, limit?: number): Promise<Dropped> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const found = items.map(item => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const entries = found.flatMap(({ entry }) => entry ?? [])
  // Some browsers, and drops from some programs, give files without entries.
  const plain = found.flatMap(({ entry, file }) => (entry === null && file !== null ? [{ file, folder: '' }] : []))
  return treeOf(entries, limit).then(tree => ({ ...tree, files: [...plain, ...tree.files] }))
}

/** Returns 'Summer/beach' for '/Summer/beach/1.jpg'. */
export function folderOfPath(path: string): string {
  return path.split('/').filter(Boolean).slice(0, -1).join('/')
}

/** The files chosen in a picker of files or of a folder. */
export const pickedFiles = (list: Iterable<File>): Dropped => ({
  files: [...list].map(file => ({ file, folder: folderOfPath(file.webkitRelativePath) })),
  emptyFolders: [],
  truncated: false,
  unread: [],
})
