/** Files that a scan which stopped for safety did not find: for whoever must say whether they are gone. */
import type { ReactElement } from 'react'
import { Failure } from '../../schema/errors.ts'
import { figure, sizeText } from '../../schema/figures.ts'
import { markMissing, scan } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import { ofCollections, useLive } from '../live.ts'
import { usePages } from '../pages.ts'
import { keysFor } from '../parts/keys-for.ts'
import { useList } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys, useStage } from '../stage.ts'
import { cutFront, safe } from '../text.ts'

interface File {
  item: number
  path: string
  taken_at: string
  size: number
}

export function NotFound({ width, height, params }: ScreenProps): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const id = Number(params.collection)
  const { value: one } = useLive(
    async () => (await client.collections.list()).find(collection => collection.id === id) ?? null,
    ofCollections,
  )
  const pages = usePages<File>(
    async (page, limit) => {
      try {
        const { files, _meta } = await client.collections.safetyFiles({ params: { id }, query: { page, limit } })
        return { rows: files, total: _meta.total_records }
      } catch (error) {
        // The last scan did not stop, or not any more.
        if (error instanceof Failure && error.code === 'notFound') return { rows: [], total: 0 }
        throw error
      }
    },
    `${id} ${one?.safetyStop?.items ?? ''}`,
  )
  const list = useList(pages.total ?? 0, height - 3)
  const key = keysFor(stage, one)
  const stopped = keysFor(stage, one?.safetyStop ? one : null)
  const bindings: Binding[] = [
    ...list.keys,
    stopped('m', 'mark missing', 'they are gone', collection => markMissing(stage, collection)),
    key('s R', 'scan again', 'the disk is there again', collection => scan(stage, collection)),
    keysFor(stage, list.total > 0)('y', '', 'copy the path', () => stage.copy(pages.rowAt(list.cursor)?.path ?? '')),
  ]
  useKeys({ title: 'Files that were not found', bindings })
  const columns: Column<File>[] = [
    { id: 'path', title: 'file', width: 'rest', least: 24, cell: ({ path }, _, own) => cutFront(safe(path), own) },
    { id: 'taken', title: 'taken', width: 19, drop: 1, style: 'dim', cell: ({ taken_at }) => taken_at },
    { id: 'size', title: 'size', width: 8, align: 'end', drop: 2, cell: ({ size }) => sizeText(size) },
  ]
  return (
    <>
      <Row
        line={[
          ' ',
          { text: one?.name ?? '', style: 'bold' },
          '   ',
          `${figure(list.total)} not found by the last scan`,
        ]}
        width={width}
      />
      <Row line={[]} width={width} />
      <Table
        columns={columns}
        {...list}
        rowAt={pages.rowAt}
        onSeen={pages.see}
        width={width}
        {...(pages.total === null ? {} : { empty: 'The last scan did not stop.' })}
      />
    </>
  )
}
