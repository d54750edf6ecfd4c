/** All collections with their status, and actions on one or several. */
import type { ReactElement } from 'react'
import type { Collection } from '../../schema/api/collections.ts'
import { reasonOf } from '../../schema/errors.ts'
import { figure, plural } from '../../schema/figures.ts'
import { jobsOf } from '../../schema/job-words.ts'
import {
  addCollection,
  exportCollection,
  findItemsKey,
  importInto,
  markMissing,
  removeCollection,
  scan,
  stopKey,
  transferInto,
} from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import { isCollectionEvent, isJobEvent, useLive, useNow } from '../live.ts'
import { loadOverview, noOverview, statusColumns } from '../overview.ts'
import { keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { markedElsewhere, useMarkedRows } from '../parts/use-marks.ts'
import type { ScreenProps } from '../screen-props.ts'
import { cutFront, safe } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

/** Actions on one collection. */
export function collectionKeys(ui: Ui, one: Collection | undefined, onGone: () => void = () => {}): Binding[] {
  const key = keysFor(ui, one)
  const ifStopped = keysFor(ui, one?.safetyStop ? one : null)
  const ifManaged = keysFor(ui, one?.managed ? one : null)
  return [
    key('s R', 'scan', 'scan it', chosen => scan(ui, chosen)),
    key('right I', '', 'its items', ({ id }) => ui.go('items', { collection: id })),
    key('F', '', 'scan it and read all files again', chosen => scan(ui, chosen, true)),
    ifStopped('m', 'mark missing', 'after a stopped scan: accept what was not found as missing', chosen =>
      markMissing(ui, chosen),
    ),
    ifManaged('o', 'sort', 'sort its files into folders; shows a plan first', ({ id }) =>
      ui.go('plan', { kind: 'sort', collection: id }),
    ),
    key('i', 'import', 'copy new files from a folder or another collection', chosen => importInto(ui, chosen)),
    key('e', 'export', 'export a table, everything, or sidecars', chosen => exportCollection(ui, chosen)),
    key('t', 'transfer', 'move items of other collections into it', chosen => transferInto(ui, chosen)),
    key('p', '', 'its problems', ({ id }) => ui.go('problems', { collection: id })),
    key('d delete', 'remove', 'remove it; its files are kept', async chosen => {
      if (await removeCollection(ui, chosen)) onGone()
    }),
    key('y', '', 'copy its folder', ({ path }) => ui.copy(path)),
  ]
}

/** Scans these collections; reports failures to start. */
async function scanEach(ui: Ui, collections: readonly Collection[], full: boolean) {
  let started = 0
  const failed: string[] = []
  for (const one of collections) {
    try {
      await scan(ui, one, full)
      started++
    } catch (failure) {
      failed.push(`${one.name}: ${reasonOf(failure)}`)
    }
  }
  const words = started > 0 ? [`Scanning ${plural(started, 'collection')}.`] : []
  ui.notice([...words, ...failed].join(' '), failed.length === 0 ? 'done' : 'failed')
}

export function Collections({ width, height }: ScreenProps): ReactElement {
  const ui = useUi()
  const now = useNow(10_000)
  const { value, error } = useLive(
    () => loadOverview(ui.session),
    event => isCollectionEvent(event) || isJobEvent(event),
  )
  const overview = value ?? noOverview
  const { collections, active } = overview
  const list = useRows(collections, height - 1, idOf)
  const marking = useMarkedRows(collections, list)
  const { here } = list
  const { work } = here === undefined ? { work: undefined } : jobsOf(active, here.id)

  async function bulk() {
    if (marking.isElsewhere) return ui.notice(markedElsewhere)
    const { marked } = marking
    const answer = await ui.choose({
      title: `With ${marked.length === 0 ? 'all collections' : plural(marked.length, 'collection')}`,
      choices: [
        { id: 'scan', key: 's', label: 'Scan', about: 'scan for changes' },
        { id: 'full', key: 'f', label: 'Read all files again', about: 'takes long' },
      ],
    })
    if (answer === null) return
    await scanEach(ui, marked.length === 0 ? collections : marked, answer === 'full')
    marking.clear()
  }

  const bindings: Binding[] = [
    ...list.keys,
    keysFor(ui, here)('enter', 'open', 'its settings, and who may see it', ({ id }) =>
      ui.go('collection', { collection: id }),
    ),
    keysFor(ui, ui)('a', 'add', 'create a collection from a folder', addCollection),
    ...collectionKeys(ui, here),
    stopKey(ui, work, 'stop its job', here?.name ?? ''),
    ...marking.keys,
    findItemsKey(ui),
    keysFor(ui, collections.length > 0)('b', '', 'scan the marked ones, or all', bulk),
  ]
  useKeys({ title: 'Collections', bindings })

  const columns: Column<Collection>[] = [
    { id: 'name', title: 'name', width: 'rest', least: 24, cell: one => one.name },
    { id: 'items', title: 'items', width: 10, align: 'end', cell: one => figure(one.itemcount) },
    ...statusColumns(overview, now),
    { id: 'marks', title: 'set', width: 20, drop: 4, style: 'dim', cell: settingsText },
    {
      id: 'path',
      title: 'folder',
      width: 'rest',
      least: 40,
      drop: 5,
      style: 'dim',
      cell: (one, _, own) => cutFront(safe(one.path), own),
    },
  ]
  if (error !== null && value === null) return <Row line={['   ', { text: error, style: 'amber' }]} width={width} />
  return (
    <Table
      columns={columns}
      {...list}
      width={width}
      isMarked={marking.isMarked}
      {...(value === null ? {} : { empty: 'None yet. a creates one from a folder of pictures.' })}
    />
  )
}

/** Unusual properties, such as 'public, read-only'. */
function settingsText({ access, readonly, managed }: Collection): string {
  const words = [
    access.some(group => group.public) ? 'public' : '',
    readonly ? 'read-only' : '',
    managed ? 'managed' : '',
  ]
  return words.filter(word => word !== '').join(', ')
}
