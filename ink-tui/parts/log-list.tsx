/** Shared by the two log screens: a headline, rows with a cursor, details of the chosen row, and their keys. */
import { Box } from 'ink'
import type { ReactElement } from 'react'
import type { Line } from '../line.ts'
import type { RowList } from './list.ts'
import { CursorRows, Row, Rows } from './rows.tsx'

export function LogList<Entry>({
  title,
  state,
  rows,
  list,
  keyOf,
  lineOf,
  isEmpty,
  details,
  detailRows,
  width,
}: {
  title: string
  /** Texts beside the title; empty texts are omitted. */
  state: readonly string[]
  rows: readonly Entry[]
  list: RowList<Entry>
  keyOf: (entry: Entry, at: number) => number
  lineOf: (entry: Entry, width: number, isChosen: boolean) => Line
  /** True if the log is loaded and nothing matches. */
  isEmpty: boolean
  /** Lines about the chosen entry while its details are open. */
  details: readonly Line[] | null
  detailRows: number
  width: number
}): ReactElement {
  const about = { text: state.filter(part => part !== '').join(', '), style: 'dim' } as const
  return (
    <>
      <Row line={[' ', { text: title, style: 'bold' }, '   ', about]} width={width} />
      <Row line={[]} width={width} />
      {isEmpty ? <Row line={['   ', { text: 'No entries match.', style: 'dim' }]} width={width} /> : null}
      <CursorRows rows={rows} list={list} keyOf={keyOf} lineOf={lineOf} width={width} />
      {details === null ? null : (
        <>
          <Box height={Math.max(0, list.height - rows.length + list.top) + 1} />
          <Rows lines={details} width={width} height={detailRows} />
        </>
      )}
    </>
  )
}
