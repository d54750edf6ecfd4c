/** People: their item counts, their names, and merging. */
import type { ReactElement } from 'react'
import { birthdate, type Person } from '../../schema/api/people.ts'
import { figure, plural } from '../../schema/figures.ts'
import { searchKey } from '../../schema/search-text.ts'
import { exactValue } from '../filter-completion.ts'
import type { StartedJob } from '../items/item-actions.ts'
import type { Binding } from '../keys.ts'
import { alignToEnds, type Line } from '../line.ts'
import { isCollectionEvent, useLive } from '../live.ts'
import { keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { useStartedJob } from '../parts/started-job.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useFind } from '../parts/use-find.ts'
import type { ScreenProps } from '../screen-props.ts'
import type { TuiEvent } from '../session.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

function isPersonEvent(event: TuiEvent): boolean {
  return event.channel.startsWith('person-') || isCollectionEvent(event)
}

/** The current name, which is the newest. */
function nameOf({ names }: Person): string {
  return names.at(-1)?.name ?? ''
}

const columns: Column<Person>[] = [
  { id: 'name', title: 'name', width: 'rest', least: 20, cell: nameOf },
  {
    id: 'items',
    title: 'items',
    width: 9,
    align: 'end',
    cell: ({ itemcount }) => (itemcount === 0 ? { text: '0', style: 'dim' } : figure(itemcount)),
  },
  { id: 'birthdate', title: 'born', width: 10, drop: 1, cell: person => person.birthdate ?? '' },
  {
    id: 'others',
    title: 'other names',
    width: 30,
    drop: 2,
    style: 'dim',
    cell: ({ names }) =>
      names
        .slice(0, -1)
        .map(({ name }) => name)
        .join(', '),
  },
]

export const nameCheck = (text: string) => (text.trim() === '' ? 'Name is required' : null)

/** Asks for the person to merge with. */
async function choosePersonToMerge(ui: Ui, person: Person, all: readonly Person[]): Promise<Person | null> {
  const others = all.filter(({ id }) => id !== person.id)
  const byName = (text: string) => others.find(one => nameOf(one).toLowerCase() === text.trim().toLowerCase())
  const text = await ui.prompt({
    label: `${nameOf(person)} is the same as:`,
    hint: 'Tab completes. Everything of the other moves to this person.',
    complete: start => others.map(nameOf).filter(name => searchKey(name).startsWith(searchKey(start))),
    check: one => (byName(one) === undefined ? 'Nobody else has this name.' : null),
  })
  return text === null ? null : (byName(text) ?? null)
}

/** Actions on the chosen person, whose results become notices. */
function personKeys(
  ui: Ui,
  here: Person | undefined,
  all: readonly Person[],
  list: { reload(): void; begin(job: StartedJob): void },
) {
  const { people } = ui.session.client
  const key = keysFor(ui, here, list.reload)
  return [
    key('r', 'rename', 'change the name', async person => {
      const newest = person.names.at(-1)
      if (newest === undefined) return
      const name = await ui.prompt({ label: `New name of ${newest.name}:`, value: newest.name, check: nameCheck })
      if (name === null || name.trim() === newest.name) return
      const { active_from: start, active_to: finish } = newest
      await people.updateName({ params: { id: person.id, nameId: newest.id }, body: { name, start, finish } })
      return `${newest.name} is now called ${name.trim()}.`
    }),
    key('b', 'born', 'set the date of birth', async person => {
      const text = await ui.prompt({
        label: `${nameOf(person)} was born on:`,
        value: person.birthdate ?? '',
        hint: 'Like 1981-05-17. Leave empty to remove it.',
        check: one => (one.trim() === '' ? null : (birthdate.safeParse(one.trim()).error?.issues[0]?.message ?? null)),
      })
      if (text === null) return
      const day = text.trim()
      await people.update({ params: { id: person.id }, body: { birthdate: day === '' ? null : day } })
      return `The date of birth of ${nameOf(person)} is ${day === '' ? 'removed' : day}.`
    }),
    keysFor(ui, all.length > 1 && here)(
      'm',
      'merge',
      'merge: everything of the other moves to this person',
      async person => {
        const other = await choosePersonToMerge(ui, person, all)
        if (other === null) return
        const [from, into] = [nameOf(other), nameOf(person)]
        const title = `Merge ${from} (${plural(other.itemcount, 'item')}) into ${into}?`
        if (!(await ui.confirm({ title, yes: 'merge' }))) return
        const { taskid } = await people.merge({ params: { id: person.id, otherId: other.id } })
        list.begin({ id: taskid, doing: `Merging ${from} into ${into}`, done: `Merged ${from} into ${into}` })
      },
    ),
  ]
}

export function People({ width, height }: ScreenProps): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const find = useFind(ui, 'find a name', 'show everybody')
  const { line: jobLine, begin } = useStartedJob()
  const { value, error, reload } = useLive(
    async () => (await client.people.list()).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))),
    isPersonEvent,
  )
  const all = value ?? []
  const rows = all.filter(({ names }) => names.some(({ name }) => find.matches(name)))
  const list = useRows(rows, Math.max(1, height - 3 - (jobLine === null ? 0 : 1)), idOf)
  const key = keysFor(ui, ui, reload)
  const bindings: Binding[] = [
    ...list.keys,
    keysFor(ui, list.here)('enter', 'items', 'items of the person', person =>
      ui.go('items', { q: `person:${exactValue(nameOf(person)).trim()}` }),
    ),
    ...find.keys(),
    key('n', 'new', 'add a person', async () => {
      const name = await ui.prompt({ label: 'Name:', check: nameCheck })
      if (name === null) return
      await client.people.create({ body: { names: [name] } })
      return `Added ${name.trim()}.`
    }),
    ...personKeys(ui, list.here, all, { reload, begin }),
    keysFor(
      ui,
      all.some(({ itemcount }) => itemcount === 0),
      reload,
    )('D', '', 'delete people who are on no item', async () => {
      const title = 'Delete all people who are on no item, recycled and missing ones included?'
      if (!(await ui.confirm({ title, yes: 'delete' }))) return
      const { removed } = await client.people.removeUnused()
      return `Deleted ${plural(removed, 'person', 'people')}.`
    }),
  ]
  useKeys({ title: 'People', bindings })
  const head: Line = alignToEnds(
    [' ', find.wanted === '' ? { text: 'Everybody', style: 'dim' } : { text: `/ ${find.wanted}`, style: 'plain' }],
    [value === null ? '' : plural(rows.length, 'person', 'people'), ' '],
    width,
  )
  const words = value === null ? '' : find.wanted === '' ? 'Nobody yet. n adds a person.' : 'Nobody has this name.'
  return (
    <>
      <Row line={head} width={width} />
      <Row line={[]} width={width} />
      <Table columns={columns} {...list} width={width} empty={error ?? words} />
      {jobLine === null ? null : <Row line={jobLine} width={width} />}
    </>
  )
}
