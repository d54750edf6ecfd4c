/** An entry of the list or the grid. */
import { useEffect, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import type { Driver } from '../driver.ts'
import { directionOfName, shortName } from '../paths.ts'
import { modifiedText } from './dates.ts'
import { EntryIcon } from './entry-icon.tsx'
import { sizeText } from './sizes.ts'

/** Milliseconds from rendering an entry to requesting its picture, so that fast scrolling loads nothing. */
const thumbnailDelayMs = 120

function Thumbnail({ node, driver, version }: Pick<EntryProps, 'node' | 'driver' | 'version'>) {
  const [source, setSource] = useState('')
  const [failed, setFailed] = useState(false)
  const [loaded, setLoaded] = useState(false)
  const address = driver.previewAddress(node.path, { small: true, version })
  useEffect(() => {
    setFailed(false)
    setLoaded(false)
    const timer = setTimeout(() => setSource(address), thumbnailDelayMs)
    return () => clearTimeout(timer)
  }, [address])
  if (source === '') return null
  return (
    <>
      {failed && <EntryIcon node={node} size={44} thin />}
      <img
        src={source}
        alt=""
        hidden={failed}
        draggable={false}
        decoding="async"
        data-loaded={loaded}
        onLoad={() => {
          setFailed(false)
          setLoaded(true)
        }}
        onError={() => setFailed(true)}
      />
    </>
  )
}

interface EntryProps {
  node: FileNode
  at: number
  id: string
  selected: boolean
  active: boolean
  /** Whether this is a folder over which entries are dragged, and into which they can be moved. */
  isDropTarget: boolean
  draggable: boolean
  place: { top: number; start: number; width: number; height: number }
  driver: Driver
  /** Changes with the file. */
  version: string
  intl: string | undefined
  note: string
  /** Whether the entry's folder is shown, as in search results. */
  showsFolder: boolean
  total: number
}

function attributesOf(props: EntryProps, label?: string) {
  const { node, at, id, selected, active, isDropTarget, place, total } = props
  return {
    id,
    role: 'option',
    'aria-selected': selected,
    'aria-label': label,
    'data-name': node.basename,
    'aria-setsize': total,
    'aria-posinset': at + 1,
    'data-at': at,
    'data-active': active,
    'data-target': isDropTarget,
    style: { insetBlockStart: place.top, insetInlineStart: place.start, width: place.width, height: place.height },
  } as const
}

export function GridEntry(props: EntryProps) {
  const { node, draggable, driver, version } = props
  return (
    <div {...attributesOf(props, node.basename)} className="fm-cell">
      <div className="fm-cell-in" data-grab draggable={draggable} title={node.basename}>
        <span className="fm-thumb">
          {node.mime_type.startsWith('image/') ? (
            <Thumbnail node={node} driver={driver} version={version} />
          ) : (
            <EntryIcon node={node} size={44} thin />
          )}
        </span>
        {/* CSS draws the short name; the accessible name is the whole one. */}
        <span className="fm-cell-name" dir={directionOfName(node.basename)} data-short={shortName(node.basename)} />
      </div>
    </div>
  )
}

export function ListEntry(props: EntryProps) {
  const { node, draggable, intl, note, showsFolder } = props
  const size = node.type === 'dir' ? '' : sizeText(node.file_size, intl)
  const date = modifiedText(node.last_modified, intl)
  return (
    <div {...attributesOf(props)} className="fm-row">
      <span className="fm-row-name" data-grab draggable={draggable} title={showsFolder ? node.path : node.basename}>
        <EntryIcon node={node} size={20} />
        <span className="fm-row-words">
          <span className="fm-row-title" dir="auto">
            {node.basename}
          </span>
          {showsFolder && (
            <span className="fm-row-folder soft">
              <bdi>{node.dir}</bdi>
            </span>
          )}
          <span className="fm-row-under soft">
            {size !== '' && (
              <>
                <bdi>{size}</bdi>
                {' · '}
              </>
            )}
            <bdi>{date}</bdi>
          </span>
        </span>
      </span>
      {note !== '' && <span className="fm-row-note soft">{note}</span>}
      <span className="fm-row-size">{size}</span>
      <span className="fm-row-date soft">{date}</span>
    </div>
  )
}
