/** What everybody may do in every collection, and why somebody sees an item or does not. */
import { type ReactElement, useState } from 'react'
import { plural } from '../../../schema/figures.ts'
import type { Line } from '../../line.ts'
import { ofCollections, ofUsers, useLive } from '../../live.ts'
import { useList } from '../../parts/list.ts'
import { Row, Rows } from '../../parts/rows.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { type Stage, useKeys, useStage } from '../../stage.ts'
import { pad, wrap } from '../../text.ts'

const columnWidth = 14

interface MatrixRow {
  username: string | null
  globaladmin: boolean
  disabled: boolean
  rights: { collection: number; name: string; view: boolean; create: boolean; update: boolean; admin: boolean }[]
}

function rightsText({ view, create, update, admin }: MatrixRow['rights'][number]): string {
  if (admin) return 'everything'
  const told = [view ? 'see' : '', create ? 'add' : '', update ? 'change' : ''].filter(word => word !== '')
  return told.join(', ')
}

/** Asks for an item, and tells why somebody sees it or does not. */
async function explain(stage: Stage, username: string | null): Promise<Line[] | null> {
  const who = username ?? 'a visitor'
  const text = await stage.prompt({
    label: `Why does ${who} see item:`,
    hint: 'Its id: y copies it on the items screen.',
    history: 'item',
    check: one => (/^[1-9]\d{0,14}$/.test(one.trim()) ? null : 'An id is a number.'),
  })
  if (text === null) return null
  const told = await stage.session.client.access.explain({
    query: { item: Number(text), ...(username === null ? {} : { username }) },
  })
  return [
    [
      {
        text: `${username ?? 'A visitor'} ${told.sees ? 'sees' : 'does not see'} ${told.name} of ${told.collection.name}`,
        style: 'bold',
      },
    ],
    ...told.reasons.map((reason): Line => [reason]),
  ]
}

export function Matrix({ width, height }: { width: number; height: number }): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const { value, error } = useLive(
    (): Promise<MatrixRow[]> => client.access.matrix(),
    event => ofUsers(event) || ofCollections(event),
  )
  const [first, setFirst] = useState(0)
  const [told, setTold] = useState<Line[] | null>(null)
  const rows = value ?? []
  const listHeight = Math.max(1, told === null ? height - 3 : Math.floor(height / 2))
  const list = useList({ total: rows.length, height: listHeight, ids: rows.map(({ username }) => username ?? '') })
  const here = rows[list.cursor]
  const collections = rows[0]?.rights.map(({ collection, name }) => ({ collection, name })) ?? []
  const fit = Math.max(1, Math.floor((width - 20) / (columnWidth + 3)))
  const from = Math.max(0, Math.min(first, collections.length - fit))
  const columns: Column<MatrixRow>[] = [
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
    ...collections.slice(from, from + fit).map(
      ({ collection, name }): Column<MatrixRow> => ({
        id: String(collection),
        title: pad(name, columnWidth).trimEnd(),
        width: columnWidth,
        cell: ({ globaladmin, rights }) => {
          if (globaladmin) return { text: 'global admin', style: 'dim' }
          const own = rights.find(one => one.collection === collection)
          const text = own === undefined ? '' : rightsText(own)
          return text === '' ? { text: '·', style: 'dim' } : text
        },
      }),
    ),
  ]
  useKeys(
    {
      title: 'Who may do what',
      bindings: [
        ...list.keys,
        {
          keys: ['left'],
          shown: '←→',
          short: 'collections',
          about: 'collections further left',
          when: collections.length > fit,
          run: () => setFirst(Math.max(0, from - 1)),
        },
        {
          keys: ['right'],
          about: 'collections further right',
          when: collections.length > fit,
          run: () => setFirst(Math.min(collections.length - fit, from + 1)),
        },
        {
          keys: ['w', 'enter'],
          short: 'why',
          about: 'why somebody sees an item, or does not',
          when: here !== undefined,
          run: () =>
            stage.run(async () => {
              const lines = await explain(stage, here?.username ?? null)
              if (lines !== null) setTold(lines)
            }),
        },
        { keys: ['esc'], about: 'close the answer', when: told !== null, run: () => setTold(null) },
      ],
    },
    'pane',
  )
  const hidden = collections.length - fit
  const answer = (told ?? []).flatMap(line =>
    line.flatMap(span => {
      const text = typeof span === 'string' ? span : 'text' in span ? span.text : ''
      const style = typeof span === 'string' || !('text' in span) ? 'plain' : (span.style ?? 'plain')
      return wrap(text, width - 2).map((piece): Line => [' ', { text: piece, style }])
    }),
  )
  return (
    <>
      <Table
        columns={columns}
        total={rows.length}
        rowAt={index => rows[index]}
        width={width}
        height={listHeight}
        top={list.top}
        cursor={list.cursor}
        empty={error ?? ''}
      />
      <Row line={[]} width={width} />
      {told === null ? (
        <Row
          line={hidden > 0 ? ['   ', { text: `${plural(hidden, 'collection')} more to the sides`, style: 'dim' }] : []}
          width={width}
        />
      ) : (
        <Rows lines={answer} width={width} height={height - listHeight - 2} />
      )}
    </>
  )
}
