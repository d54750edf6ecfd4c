/** The path bar: up, refresh, cancel, home, breadcrumbs, and the search. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowUp, ChevronRight, House, RefreshCw, Search, X } from 'lucide-react'
import { type DragEvent, useRef } from 'react'
import { IconButton } from '../kit/icon-button.tsx'
import { useController } from './controller-context.ts'
import { draggedItems } from './list/dragged.ts'
import { mayMoveInto, segmentsOf } from './paths.ts'

function Segments() {
  useSignals()
  const { t, path, open, openDialog } = useController()
  const segments = segmentsOf(path.value)
  const takes = (target: string) => ({
    onDragOver(event: DragEvent) {
      if (!mayMoveInto(target, draggedItems.peek())) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
    },
    onDrop(event: DragEvent) {
      const items = draggedItems.peek()
      if (!mayMoveInto(target, items)) return
      event.preventDefault()
      openDialog({ kind: 'move', items, target })
    },
  })
  return (
    <nav className="fm-segments" aria-label={t('path')}>
      <ol>
        {segments.map(({ name, path: to }, at) => (
          <li key={to}>
            {at > 0 && <ChevronRight size={16} className="soft" aria-hidden="true" />}
            <button
              type="button"
              title={to}
              aria-current={to === path.value ? 'page' : undefined}
              onClick={() => void open(to)}
              {...takes(to)}
            >
              <bdi>{name}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function SearchField() {
  useSignals()
  const { t, query, search } = useController()
  const field = useRef<HTMLInputElement>(null)
  return (
    <search className="fm-search">
      <Search size={16} className="soft" aria-hidden="true" />
      <input
        ref={field}
        type="search"
        maxLength={255}
        placeholder={t('searchHere')}
        aria-label={t('searchHere')}
        dir={query.value === '' ? undefined : 'auto'}
        value={query.value}
        onChange={event => search(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || query.peek() === '') return
          event.preventDefault()
          search('')
        }}
      />
      {query.value !== '' && (
        <button
          type="button"
          aria-label={t('clearSearch')}
          title={t('clearSearch')}
          onClick={() => {
            search('')
            field.current?.focus()
          }}
        >
          <X size={16} aria-hidden="true" />
        </button>
      )}
    </search>
  )
}

export function PathBar() {
  useSignals()
  const { t, path, goUp, refresh, cancel, open, loading } = useController()
  return (
    <div className="fm-path">
      <IconButton icon={ArrowUp} label={t('goUp')} disabled={path.value === '/'} onClick={() => void goUp()} />
      <IconButton icon={RefreshCw} label={t('refresh')} onClick={() => void refresh()} />
      <IconButton icon={X} label={t('cancel')} disabled={!loading.value} onClick={cancel} />
      <IconButton icon={House} label={t('home')} onClick={() => void open('/')} />
      <Segments />
      <SearchField />
    </div>
  )
}
