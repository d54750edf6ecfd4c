/** Merges two people: which of them is kept, and the consequences. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../schema/api/people.ts'
import { checkServer } from '../app/loading/recovery.ts'
import { people } from '../app/vocabulary.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/layers/confirm.tsx'
import { listText } from '../kit/words.ts'
import { managementTexts } from '../texts/admin/management.ts'
import { adminTexts } from '../texts/admin.ts'
import { baseTexts } from '../texts/base.ts'
import { mergePeople } from './people-state.ts'
import { byName, findPeople, localNow, nameAt } from './person-names.ts'

const maxListed = 50

export function MergeDialog({
  person,
  onMerged,
  onClose,
}: {
  person: Person
  /** Called with the person who is kept when the merge has started. */
  onMerged?: (kept: { id: number; name: string }) => void
  onClose: () => void
}) {
  useSignals()
  const [typed, setTyped] = useState('')
  const [other, setOther] = useState<Person | null>(null)
  const [swapped, setSwapped] = useState(false)
  const now = localNow()
  const nameOf = ({ names }: Person) => nameAt(names, now)
  const found = findPeople(
    people
      .read()
      .filter(({ id }) => id !== person.id)
      .sort(byName(now)),
    typed,
  )
  const [kept, gone] = swapped && other !== null ? [other, person] : [person, other]
  const merge = async () => {
    const started =
      gone !== null &&
      (await mergePeople(kept.id, gone.id, managementTexts.isNow({ from: nameOf(gone), into: nameOf(kept) })))
    if (started) {
      checkServer()
      onMerged?.({ id: kept.id, name: nameOf(kept) })
    }
    return started
  }
  const strong = (one: Person) => (
    <b className="font-semibold" dir="auto">
      {nameOf(one)}
    </b>
  )
  return (
    <Confirm
      title={managementTexts.merge({ name: nameOf(person) })}
      action={adminTexts.merge}
      danger={false}
      disabled={gone === null}
      width={520}
      onConfirm={merge}
      onClose={onClose}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <input
          type="search"
          className="input"
          aria-label={managementTexts.whoIsTheSamePerson}
          placeholder={managementTexts.whoIsTheSamePerson}
          value={typed}
          data-autofocus
          onChange={event => setTyped(event.target.value)}
        />
        <fieldset className="choice-list" aria-label={baseTexts.people}>
          {found.slice(0, maxListed).map(one => (
            <label key={one.id}>
              <input type="radio" name="other" checked={other?.id === one.id} onChange={() => setOther(one)} />
              <span className="truncate" dir="auto" title={listText(one.names.map(({ name }) => name))}>
                {nameOf(one)}
              </span>
              <span className="soft text-xs ms-auto shrink-0">{baseTexts.itemCount({ count: one.itemcount })}</span>
            </label>
          ))}
          {found.length === 0 && <p className="soft p-3">{managementTexts.nobodyHasThatName}</p>}
          {found.length > maxListed && (
            <p className="soft text-xs p-3">{managementTexts.moreTypeAName({ count: found.length - maxListed })}</p>
          )}
        </fieldset>
      </div>
      <div className="flex items-center gap-3 min-h-16">
        <p className="min-w-0 break-words">
          {gone === null ? (
            <span className="soft">{managementTexts.chooseSamePerson}</span>
          ) : (
            managementTexts.mergeHint({ kept: strong(kept), count: gone.itemcount, gone: strong(gone) })
          )}
        </p>
        {gone !== null && (
          <Button
            look="quiet"
            small
            className="h-[max(32px,var(--tap))] ms-auto"
            icon={ArrowUpDown}
            text={managementTexts.swap}
            onClick={() => setSwapped(!swapped)}
          />
        )}
      </div>
    </Confirm>
  )
}
