/** Groups: their rights, their members, and the collections that they open. */
import type { ReactElement } from 'react'
import { Failure } from '../../../schema/errors.ts'
import type { Binding } from '../../keys.ts'
import type { Line } from '../../line.ts'
import { isCollectionEvent, isUserEvent, useLive } from '../../live.ts'
import { keysFor } from '../../parts/keys-for.ts'
import { idOf, useRows } from '../../parts/list.ts'
import { Row, Rows } from '../../parts/rows.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { type Ui, useKeys, useUi } from '../../ui.ts'
import { nameCheck } from '../people.tsx'

const flags = ['view', 'create', 'update', 'admin', 'public'] as const
type Flag = (typeof flags)[number]

const flagWords: Record<Flag, string> = {
  view: 'see the collection',
  create: 'add items',
  update: 'change tags, rotate, recycle',
  admin: 'everything in the collection',
  public: 'every visitor sees it',
}

interface GroupRow extends Record<Flag, boolean> {
  id: number
  name: string
  collections: { id: number; name: string }[]
  members: string[]
}

async function loadGroups({ session: { client, library, viewer } }: Ui) {
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
      const flagText = flags.filter(flag => group[flag]).join(', ')
      return flagText === '' ? { text: 'nothing', style: 'dim' } : flagText
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

async function chooseName(ui: Ui, title: string, names: readonly string[]): Promise<string | null> {
  if (names.length === 0) throw new Failure('invalid', 'There is nothing to choose from.')
  return ui.choose({ title, choices: names.map(name => ({ id: name, label: name })) })
}

async function chooseCollection(ui: Ui, title: string, all: GroupRow['collections']) {
  const name = await chooseName(
    ui,
    title,
    all.map(one => one.name),
  )
  return all.find(one => one.name === name)
}

type Loaded = Awaited<ReturnType<typeof loadGroups>>

/** Asks which right of the group to switch on or off, and switches it; returns the result as a notice. */
async function changeRights(ui: Ui, group: GroupRow) {
  const chosen = await ui.choose({
    title: `What ${group.name} allows`,
    choices: flags.map(flag => ({ id: flag, label: `${group[flag] ? 'on ' : 'off'} ${flag}`, about: flagWords[flag] })),
  })
  const flag = flags.find(one => one === chosen)
  if (flag === undefined) return
  const { client } = ui.session
  await client.access.update({ params: { id: group.id }, body: { group: { [flag]: !group[flag] } } })
  return `${group.name}: ${flag} is ${group[flag] ? 'off' : 'on'} now.`
}

async function giveAccess(ui: Ui, group: GroupRow, all: Loaded['collections']) {
  const others = all.filter(({ id }) => !group.collections.some(one => one.id === id))
  const collection = await chooseCollection(ui, `Give ${group.name} access to`, others)
  if (collection === undefined) return
  await ui.session.client.access.attach({
    params: { collectionId: collection.id, accessId: group.id },
    body: { shown: { members: group.members, allows: flags.filter(flag => group[flag]) } },
  })
  const who = group.members.length === 0 ? 'it has no members yet' : `members: ${group.members.join(', ')}`
  return `${group.name} has access to ${collection.name} now (${who}).`
}

async function createGroup(ui: Ui) {
  const name = await ui.prompt({ label: 'Name of the group:', check: nameCheck })
  if (name === null) return
  await ui.session.client.access.create({ body: { group: { name, view: true } } })
  return `Created the group ${name.trim()}. It has access to no collection yet.`
}

/** Actions on the chosen group; each returns its result as a notice. */
function groupKeys(ui: Ui, here: GroupRow | undefined, loaded: Loaded | null, reload: () => void): Binding[] {
  const { access } = ui.session.client
  const key = keysFor(ui, here, reload)
  const withMembers = keysFor(ui, here?.members.length ? here : null, reload)
  const withCollections = keysFor(ui, here?.collections.length ? here : null, reload)
  return [
    keysFor(ui, ui, reload)('n', 'new', 'create a group', createGroup),
    key('t enter', 'rights', 'what the group allows', group => changeRights(ui, group)),
    key('m', 'add member', 'add a user to the group', async group => {
      const others = (loaded?.users ?? []).filter(name => !group.members.includes(name))
      const username = await chooseName(ui, `Add to ${group.name}`, others)
      if (username === null) return
      await access.addMember({ params: { accessId: group.id, username } })
      return `${username} is in ${group.name} now.`
    }),
    withMembers('M', '', 'remove a user from the group', async group => {
      const username = await chooseName(ui, `Remove from ${group.name}`, group.members)
      if (username === null) return
      await access.removeMember({ params: { accessId: group.id, username } })
      return `${username} is no longer in ${group.name}.`
    }),
    key('o', 'open', 'give the group access to a collection', group =>
      giveAccess(ui, group, loaded?.collections ?? []),
    ),
    withCollections('d', 'close', 'end the access of the group to a collection', async group => {
      const collection = await chooseCollection(ui, `End the access of ${group.name} to`, group.collections)
      if (collection === undefined) return
      await access.detach({ params: { collectionId: collection.id, accessId: group.id } })
      return `${group.name} has no access to ${collection.name} now.`
    }),
  ]
}

export function Groups({ width, height }: { width: number; height: number }): ReactElement {
  const ui = useUi()
  const { value, error, reload } = useLive(
    () => loadGroups(ui),
    event => isUserEvent(event) || isCollectionEvent(event),
  )
  const list = useRows(value?.rows ?? [], Math.max(1, height - 5), idOf)
  const { here } = list
  useKeys({ title: 'Groups', bindings: [...list.keys, ...groupKeys(ui, here, value, reload)] }, 'pane')
  const factLine = (label: string, text: string): Line => [' ', { text: label, style: 'dim' }, text]
  const facts =
    here === undefined
      ? []
      : [
          factLine('opens    ', here.collections.map(({ name }) => name).join(', ') || 'no collection'),
          factLine('members  ', here.members.join(', ') || 'nobody'),
        ]
  const words = value === null ? '' : 'No groups. Creating a collection creates two for it.'
  return (
    <>
      <Table columns={groupColumns} {...list} width={width} empty={error ?? words} />
      <Row line={[]} width={width} />
      <Rows lines={facts} width={width} height={3} />
    </>
  )
}
