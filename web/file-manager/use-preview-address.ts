/** Where the bytes of a file come from that is looked at. */
import { useMemo } from 'react'
import type { FileNode } from '../../schema/api/file-manager.ts'
import { useDesk } from './desk-context.ts'

/** One address for as long as the file is the same: what the page proves itself by may change meanwhile, and is no reason to load it anew. */
export function usePreviewAddress(item: FileNode): string {
  const { driver, versionOf } = useDesk()
  const version = versionOf(item)
  return useMemo(() => driver.previewAddress(item.path, { version }), [driver, item.path, version])
}
