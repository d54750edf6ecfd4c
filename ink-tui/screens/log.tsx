/** The log of the programs, updated live, with levels and a search; the audit log is the second tab. */
import { type ReactElement, useEffect, useState } from 'react'
import { plural } from '../../schema/figures.ts'
import type { Binding } from '../keys.ts'
import type { Line, Style } from '../line.ts'
import { createCoalescer, liveMs } from '../live.ts'
import type { LogLine } from '../machine/log-tail.ts'
import { choiceKey, detailsKey, keysFor } from '../parts/keys-for.ts'
import { useRows } from '../parts/list.ts'
import { LogList } from '../parts/log-list.tsx'
import { labelledLine } from '../parts/rows.tsx'
import { useFind } from '../parts/use-find.ts'
import type { ScreenProps } from '../screen-props.ts'
import { cut, formatFullTime, pad, safe } from '../text.ts'
import { useKeys, useUi } from '../ui.ts'
import { AuditLog } from './audit-log.tsx'

const maxLines = 3000
const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]
const styles: Record<Level, Style> = { debug: 'dim', info: 'dim', warn: 'amber', error: 'amber' }

function fieldsText({ fields }: LogLine): string {
  return Object.entries(fields)
    .filter(([name]) => name !== 'process')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : errorWords(value)}`)
    .join('  ')
}

/** The message of an error; the details have its stack. */
function errorWords(value: unknown): string {
  const message = typeof value === 'object' && value !== null ? Reflect.get(value, 'message') : undefined
  return typeof message === 'string' ? message : JSON.stringify(value)
}

function detailsOf(line: LogLine, width: number): Line[] {
  const lines: Line[] = [
    [' ', { text: cut(safe(line.message), width - 2), style: 'bold' }],
    ['   ', { text: `${formatFullTime(line.at)}  ${line.level}  ${line.source}`, style: 'dim' }],
  ]
  for (const [name, value] of Object.entries(line.fields)) {
    const stack = typeof value === 'object' && value !== null ? Reflect.get(value, 'stack') : undefined
    const text = typeof stack === 'string' ? stack : typeof value === 'string' ? value : JSON.stringify(value)
    for (const [at, part] of text.split('\n').entries()) lines.push(labelledLine(at === 0 ? name : '', 12, part.trim()))
  }
  return lines
}

function lineOf(line: LogLine, width: number, isChosen: boolean): Line {
  const at = formatFullTime(line.at)
  return [
    { text: width >= 77 ? at.slice(5) : at.slice(11), style: 'dim' },
    '  ',
    { text: pad(line.level, 5), style: styles[line.level] },
    '  ',
    { text: line.message, bold: isChosen },
    '  ',
    { text: fieldsText(line), style: 'dim' },
  ]
}

export function Log({ width, height }: ScreenProps): ReactElement {
  const [isAudit, setIsAudit] = useState(false)
  const switchKey: Binding = {
    keys: ['tab'],
    short: isAudit ? 'program' : 'audit',
    about: isAudit ? 'the program log' : 'the audit log: logins, refusals, changes of rights',
    run: () => setIsAudit(!isAudit),
  }
  const Shown = isAudit ? AuditLog : ProgramLog
  return <Shown width={width} height={height} switchKey={switchKey} />
}

function ProgramLog({ width, height, switchKey }: { width: number; height: number; switchKey: Binding }): ReactElement {
  const ui = useUi()
  const { session } = ui
  const [lines, setLines] = useState<LogLine[]>([])
  const [minLevel, setMinLevel] = useState<Level>('info')
  const find = useFind(ui, 'only lines that contain a word', 'show all lines')
  const [following, setFollowing] = useState(true)
  const [isOpen, setIsOpen] = useState(false)

  useEffect(() => {
    const requester = createCoalescer(async () => setLines(session.log.tail(maxLines)), liveMs)
    requester.request()
    const stop = session.log.follow(requester.request)
    return () => {
      stop()
      requester.close()
    }
  }, [session])

  const rows = lines.filter(
    line =>
      levels.indexOf(line.level) >= levels.indexOf(minLevel) && find.matches(`${line.message} ${fieldsText(line)}`),
  )
  const room = isOpen ? Math.max(3, Math.floor((height - 2) / 2)) : height - 2
  const list = useRows(rows, room)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new lines move the cursor
  useEffect(() => {
    if (following && rows.length > 0) list.set(rows.length - 1)
  }, [following, rows.length])
  const { here } = list

  /** After the user has moved the cursor, it stays on its line when new lines arrive. */
  const listKeys = list.keys.map(
    (binding): Binding => ({
      ...binding,
      run: press => {
        setFollowing(binding.keys.includes('G'))
        binding.run(press)
      },
    }),
  )
  const lineKey = keysFor(ui, here)
  const key = keysFor(ui, ui)
  const bindings: Binding[] = [
    ...listKeys,
    switchKey,
    detailsKey(lineKey, 'the whole line', isOpen, setIsOpen),
    key('f', following ? 'hold' : 'follow', 'follow new lines, or pause', () => setFollowing(!following)),
    choiceKey('level', 'lowest level shown', levels, minLevel, setMinLevel, { tab: false }),
    ...find.keys(),
    lineKey('y', '', 'copy the line', line =>
      ui.copy(`${formatFullTime(line.at)} ${line.level} ${line.message} ${fieldsText(line)}`),
    ),
  ]
  useKeys({ title: 'Log', bindings })

  const state = [
    `${plural(rows.length, 'line')}, level ${minLevel}${minLevel === 'error' ? '' : ' and above'}`,
    find.wanted === '' ? '' : `with '${find.wanted}'`,
    following ? 'following' : 'held',
  ]
  return (
    <LogList
      title="Log"
      state={state}
      rows={rows}
      list={list}
      keyOf={(_, at) => at}
      lineOf={lineOf}
      isEmpty={rows.length === 0}
      details={isOpen && here !== undefined ? detailsOf(here, width) : null}
      detailRows={height - room - 3}
      width={width}
    />
  )
}
