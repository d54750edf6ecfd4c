/** The foot of what is shown in pages: range, nine pages, the page menu, the page size. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { limits } from '../../schema/limits.ts'
import { page, setPage } from '../state/current-filter.ts'
import { countText } from '../state/dates.ts'
import { pageSize } from '../state/options.ts'
import { choosePageSize } from '../state/page-size.ts'
import { pageChoices, pageCount, pagesShown, pagesThatFit, rangeOf } from '../state/pages.ts'

function Menu({
  label,
  value,
  values,
  onChange,
  children,
}: {
  label: string
  value: number
  values: readonly number[]
  onChange: (value: number) => void
  children: ReactNode
}) {
  const offered = values.includes(value) ? values : [...values, value].sort((a, b) => a - b)
  return (
    <label className="pager-menu">
      <span aria-hidden="true">{children}</span>
      <ChevronDown size={16} />
      <select aria-label={label} value={value} onChange={event => onChange(Number(event.target.value))}>
        {offered.map(one => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Pixels that a part of a bar may take beside the words of the others in its row. */
function roomOf(part: HTMLElement, bar: HTMLElement): number {
  const { paddingInlineStart, paddingInlineEnd, columnGap } = getComputedStyle(bar)
  let room = bar.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
  const { top, bottom } = part.getBoundingClientRect()
  for (const other of bar.children) {
    const words = document.createRange()
    words.selectNodeContents(other)
    const box = words.getBoundingClientRect()
    if (other !== part && box.width > 0 && box.top < bottom && box.bottom > top)
      room -= box.width + (Number.parseFloat(columnGap) || 0)
  }
  return room
}

/** The room of a part in its bar, as it is after each drawing and whenever the bar has another width. */
function useRoom(part: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const { current } = part
    const bar = current?.parentElement
    if (current === null || bar == null) return
    const measure = () => setRoom(roomOf(current, bar))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(bar)
    return () => observer.disconnect()
  })
  return room
}

export interface Paging {
  total: number
  /** From 1. */
  page: number
  size: number
  onPage: (page: number) => void
  /** Absent: the size is fixed. */
  onSize?: (size: number) => void
  /** In place of the range. */
  lead?: ReactNode
}

/** Pages of anything. */
export function PageBar({ total, page: asked, size, onPage, onSize, lead }: Paging) {
  useSignals()
  const pages = pageCount(total, size)
  const now = Math.min(asked, pages)
  const { first, last } = rangeOf(now, size, total)
  const nav = useRef<HTMLElement>(null)
  const most = pagesThatFit(now, pages, useRoom(nav))
  return (
    <footer className="pager">
      {lead ?? (
        <p className="max-md:hidden">
          <b className="font-semibold">
            {first === last ? countText(first) : `${countText(first)}–${countText(last)}`}
          </b>
          <span className="soft"> of {countText(total)}</span>
        </p>
      )}
      <nav ref={nav} aria-label="Pages" className="flex items-center justify-center">
        <button
          type="button"
          className="page-button"
          aria-label="Previous page"
          disabled={now <= 1}
          onClick={() => onPage(now - 1)}
        >
          <ChevronLeft size={20} className="rtl:-scale-x-100" />
        </button>
        {pagesShown(now, pages, most).map(number => (
          <button
            key={number}
            type="button"
            className="page-button"
            aria-label={`Page ${number}`}
            aria-current={number === now ? 'page' : undefined}
            onClick={() => onPage(number)}
          >
            {countText(number)}
          </button>
        ))}
        {pages > most && (
          <Menu label="Go to page" value={now} values={pageChoices(pages)} onChange={onPage}>
            of {countText(pages)}
          </Menu>
        )}
        <button
          type="button"
          className="page-button"
          aria-label="Next page"
          disabled={now >= pages}
          onClick={() => onPage(now + 1)}
        >
          <ChevronRight size={20} className="rtl:-scale-x-100" />
        </button>
      </nav>
      <div className="flex items-center justify-end gap-1 max-md:hidden">
        {onSize !== undefined && (
          <>
            <span className="soft" aria-hidden="true">
              Items per page
            </span>
            <Menu label="Items per page" value={size} values={limits.pageSizes} onChange={onSize}>
              {size}
            </Menu>
          </>
        )}
      </div>
    </footer>
  )
}

/** The pages of the gallery. */
export function Pager({ total }: { total: number }) {
  useSignals()
  return <PageBar total={total} page={page.value} size={pageSize.value} onPage={setPage} onSize={choosePageSize} />
}
