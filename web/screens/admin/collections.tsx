/** Collections for those who look after them: what there is, how its last scan ended, scanning, making one. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  FolderPlus,
  Globe,
  Lock,
  Plus,
  RefreshCw,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import type { Job } from '../../../schema/api/jobs.ts'
import { Empty } from '../../parts/empty.tsx'
import { ScanProgress, shareOfJob } from '../../parts/scan-progress.tsx'
import { hurry } from '../../realtime.ts'
import { address, go } from '../../state/address.ts'
import { collections, ownCollections, scanCollection } from '../../state/collections.ts'
import { countText, momentText, plural } from '../../state/dates.ts'
import { cancelJob, loadProblems, problemCounts, scans } from '../../state/jobs.ts'
import { globalAdmin, signedIn } from '../../state/session.ts'
import { breakpoint } from '../../state/viewport.ts'
import { CreateCollection } from './create-collection.tsx'
import { ProblemsDialog } from './problems.tsx'
import { SafetyStop } from './safety-stop.tsx'

async function scan(id: number): Promise<void> {
  if (await scanCollection(id)) hurry()
}

function State({
  of,
  job,
  problems,
  onProblems,
}: {
  of: Collection
  job: Job | undefined
  problems: number
  onProblems: () => void
}) {
  if (job !== undefined) {
    const share = shareOfJob(job)
    const text =
      job.state === 'queued' ? 'Waiting' : share === null ? 'Scanning' : `Scanning, ${Math.floor(share * 100)} %`
    return <Mark icon={RefreshCw}>{text}</Mark>
  }
  if (of.safetyStop !== null) {
    return (
      <Mark icon={CircleAlert} tone="text-warning">
        Stopped
      </Mark>
    )
  }
  if (problems > 0) {
    return (
      <button
        type="button"
        className="inline-flex items-center gap-2 text-warning hover:underline underline-offset-3"
        onClick={onProblems}
      >
        <TriangleAlert size={16} aria-hidden="true" />
        {plural(problems, 'problem')}
      </button>
    )
  }
  if (of.lastscan === '') {
    return (
      <Mark icon={CircleDashed} tone="soft">
        Not scanned
      </Mark>
    )
  }
  return (
    <Mark icon={CircleCheck} tone="soft">
      Up to date
    </Mark>
  )
}

function Mark({ icon: Icon, tone = '', children }: { icon: typeof Plus; tone?: string; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-2 ${tone}`}>
      <Icon size={16} aria-hidden="true" />
      {children}
    </span>
  )
}

/** Columns that are not hidden at a width. */
const tableColumns = { xs: 3, sm: 5, md: 6, lg: 6, xl: 6, xxl: 6 } as const

function Row({ of, onProblems }: { of: Collection; onProblems: () => void }) {
  useSignals()
  const job = scans.value.get(of.id)
  const isPublic = of.access.some(group => group.public)
  return (
    <>
      <tr data-busy={job !== undefined}>
        <td>
          <span className="flex items-center gap-2 min-w-0">
            <span className="truncate font-semibold" title={of.name} dir="auto">
              {of.name}
            </span>
            {isPublic && <Globe size={16} className="soft shrink-0" aria-label="Open to visitors" />}
            {of.readonly && <Lock size={16} className="soft shrink-0" aria-label="Read-only" />}
          </span>
          <span className="block text-xs soft sm:hidden">{plural(of.itemcount, 'item')}</span>
        </td>
        <td className="max-md:hidden">
          <span className="block font-mono text-xs soft truncate-front" title={of.path}>
            <bdi>{of.path}</bdi>
          </span>
        </td>
        <td className="num max-sm:hidden">{countText(of.itemcount)}</td>
        <td className="soft max-sm:hidden whitespace-nowrap">{job === undefined ? momentText(of.lastscan) : 'Now'}</td>
        <td className="whitespace-nowrap">
          <State of={of} job={job} problems={problemCounts.value.get(of.id) ?? 0} onProblems={onProblems} />
        </td>
        <td className="text-end">
          {job !== undefined ? (
            <button
              type="button"
              className="btn btn-ghost btn-sm"
              aria-label={`Stop the scan of ${of.name}`}
              onClick={() => void cancelJob(job.id)}
            >
              Stop
            </button>
          ) : (
            of.rights.admin && (
              <button
                type="button"
                className="btn btn-ghost btn-sm btn-square"
                aria-label={`Scan ${of.name}`}
                title="Scan"
                onClick={() => void scan(of.id)}
              >
                <RefreshCw size={18} />
              </button>
            )
          )}
        </td>
      </tr>
      {job !== undefined && (
        <tr className="progress-row">
          <td colSpan={tableColumns[breakpoint.value]}>
            <ScanProgress job={job} wide />
          </td>
        </tr>
      )}
    </>
  )
}

