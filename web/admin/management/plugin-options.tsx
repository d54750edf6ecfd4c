/** The options of a plugin: a field for each, grouped by their names. Secrets can be set but not read. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useEffect, useId, useState } from 'react'
import type { Plugin, PluginOptions } from '../../../schema/api/plugins.ts'
import { say } from '../../app/messages.ts'
import { Button } from '../../kit/button.tsx'
import { FieldHint } from '../../kit/form/field.tsx'
import { Select } from '../../kit/form/select.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { Toggle } from '../../kit/switch.tsx'
import { useSlow } from '../../kit/time/use-slow.ts'
import { TryAgain } from '../../kit/try-again.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { managementTexts } from '../../texts/admin/management.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { optionsOfPlugin, saveOptions } from './installed-plugins.ts'
import {
  type OptionField,
  type OptionGroup,
  type OptionsDraft,
  optionChanges,
  optionFaults,
  optionGroups,
  optionsDraft,
} from './plugin-options-form.ts'

type Value = string | boolean | null

interface FieldProps {
  field: OptionField
  value: Value
  fault: string | undefined
  /** Whether the field is a secret that has a value. */
  isSet: boolean
  onChange: (value: Value) => void
}

function SwitchField({ field, value, onChange }: FieldProps) {
  return (
    <label className="flex items-center gap-3 min-h-10 cursor-pointer">
      <Toggle label={field.label} checked={value === true} onChange={onChange} />
      <span dir="auto">{field.label}</span>
    </label>
  )
}

function secretHint(value: Value, isSet: boolean): string {
  if (value === null) return managementTexts.secretRemoved
  if (!isSet) return managementTexts.secretNotSet
  return value === '' ? managementTexts.secretSet : managementTexts.secretReplaced
}

function TextField({ field, value, fault, isSet, onChange }: FieldProps) {
  const id = useId()
  const { type, secret = false, choices = [] } = field.type
  const text = typeof value === 'string' ? value : ''
  const shared = { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': fault !== undefined, value: text }
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id} dir="auto">
          {field.label}
        </label>
      </span>
      {type === 'choice' ? (
        <Select
          {...shared}
          choices={[...(choices.includes(text) ? [] : [text]), ...choices].map(choice => ({
            value: choice,
            text: choice,
          }))}
          onChoose={onChange}
        />
      ) : (
        <span className="flex gap-2">
          <input
            {...shared}
            type={secret ? 'password' : 'text'}
            inputMode={type === 'number' ? 'decimal' : undefined}
            className={`input grow ${fault === undefined ? '' : 'input-error'}`}
            dir={type === 'number' ? undefined : 'auto'}
            autoComplete={secret ? 'new-password' : 'off'}
            placeholder={secret && isSet && value !== null ? '••••••••' : undefined}
            onChange={event => onChange(event.target.value)}
          />
          {secret && isSet && (
            <Button
              look="quiet"
              text={value === null ? adminTexts.keep : adminTexts.forget}
              onClick={() => onChange(value === null ? '' : null)}
            />
          )}
        </span>
      )}
      <FieldHint id={`${id}-hint`} hint={secret ? secretHint(value, isSet) : ''} fault={fault} />
    </div>
  )
}

function Group({ group, propsOf }: { group: OptionGroup; propsOf: (field: OptionField) => FieldProps }) {
  const content = (
    <>
      {group.fields.map(field =>
        field.type.type === 'boolean' ? (
          <SwitchField key={field.name} {...propsOf(field)} />
        ) : (
          <TextField key={field.name} {...propsOf(field)} />
        ),
      )}
      {group.groups.map(one => (
        <Group key={one.name} group={one} propsOf={propsOf} />
      ))}
    </>
  )
  if (group.name === '') return content
  return (
    <fieldset className="option-group">
      <legend className="font-semibold">{group.title}</legend>
      {content}
    </fieldset>
  )
}

function Form({ plugin, options, onClose }: { plugin: Plugin; options: PluginOptions; onClose: () => void }) {
  const [draft, setDraft] = useState<OptionsDraft>(() => optionsDraft(options))
  const { busy, run } = useBusy()
  const faults = optionFaults(options, draft)
  const changes = optionChanges(options, draft)
  const isChanged = Object.keys(changes).length > 0
  const isValid = Object.keys(faults).length === 0
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isValid || !isChanged || !(await run(() => saveOptions(plugin.id, changes)))) return
    say(managementTexts.optionsSaved, plugin.name)
    onClose()
  }
  return (
    <form onSubmit={event => void save(event)} noValidate>
      <div className="px-6 pt-3 pb-2 grid grid-cols-[minmax(0,1fr)] gap-2">
        <Group
          group={optionGroups(options.types)}
          propsOf={field => ({
            field,
            value: draft[field.name] ?? null,
            fault: faults[field.name],
            isSet: options.secrets.includes(field.name),
            onChange: value => setDraft({ ...draft, [field.name]: value }),
          })}
        />
      </div>
      <footer className="flex justify-end gap-2 px-6 pt-2 pb-5">
        <Button look="ghost" text={baseTexts.cancel} onClick={onClose} />
        <Button type="submit" look="primary" text={baseTexts.save} disabled={busy || !isValid || !isChanged} />
      </footer>
    </form>
  )
}

export function PluginOptionsDialog({ plugin, onClose }: { plugin: Plugin; onClose: () => void }) {
  useSignals()
  const [{ value, failed, load }] = useState(() => optionsOfPlugin(plugin.id))
  const options = value.value
  const slow = useSlow(options === null)
  useEffect(() => void load(), [load])
  const isEmpty = options !== null && Object.keys(options.types).length === 0
  return (
    <Modal title={managementTexts.optionsOf({ name: plugin.name })} onClose={onClose} width={560}>
      {options === null || isEmpty ? (
        <div className="px-6 pt-3 pb-8 soft min-h-24" role="status">
          <p>
            {isEmpty
              ? managementTexts.thisPluginHasNoOptions
              : failed.value
                ? managementTexts.failedToLoadPluginOptions
                : slow
                  ? adminTexts.loading
                  : ''}
          </p>
          {failed.value && <TryAgain className="btn btn-quiet mt-4" again={load} />}
        </div>
      ) : (
        <Form plugin={plugin} options={options} onClose={onClose} />
      )}
    </Modal>
  )
}
