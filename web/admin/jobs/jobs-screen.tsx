/** Jobs: running and ended jobs, the history, and problems. */
import { useSignals } from '@preact/signals-react/runtime'
import { address, go } from '../../app/address.ts'
import { collections } from '../../app/collections.ts'
import { UntilCollections } from '../../app/loading/until-collections.tsx'
import { signedIn } from '../../app/session.ts'
import { Tabs } from '../../kit/tabs.tsx'
import { baseTexts } from '../../texts/base.ts'
import { jobsTexts } from '../../texts/jobs.ts'
import { HistoryTab } from './history-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { ProblemsTab } from './problems-tab.tsx'

const tabs = ['Jobs', 'Problems', 'History'] as const
type Tab = (typeof tabs)[number]
const names = { Jobs: baseTexts.jobs, Problems: jobsTexts.problems, History: jobsTexts.history }

/** Tab and collection are in the address, so that links work (`of`, because `collection` belongs to the gallery). */
export function JobsScreen() {
  useSignals()
  if (!signedIn.value) return null
  if (collections.value === null) return <UntilCollections />
  const query = new URLSearchParams(address.value.search)
  const tab = tabs.find(name => name.toLowerCase() === query.get('tab')) ?? 'Jobs'
  const collection = Number(query.get('of') ?? 0) || 0
  const show = (next: { tab?: Tab; collection?: number }) => {
    const to = { tab, collection, ...next }
    const parameters = new URLSearchParams()
    if (to.tab !== 'Jobs') parameters.set('tab', to.tab.toLowerCase())
    if (to.collection !== 0 && to.tab !== 'Jobs') parameters.set('of', String(to.collection))
    const search = parameters.toString()
    go(`/admin/jobs${search === '' ? '' : `?${search}`}`, { replace: true })
  }
  const choice = { collection, onCollection: (id: number) => show({ collection: id }) }
  return (
    <div className="page-screen">
      <h1 className="text-xl font-semibold mb-3">{baseTexts.jobs}</h1>
      <Tabs label={baseTexts.jobs} names={names} value={tab} onChange={name => show({ tab: name })}>
        {tab === 'Jobs' && <JobsTab onProblems={id => show({ tab: 'Problems', collection: id })} />}
        {tab === 'Problems' && <ProblemsTab {...choice} />}
        {tab === 'History' && <HistoryTab {...choice} />}
      </Tabs>
    </div>
  )
}
