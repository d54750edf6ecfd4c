/** What is being dragged from one place of a file manager to another: browsers tell it only where it is let go. */
import { signal } from '@preact/signals-react'
import type { FileNode } from '../../schema/api/file-manager.ts'

export const draggedItems = signal<readonly FileNode[]>([])

export const bringsFiles = (transfer: DataTransfer): boolean => transfer.types.includes('Files')
