/** People: on how many items they are, their names, and who is the same as somebody else. */
import { type ReactElement, useState } from 'react'
import { birthdate, type Person } from '../../schema/api/people.ts'
import { figure, plural } from '../../schema/figures.ts'
import { exactly } from '../filter-completion.ts'
import type { Binding } from '../keys.ts'
import { type Line, spread } from '../line.ts'
import { ofCollections, useLive } from '../live.ts'
import { useBegunJob } from '../parts/begun-job.tsx'
import { useList } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import type { TuiEvent } from '../session.ts'
import { type Stage, useKeys, useStage } from '../stage.ts'

function ofPeople(event: TuiEvent): boolean {
  return event.channel.startsWith('person-') || ofCollections(event)
}

/** The name that is used now: the newest. */
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

const nameCheck = (text: string) => (text.trim() === '' ? 'Name is required' : null)

/** Asks who it is the same as; answers what must be known of both. */
async function askSame(stage: Stage, person: Person, all: readonly Person[]): Promise<Person | null> {
  const others = all.filter(({ id }) => id !== person.id)
  const byName = (text: string) => others.find(one => nameOf(one).toLowerCase() === text.trim().toLowerCase())
  const text = await stage.prompt({
    label: `${nameOf(person)} is the same as:`,
    hint: 'Tab completes. What is tagged with the other becomes this one’s.',
    complete: start => others.map(nameOf).filter(name => name.toLowerCase().startsWith(start.toLowerCase())),
    check: one => (byName(one) === undefined ? 'Nobody else is called so.' : null),
  })
  return text === null ? null : (byName(text) ?? null)
}

export function People({ width, height }: ScreenProps): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const [wanted, setWanted] = useState('')
  const { line: jobLine, begin } = useBegunJob()
  const { value, error, reload } = useLive(
    async () => (await client.people.list()).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))),
    ofPeople,
  )
  const word = wanted.toLowerCase()
  const rows = (value ?? []).filter(({ names }) => names.some(({ name }) => name.toLowerCase().includes(word)))
  const listHeight = Math.max(1, height - 3 - (jobLine === null ? 0 : 1))
  const list = useList({ total: rows.length, height: listHeight, ids: rows.map(({ id }) => id) })
  const here = rows[list.cursor]
  const act = (work: (person: Person) => Promise<string | null>) => () =>
    stage.run(async () => {
      if (here === undefined) return
      const said = await work(here)
      if (said === null) return
      reload()
      stage.notice(said)
    })
  const isThere = here !== undefined
  const unused = (value ?? []).filter(({ itemcount }) => itemcount === 0).length
  const keys: Binding[] = [
    ...list.keys,
    {
      keys: ['enter'],
      short: 'items',
      about: 'the items that the person is on',
      when: isThere,
      run: () => here !== undefined && stage.go('items', { q: `person:${exactly(nameOf(here)).trim()}` }),
    },
    {
      keys: ['/'],
      short: 'find',
      about: 'find a name',
      run: () =>
        stage.run(async () => {
          const text = await stage.prompt({ label: 'Find:', value: wanted, history: 'people' })
          if (text !== null) setWanted(text.trim())
        }),
    },
    { keys: ['esc'], about: 'show everybody', when: wanted !== '', run: () => setWanted('') },
    {
      keys: ['n'],
      short: 'new',
      about: 'add a person',
      run: () =>
        stage.run(async () => {
          const name = await stage.prompt({ label: 'Name:', check: nameCheck })
          if (name === null) return
          await client.people.create({ body: { names: [name] } })
          reload()
          stage.notice(`Added ${name.trim()}.`)
        }),
    },
    {
      keys: ['r'],
      short: 'rename',
      about: 'change the name',
      when: isThere,
      run: act(async person => {
        const known = person.names.at(-1)
        if (known === undefined) return null
        const name = await stage.prompt({ label: `New name of ${known.name}:`, value: known.name, check: nameCheck })
        if (name === null || name.trim() === known.name) return null
        const { active_from: start, active_to: finish } = known
        await client.people.updateName({ params: { id: person.id, nameId: known.id }, body: { name, start, finish } })
        return `${known.name} is called ${name.trim()} now.`
      }),
    },
    {
      keys: ['b'],
      short: 'born',
      about: 'set the date of birth',
      when: isThere,
      run: act(async person => {
        const text = await stage.prompt({
          label: `${nameOf(person)} was born on:`,
          value: person.birthdate ?? '',
          hint: 'Like 1981-05-17. Empty takes it away.',
          check: one =>
            one.trim() === '' ? null : (birthdate.safeParse(one.trim()).error?.issues[0]?.message ?? null),
        })
        if (text === null) return null
        await client.people.update({
          params: { id: person.id },
          body: { birthdate: text.trim() === '' ? null : text.trim() },
        })
        return `The date of birth of ${nameOf(person)} is ${text.trim() === '' ? 'taken away' : text.trim()}.`
      }),
    },
    {
      keys: ['m'],
      short: 'merge',
      about: 'they are the same: everything of the other becomes this one’s',
      when: (value?.length ?? 0) > 1 && isThere,
      run: () =>
        stage.run(async () => {
          if (here === undefined) return
          const other = await askSame(stage, here, value ?? [])
          if (other === null) return
          const title = `Merge ${nameOf(other)} (${plural(other.itemcount, 'item')}) into ${nameOf(here)}?`
          if (!(await stage.confirm({ title, yes: 'merge' }))) return
          const { taskid } = await client.people.merge({ params: { id: here.id, otherId: other.id } })
          begin({
            id: taskid,
            doing: `Merging ${nameOf(other)} into ${nameOf(here)}`,
            done: `Merged ${nameOf(other)} into ${nameOf(here)}`,
          })
        }),
    },
    {
      keys: ['D'],
      about: 'delete everybody who is on no item',
      when: unused > 0,
      run: () =>
        stage.run(async () => {
          const title = 'Delete everybody who is on no item at all, not even on recycled or missing ones?'
          if (!(await stage.confirm({ title, yes: 'delete' }))) return
          const { removed } = await client.people.removeUnused()
          reload()
          stage.notice(`Deleted ${plural(removed, 'person', 'people')}.`)
        }),
    },
  ]
  useKeys({ title: 'People', bindings: keys })
  const head: Line = spread(
    [' ', wanted === '' ? { text: 'Everybody', style: 'dim' } : { text: `/ ${wanted}`, style: 'plain' }],
    [value === null ? '' : plural(rows.length, 'person', 'people'), ' '],
    width,
  )
  return (
    <>
      <Row line={head} width={width} />
      <Row line={[]} width={width} />
      <Table
        columns={columns}
        total={rows.length}
        rowAt={index => rows[index]}
        width={width}
        height={listHeight}
        top={list.top}
        cursor={list.cursor}
        empty={error ?? (value === null ? '' : wanted === '' ? 'Nobody yet. n adds a person.' : 'Nobody is called so.')}
      />
      {jobLine === null ? null : <Row line={jobLine} width={width} />}
    </>
  )
}
