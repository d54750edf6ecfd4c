/** The details tab: date, texts, people and objects. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import type { ItemDetails } from '../../../schema/api/items.ts'
import { limits } from '../../../schema/limits.ts'
import { Button } from '../../kit/button.tsx'
import { clockTime, longDate, sourceText } from '../../kit/dates.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { PeopleChips } from './boxes/people-chips.tsx'
import { draft, edit } from './item-editor.ts'
import { dateFault, dateOf, dateParts } from './item-form.ts'
import { WordsField } from './words-field.tsx'

function DateField({ item, date, changed }: { item: ItemDetails; date: string; changed: boolean }) {
  const id = useId()
  const { day, time } = dateParts(date)
  const fault = changed ? dateFault(date) : null
  // While part of the date is missing, the browser returns ''.
  const onDay = ({ target }: { target: HTMLInputElement }) => {
    const next = dateOf({ day: target.validity.badInput ? '?' : target.value, time })
    if (next !== date) edit({ date: next })
  }
  const guess = `${longDate(item.taken)}, ${clockTime(item.taken)}`
  const source = sourceText(item.date_source)
  return (
    <div className="field min-w-0">
      <div className="date-fields">
        <div className="field">
          <span>
            <label htmlFor={`${id}-day`}>{metadataTexts.dateTaken}</label>
          </span>
          <input
            id={`${id}-day`}
            type="date"
            className={`input w-full ${fault === null ? '' : 'input-error'}`}
            min={`${limits.minItemYear}-01-01`}
            max={`${new Date().getFullYear()}-12-31`}
            value={day === '?' ? '' : day}
            aria-invalid={fault !== null}
            aria-describedby={`${id}-hint`}
            onChange={onDay}
            onBlur={onDay}
          />
        </div>
        <div className="field">
          <span>
            <label htmlFor={`${id}-time`}>{adminTexts.time}</label>
          </span>
          <input
            id={`${id}-time`}
            type="time"
            step={1}
            className="input w-full"
            disabled={day === ''}
            value={time}
            onChange={event => edit({ date: dateOf({ day, time: event.target.value }) })}
          />
        </div>
      </div>
      <span
        id={`${id}-hint`}
        className={`hint ${fault === null ? '' : 'bad'}`}
        role={fault === null ? undefined : 'alert'}
      >
        {fault !== null ? (
          <>
            <CircleAlert size={14} className="shrink-0" />
            <span>{fault}</span>
          </>
        ) : date === '' ? (
          <>
            {source === '' ? metadataTexts.sortedAs({ guess }) : metadataTexts.sortedAsFrom({ guess, source })}{' '}
            <Button
              className="underline underline-offset-3"
              text={metadataTexts.useThisDate}
              onClick={() => edit({ date: item.taken_at })}
            />
          </>
        ) : (
          !changed && source
        )}
      </span>
    </div>
  )
}

export function Details({ locked }: { locked: boolean }) {
  useSignals()
  const id = useId()
  const now = draft.value
  if (now === null) return null
  const { form, base, item } = now
  return (
    <fieldset disabled={locked} className="grid gap-4 min-w-0">
      <DateField item={item} date={form.date} changed={form.date !== base.date} />
      <div className="field">
        <span>
          <label htmlFor={id}>{metadataTexts.description}</label>
        </span>
        <textarea
          id={id}
          className="textarea input h-auto py-2 min-h-20 leading-5"
          dir="auto"
          rows={3}
          maxLength={20_000}
          value={form.description}
          onChange={event => edit({ description: event.target.value })}
        />
      </div>
      <WordsField
        label={baseTexts.category}
        tag="Category"
        words={form.category}
        onChange={category => edit({ category })}
      />
      <WordsField
        label={baseTexts.keywords}
        tag="Keywords"
        words={form.keywords}
        onChange={keywords => edit({ keywords })}
      />
      <PeopleChips item={item} boxes={form.boxes} locked={locked} />
      <WordsField label={baseTexts.author} tag="Author" words={form.author} onChange={author => edit({ author })} />
    </fieldset>
  )
}
