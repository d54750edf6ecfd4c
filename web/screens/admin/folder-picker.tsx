/** Chooses a folder of the server's machine: goes in and out of folders, one at a time. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronRight, CircleAlert, CornerLeftUp, Folder } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Modal } from '../../parts/modal.tsx'
import { useSlow } from '../../parts/use-slow.ts'
import { ownCollections } from '../../state/collections.ts'
import { type FolderList, listFolders, startOf } from '../../state/folders.ts'

const rowsOf = (list: Element | null) => [...(list?.querySelectorAll<HTMLElement>('button') ?? [])]

/** Arrows, Home, End and first letters go along the folders; what is left to do with the key is for the caller. */
function moveAlong(event: KeyboardEvent<HTMLElement>): boolean {
  const rows = rowsOf(event.currentTarget)
  const at = rows.findIndex(row => row.matches(':focus'))
  const { key } = event
  const letter = key.length === 1 && key !== ' ' ? key.toLocaleLowerCase() : null
  const next =
    letter === null
      ? { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
      : [...rows.keys()]
          .map(step => (at + 1 + step) % rows.length)
          .find(place => rows[place]?.textContent.toLocaleLowerCase().startsWith(letter) === true)
  if (next === undefined) return false
  rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus()
  return true
}

/** The folder that is open; what has been asked for last wins. */
function useFolder(typed: string) {
  const [open, setOpen] = useState<FolderList | null>(null)
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(true)
  const asked = useRef(0)
  const go = async (path: string) => {
    const mine = ++asked.current
    setBusy(true)
    const answer = await listFolders(path)
    if (asked.current !== mine) return false
    setBusy(false)
    if ('fault' in answer) setFault(answer.fault)
    else {
      setFault('')
      setOpen(answer)
    }
    return !('fault' in answer)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once
  useEffect(() => {
    const start = startOf(typed)
    void go(start).then(found => {
      if (!found && start !== '/') void go('/').then(() => setFault(''))
    })
    return () => {
      asked.current = -1
    }
  }, [])
  return { open, fault, busy, go }
}

export function FolderPicker({
  typed,
  onChoose,
  onClose,
}: {
  /** What stands in the field: where it begins. */
  typed: string
  onChoose: (path: string) => void
  onClose: () => void
}) {
  useSignals()
  const { open, fault, busy, go } = useFolder(typed)
  const list = useRef<HTMLUListElement>(null)
  const slow = useSlow(busy)
  const path = open?.path ?? '/'
  const parent = open?.parent ?? null
  const known = new Map(ownCollections.value.map(one => [one.path, one.name]))
  const here = known.get(path)

  // Whoever goes through folders by the keyboard goes on from the first one, or from the one he came out of.
  const came = useRef('')
  useEffect(() => {
    const rows = rowsOf(list.current)
    const back = rows.find(row => row.dataset.path === came.current)
    if (document.activeElement === document.body || list.current?.contains(document.activeElement) === true) {
      ;(back ?? rows[0])?.focus()
    }
    if (back === undefined) list.current?.scrollTo({ top: 0 })
    // The list is another one when its path is.
    came.current = path
  }, [path])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (moveAlong(event)) return event.preventDefault()
    if (event.key === 'Backspace' && parent !== null) {
      event.preventDefault()
      void go(parent)
    }
  }
  return (
    <Modal title="Choose a folder" onClose={onClose} width={560}>
      <div className="px-6 pt-2">
        <div className="flex items-center gap-2 min-w-0">
          <button
            type="button"
            className="icon-button -ms-2"
            aria-label="The folder above"
            title="The folder above"
            disabled={parent === null}
            onClick={() => parent !== null && void go(parent)}
          >
            <CornerLeftUp size={20} className="rtl:-scale-x-100" />
          </button>
          <p className="font-mono truncate-front grow min-w-0" title={path} aria-live="polite">
            <bdi>{path}</bdi>
          </p>
        </div>
        <ul
          ref={list}
          tabIndex={-1}
          data-autofocus
          className="folder-list"
          aria-label={`Folders in ${path}`}
          aria-busy={busy}
          onKeyDown={onKeyDown}
        >
          {open?.folders.map(folder => {
            const collection = known.get(folder.path)
            return (
              <li key={folder.path}>
                <button type="button" data-path={folder.path} onClick={() => void go(folder.path)}>
                  <Folder size={18} className="soft shrink-0" aria-hidden="true" />
                  <span className="truncate" dir="auto" title={folder.name}>
                    {folder.name}
                  </span>
                  {collection !== undefined && (
                    <span className="soft text-xs shrink-0 truncate max-w-[40%]">Collection {collection}</span>
                  )}
                  <ChevronRight size={16} className="soft shrink-0 ms-auto rtl:-scale-x-100" aria-hidden="true" />
                </button>
              </li>
            )
          })}
          {open !== null && open.folders.length === 0 && !busy && (
            <li className="soft px-3 py-2.5">There are no folders in this one.</li>
          )}
          {slow && open === null && <li className="soft px-3 py-2.5">Loading…</li>}
        </ul>
        <p className={`hint-line ${fault === '' ? '' : 'bad'}`} role={fault === '' ? undefined : 'alert'}>
          {fault !== '' && <CircleAlert size={14} className="shrink-0" aria-hidden="true" />}
          {fault !== '' ? fault : here === undefined ? '' : `This is the collection ${here} already`}
        </p>
      </div>
      <footer className="dialog-foot">
        <button type="button" className="btn btn-ghost ms-auto" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={open === null || path === '/' || here !== undefined}
          onClick={() => {
            onChoose(path)
            onClose()
          }}
        >
          Choose this folder
        </button>
      </footer>
    </Modal>
  )
}
