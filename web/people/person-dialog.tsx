/** A person's birthdate and names over time. */
import { Plus, Trash2 } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import type { Person } from '../../schema/api/people.ts'
import { limits } from '../../schema/limits.ts'
import { people } from '../app/vocabulary.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { SaveFoot } from '../kit/form/save-foot.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { managementTexts } from '../texts/admin/management.ts'
import { baseTexts } from '../texts/base.ts'
import { savePerson } from './people-state.ts'
import {
  isPersonChanged,
  isPersonFaultless,
  type NameDraft,
  type NameFaults,
  personChanges,
  personDraft,
  personFaults,
  withNewName,
  withoutName,
  withServerIds,
} from './person-form.ts'
import { localNow, nameAt } from './person-names.ts'

/** A field for a day, up to the end of `maxYear`. */
function DayField({
  maxYear,
  fault,
  ...day
}: {
  label: string
  maxYear: number
  value: string
  fault: string | null
  onDay: (day: string) => void
}) {
  const { onDay, ...field } = day
  return (
    <Field
      {...field}
      type="date"
      autoComplete="off"
      min={`${limits.minPersonYear}-01-01`}
      max={`${maxYear}-12-31`}
      fault={fault ?? undefined}
      onChange={event => onDay(event.target.value)}
    />
  )
}

interface NameRowProps {
  name: NameDraft
  /** Index, from 0. */
  at: number
  isOnly: boolean
  tried: boolean
  fault: NameFaults | undefined
  onChange: (change: Partial<NameDraft>) => void
  onRemove: () => void
}

function NameRow({ name: { id, name, from, to }, at, isOnly, tried, fault, onChange, onRemove }: NameRowProps) {
  const maxYear = limits.maxPersonYear
  return (
    <fieldset className="name-row" aria-label={managementTexts.name({ number: at + 1 })}>
      <Field
        label={baseTexts.name}
        dir="auto"
        autoComplete="off"
        value={name}
        fault={tried || id !== null ? (fault?.name ?? undefined) : undefined}
        data-autofocus={at === 0 || id === null ? true : undefined}
        onChange={event => onChange({ name: event.target.value })}
      />
      <DayField
        label={managementTexts.fromDay}
        maxYear={maxYear}
        value={from}
        fault={fault?.from ?? null}
        onDay={day => onChange({ from: day })}
      />
      <DayField
        label={managementTexts.until}
        maxYear={maxYear}
        value={to}
        fault={fault?.to ?? null}
        onDay={day => onChange({ to: day })}
      />
      <IconButton
        icon={Trash2}
        size={18}
        aria-label={managementTexts.removeTheName({ name: name === '' ? at + 1 : name })}
        title={isOnly ? managementTexts.lastNameStays : baseTexts.remove}
        className="name-remove"
        disabled={isOnly}
        onClick={onRemove}
      />
    </fieldset>
  )
}

export function PersonDialog({ person: opened, onClose }: { person: Person; onClose: () => void }) {
  const [person, setPerson] = useState(opened)
  const [draft, setDraft] = useState(() => personDraft(person))
  const [tried, setTried] = useState(false)
  const { busy, run } = useBusy()
  const faults = personFaults(draft, new Date().getFullYear())
  const changes = personChanges(person, draft)
  const set = (key: number, change: Partial<NameDraft>) =>
    setDraft({ ...draft, names: draft.names.map(one => (one.key === key ? { ...one, ...change } : one)) })
  const save = async () => {
    if (!isPersonChanged(changes) || (await savePerson(person.id, changes))) return onClose()
    // Some changes may have been saved, so the next attempt sends only the rest.
    await people.ready()
    const now = people.read().find(({ id }) => id === person.id)
    if (now !== undefined) {
      const next = withServerIds(draft, now)
      const known = new Set([...person.names, ...next.names].map(({ id }) => id))
      setDraft(next)
      // Ignore names that were added elsewhere: they are not in the form, and saving it must not remove them.
      setPerson({ ...now, names: now.names.filter(({ id }) => known.has(id)) })
    }
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (isPersonFaultless(faults)) void run(save)
  }
  const isOnly = draft.names.length === 1
  // Errors prevent saving, but a wrong new name does so only after an attempt to save.
  const isBlocked =
    faults.birthdate !== null ||
    draft.names.some(({ key, id }) => {
      const wrong = faults.names.get(key)
      return wrong?.from != null || wrong?.to != null || (wrong?.name != null && (tried || id !== null))
    })
  return (
    <Modal title={nameAt(person.names, localNow())} onClose={onClose} width={640} busy={busy}>
      <form onSubmit={send} noValidate>
        <div className="px-6 pt-3 pb-2 grid gap-3">
          <div className="max-w-52">
            <DayField
              label={managementTexts.birthdate}
              maxYear={new Date().getFullYear()}
              value={draft.birthdate}
              fault={faults.birthdate}
              onDay={birthdate => setDraft({ ...draft, birthdate })}
            />
          </div>
          <h3 className="font-semibold">{managementTexts.namesOverTime}</h3>
          {draft.names.map((one, at) => (
            <NameRow
              key={one.key}
              name={one}
              at={at}
              isOnly={isOnly}
              tried={tried}
              fault={faults.names.get(one.key)}
              onChange={change => set(one.key, change)}
              onRemove={() => setDraft(withoutName(draft, one.key))}
            />
          ))}
          <div className="flex items-center gap-3 flex-wrap">
            <Button
              look="quiet"
              small
              className="h-[max(32px,var(--tap))]"
              icon={Plus}
              text={managementTexts.addAName}
              onClick={() => setDraft(withNewName(draft))}
            />
            <p className="soft text-xs">
              {isOnly ? managementTexts.lastNameStaysHint : managementTexts.namesOverTimeHint}
            </p>
          </div>
        </div>
        <SaveFoot busy={busy} disabled={isBlocked || !isPersonChanged(changes)} onCancel={onClose} />
      </form>
    </Modal>
  )
}
