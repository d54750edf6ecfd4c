/** Tab Plugins: installed plugins, activating them, their options. */
import { useSignals } from '@preact/signals-react/runtime'
import { Blocks, SlidersHorizontal, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Plugin } from '../../../schema/api/plugins.ts'
import { versionOf } from '../../app/loading/stale.ts'
import { globalAdmin } from '../../app/session.ts'
import { Empty } from '../../kit/empty.tsx'
import { Toggle } from '../../kit/switch.tsx'
import { type Column, DataTable } from '../../kit/table/data-table.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { managementTexts } from '../../texts/admin/management.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { installed, installedFailed, loadInstalled, togglePlugin } from './installed-plugins.ts'
import { PluginOptionsDialog } from './plugin-options.tsx'

function ActiveSwitch({ plugin }: { plugin: Plugin }) {
  useSignals()
  const { busy, run } = useBusy()
  if (!globalAdmin.value)
    return <span className="soft">{plugin.active ? managementTexts.on : managementTexts.off}</span>
  return (
    <label className="inline-flex items-center gap-3 min-h-(--tap) cursor-pointer">
      <Toggle
        label={plugin.name}
        checked={plugin.active}
        disabled={busy || (plugin.problem !== null && !plugin.active)}
        onChange={() => void run(() => togglePlugin(plugin))}
      />
      <span className="soft" aria-hidden="true">
        {plugin.active ? managementTexts.on : managementTexts.off}
      </span>
    </label>
  )
}

const columns: Column<Plugin>[] = [
  {
    name: 'name',
    head: baseTexts.name,
    cell: plugin => (
      <span className="block py-1">
        <span className="block font-semibold" dir="auto">
          {plugin.name}
        </span>
        <span className="block soft text-xs" dir="auto">
          {plugin.description}
        </span>
        {plugin.problem !== null && (
          <span className="flex gap-2 items-start text-xs mt-1 text-warning">
            <TriangleAlert size={14} className="shrink-0 mt-px" aria-hidden="true" />
            {plugin.problem}
          </span>
        )}
      </span>
    ),
  },
  {
    name: 'version',
    head: managementTexts.version,
    width: 112,
    cell: ({ version }) => (version === '' ? null : <span className="soft">{version}</span>),
  },
  {
    name: 'state',
    head: adminTexts.state,
    width: 112,
    card: 'plain',
    cell: plugin => <ActiveSwitch plugin={plugin} />,
  },
]

export function Plugins() {
  useSignals()
  const [open, setOpen] = useState<Plugin | null>(null)
  const [version, known, isAdmin] = [versionOf('plugins'), installed.value, globalAdmin.value]
  // biome-ignore lint/correctness/useExhaustiveDependencies: a plugin was switched, or another user signed in
  useEffect(() => void loadInstalled(), [version, isAdmin])
  return (
    <>
      <DataTable
        caption={managementTexts.plugins}
        columns={columns}
        rows={known ?? []}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        actionsWidth={60}
        {...(globalAdmin.value
          ? {
              actions: (plugin: Plugin) => (
                <RowAction
                  icon={SlidersHorizontal}
                  text={baseTexts.options}
                  of={plugin.name}
                  disabled={plugin.problem !== null}
                  onClick={() => setOpen(plugin)}
                />
              ),
            }
          : {})}
        empty={
          <Empty icon={Blocks} title={managementTexts.noPlugins}>
            {globalAdmin.value ? managementTexts.noPluginsHint : adminTexts.askTheAdministrator}
          </Empty>
        }
        loading={known === null && !installedFailed.value}
        {...(known === null && installedFailed.value ? { onRetry: loadInstalled } : {})}
      />
      {open !== null && <PluginOptionsDialog plugin={open} onClose={() => setOpen(null)} />}
    </>
  )
}
