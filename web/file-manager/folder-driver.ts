/** A driver for choosing a folder: no previews, no changes. */
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'
import { type Driver, FileRefused } from './driver.ts'
import { parentOf } from './paths.ts'

export interface FolderSource {
  /** Returns the subfolders; throws `FileRefused`. */
  list(path: string, signal?: AbortSignal): Promise<readonly { name: string; path: string }[]>
}

function nodeOf(dir: string, { name, path }: { name: string; path: string }): FileNode {
  return { type: 'dir', path, basename: name, dir, extension: '', mime_type: '', file_size: 0, last_modified: 0 }
}

/** Only a programming error gets here, because the widget offers none of these actions. */
const refused = () => Promise.reject(new FileRefused('Folders are only chosen here.'))

export function createFolderDriver({ list }: FolderSource): Driver {
  async function index(path: string, signal?: AbortSignal): Promise<FileListing> {
    const folders = await list(path, signal)
    return { dirname: path, files: folders.map(folder => nodeOf(path, folder)) }
  }
  return {
    onlyFolders: true,
    index,
    /** Searches the open folder only; deeper folders are not listed. */
    async search(path, filter, signal) {
      const { files, dirname } = await index(path, signal)
      const wanted = filter.trim().toLowerCase()
      return { dirname, files: files.filter(({ basename }) => basename.toLowerCase().includes(wanted)) }
    },
    newFolder: refused,
    newFile: refused,
    rename: refused,
    remove: refused,
    archive: refused,
    unarchive: refused,
    move: refused,
    read: refused,
    save: refused,
    replace: refused,
    previewAddress: () => '',
    requirePreview: refused,
    requireDownload: refused,
    downloadAddress: () => '',
    uploadTarget: () => ({ address: '', fields: {} }),
    ready: async () => {},
    session: () => '',
    signInAgain: async () => {},
  }
}

/** The folder itself, or the innermost parent that can be listed; '/' if none can. */
export async function nearestFolder({ list }: FolderSource, path: string): Promise<string> {
  for (let tried = path; tried !== '/'; tried = parentOf(tried)) {
    try {
      await list(tried)
      return tried
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
    }
  }
  return '/'
}