function Table({ onProblems }: { onProblems: (id: number) => void }) {
  useSignals()
  return (
    <div className="overflow-x-auto -mx-6 px-6">
      <table className="grid-table collections-table">
        <thead>
          <tr>
            <th className="sm:w-[24%]">Name</th>
            <th className="max-md:hidden">Path</th>
            <th className="num w-24 max-sm:hidden">Items</th>
            <th className="max-sm:hidden w-40">Last scan</th>
            <th className="w-36 sm:w-44">State</th>
            <th className="w-16 sm:w-24">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {ownCollections.value.map(one => (
            <Row key={one.id} of={one} onProblems={() => onProblems(one.id)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Query create=true opens the dialog and is then cleared. */
function useCreateQuery(open: () => void): void {
  const asked = new URLSearchParams(address.value.search).get('create') === 'true'
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the address alone
  useEffect(() => {
    if (!asked) return
    open()
    go('/admin/collections', { replace: true })
  }, [asked])
}

export function CollectionsAdmin() {
  useSignals()
  const [creating, setCreating] = useState(false)
  const [listed, setListed] = useState<number | null>(null)
  useCreateQuery(() => setCreating(true))
  const busy = scans.value.size
  const who = signedIn.value
  // After each scan there may be other problems than before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a scan began or ended
  useEffect(() => {
    if (who) void loadProblems()
  }, [who, busy])
  if (!who || collections.value === null) return null
  const own = ownCollections.value
  const stopped = own.filter(one => one.safetyStop !== null && !scans.value.has(one.id))
  const idle = own.filter(one => one.rights.admin && !scans.value.has(one.id))
  return (
    <div className="h-full overflow-y-auto px-6 pb-10 admin-screen">
      <header className="flex items-center gap-2 py-4 flex-wrap">
        <h1 className="text-xl font-semibold me-auto">Collections</h1>
        {own.length > 1 && own.some(one => one.rights.admin) && (
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            disabled={idle.length === 0}
            onClick={() => idle.forEach(one => void scan(one.id))}
          >
            <RefreshCw size={18} />
            Scan all
          </button>
        )}
        {globalAdmin.value && own.length > 0 && (
          <button type="button" className="btn btn-primary btn-sm" onClick={() => setCreating(true)}>
            <Plus size={18} />
            Create Collection
          </button>
        )}
      </header>
      {stopped.map(one => (
        <SafetyStop key={one.id} of={one} onScan={() => void scan(one.id)} />
      ))}
      {own.length > 0 ? (
        <Table onProblems={setListed} />
      ) : (
        <div className="h-96">
          <Empty
            icon={FolderPlus}
            title="No Collections"
            actions={
              globalAdmin.value && (
                <button type="button" className="btn btn-primary" onClick={() => setCreating(true)}>
                  Create Collection
                </button>
              )
            }
          >
            {globalAdmin.value ? 'A collection is a folder with pictures on the server.' : 'Ask the administrator.'}
          </Empty>
        </div>
      )}
      {creating && <CreateCollection onClose={() => setCreating(false)} />}
      {listed !== null && (
        <ProblemsDialog collection={own.find(({ id }) => id === listed) ?? null} onClose={() => setListed(null)} />
      )}
    </div>
  )
}
