/** Records large downloads in the audit log, without names of items, files or folders, which may be hidden. */
import type { Context } from 'hono'
import type { Viewer } from '../../core/accounts/access.ts'
import type { Library } from '../../core/library.ts'
import { limits } from '../../schema/limits.ts'

interface Download {
  what: 'items' | 'file' | 'folder' | 'slideshow' | 'csv' | 'people'
  collection?: number
  items?: number
  bytes?: number
}

/** Exports of everything count as large, whatever their size. */
function isLarge({ what, items = 0, bytes = 0 }: Download): boolean {
  return what === 'csv' || what === 'people' || items > limits.largeDownloadItems || bytes > limits.largeDownloadBytes
}

/** Records a download if it is large. HEAD downloads nothing. */
export function noteDownload(library: Library, context: Context, viewer: Viewer, download: Download): void {
  if (context.req.method !== 'HEAD' && isLarge(download)) library.auditNotes.note('download', viewer, { ...download })
}

/** Records the download of a large file, but only at its first part. */
export function noteFile(library: Library, context: Context, viewer: Viewer, bytes: number, collection?: number): void {
  if (!/^bytes=0*[1-9]/.test(context.req.header('range')?.trim() ?? '')) {
    noteDownload(library, context, viewer, { what: 'file', bytes, ...(collection === undefined ? {} : { collection }) })
  }
}
