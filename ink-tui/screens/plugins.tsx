/** Plugins: what is installed, switched on and off, and their options. */
import { type ReactElement, useState } from 'react'
import { flatOptions, treeOfOptions } from '../../schema/api/option-tree.ts'
import type { OptionType, OptionValue, Plugin, PluginOptions } from '../../schema/api/plugins.ts'
import { channels } from '../../schema/realtime.ts'
import type { Binding } from '../keys.ts'
import type { Line } from '../line.ts'
import { useLive } from '../live.ts'
import { useList } from '../parts/list.ts'
import { Row, Rows } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import type { TuiEvent } from '../session.ts'
import { type Stage, useKeys, useStage } from '../stage.ts'
import { wrap } from '../text.ts'

function ofPlugins({ channel }: TuiEvent): boolean {
  return channel === channels.plugins
}

const columns: Column<Plugin>[] = [
  { id: 'name', title: 'plugin', width: 'rest', least: 20, cell: ({ name }) => name },
  { id: 'module', title: 'folder', width: 22, drop: 2, style: 'dim', cell: ({ module }) => module },
  { id: 'version', title: 'version', width: 9, drop: 1, cell: ({ version }) => version },
  {
    id: 'adds',
    title: 'adds to',
    width: 18,
    drop: 3,
    style: 'dim',
    cell: ({ elements, server }) =>
      [elements.length > 0 ? 'pages' : '', server ? 'server' : ''].filter(word => word !== '').join(', '),
  },
  {
    id: 'state',
    title: 'state',
    width: 10,
    cell: ({ active, problem }) =>
      problem !== null ? { text: 'unusable', style: 'amber' } : active ? 'on' : { text: 'off', style: 'dim' },
  },
]

export function Plugins({ width, height }: ScreenProps): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const [open, setOpen] = useState<Plugin | null>(null)
  const { value, error, reload } = useLive(() => client.plugins.list(), ofPlugins)
  const rows = value ?? []
  const listHeight = Math.max(1, height - 5)
  const list = useList({ total: rows.length, height: listHeight, ids: rows.map(({ id }) => id) })
  const here = rows[list.cursor]
  const keys: Binding[] = [
    ...list.keys,
    {
      keys: ['space', 'x'],
      short: here?.active === true ? 'switch off' : 'switch on',
      about: 'switch the plugin on or off',
      when: here !== undefined,
      run: () =>
        stage.run(async () => {
          if (here === undefined) return
          const { id, name, active } = here
          const title = `Switch ${name} on? Plugins are trusted code: they may do what the server may do.`
          if (!active && !(await stage.confirm({ title, yes: 'switch on' }))) return
          await client.plugins.toggle({ params: { id }, body: { active: !active } })
          reload()
          stage.notice(`${name} is ${active ? 'off' : 'on'} now.`)
        }),
    },
    {
      keys: ['enter', 'o'],
      short: 'options',
      about: 'the options of the plugin',
      when: here !== undefined && here.problem === null,
      run: () => setOpen(here ?? null),
    },
    { keys: ['R'], about: 'look again', run: reload },
  ]
  useKeys({ title: 'Plugins', bindings: keys }, 'screen', open === null)
  if (open !== null) return <Options plugin={open} width={width} height={height} onClose={() => setOpen(null)} />
  const facts: Line[] = []
  if (here?.problem !== undefined && here.problem !== null) facts.push([' ', { text: here.problem, style: 'amber' }])
  for (const text of here === undefined ? [] : wrap(here.description, width - 2)) facts.push([' ', text])
  return (
    <>
      <Table
        columns={columns}
        total={rows.length}
        rowAt={index => rows[index]}
        width={width}
        height={listHeight}
        top={list.top}
        cursor={list.cursor}
        empty={error ?? (value === null ? '' : 'No plugins. One is a folder in plugins/ of the data directory.')}
      />
      <Row line={[]} width={width} />
      <Rows lines={facts} width={width} height={3} />
    </>
  )
}

interface OptionRow {
  name: string
  type: OptionType
  value: OptionValue | undefined
  isSet: boolean
}

function rowsOf({ types, values, secrets }: PluginOptions): OptionRow[] {
  const flat = flatOptions(values)
  return Object.entries(types)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, type]) => ({ name, type, value: flat.get(name), isSet: secrets.includes(name) }))
}

function valueText({ type, value, isSet }: OptionRow): string {
  if (type.secret === true) return isSet ? '(set)' : '(not set)'
  return value === undefined ? '' : String(value)
}

const optionColumns: Column<OptionRow>[] = [
  { id: 'name', title: 'option', width: 'rest', least: 20, cell: ({ name }) => name },
  { id: 'value', title: 'value', width: 24, cell: valueText },
  { id: 'type', title: 'type', width: 8, drop: 1, style: 'dim', cell: ({ type }) => type.type },
  { id: 'label', title: '', width: 30, drop: 2, style: 'dim', cell: ({ type }) => type.label ?? '' },
]

/** Asks for another value; undefined: he thought better of it. */
async function askValue(stage: Stage, { name, type, value }: OptionRow): Promise<OptionValue | undefined> {
  if (type.type === 'boolean') return value !== true
  if (type.type === 'choice') {
    const chosen = await stage.choose({
      title: name,
      choices: (type.choices ?? []).map(choice => ({ id: choice, label: choice })),
      ...(typeof value === 'string' ? { chosen: value } : {}),
    })
    return chosen ?? undefined
  }
  const text = await stage.prompt({
    label: `${name}:`,
    value: type.secret === true || value === undefined ? '' : String(value),
    hidden: type.secret === true,
    ...(type.label === undefined ? {} : { hint: type.label }),
    check: one =>
      type.type === 'number' && (one.trim() === '' || Number.isNaN(Number(one))) ? 'This is no number.' : null,
  })
  if (text === null) return undefined
  return type.type === 'number' ? Number(text) : text
}

function Options({
  plugin,
  width,
  height,
  onClose,
}: {
  plugin: Plugin
  width: number
  height: number
  onClose(): void
}): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const params = { id: plugin.id }
  const { value, error, reload } = useLive(() => client.plugins.options({ params }), ofPlugins)
  const rows = value === null ? [] : rowsOf(value)
  const listHeight = Math.max(1, height - 3)
  const list = useList({ total: rows.length, height: listHeight, ids: rows.map(({ name }) => name) })
  const here = rows[list.cursor]
  useKeys({
    title: 'Options',
    bindings: [
      ...list.keys,
      {
        keys: ['enter', 'space', 'e'],
        short: 'change',
        about: 'change the option',
        when: here !== undefined,
        run: () =>
          stage.run(async () => {
            if (here === undefined) return
            const next = await askValue(stage, here)
            if (next === undefined) return
            await client.plugins.setOptions({ params, body: { options: treeOfOptions([[here.name, next]]) } })
            reload()
            stage.notice(here.type.secret === true ? `${here.name} is set.` : `${here.name} is ${String(next)} now.`)
          }),
      },
      { keys: ['esc', 'q', 'left'], short: 'plugins', about: 'back to the plugins', run: onClose },
    ],
  })
  return (
    <>
      <Row line={[' ', { text: plugin.name, style: 'bold' }, { text: '  options', style: 'dim' }]} width={width} />
      <Row line={[]} width={width} />
      <Table
        columns={optionColumns}
        total={rows.length}
        rowAt={index => rows[index]}
        width={width}
        height={listHeight}
        top={list.top}
        cursor={list.cursor}
        empty={error ?? (value === null ? '' : 'It has no options.')}
      />
    </>
  )
}
