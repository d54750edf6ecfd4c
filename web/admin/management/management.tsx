/** Management: the recycle bin, missing items, people, plugins; for global admins the log. */
import { useSignals } from '@preact/signals-react/runtime'
import { address, go } from '../../app/address.ts'
import { collections } from '../../app/collections.ts'
import { UntilCollections } from '../../app/loading/until-collections.tsx'
import { globalAdmin, signedIn } from '../../app/session.ts'
import { Tabs } from '../../kit/tabs.tsx'
import { managementTexts } from '../../texts/admin/management.ts'
import { baseTexts } from '../../texts/base.ts'
import { AuditLog } from './audit-log.tsx'
import { globalAdminTabs, type ManagementTab, managementTabs, tabAddress, tabOf } from './management-state.ts'
import { MissingItems } from './missing-items.tsx'
import { People } from './people.tsx'
import { Plugins } from './plugins.tsx'
import { RecycleBin } from './recycle-bin.tsx'

const names: Readonly<Record<ManagementTab, string>> = {
  'Recycle Bin': managementTexts.recycleBin,
  'Missing Items': managementTexts.missingItems,
  People: baseTexts.people,
  Plugins: managementTexts.plugins,
  Log: managementTexts.log,
}

export function Management() {
  useSignals()
  if (!signedIn.value) return null
  if (collections.value === null) return <UntilCollections />
  const tabs = globalAdmin.value ? globalAdminTabs : managementTabs
  const tab = tabOf(address.value.search, tabs)
  return (
    <div className="page-screen">
      <h1 className="text-xl font-semibold mb-3">{baseTexts.management}</h1>
      <Tabs
        label={baseTexts.management}
        names={names}
        shown={tabs}
        value={tab}
        onChange={name => go(tabAddress(name), { replace: true })}
      >
        {tab === 'Recycle Bin' && <RecycleBin />}
        {tab === 'Missing Items' && <MissingItems />}
        {tab === 'People' && <People />}
        {tab === 'Plugins' && <Plugins />}
        {tab === 'Log' && <AuditLog />}
      </Tabs>
    </div>
  )
}
