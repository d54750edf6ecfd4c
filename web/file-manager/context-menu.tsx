/** The context menu of an entry, a selection, or the folder itself. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  Archive,
  ArchiveRestore,
  CheckCheck,
  Download,
  Eye,
  FilePlus,
  FolderInput,
  FolderOpen,
  FolderPlus,
  Pencil,
  RefreshCw,
  Trash2,
  Upload,
} from 'lucide-react'
import type { FileNode } from '../../schema/api/file-manager.ts'
import { Menu, type MenuEntry } from '../kit/layers/menu.tsx'
import type { Controller } from './controller.ts'
import { useController } from './controller-context.ts'
import { download } from './download.ts'
import { useLayerFrame } from './use-layer-frame.ts'
import { isLink } from './viewers/viewer-kinds.ts'

function forFolder({ t, openDialog, refresh, selectAll, isFixed, isReady, driver }: Controller): MenuEntry[] {
  const made: MenuEntry[] = [
    { text: t('newFolder'), icon: FolderPlus, act: () => openDialog({ kind: 'new-folder' }) },
    { text: t('newFile'), icon: FilePlus, act: () => openDialog({ kind: 'new-file' }) },
    { text: t('upload'), icon: Upload, act: () => openDialog({ kind: 'upload', dropped: null }) },
  ]
  return [
    ...(isFixed.peek() || !isReady.peek() ? [] : made),
    { text: t('refresh'), icon: RefreshCw, act: () => void refresh() },
    ...(driver.onlyFolders || !isReady.peek() ? [] : [{ text: t('selectAll'), icon: CheckCheck, act: selectAll }]),
  ]
}

const isArchive = ({ extension, mime_type: type }: FileNode) =>
  type === 'application/zip' || extension.toLowerCase() === 'zip'

function forItems(controller: Controller, items: readonly FileNode[]): MenuEntry[] {
  const { t, openDialog, enter } = controller
  const isFixed = !controller.mayChange(items)
  const [item] = items
  const entries: MenuEntry[] = []
  const hasLink = items.some(isLink)
  if (item !== undefined && items.length === 1 && !hasLink) {
    entries.push(
      item.type === 'dir'
        ? { text: t('open'), icon: FolderOpen, act: () => enter(item) }
        : { text: t('preview'), icon: Eye, act: () => enter(item) },
    )
    entries.push({
      text: t('download'),
      icon: Download,
      act: () => void download(controller, item),
    })
    if (isFixed) return entries
    entries.push({
      text: t('rename'),
      icon: Pencil,
      act: () => openDialog({ kind: 'rename', item }),
    })
    if (item.type === 'file' && isArchive(item))
      entries.push({
        text: t('unarchive'),
        icon: ArchiveRestore,
        act: () => openDialog({ kind: 'unarchive', item }),
      })
  }
  if (isFixed) return entries
  const carried: MenuEntry[] = [
    { text: t('archive'), icon: Archive, act: () => openDialog({ kind: 'archive', items }) },
    {
      text: t('move'),
      icon: FolderInput,
      act: () => openDialog({ kind: 'move', items, target: null }),
    },
  ]
  // Links are neither followed nor moved, and can only be deleted.
  if (!hasLink) entries.push(...carried)
  entries.push({
    text: t('delete'),
    icon: Trash2,
    danger: true,
    act: () => openDialog({ kind: 'delete', items }),
  })
  return entries
}

export function ContextMenu() {
  useSignals()
  const controller = useController()
  const frame = useLayerFrame()
  const open = controller.menu.value
  if (open === null) return null
  const [item] = open.items
  const label =
    item === undefined
      ? controller.t('folder')
      : open.items.length === 1
        ? item.basename
        : controller.t('itemsSelected', String(open.items.length))
  return (
    <Menu
      key={`${open.x} ${open.y}`}
      label={label}
      at={{ ...open, width: 0, height: 0 }}
      frame={frame}
      entries={item === undefined ? forFolder(controller) : forItems(controller, open.items)}
      onClose={() => {
        controller.menu.value = null
      }}
    />
  )
}
