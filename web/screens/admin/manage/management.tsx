/** Management: the recycle bin, missing items, people, plugins. */
import { useSignals } from '@preact/signals-react/runtime'
import { Tabs } from '../../../parts/tabs.tsx'
import { address, go } from '../../../state/address.ts'
import { collections } from '../../../state/collections.ts'
import { managementTabs, tabAddress, tabOf } from '../../../state/management.ts'
import { signedIn } from '../../../state/session.ts'
import { MissingItems } from './missing-items.tsx'
import { People } from './people.tsx'
import { Plugins } from './plugins.tsx'
import { RecycleBin } from './recycle-bin.tsx'

export function Management() {
  useSignals()
  if (!signedIn.value || collections.value === null) return null
  const tab = tabOf(address.value.search)
  return (
    <div className="page-screen">
      <h1 className="text-xl font-semibold mb-3">Management</h1>
      <Tabs
        label="Management"
        names={managementTabs}
        value={tab}
        onChange={name => go(tabAddress(name), { replace: true })}
      >
        {tab === 'Recycle Bin' && <RecycleBin />}
        {tab === 'Missing Items' && <MissingItems />}
        {tab === 'People' && <People />}
        {tab === 'Plugins' && <Plugins />}
      </Tabs>
    </div>
  )
}
