/** The interface of a file store for the widget. `http-driver.ts` implements it for a server. */
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'

export class FileRefused extends Error {}

/** There was no response, or not the server's own, so a change may have been made. */
export class NoResponse extends FileRefused {}

export type FileReference = Pick<FileNode, 'path' | 'type'>

/** The form of an upload; its fields precede the file, whose field is called `file`. */
interface UploadTarget {
  address: string
  fields: Record<string, string>
}

export interface FileBytes {
  bytes: ArrayBuffer
  /** Changes with the file; '' if the server sends none. */
  version: string
}

/** Changes of entries return the changed folder, or null if it must be loaded. All calls throw `FileRefused`. */
export interface Driver {
  /** True for a folder picker: folders only, no previews, no changes. */
  onlyFolders: boolean
  index(path: string, signal?: AbortSignal): Promise<FileListing>
  search(path: string, filter: string, signal?: AbortSignal): Promise<FileListing>
  newFolder(path: string, name: string): Promise<FileListing | null>
  newFile(path: string, name: string): Promise<FileListing | null>
  rename(path: string, item: string, name: string): Promise<FileListing | null>
  remove(path: string, items: readonly FileReference[]): Promise<FileListing | null>
  archive(path: string, items: readonly FileReference[], name: string): Promise<FileListing | null>
  unarchive(path: string, item: string): Promise<FileListing | null>
  move(path: string, items: readonly FileReference[], target: string): Promise<FileListing | null>
  /** Returns the bytes of a file's preview. */
  read(path: string, signal?: AbortSignal): Promise<FileBytes>
  /** `version`: the version from which the text was edited; a file that has changed since is not overwritten. */
  save(path: string, content: string, version: string): Promise<void>
  /** Replaces a picture, `version` as for a text; '' skips the check. */
  replace(path: string, name: string, picture: Blob, version: string): Promise<void>
  /** `small`: a thumbnail if there is one. `version` changes with the file. */
  previewAddress(path: string, options?: { small?: boolean; version?: string }): string
  /** This and `requireDownload` throw `FileRefused` if the server would not send the file; they do not read it. */
  requirePreview(path: string, signal?: AbortSignal): Promise<void>
  requireDownload(path: string): Promise<void>
  downloadAddress(path: string): string
  uploadTarget(path: string): UploadTarget
  /** Waits while the user is asked to sign in, because an upload would be refused meanwhile. */
  ready(): Promise<void>
  session(): string
  /** Calls back when the driver's folders may have changed; returns the function that ends this. Optional. */
  subscribe?: (changed: () => void) => () => void
  /** Asks the user to sign in, if the page can do that: an upload that was sent with this session was refused. */
  signInAgain(sentSession: string): Promise<void>
}
