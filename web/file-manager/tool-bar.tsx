/** What can be done: new things at the start, the selection in the middle, how it looks at the end. */
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
import { useDesk } from './desk-context.ts'
import { IconButton } from './icon-button.tsx'
import { MenuList } from './menu-list.tsx'
import { localeNames, locales } from './texts/catalogues.ts'
import { isLink } from './viewers.ts'

function More() {
  useSignals()
  const { t, preferences, setLocale } = useDesk()
  const [at, setAt] = useState<{ x: number; y: number } | null>(null)
  const isDark = preferences.dark.value
  return (
    <>
      <IconButton
        icon={EllipsisVertical}
        text={t('more')}
        expanded={at !== null}
        onPress={button => {
          const { left, right, bottom } = button.getBoundingClientRect()
          setAt({ x: preferences.direction.peek() === 'rtl' ? left : right, y: bottom + 4 })
        }}
      />
      {at !== null && (
        <MenuList
          label={t('more')}
          at={at}
          onClose={() => setAt(null)}
          entries={[
            {
              key: 'dark',
              text: isDark ? t('lightMode') : t('darkMode'),
              icon: isDark ? Sun : Moon,
              act: preferences.toggleDark,
            },
            ...locales.map(locale => ({
              key: locale,
              text: localeNames[locale],
              checked: locale === preferences.locale.value,
              act: () => void setLocale(locale),
            })),
          ]}
        />
      )}
    </>
  )
}

export function ToolBar() {
  useSignals()
  const { t, selected, ask, preferences, isFixed, isReady, mayChange } = useDesk()
  const items = selected.value
  const [first] = items
  const isFull = preferences.fullScreen.value
  const viewport = preferences.viewport.value
  const isTop = isFixed.value || !isReady.value
  const isGiven = !mayChange(items)
  /** Links are neither followed nor carried about: they can only go. */
  const stays = isGiven || items.some(isLink)
  return (
    <div className="fm-tools" role="toolbar" aria-label={t('fileManager')} data-selecting={items.length > 0}>
      <span className="fm-group fm-new">
        <IconButton
          labelled
          icon={FolderPlus}
          text={t('newFolder')}
          disabled={isTop}
          onPress={() => ask({ kind: 'new-folder' })}
        />
        <IconButton
          labelled
          icon={FilePlus}
          text={t('newFile')}
          disabled={isTop}
          onPress={() => ask({ kind: 'new-file' })}
        />
        <IconButton
          labelled
          icon={Upload}
          text={t('upload')}
          disabled={isTop}
          onPress={() => ask({ kind: 'upload', dropped: null })}
        />
      </span>
      <span className="fm-rule" />
      <span className="fm-group fm-selected">
        <IconButton
          icon={Pencil}
          text={t('rename')}
          disabled={stays || items.length !== 1}
          onPress={() => {
            if (first !== undefined) ask({ kind: 'rename', item: first })
          }}
        />
        <IconButton
          icon={Archive}
          text={t('archive')}
          disabled={stays || items.length === 0}
          onPress={() => ask({ kind: 'archive', items })}
        />
        <IconButton
          icon={FolderInput}
          text={t('move')}
          mirrored
          disabled={stays || items.length === 0}
          onPress={() => ask({ kind: 'move', items, target: null })}
        />
        <IconButton
          icon={Trash2}
          text={t('delete')}
          disabled={isGiven || items.length === 0}
          onPress={() => ask({ kind: 'delete', items })}
        />
      </span>
      <span className="fm-gap" />
      <IconButton
        icon={List}
        text={t('listView')}
        pressed={viewport === 'list'}
        mirrored
        onPress={() => preferences.setViewport('list')}
      />
      <IconButton
        icon={LayoutGrid}
        text={t('gridView')}
        pressed={viewport === 'grid'}
        onPress={() => preferences.setViewport('grid')}
      />
      <IconButton
        icon={isFull ? Minimize : Maximize}
        text={isFull ? t('exitFullScreen') : t('fullScreen')}
        onPress={preferences.toggleFullScreen}
      />
      <More />
    </div>
  )
}
