/** The dialog that creates a collection, or changes its settings. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { createCollection, scanCollection, updateCollection } from '../../app/collections.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { globalAdmin } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/form/field.tsx'
import { Fault } from '../../kit/form/form-fault.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Modal } from '../../kit/layers/modal.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { Switch } from '../../kit/switch.tsx'
import { type CollectionForm, changesOf, collectionFaults, formOf, nameOfPath, newOf } from './collection-draft.ts'
import { ManagedFields, PathField } from './collection-fields.tsx'

const writeBacks = ['off', 'sidecar', 'file'] as const
const writeBackText = { off: 'Only in Keepsake', sidecar: 'Sidecar files', file: 'The pictures' } as const
const writeBackHint = {
  off: 'Descriptions, keywords, people and places stay in this library',
  sidecar: 'A file name.jpg.xmp beside each picture, which other programs read',
  file: 'Into the files themselves; the pictures in them stay as they are',
} as const

/** Saves the form; null when it is done. A new collection is scanned at once. */
async function send(of: Collection | null, form: CollectionForm) {
  if (of !== null) {
    const changes = changesOf(of, form)
    return Object.keys(changes).length === 0 ? null : updateCollection(of.id, changes)
  }
  const answer = await createCollection(newOf(form))
  if ('text' in answer) return answer
  void scanCollection(answer.made.id).then(started => started && checkServer())
  return null
}

function useCollectionForm(now: Collection | null, onClose: () => void) {
  // Changes by others while it is open are kept.
  const [of] = useState(now)
  const form = useForm<CollectionForm>(values => collectionFaults(values, of !== null), formOf(of))
  const [busy, setBusy] = useState(false)
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.leaveAll()
    if (!form.valid || busy) return
    setBusy(true)
    const fault = await send(of, form.values)
    setBusy(false)
    if (fault === null) onClose()
    else form.refuse(fault)
  }
  return { form, busy, save }
}

type Form = ReturnType<typeof useCollectionForm>['form']

/** Name and paths. A new collection is named after its folder by default. */
function Places({ form, of, readOnly }: { form: Form; of: Collection | null; readOnly: boolean }) {
  const [named, setNamed] = useState(of !== null)
  const setPath = (text: string) => {
    form.set('path', text)
    if (!named) form.set('name', nameOfPath(text))
  }
  const name = form.field('name')
  const path = form.field('path')
  const fields = [
    <Field
      key="name"
      label="Name"
      autoComplete="off"
      dir="auto"
      readOnly={readOnly}
      data-autofocus={of === null || readOnly ? undefined : true}
      {...name}
      onChange={event => {
        setNamed(event.target.value !== '')
        name.onChange(event)
      }}
    />,
    <PathField
      key="path"
      label="Path"
      hint={of === null ? 'A folder on the server. Nothing in it is changed' : 'Fixed once the collection exists'}
      placeholder={of === null ? '/srv/photos/family' : undefined}
      data-autofocus={of === null ? true : undefined}
      {...path}
      onChange={event => setPath(event.target.value)}
      {...(of === null ? { onChoose: setPath } : {})}
    />,
  ]
  return (
    <>
      {of === null ? fields.reverse() : fields}
      <PathField
        label="Variants path"
        hint="Edited versions under the same names; leave empty for none"
        {...form.field('pathVariant')}
        {...(readOnly ? {} : { onChoose: path => form.set('pathVariant', path) })}
      />
    </>
  )
}

function Switches({ form, of, readOnly }: { form: Form; of: Collection | null; readOnly: boolean }) {
  const { values } = form
  return (
    <div className="grid sm:grid-cols-2 gap-x-6 gap-y-2">
      <Switch
        label="Read-only"
        hint="Never write to its files or folder"
        checked={values.readonly}
        disabled={readOnly}
        onChange={on => form.set('readonly', on)}
      />
      <Switch
        label="Keep people and places from visitors"
        hint="Also taken out of downloads"
        checked={values.keepPrivate}
        disabled={readOnly}
        onChange={on => form.set('keepPrivate', on)}
      />
      {of !== null && (
        <Switch
          label="Live Photos as one"
          hint="From the next scan on"
          checked={values.pairing}
          disabled={readOnly}
          onChange={on => form.set('pairing', on)}
        />
      )}
    </div>
  )
}

export function CollectionDialog({
  of,
  onClose,
  onDelete,
}: {
  /** Null: a new one. */
  of: Collection | null
  onClose: () => void
  onDelete?: () => void
}) {
  useSignals()
  const { form, busy, save } = useCollectionForm(of, onClose)
  const { values } = form
  // Other administrators see the settings; only a global admin changes them.
  const readOnly = !globalAdmin.value
  const title = of === null ? 'Create Collection' : readOnly ? `Settings of ${of.name}` : `Edit ${of.name}`
  const whole = form.refused?.field === '' ? form.refused.text : null
  return (
    <Modal title={title} onClose={onClose} width={600} busy={busy}>
      <form onSubmit={event => void save(event)} noValidate>
        <div className="px-6 pt-3 pb-5 grid grid-cols-[minmax(0,1fr)] gap-2">
          <Places form={form} of={of} readOnly={readOnly} />
          <Switch
            label="Managed"
            hint="Files are sorted into folders by date and category"
            checked={values.managed}
            disabled={readOnly}
            onChange={on => form.set('managed', on)}
          />
          {values.managed && (
            <ManagedFields
              folderFormat={{ label: 'Folder format', ...form.field('folderFormat') }}
              fileFormat={{ label: 'Filename prefix', ...form.field('fileFormat') }}
              onFormat={text => form.set('folderFormat', text)}
              readOnly={readOnly}
            />
          )}
          <Switches form={form} of={of} readOnly={readOnly} />
          <div className="mt-1 grid gap-1.5">
            <fieldset disabled={readOnly} className="min-w-0">
              <Segmented
                label="Write edits to"
                choices={writeBacks}
                value={values.writeBack}
                onChange={choice => form.set('writeBack', choice)}
                text={choice => writeBackText[choice]}
              />
            </fieldset>
            <p className="text-xs soft">
              {values.readonly && values.writeBack !== 'off'
                ? 'Nothing is written while it is read-only'
                : writeBackHint[values.writeBack]}
            </p>
          </div>
          {whole !== null && <Fault text={whole} />}
        </div>
        <footer className="dialog-foot">
          {of === null && <p className="text-xs soft me-auto max-sm:hidden">It is scanned as soon as it is made.</p>}
          {onDelete !== undefined && !readOnly && (
            <Button look="ghost" className="text-error me-auto -ms-3" text="Delete…" onClick={onDelete} />
          )}
          {readOnly && <p className="text-xs soft me-auto">Only a global admin changes these.</p>}
          <Button
            look="ghost"
            className="ms-auto"
            text={readOnly ? 'Close' : 'Cancel'}
            disabled={busy}
            onClick={onClose}
          />
          {!readOnly && <Button type="submit" look="primary" text="Save" disabled={!form.valid || busy} />}
        </footer>
      </form>
    </Modal>
  )
}
