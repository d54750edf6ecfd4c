/** The audit log: who did what, from where, newest first; updated live, with a kind filter and a search. */
import { useEffect, useState } from 'react'
import { type AuditEntry, auditKindNames } from '../../schema/api/audit.ts'
import { auditTone } from '../../schema/audit-text.ts'
import { plural } from '../../schema/figures.ts'
import { limits } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import type { Binding } from '../keys.ts'
import { alignToEnds, type Line } from '../line.ts'
import { useLive } from '../live.ts'
import { choiceKey, detailsKey, keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { LogList } from '../parts/log-list.tsx'
import { labelledLine } from '../parts/rows.tsx'
import { useFind } from '../parts/use-find.ts'
import type { TuiSession } from '../session.ts'
import { cut, formatFullTime, pad, safe } from '../text.ts'
import { useKeys, useUi } from '../ui.ts'

const kinds = ['everything', ...auditKindNames] as const
type Kind = (typeof kinds)[number]

/** Minimum columns for showing the address in the list; below that, only the details have it. */
const minAddressColumns = 100
const detailRows = 6

function entryLine(entry: AuditEntry, width: number): Line {
  const at = formatFullTime(entry.at * 1000)
  const tone = auditTone(entry.action)
  const left: Line = [
    { text: width >= 76 ? at.slice(5) : at.slice(11), style: 'dim' },
    '  ',
    pad(cut(safe(entry.who), 14), 14),
    '  ',
    tone === 'plain' ? entry.text : { text: entry.text, style: 'amber' },
  ]
  return width < minAddressColumns - 4 ? left : alignToEnds(left, [{ text: entry.address, style: 'dim' }, ' '], width)
}

function detailsOf(entry: AuditEntry, width: number): Line[] {
  const label = (name: string, text: string) => labelledLine(name, 12, text)
  const lines: Line[] = [
    [' ', { text: cut(safe(entry.text), width - 2), style: 'bold' }],
    label('When', formatFullTime(entry.at * 1000)),
    label('Who', entry.who),
  ]
  if (entry.username !== null && entry.username !== entry.who) lines.push(label('Account', entry.username))
  if (entry.address !== '') lines.push(label('From', entry.address))
  lines.push(label('Recorded as', `${entry.action} ${JSON.stringify(entry.detail)}`))
  return lines
}

/** Loads the newest `pages` pages of entries, newest entry first; `next` is the cursor of older entries, or null. */
async function loadEntries({ client }: TuiSession, kind: Kind, wanted: string, pages: number) {
  const entries: AuditEntry[] = []
  let next: number | null = null
  for (let page = 0; page < pages; page++) {
    const page: { entries: AuditEntry[]; next: number | null } = await client.audit.list({
      query: {
        limit: limits.maxAuditPage,
        ...(kind === 'everything' ? {} : { action: kind }),
        ...(wanted === '' ? {} : { q: wanted }),
        ...(next === null ? {} : { before: next }),
      },
    })
    entries.push(...page.entries)
    next = page.next
    if (next === null) break
  }
  return { entries, next }
}

/** `switchKey` switches to the program log. */
export function AuditLog({ width, height, switchKey }: { width: number; height: number; switchKey: Binding }) {
  const ui = useUi()
  const [kind, setKind] = useState<Kind>('everything')
  const find = useFind(ui, 'only entries of a name, a word or an address', 'show all entries')
  const { wanted } = find
  const [pages, setPages] = useState(1)
  const [isOpen, setIsOpen] = useState(false)
  const { value, error } = useLive(
    () => loadEntries(ui.session, kind, wanted, pages),
    ({ channel }) => channel === channels.audit,
    `${kind} ${pages} ${wanted}`,
  )
  const entries = value?.entries ?? []
  const room = isOpen ? Math.max(3, height - 3 - detailRows) : height - 2
  const list = useRows(entries, room, idOf)
  const { here } = list
  const hasMore = value !== null && value.next !== null
  const needsMore = hasMore && list.cursor >= entries.length - 1
  useEffect(() => {
    if (needsMore) setPages(known => known + 1)
  }, [needsMore])

  const showNewest = () => {
    setPages(1)
    list.set(0)
  }
  const entryKey = keysFor(ui, here)
  const bindings: Binding[] = [
    ...list.keys,
    switchKey,
    detailsKey(entryKey, 'the whole entry', isOpen, setIsOpen),
    choiceKey(
      'kind',
      'only logins, refusals, accounts, access …',
      kinds,
      kind,
      next => {
        setKind(next)
        showNewest()
      },
      { tab: false },
    ),
    ...find.keys(showNewest),
    entryKey('y', '', 'copy the entry', ({ at, who, address, text }) =>
      ui.copy(`${formatFullTime(at * 1000)} ${who} ${address} ${text}`.replaceAll('  ', ' ')),
    ),
  ]
  useKeys({ title: 'Audit log', bindings })

  const state = [
    error ?? (value === null ? '' : `${plural(entries.length, 'entry', 'entries')}${hasMore ? ' so far' : ''}`),
    kind === 'everything' ? '' : `only ${kind}`,
    wanted === '' ? '' : `with '${wanted}'`,
    `kept for ${limits.auditDays} days`,
  ]
  return (
    <LogList
      title="Audit log"
      state={state}
      rows={entries}
      list={list}
      keyOf={idOf}
      lineOf={entryLine}
      isEmpty={value !== null && entries.length === 0}
      details={isOpen && here !== undefined ? detailsOf(here, width) : null}
      detailRows={detailRows}
      width={width}
    />
  )
}
