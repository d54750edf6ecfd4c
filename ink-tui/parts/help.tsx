/** All keys at hand, made of the tables that act. */
import { type ReactElement, useState } from 'react'
import type { HelpSection } from '../keys.ts'
import type { Line } from '../line.ts'
import { useKeys } from '../stage.ts'
import { pad } from '../text.ts'
import { Rows } from './rows.tsx'

export function Help({
  sections,
  onClose,
  width,
  height,
}: {
  sections: readonly HelpSection[]
  onClose(): void
  width: number
  height: number
}): ReactElement {
  const [top, setTop] = useState(0)
  const wide = Math.max(8, ...sections.flatMap(({ rows }) => rows.map(({ keys }) => Bun.stringWidth(keys))))
  const lines: Line[] = sections.flatMap(({ title, rows }, at): Line[] => [
    ...(at === 0 ? [] : [[]]),
    [' ', { text: title, style: 'bold' }],
    ...rows.map(({ keys, about }): Line => ['   ', { text: pad(keys, wide + 3), style: 'accent' }, about]),
  ])
  const last = Math.max(0, lines.length - height)
  const move = (by: number) => setTop(at => Math.max(0, Math.min(last, at + by)))
  useKeys(
    {
      title: 'Help',
      closed: true,
      bindings: [
        { keys: ['up'], shown: '↑↓', short: 'scroll', about: 'scroll', when: last > 0, run: () => move(-1) },
        { keys: ['down'], about: 'scroll down', unlisted: true, when: last > 0, run: () => move(1) },
        { keys: ['pgup', 'ctrl-u'], about: 'a page up', run: () => move(1 - height) },
        { keys: ['pgdn', 'ctrl-d', 'space'], about: 'a page down', run: () => move(height - 1) },
        { keys: ['g', 'home'], about: 'the beginning', run: () => move(-lines.length) },
        { keys: ['G', 'end'], about: 'the end', run: () => move(lines.length) },
        { keys: ['esc', 'q', '?', 'enter', 'ctrl-c', 'f1'], short: 'back', about: 'back', run: onClose },
      ],
    },
    'overlay',
  )
  return <Rows lines={lines.slice(top, top + height)} width={width} height={height} />
}
