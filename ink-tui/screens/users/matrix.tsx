/** Everybody's rights in every collection, and why a user sees an item or not. */
import { type ReactElement, useState } from 'react'
import type { Calls } from '../../../schema/api/calls.ts'
import type { OutputOf } from '../../../schema/api/contract.ts'
import { plural } from '../../../schema/figures.ts'
import { type Line, type Span, wrapLine } from '../../line.ts'
import { isCollectionEvent, isUserEvent, useLive } from '../../live.ts'
import { keysFor } from '../../parts/keys-for.ts'
import { useRows } from '../../parts/list.ts'
import { Row, Rows } from '../../parts/rows.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { pad } from '../../text.ts'
import { type Ui, useKeys, useUi } from '../../ui.ts'

const columnWidth = 14

type MatrixRow = OutputOf<Calls['access']['matrix']>[number]

function rightsText({ view, create, update, admin }: MatrixRow['rights'][number]): string {
  if (admin) return 'everything'
  const words = [view ? 'see' : '', create ? 'add' : '', update ? 'change' : ''].filter(word => word !== '')
  return words.join(', ')
}

/** Asks for an item, and explains why the user sees it or not. */
async function explain(ui: Ui, username: string | null): Promise<Line[] | null> {
  const who = username ?? 'a visitor'
  const text = await ui.prompt({
    label: `Why does ${who} see item:`,
    hint: 'Its id; copy it on the items screen with y.',
    history: 'item',
    check: one => (/^[1-9]\d{0,14}$/.test(one.trim()) ? null : 'Give a number.'),
  })
  if (text === null) return null
  const explanation = await ui.session.client.access.explain({
    query: { item: Number(text), ...(username === null ? {} : { username }) },
  })
  return [
    [
      {
        text: `${username ?? 'A visitor'} ${explanation.sees ? 'sees' : 'does not see'} ${explanation.name} of ${explanation.collection.name}`,
        style: 'bold',
      },
    ],
    ...explanation.reasons.map((reason): Line => [reason]),
  ]
}

function columnsOf(collections: readonly { collection: number; name: string }[]): Column<MatrixRow>[] {
  const cellOf = (collection: number, { globaladmin, rights }: MatrixRow): Span => {
    if (globaladmin) return { text: 'global admin', style: 'dim' }
    const ofCollection = rights.find(one => one.collection === collection)
    return (ofCollection === undefined ? '' : rightsText(ofCollection)) || { text: '·', style: 'dim' }
  }
  return [
    {
      id: 'user',
      title: 'user',
      width: 'rest',
      least: 14,
      cell: ({ username, disabled }) =>
        username === null
          ? { text: 'visitors', style: 'dim' }
          : [username, disabled ? { text: ' disabled', style: 'amber' } : ''],
    },
    ...collections.map(({ collection, name }) => ({
      id: String(collection),
      title: pad(name, columnWidth).trimEnd(),
      width: columnWidth,
      cell: (row: MatrixRow) => cellOf(collection, row),
    })),
  ]
}

export function Matrix({ width, height }: { width: number; height: number }): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const { value, error } = useLive(
    () => client.access.matrix(),
    event => isUserEvent(event) || isCollectionEvent(event),
  )
  const [first, setFirst] = useState(0)
  const [explanation, setExplanation] = useState<Line[] | null>(null)
  const rows = value ?? []
  const listHeight = Math.max(1, explanation === null ? height - 3 : Math.floor(height / 2))
  const list = useRows(rows, listHeight, ({ username }) => username ?? '')
  const collections = rows[0]?.rights ?? []
  const fit = Math.max(1, Math.floor((width - 20) / (columnWidth + 3)))
  const hidden = collections.length - fit
  const from = Math.max(0, Math.min(first, hidden))
  const scrollKey = keysFor(ui, hidden > 0)
  const bindings = [
    ...list.keys,
    scrollKey('left', 'collections', 'collections further left', () => setFirst(Math.max(0, from - 1)), '←→'),
    scrollKey('right', '', 'collections further right', () => setFirst(Math.min(hidden, from + 1))),
    keysFor(ui, list.here)('w enter', 'why', 'explain why a user can or cannot see an item', async ({ username }) => {
      const lines = await explain(ui, username)
      if (lines !== null) setExplanation(lines)
    }),
    keysFor(ui, explanation)('esc', '', 'close the explanation', () => setExplanation(null)),
  ]
  useKeys({ title: 'Who may do what', bindings }, 'pane')
  const more =
    hidden > 0 ? ['   ', { text: `${plural(hidden, 'collection')} more to the sides`, style: 'dim' as const }] : []
  const answer = explanation?.flatMap(line => wrapLine(line, width - 2)).map((line): Line => [' ', ...line])
  return (
    <>
      <Table columns={columnsOf(collections.slice(from, from + fit))} {...list} width={width} empty={error ?? ''} />
      <Row line={[]} width={width} />
      {answer === undefined ? (
        <Row line={more} width={width} />
      ) : (
        <Rows lines={answer} width={width} height={height - listHeight - 2} />
      )}
    </>
  )
}
