/** Collections for administrators: the status of each, and all actions. */
import { useSignals } from '@preact/signals-react/runtime'
import { FolderPlus, Plus, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { figure } from '../../../schema/figures.ts'
import { jobsOf } from '../../../schema/job-words.ts'
import { address, go } from '../../app/address.ts'
import {
  collections,
  collectionsFailed,
  loadCollections,
  ownCollections,
  scanCollection,
} from '../../app/collections.ts'
import { activeJobs, loadProblems } from '../../app/jobs/jobs.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { globalAdmin, signedIn } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { momentText } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { type Column, DataTable } from '../../kit/table/data-table.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { AccessDialog } from './access-dialog.tsx'
import { DeleteCollection, ExportMetadata, ImportCollection, ImportMetadata } from './collection-dialogs.tsx'
import { CollectionDialog } from './collection-form.tsx'
import { menuOf, NameCell, progressOf, RowActions, type RowDialog, StateCell } from './collection-row.tsx'
import { ProblemsDialog } from './problems.tsx'
import { SafetyStop } from './safety-stop.tsx'
import { SortDialog } from './sort-plan.tsx'

async function scan(id: number): Promise<void> {
  if (await scanCollection(id)) checkServer()
}

const isBusy = (of: Collection) => jobsOf(activeJobs.value, of.id).work !== undefined

function columnsOf(open: (of: Collection, dialog: RowDialog) => void): Column<Collection>[] {
  return [
    { name: 'name', head: baseTexts.name, cell: of => <NameCell of={of} /> },
    {
      name: 'path',
      head: collectionsTexts.path,
      cell: of => (
        <span className="block font-mono text-xs soft truncate-front" title={of.path}>
          <bdi>{of.path}</bdi>
        </span>
      ),
      drops: 1,
    },
    { name: 'items', head: baseTexts.items, cell: of => figure(of.itemcount), align: 'end', width: 88 },
    {
      name: 'lastscan',
      head: collectionsTexts.lastScan,
      cell: of => (
        <span className="soft whitespace-nowrap">{isBusy(of) ? baseTexts.now : momentText(of.lastscan)}</span>
      ),
      width: 152,
      drops: 2,
    },
    {
      name: 'state',
      head: adminTexts.state,
      cell: of => <StateCell of={of} onProblems={() => open(of, 'problems')} />,
      width: 216,
      card: 'plain',
    },
  ]
}

/** The query `create=true` opens the dialog and is then removed. */
function useCreateQuery(open: () => void): void {
  const isCreating = new URLSearchParams(address.value.search).get('create') === 'true'
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the address alone
  useEffect(() => {
    if (!isCreating) return
    open()
    go('/admin/collections', { replace: true })
  }, [isCreating])
}

/** The open dialog of a row; it closes when the collection is removed. */
function OpenDialog({
  which,
  onOpen,
  onClose,
}: {
  which: { id: number; dialog: RowDialog }
  onOpen: (dialog: RowDialog) => void
  onClose: () => void
}) {
  useSignals()
  const of = ownCollections.value.find(({ id }) => id === which.id)
  if (of === undefined) return null
  const props = { of, onClose }
  switch (which.dialog) {
    case 'edit':
      return <CollectionDialog {...props} onDelete={() => onOpen('delete')} />
    case 'access':
      return <AccessDialog {...props} />
    case 'delete':
      return <DeleteCollection {...props} />
    case 'sort':
      return <SortDialog {...props} />
    case 'import':
      return <ImportCollection {...props} />
    case 'import-metadata':
      return <ImportMetadata {...props} />
    case 'export-metadata':
      return <ExportMetadata {...props} />
    case 'problems':
      return <ProblemsDialog collection={of} onClose={onClose} />
  }
}

function NoCollections({ onCreate }: { onCreate: () => void }) {
  useSignals()
  return (
    <Empty
      icon={FolderPlus}
      title={baseTexts.noCollections}
      actions={
        globalAdmin.value && <Button look="primary" text={collectionsTexts.createCollection} onClick={onCreate} />
      }
    >
      {globalAdmin.value ? collectionsTexts.collectionIsAFolderOnServer : adminTexts.askTheAdministrator}
    </Empty>
  )
}

export function CollectionsAdmin() {
  useSignals()
  const [creating, setCreating] = useState(false)
  const [opened, setOpened] = useState<{ id: number; dialog: RowDialog } | null>(null)
  const open = (of: Collection, dialog: RowDialog) => setOpened({ id: of.id, dialog })
  // Only global admins can create collections; for others the query is just removed.
  useCreateQuery(() => setCreating(globalAdmin.peek()))
  const isSignedIn = signedIn.value
  const own = ownCollections.value
  const busy = own.filter(isBusy).length
  // A job may change the list of problems.
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on whether a job started or ended
  useEffect(() => {
    if (isSignedIn) void loadProblems()
  }, [isSignedIn, busy])
  if (!isSignedIn) return null
  const idle = own.filter(one => one.rights.admin && !isBusy(one))
  return (
    <div className="h-full overflow-y-auto px-6 pb-10 admin-screen">
      <header className="admin-head">
        <h1 className="text-xl font-semibold">{baseTexts.collections}</h1>
        {own.length > 1 && own.some(one => one.rights.admin) && (
          <Button
            look="ghost"
            small
            className="text-sm"
            icon={RefreshCw}
            text={collectionsTexts.scanAll}
            disabled={idle.length === 0}
            onClick={() => idle.forEach(one => void scan(one.id))}
          />
        )}
        {globalAdmin.value && own.length > 0 && (
          <Button
            look="primary"
            small
            className="text-sm max-sm:w-full"
            icon={Plus}
            text={collectionsTexts.createCollection}
            onClick={() => setCreating(true)}
          />
        )}
      </header>
      {own
        .filter(one => one.safetyStop !== null && !isBusy(one))
        .map(one => (
          <SafetyStop key={one.id} of={one} onScan={() => void scan(one.id)} />
        ))}
      <DataTable
        caption={baseTexts.collections}
        columns={columnsOf(open)}
        rows={own}
        keyOf={of => of.id}
        nameOf={({ name }) => name}
        actions={(of, folded) => (
          <RowActions of={of} folded={folded} onScan={() => void scan(of.id)} onOpen={dialog => open(of, dialog)} />
        )}
        actionsWidth={152}
        foldedWidth={60}
        menu={(of, folded) => menuOf(of, folded, dialog => open(of, dialog))}
        below={progressOf}
        loading={collections.value === null && !collectionsFailed.value}
        {...(collections.value === null && collectionsFailed.value ? { onRetry: loadCollections } : {})}
        empty={<NoCollections onCreate={() => setCreating(true)} />}
      />
      {creating && <CollectionDialog of={null} onClose={() => setCreating(false)} />}
      {opened !== null && (
        <OpenDialog
          key={`${opened.id} ${opened.dialog}`}
          which={opened}
          onOpen={dialog => setOpened({ ...opened, dialog })}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}
