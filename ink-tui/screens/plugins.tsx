/** Plugins: list, enable and disable them, and change their options. */
import { type ReactElement, useState } from 'react'
import { flatOptions, treeOfOptions } from '../../schema/api/parts/option-tree.ts'
import type { OptionType, OptionValue, Plugin, PluginOptions } from '../../schema/api/plugins.ts'
import { channels } from '../../schema/realtime.ts'
import type { Binding } from '../keys.ts'
import type { Line } from '../line.ts'
import { useLive } from '../live.ts'
import { keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { Row, Rows } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import type { TuiEvent } from '../session.ts'
import { wrap } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

function isPluginEvent({ channel }: TuiEvent): boolean {
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
  const ui = useUi()
  const { client } = ui.session
  const [open, setOpen] = useState<Plugin | null>(null)
  const { value, error, reload } = useLive(() => client.plugins.list(), isPluginEvent)
  const list = useRows(value ?? [], Math.max(1, height - 5), idOf)
  const { here } = list
  const key = keysFor(ui, here, reload)
  const bindings: Binding[] = [
    ...list.keys,
    key('space x', here?.active === true ? 'switch off' : 'switch on', 'switch the plugin on or off', async one => {
      const { id, name, active } = one
      const title = `Switch ${name} on? Plugins are trusted code: they can do whatever the server can.`
      if (!active && !(await ui.confirm({ title, yes: 'switch on' }))) return
      await client.plugins.toggle({ params: { id }, body: { active: !active } })
      return `${name} is ${active ? 'off' : 'on'} now.`
    }),
    keysFor(ui, here?.problem === null ? here : null)('enter o', 'options', 'the options of the plugin', setOpen),
    keysFor(ui, true)('R', '', 'look again', reload),
  ]
  useKeys({ title: 'Plugins', bindings }, 'screen', open === null)
  if (open !== null) return <Options plugin={open} width={width} height={height} onClose={() => setOpen(null)} />
  const facts: Line[] = []
  if (here?.problem !== undefined && here.problem !== null) facts.push([' ', { text: here.problem, style: 'amber' }])
  for (const text of here === undefined ? [] : wrap(here.description, width - 2)) facts.push([' ', text])
  const words = value === null ? '' : 'No plugins. Put their folders into plugins/ in the data directory.'
  return (
    <>
      <Table columns={columns} {...list} width={width} empty={error ?? words} />
      <Row line={[]} width={width} />
      <Rows lines={facts} width={width} height={3} />
    </>
  )
}

interface OptionRow {
  name: string
  type: OptionType
  value: OptionValue | undefined
  hasSecret: boolean
}

function rowsOf({ types, values, secrets }: PluginOptions): OptionRow[] {
  const flat = flatOptions(values)
  return Object.entries(types)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, type]) => ({ name, type, value: flat.get(name), hasSecret: secrets.includes(name) }))
}

function valueText({ type, value, hasSecret }: OptionRow): string {
  if (type.secret === true) return hasSecret ? '(set)' : '(not set)'
  return value === undefined ? '' : String(value)
}

const optionColumns: Column<OptionRow>[] = [
  { id: 'name', title: 'option', width: 'rest', least: 20, cell: ({ name }) => name },
  { id: 'value', title: 'value', width: 24, cell: valueText },
  { id: 'type', title: 'type', width: 8, drop: 1, style: 'dim', cell: ({ type }) => type.type },
  { id: 'label', title: '', width: 30, drop: 2, style: 'dim', cell: ({ type }) => type.label ?? '' },
]

/** Asks for a new value; undefined if cancelled. */
async function promptValue(ui: Ui, { name, type, value }: OptionRow): Promise<OptionValue | undefined> {
  if (type.type === 'boolean') return value !== true
  if (type.type === 'choice') {
    const chosen = await ui.choose({
      title: name,
      choices: (type.choices ?? []).map(choice => ({ id: choice, label: choice })),
      ...(typeof value === 'string' ? { chosen: value } : {}),
    })
    return chosen ?? undefined
  }
  const text = await ui.prompt({
    label: `${name}:`,
    value: type.secret === true || value === undefined ? '' : String(value),
    hidden: type.secret === true,
    ...(type.label === undefined ? {} : { hint: type.label }),
    check: one => (type.type === 'number' && (one.trim() === '' || Number.isNaN(Number(one))) ? 'Not a number.' : null),
  })
  if (text === null) return undefined
  return type.type === 'number' ? Number(text) : text
}

interface OptionsProps {
  plugin: Plugin
  width: number
  height: number
  onClose(): void
}

function Options({ plugin, width, height, onClose }: OptionsProps): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const params = { id: plugin.id }
  const { value, error, reload } = useLive(() => client.plugins.options({ params }), isPluginEvent)
  const list = useRows(value === null ? [] : rowsOf(value), Math.max(1, height - 3), ({ name }) => name)
  const bindings = [
    ...list.keys,
    keysFor(ui, list.here, reload)('enter space e', 'change', 'change the option', async option => {
      const { name, type } = option
      const next = await promptValue(ui, option)
      if (next === undefined) return
      await client.plugins.setOptions({ params, body: { options: treeOfOptions([[name, next]]) } })
      return type.secret === true ? `${name} is set.` : `${name} is ${String(next)} now.`
    }),
    keysFor(ui, true)('esc q left', 'plugins', 'back to the plugins', onClose),
  ]
  useKeys({ title: 'Options', bindings })
  const words = value === null ? '' : 'It has no options.'
  return (
    <>
      <Row line={[' ', { text: plugin.name, style: 'bold' }, { text: '  options', style: 'dim' }]} width={width} />
      <Row line={[]} width={width} />
      <Table columns={optionColumns} {...list} width={width} empty={error ?? words} />
    </>
  )
}
