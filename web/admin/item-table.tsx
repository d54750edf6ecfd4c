/** Items as a table with checkboxes per row and page, and range selection with Shift; in narrow places a list. */
import { useSignals } from '@preact/signals-react/runtime'
import { Pencil } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { go } from '../app/address.ts'
import { collections } from '../app/collections.ts'
import { addressOfEditor, filtered } from '../app/current-filter.ts'
import { mayUpdate } from '../app/rights.ts'
import { listKey } from '../items/items.ts'
import { TablePicture } from '../items/pictures/table-picture.tsx'
import { isSelected, selectRange, toggle } from '../items/selection/selection.ts'
import { shortDate } from '../kit/dates.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { useSlow } from '../kit/time/use-slow.ts'
import { TryAgain } from '../kit/try-again.tsx'
import { useElementSize } from '../kit/use-element-size.ts'
import { windowWidth } from '../kit/viewport.ts'
import { listText } from '../kit/words.ts'
import { adminTexts } from '../texts/admin.ts'
import { baseTexts } from '../texts/base.ts'
import {
  itemTable,
  itemTableFailed,
  itemTableLoading,
  keepItemTableFresh,
  type ItemTable as Page,
  reloadItemTable,
} from './item-table-state.ts'

/** Returns whether a word of a row is highlighted. */
type IsMarked = (tag: 'Category' | 'Keywords', word: string) => boolean

/** Minimum widths in pixels: of a table instead of a list, and of a table with a column for the date. */
const minWidth = { table: 640, dates: 880 }

interface RowProps {
  onPoint: (item: Item) => void
  isMarked: IsMarked
}

/** The words of a tag set on one line, with words that will change underlined. */
function TagWords({ item, tag, marked }: { item: Item; tag: 'Category' | 'Keywords'; marked: IsMarked }) {
  const words = item.tags[tag]?.data ?? []
  return (
    <span className="block truncate" dir="auto" title={listText(words.map(({ content }) => content))}>
      {words.map(({ id, content }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          {marked(tag, content) ? <u className="marked-word">{content}</u> : content}
        </span>
      ))}
    </span>
  )
}

/** Arrows move between checkboxes. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof HTMLInputElement)) return
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')]
  const next = boxes[boxes.indexOf(event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function choose(item: Item, index: number, shift: boolean): void {
  if (shift) void selectRange(index)
  else toggle(item, index)
}

/** A click anywhere in the row toggles its checkbox, except on other controls. */
function onRowClick(event: MouseEvent, item: Item, index: number): void {
  if (event.target instanceof Element && event.target.closest('button, a, input, label') !== null) return
  choose(item, index, event.shiftKey)
}

function RowCheckbox({ item, index }: { item: Item; index: number }) {
  useSignals()
  return (
    <label className="table-box">
      <input
        type="checkbox"
        className="checkbox checkbox-sm"
        aria-label={adminTexts.selectItem({ name: item.name, date: shortDate(item.taken) })}
        checked={isSelected(item.id)}
        onChange={() => {}}
        onClick={event => choose(item, index, event.shiftKey)}
      />
    </label>
  )
}

/** A shortcut to the editor, which is disabled for items of read-only collections. */
function EditButton({ item }: { item: Item }) {
  useSignals()
  if (!mayUpdate(item)) return null
  const readonly = collections.value?.find(({ id }) => id === item.collection_id)?.readonly === true
  return (
    <IconButton
      icon={Pencil}
      size={18}
      aria-label={adminTexts.editMetadataOf({ name: item.name })}
      title={readonly ? adminTexts.itsCollectionIsReadOnly : baseTexts.editMetadata}
      className="row-action"
      disabled={readonly}
      onClick={() => go(addressOfEditor([item.id]))}
    />
  )
}

function PageCheckbox({ page }: { page: Page }) {
  useSignals()
  const count = page.items.filter(({ id }) => isSelected(id)).length
  const all = count > 0 && count === page.items.length
  return (
    <label className="table-box">
      <input
        type="checkbox"
        className="checkbox checkbox-sm"
        aria-label={adminTexts.selectAllOnThisPage}
        checked={all}
        ref={box => {
          if (box !== null) box.indeterminate = count > 0 && !all
        }}
        onChange={() => {
          for (const item of page.items) if (isSelected(item.id) === all) toggle(item)
        }}
      />
    </label>
  )
}

