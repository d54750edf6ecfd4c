/** All collections: how each stands, and what can be done with one or with several. */
import type { ReactElement } from 'react'
import type { Collection } from '../../schema/api/collections.ts'
import { reasonOf } from '../../schema/errors.ts'
import { figure, plural } from '../../schema/figures.ts'
import { jobsOf } from '../../schema/job-words.ts'
import {
  addCollection,
  exportCollection,
  findKey,
  importInto,
  markMissing,
  removeCollection,
  scan,
  stopJob,
  transferInto,
} from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import { ofCollections, ofJobs, useLive, useNow } from '../live.ts'
import { lastScanText, loadOverview, standOf } from '../overview.ts'
import { titleOf } from '../parts/job-line.ts'
import { useList } from '../parts/list.ts'
import { markedElsewhere, useMarking } from '../parts/marking.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { type Stage, useKeys, useStage } from '../stage.ts'
import { cutFront, safe } from '../text.ts'

/** What a key does with one collection, wherever it is chosen. */
export function collectionKeys(stage: Stage, one: Collection | undefined, onGone: () => void = () => {}): Binding[] {
  const doing = (work: (chosen: Collection) => unknown) => () => stage.run(() => one && work(one))
  const when = one !== undefined
  return [
    { keys: ['s', 'R'], short: 'scan', about: 'scan it', when, run: doing(chosen => scan(stage, chosen)) },
    {
      keys: ['right', 'I'],
      about: 'its items',
      when,
      run: doing(({ id }) => stage.go('items', { collection: id })),
    },
    { keys: ['F'], about: 'scan it and read every file anew', when, run: doing(chosen => scan(stage, chosen, true)) },
    {
      keys: ['m'],
      short: 'mark missing',
      about: 'after a scan that stopped: what was not found is gone',
      when: when && one.safetyStop !== null,
      run: doing(chosen => markMissing(stage, chosen)),
    },
    {
      keys: ['o'],
      short: 'sort',
      about: 'sort its files into folders: first shows what would be moved',
      when: when && one.managed,
      run: doing(({ id }) => stage.go('plan', { kind: 'sort', collection: id })),
    },
    {
      keys: ['i'],
      short: 'import',
      about: 'copy what it lacks from a folder or another collection',
      when,
      run: doing(chosen => importInto(stage, chosen)),
    },
    {
      keys: ['e'],
      short: 'export',
      about: 'write a table, everything, or sidecars',
      when,
      run: doing(chosen => exportCollection(stage, chosen)),
    },
    {
      keys: ['t'],
      short: 'transfer',
      about: 'move items of other collections into it',
      when,
      run: doing(chosen => transferInto(stage, chosen)),
    },
    {
      keys: ['p'],
      about: 'its problems',
      when,
      run: doing(({ id }) => stage.go('problems', { collection: id })),
    },
    {
      keys: ['d', 'delete'],
      short: 'remove',
      about: 'forget it; its files stay',
      when,
      run: doing(async chosen => {
        if (await removeCollection(stage, chosen)) onGone()
      }),
    },
    { keys: ['y'], about: 'copy its folder', when, run: doing(({ path }) => stage.copy(path)) },
  ]
}

export function Collections({ width, height }: ScreenProps): ReactElement {
  const stage = useStage()
  const { session } = stage
  const now = useNow(10_000)
  const { value, error } = useLive(
    () => loadOverview(session),
    event => ofCollections(event) || ofJobs(event),
  )
  const overview = value ?? { collections: [], problems: new Map<number, number>(), active: [] }
  const { collections, active } = overview
  const list = useList({ total: collections.length, height: height - 1, ids: collections.map(({ id }) => id) })
  const marking = useMarking(
    collections.map(({ id }) => id),
    list,
  )
  const chosen = collections[list.cursor]
  const { work } = chosen === undefined ? { work: undefined } : jobsOf(active, chosen.id)
  const isChosen = chosen !== undefined
  const some = marking.of(collections)

  async function bulk() {
    if (marking.isElsewhere(collections)) return stage.notice(markedElsewhere)
    const of = some.length === 0 ? collections : some
    const what = some.length === 0 ? 'all collections' : plural(some.length, 'collection')
    const answer = await stage.choose({
      title: `With ${what}`,
      choices: [
        { id: 'scan', key: 's', label: 'Scan', about: 'look for what changed' },
        { id: 'full', key: 'f', label: 'Read every file anew', about: 'takes long' },
      ],
    })
    if (answer === null) return
    let begun = 0
    const failed: string[] = []
    for (const one of of) {
      try {
        await scan(stage, one, answer === 'full')
        begun++
      } catch (failure) {
        failed.push(`${one.name}: ${reasonOf(failure)}`)
      }
    }
    marking.clear()
    const words = begun > 0 ? [`Scanning ${plural(begun, 'collection')}.`] : []
    if (failed.length === 0) stage.notice(words.join(' '))
    else stage.notice([...words, ...failed].join(' '), 'failed')
  }

  const bindings: Binding[] = [
    ...list.keys,
    {
      keys: ['enter'],
      short: 'open',
      about: 'its settings, and who may see it',
      when: isChosen,
      run: () => chosen && stage.go('collection', { collection: chosen.id }),
    },
    {
      keys: ['a'],
      short: 'add',
      about: 'make a collection of a folder',
      run: () => stage.run(() => addCollection(stage)),
    },
    ...collectionKeys(stage, chosen),
    {
      keys: ['x'],
      short: 'stop',
      about: 'stop its job',
      when: work !== undefined,
      run: () => stage.run(() => work && chosen && stopJob(stage, work.id, titleOf(work, chosen.name))),
    },
    ...marking.keys,
    findKey(stage),
    {
      keys: ['b'],
      about: 'scan those that are marked, or all',
      when: collections.length > 0,
      run: () => stage.run(bulk),
    },
  ]
  useKeys({ title: 'Collections', bindings })

  const columns: Column<Collection>[] = [
    { id: 'name', title: 'name', width: 'rest', least: 24, cell: one => one.name },
    { id: 'items', title: 'items', width: 10, align: 'end', cell: one => figure(one.itemcount) },
    { id: 'scan', title: 'last scan', width: 16, drop: 1, cell: one => lastScanText(one, active, now) },
    { id: 'state', title: 'state', width: 15, drop: 2, cell: one => standOf(one, overview) },
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
      total={collections.length}
      rowAt={at => collections[at]}
      width={width}
      height={height - 1}
      top={list.top}
      cursor={list.cursor}
      isMarked={({ id }, at) => marking.isMarked(id, at)}
      {...(value === null ? {} : { empty: 'None yet. a makes one of a folder with pictures.' })}
    />
  )
}

/** 'public, read-only': what is out of the ordinary. */
function settingsText({ access, readonly, managed }: Collection): string {
  const words = [
    access.some(group => group.public) ? 'public' : '',
    readonly ? 'read-only' : '',
    managed ? 'managed' : '',
  ]
  return words.filter(word => word !== '').join(', ')
}
