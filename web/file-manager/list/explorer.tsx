/** The entries of the folder, as a list or a grid; only those in or near the view are rendered. */

import { useSignals } from '@preact/signals-react/runtime'
import { CloudUpload } from 'lucide-react'
import { useId } from 'react'
import { fileWidget } from '../../../schema/limits.ts'
import { useController } from '../controller-context.ts'
import { GridEntry, ListEntry } from './entry.tsx'
import { ListHead } from './list-head.tsx'
import { EmptyState, LoadingState } from './nothing.tsx'
import { heightOf, type Layout, renderedRange, type SelectionBox, scrollTopFor, topOf } from './rows-in-view.ts'
import { useListKeys } from './use-list-keys.ts'
import { useListPointer } from './use-list-pointer.ts'
import { layoutOf, narrowPx, useKeptScrollPosition, useScrollToFocused, useView } from './use-list-view.ts'

interface EntriesProps {
  from: number
  to: number
  layout: Layout
  id: string
  isGrid: boolean
  /** Index of the folder that something is dragged over; -1 for none. */
  over: number
  isCoarse: boolean
}

function Entries({ from, to, layout, id, isGrid, over, isCoarse }: EntriesProps) {
  useSignals()
  const controller = useController()
  const { selected, active } = controller.choice.value
  const { onlyFolders } = controller.driver
  const Entry = isGrid ? GridEntry : ListEntry
  return controller.nodes.value.slice(from, to).map((node, step) => {
    const at = from + step
    const place = {
      top: topOf(layout, at),
      start: layout.inset + (at % layout.columns) * layout.cell,
      width: layout.cell,
      height: layout.row,
    }
    return (
      <Entry
        key={node.path}
        node={node}
        at={at}
        id={`${id}${at}`}
        selected={selected.has(at)}
        active={at === active}
        isDropTarget={at === over}
        draggable={!isCoarse && !onlyFolders}
        place={place}
        driver={controller.driver}
        version={controller.versionOf(node)}
        note={controller.noteOf(node.path)}
        intl={controller.preferences.intl.value}
        showsFolder={controller.shownSearch.value !== '' && !onlyFolders}
        total={layout.count}
      />
    )
  })
}

function DrawnBox({ box: { left, top, right, bottom } }: { box: SelectionBox }) {
  return (
    <div
      aria-hidden="true"
      className="fm-box"
      style={{ insetInlineStart: left, insetBlockStart: top, width: right - left, height: bottom - top }}
    />
  )
}

export function Explorer() {
  useSignals()
  const controller = useController()
  const { nodes, choice, t, preferences, shownSearch, driver } = controller
  /** True for a folder picker, in which entries cannot be selected. */
  const onlyFolders = driver.onlyFolders
  const id = useId()
  const { ref, view } = useView(controller)
  const isGrid = preferences.viewport.value === 'grid' && !onlyFolders
  const isCoarse = matchMedia('(pointer: coarse)').matches
  const twoLines = !onlyFolders && (shownSearch.value !== '' || view.width < narrowPx)
  const count = nodes.value.length
  const layout = layoutOf({ width: view.width, count, isGrid, twoLines })
  const { from, to } = renderedRange(layout, { ...view, ahead: fileWidget.thumbnailAheadPx })
  const { active } = choice.value

  const pointer = useListPointer(controller, ref, layout)
  useKeptScrollPosition(controller, ref, layout)

  const show = (at: number) => {
    if (ref.current !== null)
      ref.current.scrollTop = scrollTopFor(layout, at, { top: ref.current.scrollTop, height: view.height })
  }
  useScrollToFocused(controller, ref, view.height > 0, show)
  const onKeyDown = useListKeys(controller, {
    list: ref,
    layout,
    viewHeight: view.height,
    openMenu: pointer.openMenu,
    show,
  })

  const isEmpty = count === 0
  return (
    <div className="fm-explorer" style={{ minHeight: fileWidget.explorerLeastPx }}>
      {!isGrid && <ListHead />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: it is a list box unless it is empty */}
      <div
        ref={ref}
        className="fm-scroll"
        data-elsewhere={controller.isElsewhere.value}
        role={isEmpty ? 'group' : 'listbox'}
        tabIndex={0}
        aria-multiselectable={isEmpty || onlyFolders ? undefined : true}
        aria-label={controller.path.value}
        aria-activedescendant={active >= from && active < to ? `${id}${active}` : undefined}
        data-brings={pointer.brings}
        onKeyDown={onKeyDown}
        {...pointer.handlers}
      >
        <div role="presentation" className="fm-space" style={{ height: isEmpty ? undefined : heightOf(layout) }}>
          <Entries
            from={from}
            to={to}
            layout={layout}
            id={id}
            isGrid={isGrid}
            over={pointer.over}
            isCoarse={isCoarse}
          />
          {pointer.box !== null && <DrawnBox box={pointer.box} />}
        </div>
      </div>
      <LoadingState isGrid={isGrid} />
      <EmptyState />
      {pointer.brings && (
        <div className="fm-drop" aria-hidden="true">
          <CloudUpload size={32} strokeWidth={1.25} />
          <p>{t('dropFiles')}</p>
        </div>
      )}
    </div>
  )
}
