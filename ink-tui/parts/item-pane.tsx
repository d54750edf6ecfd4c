/** An item's picture and details, beside its list or instead of it. */
import { type ReactElement, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { detailLines } from '../items/item-text.ts'
import type { Line } from '../line.ts'
import { isCollectionEvent, useLive } from '../live.ts'
import { usePicture, usePictureMode } from '../pictures/picture-preview.ts'
import { cut, safe } from '../text.ts'
import { hasRoom, useKeys, useUi, useUiState } from '../ui.ts'
import { keysFor } from './keys-for.ts'
import { Rows } from './rows.tsx'

/** The row where the bodies of screens start, below the header and an empty line. */
const bodyTop = 2

/** Minimum rows of a picture; a smaller one would be unrecognisable. */
const minRows = 4

export interface PaneProps {
  id: number
  /** The part of the item that the list already has. */
  known: Item | undefined
  width: number
  height: number
  /** Position of the pane within the body. */
  column: number
  row: number
  /** Whether the arrow keys scroll the pane. */
  scrolls?: boolean
}

export function ItemPane({ id, known, width, height, column, row, scrolls = false }: PaneProps): ReactElement {
  const ui = useUi()
  const { columns, rows, overlays } = useUiState()
  const { client } = ui.session
  const { unicode } = ui.terminal.abilities
  const { value, error } = useLive(() => client.items.get({ params: { id } }), isCollectionEvent, String(id))
  const item = value?.id === id ? value : null
  const shown = item ?? known
  const mode = usePictureMode()
  // Relative to the terminal's height, not to the space left by a question, so that the picture keeps its size.
  const wanted = Math.min(Math.floor((rows - 6) * 0.55), Math.floor(width / 2))
  const pictureRows = wanted < minRows ? 0 : mode === 'none' ? 1 : wanted
  const key = shown === undefined ? '' : shown.reloads
  // Pictures drawn by the terminal would lie above help or a question, so they are removed.
  const isCovered =
    overlays.at(-1)?.kind === 'help' || !hasRoom({ columns, rows }) || (mode === 'kitty' && pictureRows + 2 > height)
  const picture = usePicture(
    shown === undefined || isCovered ? null : { id, key },
    { column: column + 1, row: bodyTop + row + 2, columns: width - 2, rows: pictureRows },
    mode,
  )
  const [top, setTop] = useState(0)
  const details = item === null ? [] : detailLines(item, width - 2, unicode)
  const room = Math.max(1, height - pictureRows - 3)
  const last = Math.max(0, details.length - room)
  const from = Math.min(top, last)
  const scroll = keysFor(ui, last > 0)
  const bindings = [
    scroll('up', 'scroll', 'a line up', () => setTop(Math.max(0, from - 1)), '↑↓'),
    scroll('down', '', 'a line down', () => setTop(Math.min(last, from + 1))),
    scroll('pgup', '', 'a page up', () => setTop(Math.max(0, from - room))),
    scroll('pgdn', '', 'a page down', () => setTop(Math.min(last, from + room))),
  ]
  useKeys({ title: 'Details', bindings }, 'pane', scrolls)
  const name = shown === undefined ? (error ?? '') : shown.name
  const lines: Line[] = [[{ text: cut(safe(name), width - 2), style: 'bold' }], []]
  for (let at = 0; at < pictureRows; at++) lines.push(picture[at] ?? [])
  if (pictureRows > 0) lines.push([])
  lines.push(...details.slice(from, from + room))
  return <Rows lines={lines.map((line): Line => [' ', ...line])} width={width} height={height} />
}
