/** The dialog that makes a collection of a folder. */
import { type SyntheticEvent, useState } from 'react'
import { newCollection } from '../../../schema/api/collections.ts'
import { Field } from '../../parts/field.tsx'
import { Modal } from '../../parts/modal.tsx'
import { useForm } from '../../parts/use-form.ts'
import { hurry } from '../../realtime.ts'
import { createCollection, scanCollection } from '../../state/collections.ts'

/** The last folder of a path, as a first idea for a name. */
function nameOfPath(path: string): string {
  return (
    path
      .split('/')
      .filter(part => part !== '')
      .at(-1) ?? ''
  )
}

export function CreateCollection({ onClose }: { onClose: () => void }) {
  const form = useForm<{ name: string; path: string; pathVariant: string; readonly: boolean }>(newCollection, {
    name: '',
    path: '',
    pathVariant: '',
    readonly: false,
  })
  const [named, setNamed] = useState(false)
  const [busy, setBusy] = useState(false)
  const { values } = form
  const path = form.field('path')
  const name = form.field('name')
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.leaveAll()
    if (!form.valid || busy) return
    setBusy(true)
    const answer = await createCollection(newCollection.parse(values))
    setBusy(false)
    if ('text' in answer) return form.refuse(answer)
    onClose()
    // There is nothing else to do with a new folder than to read it.
    if (await scanCollection(answer.made.id)) hurry()
  }
  return (
    <Modal title="Create Collection" onClose={onClose} width={600}>
      <form onSubmit={event => void save(event)} noValidate>
        <div className="px-6 pt-4 pb-2 grid gap-2">
          <Field
            label="Path"
            hint="A folder on the server. Nothing in it is changed"
            mono
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="/srv/photos/family"
            data-autofocus
            {...path}
            onChange={event => {
              path.onChange(event)
              if (!named) form.set('name', nameOfPath(event.target.value))
            }}
          />
          <Field
            label="Name"
            autoComplete="off"
            dir="auto"
            {...name}
            onChange={event => {
              setNamed(event.target.value !== '')
              name.onChange(event)
            }}
          />
          <Field
            label="Variants path"
            hint="Edited versions under the same names; leave empty for none"
            mono
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('pathVariant')}
          />
          <label className="flex items-start gap-3 py-1 cursor-pointer">
            <input
              type="checkbox"
              className="toggle toggle-sm mt-0.5"
              checked={values.readonly}
              onChange={event => form.set('readonly', event.target.checked)}
            />
            <span>
              Read-only
              <span className="block text-xs soft">Never write to its files or folder</span>
            </span>
          </label>
        </div>
        <footer className="flex items-center gap-2 border-t hair px-6 py-3.5 mt-2">
          <p className="text-xs soft grow">It is scanned as soon as it is made.</p>
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn btn-primary" disabled={!form.valid || busy}>
            Save
          </button>
        </footer>
      </form>
    </Modal>
  )
}
