/** The dialog for editing an object: its name, kind and properties. */
import { useSignals } from '@preact/signals-react/runtime'
import { Plus, Trash2 } from 'lucide-react'
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import type { ThingObject } from '../../../../schema/api/objects.ts'
import type { LoadOptions } from '../../../app/loading/resource.ts'
import { globalAdmin } from '../../../app/session.ts'
import { objects } from '../../../app/vocabulary.ts'
import { Button } from '../../../kit/button.tsx'
import { Field, FieldHint } from '../../../kit/form/field.tsx'
import { SaveFoot } from '../../../kit/form/save-foot.tsx'
import { IconButton } from '../../../kit/icon-button.tsx'
import { Confirm } from '../../../kit/layers/confirm.tsx'
import { Modal } from '../../../kit/layers/modal.tsx'
import { Switch } from '../../../kit/switch.tsx'
import { useSlow } from '../../../kit/time/use-slow.ts'
import { TryAgain } from '../../../kit/try-again.tsx'
import { useBusy } from '../../../kit/use-busy.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { baseTexts } from '../../../texts/base.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { SuggestField } from '../suggest-field.tsx'
import {
  changeProperty,
  isObjectChanged,
  isObjectFaultless,
  type ObjectDraft,
  type ObjectFaults,
  objectChanges,
  objectDraft,
  objectFaults,
  type PropertyDraft,
  parentsFor,
  withoutProperty,
  withProperty,
} from './object-form.ts'
import { editedObject, loadPropertyNames, propertyNames, removeObject, saveObject } from './objects.ts'

function Property({
  of: { name, value, hidden },
  number,
  fault,
  names,
  onChange,
  onRemove,
}: {
  of: PropertyDraft
  number: number
  fault: { name: string | null; value: string | null } | undefined
  names: readonly string[]
  onChange: (change: Partial<PropertyDraft>) => void
  onRemove: () => void
}) {
  const { name: badName, value: badValue } = fault ?? { name: null, value: null }
  const called = name.trim() === '' ? `property ${number}` : name
  return (
    <fieldset className="property-row" aria-label={metadataTexts.property({ number })}>
      <SuggestField
        label={metadataTexts.propertyName}
        value={name}
        names={names}
        fault={badName}
        onChange={text => onChange({ name: text })}
      />
      <Field
        label={metadataTexts.propertyValue}
        dir="auto"
        autoComplete="off"
        value={value}
        fault={badValue ?? undefined}
        onChange={event => onChange({ value: event.target.value })}
      />
      <Switch label={adminTexts.hidden} checked={hidden} onChange={next => onChange({ hidden: next })} />
      <IconButton
        icon={Trash2}
        size={18}
        aria-label={metadataTexts.remove({ called })}
        title={baseTexts.remove}
        className="property-remove"
        onClick={onRemove}
      />
    </fieldset>
  )
}

function DeleteObject({
  object,
  onClose,
  onRemoved,
}: {
  object: ThingObject
  onClose: () => void
  onRemoved: () => void
}) {
  const [used, setUsed] = useState(false)
  const { itemcount } = object
  const name = <b className="font-semibold wrap-anywhere">{object.name}</b>
  return (
    <Confirm
      title={metadataTexts.deleteObject}
      action={baseTexts.delete}
      onClose={onClose}
      onConfirm={async () => {
        const end = await removeObject(object, used || itemcount > 0)
        if (end === 'used') setUsed(true)
        if (end === 'removed') onRemoved()
        return end === 'removed'
      }}
    >
      <p>
        {itemcount === 0
          ? metadataTexts.deleteObjectQuestion({ name })
          : metadataTexts.deleteUsedObjectQuestion({ name, count: itemcount })}
      </p>
      {used && (
        <p className="mt-1" role="alert">
          {metadataTexts.deleteUnseenObject}
        </p>
      )}
      <p className="soft text-xs mt-1">{metadataTexts.itsPropertiesAreDeleted}</p>
    </Confirm>
  )
}

function Properties({
  draft,
  faults,
  hasTriedToSave,
  onChange,
}: {
  draft: ObjectDraft
  faults: ObjectFaults
  /** Whether the user has tried to save. */
  hasTriedToSave: boolean
  onChange: (draft: ObjectDraft) => void
}) {
  useSignals()
  const rows = useRef<HTMLDivElement>(null)
  const count = useRef(draft.properties.length)
  useEffect(() => {
    // Focus a new row.
    if (draft.properties.length > count.current) {
      rows.current?.querySelector<HTMLElement>('.property-row:last-of-type input')?.focus()
    }
    count.current = draft.properties.length
  }, [draft.properties.length])
  const taken = new Set(draft.properties.map(({ name }) => name))
  return (
    <>
      <h3 className="font-semibold">{metadataTexts.properties}</h3>
      <div ref={rows} className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {draft.properties.map((one, at) => {
          const wrong = faults.properties.get(one.key)
          // A new row without a name is not an error before the first attempt to save.
          const isNew = one.key < 0 && !hasTriedToSave && one.name.trim() === ''
          return (
            <Property
              key={one.key}
              of={one}
              number={at + 1}
              fault={isNew && wrong !== undefined ? { ...wrong, name: null } : wrong}
              names={propertyNames.value.filter(name => !taken.has(name))}
              onChange={change => onChange(changeProperty(draft, one.key, change))}
              onRemove={() => {
                onChange(withoutProperty(draft, one.key))
                rows.current?.parentElement?.querySelector<HTMLElement>('.property-add')?.focus()
              }}
            />
          )
        })}
      </div>
      <div className="flex items-center gap-3 flex-wrap">
        <Button
          look="quiet"
          small
          className="h-[max(32px,var(--tap))] property-add"
          icon={Plus}
          text={metadataTexts.addAProperty}
          onClick={() => onChange(withProperty(draft))}
        />
        <p className="soft text-xs">{metadataTexts.hiddenPropertiesHint}</p>
      </div>
    </>
  )
}

