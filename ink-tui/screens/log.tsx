/** What the programs wrote down: followed as it grows, by level, with a search. */
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react'
import type { Binding } from '../keys.ts'
import type { Line, Span, Style } from '../line.ts'
import { coalesced, liveMs } from '../live.ts'
import { useList } from '../parts/list.ts'
import { Row, Rows } from '../parts/rows.tsx'
import type { ScreenProps } from '../screens.ts'
import type { LogLine } from '../session.ts'
import { useKeys, useStage } from '../stage.ts'
import { cut, pad, plural, safe, wholeTime } from '../text.ts'

/** As many lines as are held. */
const most = 3000
const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]
const styles: Record<Level, Style> = { debug: 'dim', info: 'dim', warn: 'amber', error: 'amber' }

function fieldsText({ fields }: LogLine): string {
  return Object.entries(fields)
    .filter(([name]) => name !== 'process')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : errorWords(value)}`)
    .join('  ')
}

/** Of an error its message: its stack is in the details. */
function errorWords(value: unknown): string {
  const message = typeof value === 'object' && value !== null ? Reflect.get(value, 'message') : undefined
  return typeof message === 'string' ? message : JSON.stringify(value)
}

function detailsOf(line: LogLine, width: number): Line[] {
  const lines: Line[] = [
    [' ', { text: cut(safe(line.message), width - 2), style: 'bold' }],
    ['   ', { text: `${wholeTime(line.at)}  ${line.level}  ${line.source}`, style: 'dim' }],
  ]
  for (const [name, value] of Object.entries(line.fields)) {
    const stack = typeof value === 'object' && value !== null ? Reflect.get(value, 'stack') : undefined
    const text = typeof stack === 'string' ? stack : typeof value === 'string' ? value : JSON.stringify(value)
    for (const [at, part] of text.split('\n').entries())
      lines.push(['   ', { text: pad(at === 0 ? name : '', 12), style: 'dim' }, part.trim()])
  }
  return lines
}

export function Log({ width, height }: ScreenProps): ReactElement {
  const stage = useStage()
  const { session, terminal } = stage
  const [lines, setLines] = useState<LogLine[]>([])
  const [least, setLeast] = useState<Level>('info')
  const [wanted, setWanted] = useState('')
  const [following, setFollowing] = useState(true)
  const [isOpen, setIsOpen] = useState(false)

  useEffect(() => {
    const asker = coalesced(async () => setLines(session.log.tail(most)), liveMs)
    asker.ask()
    const stop = session.log.follow(asker.ask)
    return () => {
      stop()
      asker.close()
    }
  }, [session])

  const word = wanted.toLowerCase()
  const rows = lines.filter(
    line =>
      levels.indexOf(line.level) >= levels.indexOf(least) &&
      (word === '' || `${line.message} ${fieldsText(line)}`.toLowerCase().includes(word)),
  )
  const room = isOpen ? Math.max(3, Math.floor((height - 2) / 2)) : height - 2
  const list = useList({ total: rows.length, height: room })
  const last = useRef({ set: list.set, total: rows.length })
  last.current = { set: list.set, total: rows.length }
  const toEnd = useCallback(() => last.current.set(last.current.total - 1), [])
  useEffect(() => {
    if (following && rows.length > 0) toEnd()
  }, [following, rows.length, toEnd])
  const chosen = rows[list.cursor]

  /** Whoever moves looks at something: what comes does not take it away. */
  const held = list.keys.map(
    (binding): Binding => ({
      ...binding,
      run: press => {
        setFollowing(binding.keys.includes('G'))
        binding.run(press)
      },
    }),
  )
  const bindings: Binding[] = [
    ...held,
    {
      keys: ['enter'],
      short: isOpen ? 'close' : 'details',
      about: 'the whole line',
      when: chosen !== undefined,
      run: () => setIsOpen(!isOpen),
    },
    {
      keys: ['f'],
      short: following ? 'hold' : 'follow',
      about: 'follow what is written, or hold still',
      run: () => setFollowing(!following),
    },
    {
      keys: [']', '['],
      short: 'level',
      about: 'from which level on',
      run: press => {
        const at = levels.indexOf(least) + (press.key === ']' ? 1 : levels.length - 1)
        setLeast(levels[at % levels.length] ?? 'info')
      },
    },
    {
      keys: ['/'],
      short: 'find',
      about: 'only lines with a word',
      run: () =>
        stage.run(async () => {
          const text = await stage.prompt({
            label: 'Find',
            value: wanted,
            history: 'find',
            hint: 'Empty: all of them.',
          })
          if (text !== null) setWanted(text)
        }),
    },
    {
      keys: ['y'],
      about: 'copy the line',
      when: chosen !== undefined,
      run: () =>
        stage.copy(
          chosen === undefined ? '' : `${wholeTime(chosen.at)} ${chosen.level} ${chosen.message} ${fieldsText(chosen)}`,
        ),
    },
  ]
  useKeys({ title: 'Log', bindings })

  const state = [
    `${plural(rows.length, 'line')} from ${least} on`,
    word === '' ? '' : `with '${wanted}'`,
    following ? 'following' : 'held',
  ]
  const shown = rows.slice(list.top, list.top + room)
  return (
    <>
      <Row
        line={[
          ' ',
          { text: 'Log', style: 'bold' },
          '   ',
          { text: state.filter(part => part !== '').join(', '), style: 'dim' },
        ]}
        width={width}
      />
      <Row line={[]} width={width} />
      {rows.length === 0 ? (
        <Row line={['   ', { text: 'Nothing like that is written.', style: 'dim' }]} width={width} />
      ) : null}
      {shown.map((line, at) => {
        const isChosen = list.top + at === list.cursor
        const spans: Span[] = [
          ' ',
          isChosen ? { text: terminal.signs.cursor, style: 'accent' } : ' ',
          ' ',
          { text: width >= 80 ? wholeTime(line.at).slice(5) : wholeTime(line.at).slice(11), style: 'dim' },
          '  ',
          { text: pad(line.level, 5), style: styles[line.level] },
          '  ',
          { text: line.message, bold: isChosen },
          '  ',
          { text: fieldsText(line), style: 'dim' },
        ]
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log have no other name than their place
        return <Row key={at} line={spans} width={width} ground={isChosen} />
      })}
      {isOpen && chosen !== undefined ? (
        <>
          <Rows lines={Array.from({ length: Math.max(0, room - shown.length) + 1 }, (): Line => [])} width={width} />
          <Rows lines={detailsOf(chosen, width)} width={width} height={height - room - 3} />
        </>
      ) : null}
    </>
  )
}
