/** The recycle bin and the missing items: restore, delete for good, forget. */
import { type ReactElement, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { figure, plural } from '../../schema/figures.ts'
import { restore, type StartedJob, type Targets, targetsText } from '../items/item-actions.ts'
import { countsOf, OpenItem, useItemScreen, WorkLine } from '../items/item-screen.tsx'
import { kindOf, minuteOf } from '../items/item-text.ts'
import type { Binding } from '../keys.ts'
import { alignToEnds, type Span } from '../line.ts'
import { isCollectionEvent, useLive } from '../live.ts'
import { choiceKey, keysFor } from '../parts/keys-for.ts'
import { Row } from '../parts/rows.tsx'
import { useStartedJob } from '../parts/started-job.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { dayAndTime } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

type GoneState = 'deleted' | 'missing'

/** The item property with the time when the item was recycled or its file was found missing. */
const property: Record<GoneState, string> = { deleted: 'Deleted', missing: 'Missing' }

function goneSince(item: Pick<Item, 'properties'>, which: GoneState): number | null {
  const value = item.properties.find(({ name }) => name === property[which])?.value
  return value === undefined ? null : Number(value) * 1000
}

function columnsOf(which: GoneState, nameOf: (id: number) => string): Column<Item>[] {
  return [
    { id: 'name', title: 'name', width: 'rest', least: 18, cell: ({ name }) => name },
    { id: 'taken', title: 'date', width: 16, drop: 2, style: 'dim', cell: minuteOf },
    { id: 'kind', title: 'kind', width: 10, drop: 3, style: 'dim', cell: kindOf },
    { id: 'collection', title: 'collection', width: 18, drop: 1, cell: ({ collection_id: id }) => nameOf(id) },
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

/** What the actions need. `collectionId` is the shown collection, or 0 for all; `total` counts the shown items. */
interface Scope {
  ui: Ui
  which: GoneState
  collectionId: number
  total: number
  nameOf(id: number): string
  /** Shows a text while the action runs; called with '' at its end. */
  showProgress(words: string): void
  onFinished(started: StartedJob | null | 'done'): void
}

/** Removes one item after the other, because removals change files. Items that are back in the gallery are skipped. */
async function removeEach(
  { ui, which, showProgress, onFinished }: Scope,
  ids: readonly number[],
  verb: string,
  done: string,
) {
  const { items } = ui.session.client
  let removed = 0
  try {
    for (const id of ids) {
      const now = await items.get({ params: { id } })
      if (goneSince(now, which) === null) continue
      await items.remove({ params: { id } })
      removed++
      if (ids.length > 1) showProgress(`${verb} ${figure(removed)} of ${figure(ids.length)}`)
    }
  } finally {
    showProgress('')
    onFinished('done')
  }
  const others = removed < ids.length ? ' The others are back in the gallery.' : ''
  ui.notice(`${done} ${plural(removed, 'item')}.${others}`)
}

async function purge(scope: Scope, now: Targets) {
  const isWanted = await scope.ui.confirm({
    title: `Delete ${targetsText(now)} for good, with ${now.count === 1 ? 'its file' : 'their files'}? This cannot be undone.`,
    lines: [[{ text: 'Files of read-only collections stay on the disk.', style: 'dim' }]],
    yes: 'delete',
    ...(now.count > 10 ? { wordToType: 'delete' } : {}),
  })
  if (isWanted) await removeEach(scope, await now.ids(), 'Deleting', 'Deleted for good:')
}

async function emptyBin({ ui, collectionId, total, nameOf, onFinished }: Scope) {
  const where = collectionId === 0 ? 'the recycle bin' : `the recycle bin of ${nameOf(collectionId)}`
  const isWanted = await ui.confirm({
    title: `Empty ${where}: delete ${plural(total, 'item')} for good, with their files? This cannot be undone.`,
    yes: 'empty it',
    wordToType: 'empty',
  })
  if (!isWanted) return
  const { taskid } = await ui.session.client.items.emptyBin({ params: { collectionId } })
  onFinished({ id: taskid, doing: `Emptying ${where}`, done: `Emptied ${where}`, noUndo: true })
}

async function forget(scope: Scope, now: Targets) {
  const isWanted = await scope.ui.confirm({
    title: `Forget ${targetsText(now)}, with ${now.count === 1 ? 'its' : 'their'} tags? This cannot be undone.`,
    lines: [[{ text: 'Files are not touched. If its file is back, an item is shown again instead.', style: 'dim' }]],
    yes: 'forget',
    ...(now.count > 10 ? { wordToType: 'forget' } : {}),
  })
  if (isWanted) await removeEach(scope, await now.ids(), 'Forgetting', 'Forgot')
}

async function forgetAll({ ui, collectionId, total, nameOf, onFinished }: Scope) {
  const from = collectionId === 0 ? '' : ` from ${nameOf(collectionId)}`
  const isWanted = await ui.confirm({
    title: `Forget all ${plural(total, 'item')} whose files are gone${from}? This cannot be undone.`,
    lines: [[{ text: 'Files are not touched. If their files are back, items are shown again instead.', style: 'dim' }]],
    yes: 'forget them',
    wordToType: 'forget',
  })
  if (!isWanted) return
  const { forgotten, back } = await ui.session.client.items.forgetMissing({ params: { collectionId } })
  onFinished('done')
  ui.notice(`Forgot ${plural(forgotten, 'item')}.${back === 0 ? '' : ` ${plural(back, 'item')} are back.`}`)
}

function Gone({ which, width, height, params }: ScreenProps & { which: GoneState }): ReactElement {
  const isBin = which === 'deleted'
  const ui = useUi()
  const { client } = ui.session
  const [collectionId, setCollectionId] = useState(typeof params.collection === 'number' ? params.collection : 0)
  const [progress, setProgress] = useState('')
  const { line: jobLine, begin } = useStartedJob()
  const statusLine = progress === '' ? jobLine : [' ', progress]
  const call = isBin ? client.items.deleted : client.items.missing
  const screen = useItemScreen(
    ({ page, limit, cursor }) =>
      call({ params: { collectionId }, query: { page, limit, ...(cursor === null ? {} : { cursor }) } }),
    `${which} ${collectionId}`,
    Math.max(1, height - 3 - (statusLine === null ? 0 : 2)),
    'show everything known about it',
  )
  const { list, openId, hasTargets, loadChosenTargets } = screen
  const { value } = useLive(async () => {
    const [, ...collections] = await client.collections.list()
    const { recycleSeconds } = await client.system.runtime()
    return { collections, recycleSeconds }
  }, isCollectionEvent)
  const collections = value?.collections ?? []
  const nameOf = (id: number) => collections.find(one => one.id === id)?.name ?? ''

  function whenChanged(started: StartedJob | null | 'done') {
    if (started === null) return
    if (started !== 'done') begin(started)
    list.clear()
    screen.setOpenId(0)
  }
  const scope: Scope = {
    ui,
    which,
    collectionId,
    total: list.total,
    nameOf,
    showProgress: setProgress,
    onFinished: whenChanged,
  }

  async function scan(id: number) {
    const { taskid } = await client.collections.scan({ params: { id } })
    begin({ id: taskid, doing: `Scanning ${nameOf(id)}`, done: `Scanned ${nameOf(id)}`, noUndo: true })
  }
  const key = keysFor(ui, hasTargets)
  const choices = [0, ...collections.map(({ id }) => id)]
  const bindings: Binding[] = [
    ...screen.openKeys,
    keysFor(ui, isBin && hasTargets)('u r', 'restore', 'restore to the gallery', async () =>
      whenChanged(await restore(ui, await loadChosenTargets())),
    ),
    keysFor(ui, !isBin && list.here)('s', 'scan', 'look for the files: scan the collection', here =>
      scan(collectionId === 0 ? here.collection_id : collectionId),
    ),
    isBin
      ? key('d delete', 'delete', 'delete for good, with the file', async () => purge(scope, await loadChosenTargets()))
      : key('d delete', 'forget', 'forget the item; files are not touched', async () =>
          forget(scope, await loadChosenTargets()),
        ),
    ...(openId === 0 ? [list.markKey] : []),
    keysFor(ui, openId === 0 && list.total > 0)(
      'E',
      isBin ? 'empty' : 'forget all',
      isBin ? 'empty the recycle bin' : 'forget all missing items',
      () => (isBin ? emptyBin(scope) : forgetAll(scope)),
    ),
    choiceKey('collection', 'one collection, or all', choices, collectionId, setCollectionId, {
      when: openId === 0 && collections.length > 1,
      tab: false,
    }),
    screen.copyKey,
    screen.reloadKey,
    ...(openId === 0 ? [...list.markKeys, ...list.keys] : []),
  ]
  useKeys({ title: isBin ? 'Recycle bin' : 'Missing items', bindings })
  if (openId !== 0) return <OpenItem screen={screen} width={width} height={height} />

  const days = value?.recycleSeconds == null ? 'for ever' : plural(Math.round(value.recycleSeconds / 86_400), 'day')
  const kept: Span[] = isBin && value !== null ? [{ text: `  kept ${days}`, style: 'dim' }] : []
  const where: Span =
    collectionId === 0 ? { text: 'All collections', style: 'dim' } : { text: nameOf(collectionId), style: 'bold' }
  const failed = list.error instanceof Error ? list.error.message : null
  const words = !list.isKnown ? '' : isBin ? 'The recycle bin is empty.' : 'No item is missing.'
  return (
    <>
      <Row line={alignToEnds([' ', where], [...countsOf(list), ...kept, ' '], width)} width={width} />
      <Row line={[]} width={width} />
      <Table columns={columnsOf(which, nameOf)} {...list} width={width} empty={failed ?? words} />
      <WorkLine line={statusLine} width={width} />
    </>
  )
}

export const RecycleBin = (props: ScreenProps) => <Gone which="deleted" {...props} />

export const Missing = (props: ScreenProps) => <Gone which="missing" {...props} />
