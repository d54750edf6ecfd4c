/** All active keys, from the tables that handle them. */
import { type ReactElement, useState } from 'react'
import type { HelpSection } from '../keys.ts'
import type { Line } from '../line.ts'
import { pad } from '../text.ts'
import { useKeys, useUi } from '../ui.ts'
import { keysFor } from './keys-for.ts'
import type { Frame } from './overlays.tsx'
import { Rows } from './rows.tsx'

type HelpProps = Frame & { sections: readonly HelpSection[]; onClose(): void }

export function Help({ sections, onClose, width, height }: HelpProps): ReactElement {
  const [top, setTop] = useState(0)
  const wide = Math.max(8, ...sections.flatMap(({ rows }) => rows.map(({ keys }) => Bun.stringWidth(keys))))
  const lines: Line[] = sections.flatMap(({ title, rows }, at): Line[] => [
    ...(at === 0 ? [] : [[]]),
    [' ', { text: title, style: 'bold' }],
    ...rows.map(({ keys, about }): Line => ['   ', { text: pad(keys, wide + 3), style: 'accent' }, about]),
  ])
  const last = Math.max(0, lines.length - height)
  const move = (by: number) => setTop(at => Math.max(0, Math.min(last, at + by)))
  const ui = useUi()
  const key = keysFor(ui, ui)
  const scroll = keysFor(ui, last > 0)
  const bindings = [
    scroll('up', 'scroll', 'scroll', () => move(-1), '↑↓'),
    { ...scroll('down', '', 'scroll down', () => move(1)), unlisted: true },
    key('pgup ctrl-u', '', 'a page up', () => move(1 - height)),
    key('pgdn ctrl-d space', '', 'a page down', () => move(height - 1)),
    key('g home', '', 'the beginning', () => move(-lines.length)),
    key('G end', '', 'the end', () => move(lines.length)),
    key('esc q ? enter ctrl-c f1', 'back', 'back', onClose),
  ]
  useKeys({ title: 'Help', closed: true, bindings }, 'overlay')
  return <Rows lines={lines.slice(top, top + height)} width={width} height={height} />
}
