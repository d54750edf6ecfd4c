/** What is being dragged from one place of a file manager to another: browsers tell it only where it is let go. */
import { signal } from '@preact/signals-react'
import type { FileNode } from '../../schema/api/file-manager.ts'

export const draggedItems = signal<readonly FileNode[]>([])

export const bringsFiles = (transfer: DataTransfer): boolean => transfer.types.includes('Files')

/** Files of a drop; folders have no bytes of their own and are left out. */
export function filesOf(transfer: DataTransfer): File[] {
  return [...transfer.items].flatMap(item => {
    if (item.kind !== 'file' || item.webkitGetAsEntry()?.isDirectory === true) return []
    return item.getAsFile() ?? []
  })
}
