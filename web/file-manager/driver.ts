/** What the widget asks of whoever keeps the files. `http-driver.ts` asks a server; another one could ask anything. */
import type { FileListing, FileNode } from '../../schema/api/file-manager.ts'

/** A refusal in words for people. */
export class FileRefused extends Error {}

/** Nobody said what became of it: it may have been done. */
export class NoAnswer extends FileRefused {}

export type Named = Pick<FileNode, 'path' | 'type'>

/** How a file is sent by an uploader: the words of the form stand before the file, whose field is called `file`. */
interface UploadTarget {
  address: string
  fields: Record<string, string>
}

export interface FileBytes {
  bytes: ArrayBuffer
  /** Another one as soon as the file is; '' where the server tells none. */
  version: string
}

/** Changes answer the folder as it is afterwards, or null where it has to be requested. All throw `FileRefused`. */
export interface Driver {
  /** There are folders and no files, one of which is chosen: nothing is previewed, and nothing can be changed. */
  onlyFolders: boolean
  index(path: string, signal?: AbortSignal): Promise<FileListing>
  search(path: string, filter: string, signal?: AbortSignal): Promise<FileListing>
  newFolder(path: string, name: string): Promise<FileListing | null>
  newFile(path: string, name: string): Promise<FileListing | null>
  rename(path: string, item: string, name: string): Promise<FileListing | null>
  remove(path: string, items: readonly Named[]): Promise<FileListing | null>
  archive(path: string, items: readonly Named[], name: string): Promise<FileListing | null>
  unarchive(path: string, item: string): Promise<FileListing | null>
  move(path: string, items: readonly Named[], target: string): Promise<FileListing | null>
  /** The bytes of a file as it would be previewed. */
  read(path: string, signal?: AbortSignal): Promise<FileBytes>
  /** `version`: of the bytes that the text was made from; where the file is another one by now, it stays as it is. */
  save(path: string, content: string, version: string): Promise<void>
  /** Puts a picture in the place of the one that it was made of, `version` as for a text; '': whatever is there. */
  replace(path: string, name: string, picture: Blob, version: string): Promise<void>
  /** `small`: a thumbnail where there is one. `version` changes when the file does. */
  previewAddress(path: string, options?: { small?: boolean; version?: string }): string
  /** Throw `FileRefused` where the file would not be sent; none of it is read. */
  demandPreview(path: string, signal?: AbortSignal): Promise<void>
  demandDownload(path: string): Promise<void>
  downloadAddress(path: string): string
  uploadTarget(path: string): UploadTarget
  /** Waits while somebody is asked to sign in: an upload that goes off meanwhile would be refused. */
  ready(): Promise<void>
  /** Whose session a request has that goes off now. */
  session(): string
  /**
   * Tells it when something in its folders may have changed; returns how to end that. Without it lists stay as they
   * came.
   */
  follow?: (changed: () => void) => () => void
  /** An upload of that session was refused as nobody's: who uploads is asked to sign in, where the page can. */
  signedOut(session: string): Promise<void>
}
