/** The recycle bin and the missing items: bring back, delete for good, forget. */
import { type ReactElement, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { figure, plural } from '../../schema/figures.ts'
import { type Begun, copy, restore, settled, type Targets, whatOf } from '../items/item-actions.ts'
import { itemsText, kindOf, minuteOf } from '../items/item-text.ts'
import { useItemList } from '../items/use-item-list.ts'
import type { Binding } from '../keys.ts'
import { type Line, type Span, spread } from '../line.ts'
import { ofCollections, useLive } from '../live.ts'
import { useBegunJob } from '../parts/begun-job.tsx'
import { ItemPane } from '../parts/item-pane.tsx'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys, useStage } from '../stage.ts'
import { dayAndTime } from '../text.ts'

type Which = 'deleted' | 'missing'

/** The property that says since when. */
const property: Record<Which, string> = { deleted: 'Deleted', missing: 'Missing' }

function goneSince(item: Pick<Item, 'properties'>, which: Which): number | null {
  const value = item.properties.find(({ name }) => name === property[which])?.value
  return value === undefined ? null : Number(value) * 1000
}

function columnsOf(which: Which, collections: ReadonlyMap<number, string>): Column<Item>[] {
  return [
    { id: 'name', title: 'name', width: 'rest', least: 18, cell: ({ name }) => name },
    { id: 'taken', title: 'date', width: 16, drop: 2, style: 'dim', cell: minuteOf },
    { id: 'kind', title: 'kind', width: 10, drop: 3, style: 'dim', cell: kindOf },
    {
      id: 'collection',
      title: 'collection',
      width: 18,
      drop: 1,
      cell: ({ collection_id }) => collections.get(collection_id) ?? '',
    },
    {
      id: 'since',
      title: which === 'deleted' ? 'recycled' : 'missing since',
      width: 17,
      cell: item => {
        const since = goneSince(item, which)
        return since === null ? '' : dayAndTime(since, Date.now())
      },
    },
  ]
}

