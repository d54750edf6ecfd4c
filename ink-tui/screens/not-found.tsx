/** Files that a stopped scan did not find; the user decides whether they are gone. */
import type { ReactElement } from 'react'
import type { Calls } from '../../schema/api/calls.ts'
import type { OutputOf } from '../../schema/api/contract.ts'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { figure, sizeText } from '../../schema/figures.ts'
import { markMissing, scan } from '../collection-actions.ts'
import { useWindow } from '../items/use-window.ts'
import type { Binding } from '../keys.ts'
import { isCollectionEvent, useLive } from '../live.ts'
import { keysFor } from '../parts/keys-for.ts'
import { useList } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { cutFront, safe } from '../text.ts'
import { useKeys, useUi } from '../ui.ts'

type File = OutputOf<Calls['collections']['safetyFiles']>['files'][number]

const emptyPage = { items: [], _meta: { total_records: 0 }, _links: { prev: null, next: null } }

export function NotFound({ width, height, params }: ScreenProps): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const id = Number(params.collection)
  const { value: one } = useLive(
    async () => (await client.collections.list()).find(collection => collection.id === id) ?? null,
    isCollectionEvent,
  )
  const window = useWindow<File>(
    async ({ page, limit }) => {
      try {
        const { files, _meta } = await client.collections.safetyFiles({ params: { id }, query: { page, limit } })
        return { items: files, _meta, _links: { prev: null, next: null } }
      } catch (error) {
        // The last scan did not stop, or the stop was resolved.
        if (error instanceof Failure && error.code === 'notFound') return emptyPage
        throw error
      }
    },
    `${id} ${one?.safetyStop?.items ?? ''}`,
    height - 3,
  )
  const failed = window.error()
  const words = window.total() === null ? '' : 'The last scan was not stopped.'
  const list = useList(window.total() ?? 0, height - 3)
  const key = keysFor(ui, one)
  const stopped = keysFor(ui, one?.safetyStop ? one : null)
  const bindings: Binding[] = [
    ...list.keys,
    stopped('m', 'mark missing', 'they are gone', collection => markMissing(ui, collection)),
    key('s R', 'scan again', 'the disk is there again', collection => scan(ui, collection)),
    keysFor(ui, list.total > 0)('y', '', 'copy the path', () => ui.copy(window.rowAt(list.cursor)?.path ?? '')),
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
        rowAt={window.rowAt}
        onSeen={window.setVisible}
        width={width}
        empty={failed === null ? words : reasonOf(failed)}
      />
    </>
  )
}