function Rows({ page, dated, onPoint, isMarked }: RowProps & { page: Page; dated: boolean }) {
  useSignals()
  const first = (page.page - 1) * page.size
  return (
    <table className="grid-table item-table">
      <caption className="sr-only">{baseTexts.items}</caption>
      <thead>
        <tr>
          <th scope="col" className="item-table-box">
            <PageCheckbox page={page} />
          </th>
          <th scope="col" className="item-table-action">
            <span className="sr-only">{adminTexts.action}</span>
          </th>
          <th scope="col" className="w-[74px]">
            <span className="sr-only">{baseTexts.picture}</span>
          </th>
          <th scope="col">{baseTexts.name}</th>
          {dated && (
            <th scope="col" className="w-36">
              {baseTexts.date}
            </th>
          )}
          <th scope="col" className="w-[17%]">
            {baseTexts.category}
          </th>
          <th scope="col" className="w-[24%]">
            {baseTexts.keywords}
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={onArrow}>
        {page.items.map((item, at) => (
          <tr
            key={item.id}
            aria-selected={isSelected(item.id)}
            onClick={event => onRowClick(event, item, first + at)}
            onPointerEnter={() => onPoint(item)}
            onFocus={() => onPoint(item)}
          >
            <td className="item-table-box">
              <RowCheckbox item={item} index={first + at} />
            </td>
            <td className="item-table-action">
              <EditButton item={item} />
            </td>
            <td>
              <TablePicture item={item} />
            </td>
            <td>
              <span className="block truncate" dir="auto" title={item.path}>
                {item.name}
              </span>
              {!dated && <span className="block text-xs soft whitespace-nowrap">{shortDate(item.taken)}</span>}
            </td>
            {dated && <td className="soft whitespace-nowrap">{shortDate(item.taken)}</td>}
            <td>
              <TagWords item={item} tag="Category" marked={isMarked} />
            </td>
            <td>
              <TagWords item={item} tag="Keywords" marked={isMarked} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function List({ page, onPoint, isMarked }: RowProps & { page: Page }) {
  useSignals()
  const first = (page.page - 1) * page.size
  return (
    <>
      <div className="item-list-head">
        <PageCheckbox page={page} />
        <span className="text-xs font-semibold soft">{adminTexts.thisPage}</span>
      </div>
      {/* biome-ignore lint/a11y/noRedundantRoles: without bullets Safari's screen reader needs the role */}
      <ul role="list" aria-label={baseTexts.items} className="item-list" onKeyDown={onArrow}>
        {page.items.map((item, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the row's checkbox handles the keys
          <li
            key={item.id}
            data-selected={isSelected(item.id)}
            onClick={event => {
              onPoint(item)
              onRowClick(event, item, first + at)
            }}
            onFocus={() => onPoint(item)}
          >
            <RowCheckbox item={item} index={first + at} />
            <TablePicture item={item} />
            <div className="min-w-0 grow">
              <span className="block truncate" dir="auto">
                {item.name}
              </span>
              <span className="block text-xs soft">{shortDate(item.taken)}</span>
              <span className="block text-xs">
                <TagWords item={item} tag="Category" marked={isMarked} />
                <TagWords item={item} tag="Keywords" marked={isMarked} />
              </span>
            </div>
            <EditButton item={item} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Loads the pages of the present filter; the screen calls this once. */
export function useItemTable(size: () => number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the signals that it reads
  useEffect(() => keepItemTableFresh(size), [])
}

function Skeleton() {
  return (
    <div className="item-skeleton" aria-hidden="true">
      {[62, 44, 70, 52, 58].map(width => (
        <i key={width} className="table-bar" style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

function Content({ room, onPoint, isMarked }: RowProps & { room: number }) {
  useSignals()
  const page = itemTable.value
  const isOld = page === null || page.key !== listKey.value
  const slow = useSlow(itemTableLoading.value && isOld)
  if (itemTableFailed.value && isOld) {
    return (
      <div className="table-empty">
        <TryAgain again={reloadItemTable} />
      </div>
    )
  }
  if (page === null || (isOld && slow)) return slow ? <Skeleton /> : null
  if (page.total === 0) {
    return <p className="table-empty">{filtered.value ? adminTexts.noItemsAnotherFilter : baseTexts.noItems}</p>
  }
  return room < minWidth.table ? (
    <List page={page} onPoint={onPoint} isMarked={isMarked} />
  ) : (
    <Rows page={page} dated={room >= minWidth.dates} onPoint={onPoint} isMarked={isMarked} />
  )
}

export function ItemTable({ onPoint = () => {}, isMarked = () => false }: Partial<RowProps>) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  // On the first render the width is not measured yet.
  const room = useElementSize(ref).width || windowWidth.value
  return (
    <div ref={ref}>
      <Content room={room} onPoint={onPoint} isMarked={isMarked} />
    </div>
  )
}
