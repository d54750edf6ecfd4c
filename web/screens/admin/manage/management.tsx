/** Management: the recycle bin, missing items, people, plugins; for global admins the log. */
import { useSignals } from '@preact/signals-react/runtime'
import { Tabs } from '../../../parts/tabs.tsx'
import { UntilCollections } from '../../../parts/until-collections.tsx'
import { address, go } from '../../../state/address.ts'
import { collections } from '../../../state/collections.ts'
import { adminTabs, managementTabs, tabAddress, tabOf } from '../../../state/management.ts'
import { globalAdmin, signedIn } from '../../../state/session.ts'
import { AuditLog } from './audit-log.tsx'
import { MissingItems } from './missing-items.tsx'
import { People } from './people.tsx'
import { Plugins } from './plugins.tsx'
import { RecycleBin } from './recycle-bin.tsx'

export function Management() {
  useSignals()
  if (!signedIn.value) return null
  if (collections.value === null) return <UntilCollections />
  const tabs = globalAdmin.value ? adminTabs : managementTabs
  const tab = tabOf(address.value.search, tabs)
  return (
    <div className="page-screen">
      <h1 className="text-xl font-semibold mb-3">Management</h1>
      <Tabs label="Management" names={tabs} value={tab} onChange={name => go(tabAddress(name), { replace: true })}>
        {tab === 'Recycle Bin' && <RecycleBin />}
        {tab === 'Missing Items' && <MissingItems />}
        {tab === 'People' && <People />}
        {tab === 'Plugins' && <Plugins />}
        {tab === 'Log' && <AuditLog />}
      </Tabs>
    </div>
  )
}
