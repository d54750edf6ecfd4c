/** Groups: what they allow, who is in them, and which collections they open. */
import type { ReactElement } from 'react'
import { Failure } from '../../../schema/errors.ts'
import type { Binding } from '../../keys.ts'
import type { Line } from '../../line.ts'
import { ofCollections, ofUsers, useLive } from '../../live.ts'
import { useList } from '../../parts/list.ts'
import { Row, Rows } from '../../parts/rows.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { type Stage, useKeys, useStage } from '../../stage.ts'

const flags = ['view', 'create', 'update', 'admin', 'public'] as const
type Flag = (typeof flags)[number]

const flagWords: Record<Flag, string> = {
  view: 'see the collection',
  create: 'add items',
  update: 'change tags, turn, recycle',
  admin: 'everything in the collection',
  public: 'every visitor sees it',
}

interface GroupRow extends Record<Flag, boolean> {
  id: number
  name: string
  collections: { id: number; name: string }[]
  members: string[]
}

async function loadGroups({ session: { client, library, viewer } }: Stage) {
  const [, ...collections] = await client.collections.list()
  const groups = new Map<number, GroupRow>()
  for (const { id, name, access } of collections)
    for (const group of access) {
      const known = groups.get(group.id) ?? { ...group, collections: [], members: [] }
      known.collections.push({ id, name })
      groups.set(group.id, known)
    }
  for (const group of library.groups.loose(viewer)) groups.set(group.id, { ...group, collections: [], members: [] })
  for (const group of groups.values())
    group.members = (await client.access.members({ params: { accessId: group.id } })).map(({ username }) => username)
  const rows = [...groups.values()].sort((a, b) => a.id - b.id)
  const users = (await client.users.list()).map(({ username }) => username)
  return { rows, collections: collections.map(({ id, name }) => ({ id, name })), users }
}

const groupColumns: Column<GroupRow>[] = [
  { id: 'name', title: 'group', width: 'rest', least: 16, cell: ({ name }) => name },
  {
    id: 'allows',
    title: 'allows',
    width: 22,
    cell: group => {
      const told = flags.filter(flag => group[flag]).join(', ')
      return told === '' ? { text: 'nothing', style: 'dim' } : told
    },
  },
  {
    id: 'collections',
    title: 'opens',
    width: 26,
    drop: 1,
    cell: ({ collections }) =>
      collections.length === 0
        ? { text: 'no collection', style: 'dim' }
        : collections.map(({ name }) => name).join(', '),
  },
  { id: 'members', title: 'members', width: 20, drop: 2, cell: ({ members }) => members.join(', ') },
]

async function pick(stage: Stage, title: string, names: readonly string[]): Promise<string | null> {
  if (names.length === 0) throw new Failure('invalid', 'There is nobody and nothing to choose from.')
  return stage.choose({ title, choices: names.map(name => ({ id: name, label: name })) })
}

export function Groups({ width, height }: { width: number; height: number }): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const { value, error, reload } = useLive(
    () => loadGroups(stage),
    event => ofUsers(event) || ofCollections(event),
  )
  const rows = value?.rows ?? []
  const listHeight = Math.max(1, height - 5)
  const list = useList({ total: rows.length, height: listHeight, ids: rows.map(({ id }) => id) })
  const here = rows[list.cursor]
  const act = (work: (group: GroupRow) => Promise<string | null>) => () =>
    stage.run(async () => {
      if (here === undefined) return
      const said = await work(here)
      if (said === null) return
      reload()
      stage.notice(said)
    })
  const isThere = here !== undefined
  const keys: Binding[] = [
    ...list.keys,
    {
      keys: ['n'],
      short: 'new',
      about: 'make a group',
      run: () =>
        stage.run(async () => {
          const name = await stage.prompt({
            label: 'Name of the group:',
            check: text => (text.trim() === '' ? 'Name is required' : null),
          })
          if (name === null) return
          await client.access.create({ body: { group: { name, view: true } } })
          reload()
          stage.notice(`Made the group ${name.trim()}. It opens no collection yet.`)
        }),
    },
    {
      keys: ['t', 'enter'],
      short: 'rights',
      about: 'what the group allows',
      when: isThere,
      run: act(async group => {
        const chosen = await stage.choose({
          title: `What ${group.name} allows`,
          choices: flags.map(flag => ({
            id: flag,
            label: `${group[flag] ? 'on ' : 'off'} ${flag}`,
            about: flagWords[flag],
          })),
        })
        const flag = flags.find(one => one === chosen)
        if (flag === undefined) return null
        await client.access.update({ params: { id: group.id }, body: { group: { [flag]: !group[flag] } } })
        return `${group.name}: ${flag} is ${group[flag] ? 'off' : 'on'} now.`
      }),
    },
    {
      keys: ['m'],
      short: 'add member',
      about: 'put a user into the group',
      when: isThere,
      run: act(async group => {
        const others = (value?.users ?? []).filter(name => !group.members.includes(name))
        const username = await pick(stage, `Put into ${group.name}`, others)
        if (username === null) return null
        await client.access.addMember({ params: { accessId: group.id, username } })
        return `${username} is in ${group.name} now.`
      }),
    },
    {
      keys: ['M'],
      about: 'take a user out of the group',
      when: (here?.members.length ?? 0) > 0,
      run: act(async group => {
        const username = await pick(stage, `Take out of ${group.name}`, group.members)
        if (username === null) return null
        await client.access.removeMember({ params: { accessId: group.id, username } })
        return `${username} is no longer in ${group.name}.`
      }),
    },
    {
      keys: ['o'],
      short: 'open',
      about: 'open a collection to the group',
      when: isThere,
      run: act(async group => {
        const others = (value?.collections ?? []).filter(({ id }) => !group.collections.some(one => one.id === id))
        const name = await pick(
          stage,
          `Open to ${group.name}`,
          others.map(one => one.name),
        )
        const collection = others.find(one => one.name === name)
        if (collection === undefined) return null
        await client.access.attach({
          params: { collectionId: collection.id, accessId: group.id },
          body: { shown: { members: group.members, allows: flags.filter(flag => group[flag]) } },
        })
        const who = group.members.length === 0 ? 'nobody is in it yet' : `in it: ${group.members.join(', ')}`
        return `${collection.name} is open to ${group.name} now (${who}).`
      }),
    },
    {
      keys: ['d'],
      short: 'close',
      about: 'close a collection to the group',
      when: (here?.collections.length ?? 0) > 0,
      run: act(async group => {
        const name = await pick(
          stage,
          `Close to ${group.name}`,
          group.collections.map(one => one.name),
        )
        const collection = group.collections.find(one => one.name === name)
        if (collection === undefined) return null
        await client.access.detach({ params: { collectionId: collection.id, accessId: group.id } })
        return `${collection.name} is closed to ${group.name} now.`
      }),
    },
  ]
  useKeys({ title: 'Groups', bindings: keys }, 'pane')
  const facts: Line[] =
    here === undefined
      ? []
      : [
          [
            ' ',
            { text: 'opens    ', style: 'dim' },
            here.collections.map(({ name }) => name).join(', ') || 'no collection',
          ],
          [' ', { text: 'members  ', style: 'dim' }, here.members.join(', ') || 'nobody'],
        ]
  return (
    <>
      <Table
        columns={groupColumns}
        total={rows.length}
        rowAt={index => rows[index]}
        width={width}
        height={listHeight}
        top={list.top}
        cursor={list.cursor}
        empty={error ?? (value === null ? '' : 'No groups: a collection brings two.')}
      />
      <Row line={[]} width={width} />
      <Rows lines={facts} width={width} height={3} />
    </>
  )
}
