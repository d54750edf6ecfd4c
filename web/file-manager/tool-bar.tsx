/** The tool bar: new entries at the start, the selection in the middle, the view at the end. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  Archive,
  EllipsisVertical,
  FilePlus,
  FolderInput,
  FolderPlus,
  LayoutGrid,
  List,
  Maximize,
  Minimize,
  Moon,
  Pencil,
  Sun,
  Trash2,
  Upload,
} from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../kit/icon-button.tsx'
import { Menu } from '../kit/layers/menu.tsx'
import type { Rect } from '../kit/layers/menu-place.ts'
import { useController } from './controller-context.ts'
import { useLayerFrame } from './use-layer-frame.ts'
import { isLink } from './viewers/viewer-kinds.ts'

function MoreMenu() {
  useSignals()
  const { t, preferences, setLocale } = useController()
  const frame = useLayerFrame()
  const [at, setAt] = useState<Rect | null>(null)
  const isDark = preferences.dark.value
  return (
    <>
      <IconButton
        icon={EllipsisVertical}
        label={t('more')}
        aria-expanded={at !== null}
        aria-haspopup="menu"
        onClick={event => {
          setAt(event.currentTarget.getBoundingClientRect())
        }}
      />
      {at !== null && (
        <Menu
          label={t('more')}
          at={at}
          frame={frame}
          onClose={() => setAt(null)}
          entries={[
            {
              text: isDark ? t('lightMode') : t('darkMode'),
              icon: isDark ? Sun : Moon,
              act: preferences.toggleDark,
            },
            ...preferences.choices.map(({ code, name }) => ({
              text: name,
              checked: code === preferences.locale.value,
              act: () => void setLocale(code),
            })),
          ]}
        />
      )}
    </>
  )
}

export function ToolBar() {
  useSignals()
  const { t, selected, openDialog, preferences, isFixed, isReady, mayChange } = useController()
  const items = selected.value
  const [first] = items
  const isFull = preferences.fullScreen.value
  const viewport = preferences.viewport.value
  const cannotCreate = isFixed.value || !isReady.value
  const cannotChange = !mayChange(items)
  /** Links are neither followed nor moved, and can only be deleted. */
  const cannotMove = cannotChange || items.some(isLink)
  return (
    <div className="fm-tools" role="toolbar" aria-label={t('fileManager')} data-selecting={items.length > 0}>
      <span className="fm-group fm-new">
        <IconButton
          labelled
          size={18}
          icon={FolderPlus}
          label={t('newFolder')}
          disabled={cannotCreate}
          onClick={() => openDialog({ kind: 'new-folder' })}
        />
        <IconButton
          labelled
          size={18}
          icon={FilePlus}
          label={t('newFile')}
          disabled={cannotCreate}
          onClick={() => openDialog({ kind: 'new-file' })}
        />
        <IconButton
          labelled
          size={18}
          icon={Upload}
          label={t('upload')}
          disabled={cannotCreate}
          onClick={() => openDialog({ kind: 'upload', dropped: null })}
        />
      </span>
      <span className="fm-rule" />
      <span className="fm-group fm-selected">
        <IconButton
          icon={Pencil}
          label={t('rename')}
          disabled={cannotMove || items.length !== 1}
          onClick={() => {
            if (first !== undefined) openDialog({ kind: 'rename', item: first })
          }}
        />
        <IconButton
          icon={Archive}
          label={t('archive')}
          disabled={cannotMove || items.length === 0}
          onClick={() => openDialog({ kind: 'archive', items })}
        />
        <IconButton
          icon={FolderInput}
          label={t('move')}
          disabled={cannotMove || items.length === 0}
          onClick={() => openDialog({ kind: 'move', items, target: null })}
        />
        <IconButton
          icon={Trash2}
          label={t('delete')}
          disabled={cannotChange || items.length === 0}
          onClick={() => openDialog({ kind: 'delete', items })}
        />
      </span>
      <span className="fm-gap" />
      <IconButton
        icon={List}
        label={t('listView')}
        aria-pressed={viewport === 'list'}
        onClick={() => preferences.setViewport('list')}
      />
      <IconButton
        icon={LayoutGrid}
        label={t('gridView')}
        aria-pressed={viewport === 'grid'}
        onClick={() => preferences.setViewport('grid')}
      />
      <IconButton
        icon={isFull ? Minimize : Maximize}
        label={isFull ? t('exitFullScreen') : t('fullScreen')}
        onClick={preferences.toggleFullScreen}
      />
      <MoreMenu />
    </div>
  )
}
