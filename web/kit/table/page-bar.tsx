/** The footer of paged lists: range, up to nine page buttons, the page menu, the page size. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { figure } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { baseTexts } from '../../texts/base.ts'
import { Button } from '../button.tsx'
import { Select } from '../form/select.tsx'
import { useElementSize } from '../use-element-size.ts'
import { pageChoices, pageCount, pagesShown, pagesThatFit, pagesWidth, rangeOf } from './pages.ts'

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
    <div className="pager-menu">
      <span aria-hidden="true">{children}</span>
      <ChevronDown size={16} />
      <Select
        className=""
        aria-label={label}
        value={value}
        choices={offered.map(one => ({ value: one, text: figure(one) }))}
        onChoose={chosen => onChange(Number(chosen))}
      />
    </div>
  )
}

export interface Paging {
  total: number
  /** From 1. */
  page: number
  size: number
  onPage: (page: number) => void
  /** Absent if the page size is fixed. */
  onSize?: (size: number) => void
  lead?: ReactNode
}

export function PageBar({ total, page: requestedPage, size, onPage, onSize, lead }: Paging) {
  useSignals()
  const pages = pageCount(total, size)
  const now = Math.min(requestedPage, pages)
  const { first, last } = rangeOf(now, size, total)
  const nav = useRef<HTMLElement>(null)
  const most = pagesThatFit(now, pages, useElementSize(nav).width)
  return (
    <footer className="pager">
      {lead ?? (
        <p>
          <b className="font-semibold">{first === last ? figure(first) : `${figure(first)}–${figure(last)}`}</b>
          <span className="soft"> {baseTexts.ofTotal({ total })}</span>
        </p>
      )}
      <nav ref={nav} aria-label={baseTexts.pages} style={{ flexBasis: pagesWidth(now, pages) }}>
        <button
          type="button"
          className="page-button"
          aria-label={baseTexts.previousPage}
          disabled={now <= 1}
          onClick={() => onPage(now - 1)}
        >
          <ChevronLeft size={20} />
        </button>
        {pagesShown(now, pages, most).map(number => (
          <Button
            className="page-button"
            text={figure(number)}
            key={number}
            aria-label={baseTexts.pageNumber({ number })}
            aria-current={number === now ? 'page' : undefined}
            onClick={() => onPage(number)}
          />
        ))}
        {pages > most && (
          <Menu label={baseTexts.goToPage} value={now} values={pageChoices(pages)} onChange={onPage}>
            {baseTexts.ofTotal({ total: pages })}
          </Menu>
        )}
        <button
          type="button"
          className="page-button"
          aria-label={baseTexts.nextPage}
          disabled={now >= pages}
          onClick={() => onPage(now + 1)}
        >
          <ChevronRight size={20} />
        </button>
      </nav>
      {onSize !== undefined && (
        <div className="flex items-center gap-1">
          <span className="soft" aria-hidden="true">
            {baseTexts.itemsPerPage}
          </span>
          <Menu label={baseTexts.itemsPerPage} value={size} values={limits.pageSizes} onChange={onSize}>
            {figure(size)}
          </Menu>
        </div>
      )}
    </footer>
  )
}
