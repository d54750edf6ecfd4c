/** Tab People: all people with their names over time, fifteen a page; editing, merging, cleaning up. */
import { useSignals } from '@preact/signals-react/runtime'
import { FileDown, Merge, Pencil, ScanFace, UserMinus, UserRoundSearch } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Person } from '../../../schema/api/people.ts'
import { figure } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { globalAdmin } from '../../app/session.ts'
import { people } from '../../app/vocabulary.ts'
import { Button } from '../../kit/button.tsx'
import { dayOf } from '../../kit/dates.ts'
import { later } from '../../kit/later.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { type Column, DataTable } from '../../kit/table/data-table.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { loadPeople } from '../../people/part.ts'
import { exportPeople, mayName, removeUnusedPeople } from '../../people/people-state.ts'
import { byName, findPeople, localNow, nameAt, timeText } from '../../people/person-names.ts'
import { managementTexts } from '../../texts/admin/management.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { faceStatus, loadFaceStatus } from '../faces/face-groups.ts'

function namesOverTime(person: Person, now: number) {
  const current = nameAt(person.names, now)
  const others = person.names.filter(one => one.name !== current || timeText(one) !== '')
  if (others.length === 0) return null
  return (
    <span className="grid text-xs soft py-1">
      {others.map(one => (
        <span key={one.id} className="truncate" title={`${one.name} ${timeText(one)}`}>
          <bdi>{one.name}</bdi> {timeText(one)}
        </span>
      ))}
    </span>
  )
}

function columnsAt(now: number): Column<Person>[] {
  return [
    {
      name: 'name',
      head: baseTexts.name,
      compare: byName(now),
      cell: person => (
        <span className="block truncate font-semibold" title={nameAt(person.names, now)}>
          <bdi>{nameAt(person.names, now)}</bdi>
        </span>
      ),
    },
    {
      name: 'names',
      head: managementTexts.namesOverTime,
      drops: 2,
      cell: person => namesOverTime(person, now),
    },
    {
      name: 'born',
      head: managementTexts.born,
      width: 176,
      drops: 1,
      compare: (a, b) => (a.birthdate ?? '').localeCompare(b.birthdate ?? ''),
      cell: ({ birthdate }) => (birthdate === null ? null : <span className="soft">{dayOf(birthdate)}</span>),
    },
    {
      name: 'items',
      head: baseTexts.items,
      width: 96,
      align: 'end',
      compare: (a, b) => a.itemcount - b.itemcount,
      cell: ({ itemcount }) => figure(itemcount),
    },
  ]
}

const PersonDialog = later(async () => (await loadPeople()).PersonDialog)
const MergeDialog = later(async () => (await loadPeople()).MergeDialog)

interface OpenPersonDialog {
  what: 'edit' | 'merge'
  person: Person
}

function OpenDialog({ what, ...dialog }: OpenPersonDialog & { onClose: () => void }) {
  return <Suspense>{what === 'edit' ? <PersonDialog {...dialog} /> : <MergeDialog {...dialog} />}</Suspense>
}

function RemoveUnused({ onClose }: { onClose: () => void }) {
  return (
    <Confirm
      title={managementTexts.removeUnusedPeople}
      action={managementTexts.removeUnused}
      onClose={onClose}
      onConfirm={removeUnusedPeople}
    >
      <p>{managementTexts.removeUnusedQuestion}</p>
      <p className="soft text-xs mt-1">{managementTexts.removeUnusedHint}</p>
    </Confirm>
  )
}

function UnnamedFaces() {
  useSignals()
  useEffect(() => void loadFaceStatus(), [])
  // The server counts groups of the whole library, of which other users may see only some.
  const groups = globalAdmin.value ? (faceStatus.value?.groups ?? 0) : 0
  return (
    <Link href="/admin/faces" className="btn btn-ghost btn-sm">
      <ScanFace size={18} aria-hidden="true" />
      {managementTexts.unnamedFaces}
      {groups > 0 && <span className="soft">{figure(groups)}</span>}
    </Link>
  )
}

export function People() {
  useSignals()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<OpenPersonDialog | 'unused' | null>(null)
  const [everybody, isLoaded] = [people.read(), people.isLoaded.value]
  useEffect(() => void people.refresh(), [])
  const now = localNow()
  const shown = findPeople([...everybody].sort(byName(now)), typed)
  return (
    <>
      <div className="table-tools">
        <input
          type="search"
          className="input"
          aria-label={managementTexts.findAPerson}
          placeholder={managementTexts.findAPerson}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        {isLoaded && (
          <p className="soft" aria-live="polite">
            {managementTexts.personCount({ count: shown.length })}
          </p>
        )}
        {mayName.value && <UnnamedFaces />}
        {globalAdmin.value && (
          <>
            <Button
              look="ghost"
              small
              icon={FileDown}
              text={managementTexts.export}
              onClick={() => void exportPeople()}
            />
            <Button
              look="ghost"
              small
              className="text-error"
              icon={UserMinus}
              text={managementTexts.removeUnused}
              onClick={() => setOpen('unused')}
            />
          </>
        )}
      </div>
      <DataTable
        caption={baseTexts.people}
        columns={columnsAt(now)}
        rows={shown}
        keyOf={({ id }) => id}
        nameOf={person => nameAt(person.names, now)}
        actionsWidth={106}
        actions={person => {
          const name = nameAt(person.names, now)
          return (
            <>
              {mayName.value && (
                <RowAction
                  icon={Pencil}
                  text={adminTexts.edit}
                  of={name}
                  onClick={() => setOpen({ what: 'edit', person })}
                />
              )}
              {globalAdmin.value && (
                <RowAction
                  icon={Merge}
                  text={adminTexts.merge}
                  of={name}
                  onClick={() => setOpen({ what: 'merge', person })}
                />
              )}
            </>
          )
        }}
        empty={
          typed === '' ? (
            <span>
              <UserRoundSearch size={40} strokeWidth={1.25} className="mx-auto mb-4" aria-hidden="true" />
              {managementTexts.noPeopleYet}
            </span>
          ) : (
            managementTexts.nobodyHasThatName
          )
        }
        loading={!isLoaded && !people.failed.value}
        {...(!isLoaded && people.failed.value ? { onRetry: people.refresh } : {})}
        pageSize={limits.peoplePageSize}
      />
      {open === 'unused' && <RemoveUnused onClose={() => setOpen(null)} />}
      {open !== null && open !== 'unused' && <OpenDialog {...open} onClose={() => setOpen(null)} />}
    </>
  )
}