function Gone({ which, width, height, params }: ScreenProps & { which: Which }): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const [only, setOnly] = useState(typeof params.collection === 'number' ? params.collection : 0)
  const [open, setOpen] = useState(0)
  const [working, setWorking] = useState('')
  const { line: jobLine, begin } = useBegunJob()
  const told = working === '' ? jobLine : [' ', working]
  const listHeight = Math.max(1, height - 3 - (told === null ? 0 : 2))
  const call = which === 'deleted' ? client.items.deleted : client.items.missing
  const items = useItemList(
    ({ page, limit, cursor }) =>
      call({ params: { collectionId: only }, query: { page, limit, ...(cursor === null ? {} : { cursor }) } }),
    `${which} ${only}`,
    listHeight,
  )
  const { list, here, total } = items
  const { value } = useLive(async () => {
    const [, ...collections] = await client.collections.list()
    const { recycleSeconds } = await client.system.runtime()
    return { collections, recycleSeconds }
  }, ofCollections)
  const collections = value?.collections ?? []
  const targets: Targets = {
    count: open === 0 ? items.count : 1,
    name: here?.name ?? '',
    ids: async () => (open === 0 ? items.targets() : [open]),
  }
  const isThere = targets.count > 0

  function ended(begun: Begun | null | 'done') {
    if (begun === null) return
    if (begun !== 'done') begin(begun)
    items.clear()
    setOpen(0)
  }

  /** One after the other: each touches files, and must still be what it was when it was asked. */
  async function removeEach(ids: readonly number[], verb: string, done: string) {
    let removed = 0
    try {
      for (const id of ids) {
        const now = await client.items.get({ params: { id } })
        if (goneSince(now, which) === null) continue
        await client.items.remove({ params: { id } })
        removed++
        if (ids.length > 1) setWorking(`${verb} ${figure(removed)} of ${figure(ids.length)}`)
      }
    } finally {
      setWorking('')
      ended('done')
    }
    stage.notice(`${done} ${itemsText(removed)}.${removed < ids.length ? ' The others are back in the gallery.' : ''}`)
  }

  async function purge() {
    const now = await settled(stage, targets, here)
    const what = whatOf(now)
    const isWanted = await stage.confirm({
      title: `Delete ${what} for good, with ${now.count === 1 ? 'its file' : 'their files'}? This cannot be undone.`,
      lines: [[{ text: 'Files of read-only collections stay on the disk.', style: 'dim' }]],
      yes: 'delete',
      ...(now.count > 10 ? { typed: 'delete' } : {}),
    })
    if (isWanted) await removeEach(await now.ids(), 'Deleting', 'Deleted for good:')
  }

  async function empty() {
    const where = only === 0 ? 'the recycle bin' : `the recycle bin of ${nameOf(only)}`
    const isWanted = await stage.confirm({
      title: `Empty ${where}: delete ${itemsText(total ?? 0)} for good, with their files? This cannot be undone.`,
      yes: 'empty it',
      typed: 'empty',
    })
    if (!isWanted) return
    const { taskid } = await client.items.emptyBin({ params: { collectionId: only } })
    ended({ id: taskid, doing: `Emptying ${where}`, done: `Emptied ${where}`, noUndo: true })
  }

  async function forget() {
    const now = await settled(stage, targets, here)
    const what = whatOf(now)
    const isWanted = await stage.confirm({
      title: `Forget ${what}, with ${now.count === 1 ? 'its' : 'their'} tags? This cannot be undone.`,
      lines: [[{ text: 'No file is touched. An item whose file is back is shown again instead.', style: 'dim' }]],
      yes: 'forget',
      ...(now.count > 10 ? { typed: 'forget' } : {}),
    })
    if (isWanted) await removeEach(await now.ids(), 'Forgetting', 'Forgot')
  }

  async function forgetAll() {
    const isWanted = await stage.confirm({
      title: `Forget all ${itemsText(total ?? 0)} whose files are gone${only === 0 ? '' : ` from ${nameOf(only)}`}? This cannot be undone.`,
      lines: [[{ text: 'No file is touched. Items whose files are back are shown again instead.', style: 'dim' }]],
      yes: 'forget them',
      typed: 'forget',
    })
    if (!isWanted) return
    const { forgotten, back } = await client.items.forgetMissing({ params: { collectionId: only } })
    ended('done')
    stage.notice(`Forgot ${itemsText(forgotten)}.${back === 0 ? '' : ` ${itemsText(back)} are back.`}`)
  }

  async function scan() {
    const id = only === 0 ? (here?.collection_id ?? 0) : only
    if (id === 0) return
    const { taskid } = await client.collections.scan({ params: { id } })
    begin({ id: taskid, doing: `Scanning ${nameOf(id)}`, done: `Scanned ${nameOf(id)}`, noUndo: true })
  }

  function nameOf(id: number): string {
    return collections.find(one => one.id === id)?.name ?? ''
  }

  function turn(by: number) {
    const ids = [0, ...collections.map(({ id }) => id)]
    setOnly(ids[(ids.indexOf(only) + by + ids.length) % ids.length] ?? 0)
  }

  const isBin = which === 'deleted'
  const keys: Binding[] = [
    {
      keys: ['enter'],
      short: 'open',
      about: 'everything that is known of it',
      when: open === 0 && here !== undefined,
      run: () => setOpen(here?.id ?? 0),
    },
    { keys: ['esc', 'q', 'left'], short: 'list', about: 'back to the list', when: open !== 0, run: () => setOpen(0) },
    {
      keys: ['u', 'r'],
      short: 'restore',
      about: 'bring back into the gallery',
      when: isBin && isThere,
      run: () => stage.run(async () => ended(await restore(stage, await settled(stage, targets, here)))),
    },
    {
      keys: ['s'],
      short: 'scan',
      about: 'look for the files: scan the collection',
      when: !isBin && here !== undefined,
      run: () => stage.run(scan),
    },
    {
      keys: ['d', 'delete'],
      short: isBin ? 'delete' : 'forget',
      about: isBin ? 'delete for good, with the file' : 'forget the item; no file is touched',
      when: isThere,
      run: () => stage.run(isBin ? purge : forget),
    },
    ...(open === 0 ? [items.markKey] : []),
    {
      keys: ['E'],
      short: isBin ? 'empty' : 'forget all',
      about: isBin ? 'empty the recycle bin' : 'forget everything that is missing',
      when: open === 0 && (total ?? 0) > 0,
      run: () => stage.run(isBin ? empty : forgetAll),
    },
    {
      keys: ['['],
      shown: '[ ]',
      short: 'collection',
      about: 'the collection before',
      when: open === 0 && collections.length > 1,
      run: () => turn(-1),
    },
    { keys: [']'], about: 'the next collection', when: open === 0 && collections.length > 1, run: () => turn(1) },
    {
      keys: ['y'],
      about: 'copy the path, the id or the name',
      when: here !== undefined,
      run: () =>
        stage.run(async () => {
          const now = await settled(stage, targets, here)
          const [id] = await now.ids()
          if (id !== undefined)
            await copy(stage, now, here?.id === id ? here : await client.items.get({ params: { id } }))
        }),
    },
    { keys: ['R'], about: 'look again', run: () => items.window.reload() },
    ...(open === 0 ? [...items.keys, ...list.keys] : []),
  ]
  useKeys({ title: isBin ? 'Recycle bin' : 'Missing items', bindings: keys })

  if (open !== 0)
    return (
      <ItemPane
        id={open}
        known={here?.id === open ? here : undefined}
        width={width}
        height={height}
        column={0}
        row={0}
        scrolls
      />
    )

  const days = value?.recycleSeconds === null || value === null ? null : Math.round(value.recycleSeconds / 86_400)
  const right: Span[] = []
  if (items.marked > 0) right.push({ text: `${figure(items.marked)} marked`, style: 'accent' }, '  ')
  right.push(total === null ? '' : itemsText(total))
  if (isBin && value !== null)
    right.push({ text: days === null ? '  kept for ever' : `  kept ${plural(days, 'day')}`, style: 'dim' })
  right.push(' ')
  const head: Line = spread(
    [' ', only === 0 ? { text: 'All collections', style: 'dim' } : { text: nameOf(only), style: 'bold' }],
    right,
    width,
  )
  const failed = items.error instanceof Error ? items.error.message : null
  return (
    <>
      <Row line={head} width={width} />
      <Row line={[]} width={width} />
      <Table
        columns={columnsOf(which, new Map(collections.map(({ id, name }) => [id, name])))}
        total={total ?? 0}
        rowAt={items.window.rowAt}
        width={width}
        height={listHeight}
        top={list.top}
        cursor={list.cursor}
        isMarked={items.isMarked}
        onSeen={items.window.see}
        empty={failed ?? (total === null ? '' : isBin ? 'The recycle bin is empty.' : 'No item is missing.')}
      />
      {told === null ? null : (
        <>
          <Row line={[]} width={width} />
          <Row line={told} width={width} />
        </>
      )}
    </>
  )
}

export function RecycleBin(props: ScreenProps): ReactElement {
  return <Gone which="deleted" {...props} />
}

export function Missing(props: ScreenProps): ReactElement {
  return <Gone which="missing" {...props} />
}
