/** The icon for an entry's type. */
import {
  File,
  FileArchive,
  FileImage,
  FileMusic,
  FilePlay,
  FileSymlink,
  FileText,
  Folder,
  type LucideIcon,
} from 'lucide-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'

const byType: readonly [RegExp, LucideIcon][] = [
  [/^inode\/symlink$/, FileSymlink],
  [/^image\//, FileImage],
  [/^video\//, FilePlay],
  [/^audio\//, FileMusic],
  [/^text\/|^application\/pdf$/, FileText],
  [/zip|tar|compressed|rar/, FileArchive],
]

export function EntryIcon({ node, size, thin = false }: { node: FileNode; size: number; thin?: boolean }) {
  const Icon = node.type === 'dir' ? Folder : (byType.find(([type]) => type.test(node.mime_type))?.[1] ?? File)
  return (
    <Icon
      size={size}
      {...(thin ? { style: { strokeWidth: 1.25 } } : {})}
      className={node.type === 'dir' ? 'fm-folder-icon' : 'fm-file-icon'}
      aria-hidden="true"
    />
  )
}