function ObjectForm({
  object,
  all,
  busy,
  run,
  onClose,
  onDelete,
}: {
  object: ThingObject
  all: readonly ThingObject[]
  busy: boolean
  run: ReturnType<typeof useBusy>['run']
  onClose: () => void
  onDelete: () => void
}) {
  useSignals()
  const id = useId()
  const [draft, setDraft] = useState<ObjectDraft>(() => objectDraft(object, all))
  const [hasTriedToSave, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The dialog opened before its fields were loaded, so focus the first field now.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const faults = objectFaults(draft, object, all)
  const changes = objectChanges(object, draft, all)
  const parents = parentsFor(all, object.id).map(({ name }) => name)
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isObjectFaultless(faults)) return
    if (await run(async () => !isObjectChanged(changes) || saveObject(object.id, changes))) onClose()
  }
  return (
    <form ref={form} onSubmit={event => void save(event)} noValidate>
      <div className="px-6 pt-3 pb-2 grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="object-head">
          <Field
            label={baseTexts.name}
            dir="auto"
            autoComplete="off"
            data-autofocus
            value={draft.name}
            fault={faults.name ?? undefined}
            onChange={event => setDraft({ ...draft, name: event.target.value })}
          />
          <SuggestField
            label={metadataTexts.isA}
            value={draft.parent}
            names={parents}
            fault={faults.parent}
            onChange={parent => setDraft({ ...draft, parent })}
          />
        </div>
        <div className="field min-w-0">
          <span>
            <label htmlFor={id}>{metadataTexts.description}</label>
          </span>
          <textarea
            id={id}
            className={`textarea input w-full h-auto py-2 min-h-20 leading-5 ${faults.description === null ? '' : 'input-error'}`}
            dir="auto"
            rows={3}
            value={draft.description}
            aria-invalid={faults.description !== null}
            aria-describedby={`${id}-hint`}
            onChange={event => setDraft({ ...draft, description: event.target.value })}
          />
          <FieldHint id={`${id}-hint`} fault={faults.description} />
        </div>
        <Properties draft={draft} faults={faults} hasTriedToSave={hasTriedToSave} onChange={setDraft} />
      </div>
      <SaveFoot
        busy={busy}
        disabled={(hasTriedToSave && !isObjectFaultless(faults)) || !isObjectChanged(changes)}
        onCancel={onClose}
      >
        {globalAdmin.value && (
          <Button
            look="ghost"
            className="text-error me-auto -ms-4"
            text={metadataTexts.deleteObject}
            onClick={onDelete}
          />
        )}
      </SaveFoot>
    </form>
  )
}

function Waiting() {
  useSignals()
  const slow = useSlow(true)
  return (
    <div className="px-6 pt-4 pb-6 grid gap-5 min-h-80 content-start" role="status" aria-label={baseTexts.loading}>
      {slow &&
        [10, 20, 10].map((height, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons without content
          <div key={at} className="table-bar" style={{ height: height * 4 }} />
        ))}
    </div>
  )
}

export function ObjectDialog({ id }: { id: number }) {
  useSignals()
  const [asking, setAsking] = useState(false)
  const { busy, run } = useBusy()
  // The list as it was when the dialog opened; later changes do not affect this dialog.
  const [listAtOpening, setListAtOpening] = useState<readonly ThingObject[] | null>(null)
  const load = async (how?: LoadOptions) => {
    if (await objects.refresh(how)) setListAtOpening(objects.read())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded when the dialog opens
  useEffect(() => {
    void load()
    void loadPropertyNames()
    // Close the dialog when the user leaves the screen.
    return () => {
      if (editedObject.peek() === id) editedObject.value = null
    }
  }, [id])
  const object = listAtOpening?.find(one => one.id === id)
  const close = () => {
    editedObject.value = null
  }
  return (
    <>
      <Modal title={metadataTexts.editObject} onClose={close} width={640} busy={busy}>
        {listAtOpening !== null && object !== undefined ? (
          <ObjectForm
            object={object}
            all={listAtOpening}
            busy={busy}
            run={run}
            onClose={close}
            onDelete={() => setAsking(true)}
          />
        ) : listAtOpening !== null ? (
          <p className="soft px-6 pt-2 pb-6">{metadataTexts.objectIsGone}</p>
        ) : objects.failed.value ? (
          <div className="px-6 pt-4 pb-6">
            <TryAgain again={load} />
          </div>
        ) : (
          <Waiting />
        )}
      </Modal>
      {asking && object !== undefined && (
        <DeleteObject object={object} onClose={() => setAsking(false)} onRemoved={close} />
      )}
    </>
  )
}
