/** Shifts the dates of many items, or sets one date, with a preview of the result. */
import { useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { figure } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { closeDialog } from '../../app/dialogs.ts'
import { TablePicture } from '../../items/pictures/table-picture.tsx'
import { Button } from '../../kit/button.tsx'
import { dateParts as partsOfMoment } from '../../kit/dates.ts'
import { Field } from '../../kit/form/field.tsx'
import { Stepper } from '../../kit/form/stepper.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { adminTexts } from '../../texts/admin.ts'
import { manyTexts } from '../../texts/many-items.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { dateFault, dateOf } from '../metadata/item-form.ts'
import { changeMany, type ManyChange } from './change-many.ts'
import {
  type Amount,
  amountText,
  type DateRow,
  dayChange,
  faultTexts,
  secondsOf,
  setRows,
  shiftRows,
  shiftText,
} from './date-form.ts'
import { ManyFoot } from './many-foot.tsx'

/** Rows before 'show all', and at most. */
const firstRows = 6
const maxRows = 1000

/** A date and time; the parts that differ from `before` stand out. */
function Moment({ taken, before }: { taken: number; before: number }) {
  const old = partsOfMoment(before)
  return partsOfMoment(taken).map(({ type, text }, at) =>
    type === 'literal' || old.find(one => one.type === type)?.text === text ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity, and their order is fixed
      <b key={at} className="font-semibold">
        {text}
      </b>
    ),
  )
}

function PreviewRow({ row }: { row: DateRow }) {
  const { item, was, willBe, fault } = row
  const change = fault === null ? dayChange(row) : faultTexts[fault]
  return (
    <tr data-stays={fault !== null}>
      <th scope="row">
        <TablePicture item={item} size="small" className="many-picture" />
        <span className="truncate" dir="auto" title={item.name}>
          {item.name}
        </span>
      </th>
      <td className="many-was">
        <Moment taken={was} before={was} />
      </td>
      <td className="many-will-be">
        <Moment taken={willBe} before={was} />
      </td>
      <td className={fault === null ? 'text-warning' : 'soft'}>{change}</td>
    </tr>
  )
}

function Preview({ rows }: { rows: readonly DateRow[] }) {
  const [all, setAll] = useState(false)
  const shown = rows.slice(0, all ? maxRows : firstRows)
  const more = rows.length - shown.length
  return (
    <div>
      <div className="many-preview" data-all={all} tabIndex={all ? 0 : undefined}>
        <table>
          <thead>
            <tr>
              <th scope="col">{manyTexts.file}</th>
              <th scope="col">{manyTexts.was}</th>
              <th scope="col">{manyTexts.willBe}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map(row => (
              <PreviewRow key={row.item.id} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && (
        <p className="soft text-xs pt-3">
          {manyTexts.andMore({ number: figure(more) })}
          {!all && (
            <>
              {', '}
              <Button className="underline underline-offset-3" text={manyTexts.showAll} onClick={() => setAll(true)} />
            </>
          )}
        </p>
      )}
    </div>
  )
}

const units = [
  ['days', manyTexts.days, 73_000],
  ['hours', manyTexts.hours, 999],
  ['minutes', manyTexts.minutes, 999],
] as const

function Steppers({ amount, onChange }: { amount: Amount; onChange: (amount: Amount) => void }) {
  return units.map(([unit, label, most]) => (
    <Stepper
      key={unit}
      label={label}
      value={amount[unit]}
      most={most}
      lessText={manyTexts.less({ label })}
      moreText={manyTexts.more({ label })}
      onChange={value => onChange({ ...amount, [unit]: value })}
    />
  ))
}

interface DayAndTime {
  day: string
  time: string
}

function DateInputs({ day, time, onChange }: DayAndTime & { onChange: (to: DayAndTime) => void }) {
  return (
    <>
      <Field
        label={metadataTexts.dateTaken}
        type="date"
        hint={null}
        min={`${limits.minItemYear}-01-01`}
        max={`${new Date().getFullYear()}-12-31`}
        value={day}
        onChange={({ target }) => onChange({ day: target.value, time })}
      />
      <Field
        label={adminTexts.time}
        type="time"
        step={1}
        hint={null}
        value={time}
        onChange={({ target }) => onChange({ day, time: target.value })}
      />
    </>
  )
}

const dateModes = ['shift', 'set'] as const

/** What the form does: the preview, the sentence above it, the button, and the change (null if there is none yet). */
function planOf(items: readonly Item[], how: (typeof dateModes)[number], amount: Amount, { day, time }: DayAndTime) {
  if (how === 'shift') {
    const seconds = secondsOf(amount)
    const rows = shiftRows(items, seconds)
    const count = rows.filter(({ fault }) => fault === null).length
    const sign = seconds < 0 ? '−' : ''
    const change: ManyChange = { tagName: 'DateTimeOriginal', mode: 'shift', data: seconds }
    return {
      rows,
      text: shiftText(rows, seconds),
      action:
        seconds === 0 ? manyTexts.shift : manyTexts.shiftItems({ count, amount: `${sign}${amountText(seconds)}` }),
      change: seconds === 0 || count === 0 ? null : change,
    }
  }
  const date = dateOf({ day, time })
  const isValid = date !== '' && dateFault(date) === null
  const taken = isValid ? Date.parse(`${day}T${time === '' ? '00:00' : time}Z`) / 1000 : null
  const change: ManyChange = { tagName: 'DateTimeOriginal', mode: 'set', data: date }
  return {
    rows: setRows(items, taken),
    text: manyTexts.allGetThisDate,
    action: manyTexts.setDateOfItems({ count: items.length }),
    change: isValid ? change : null,
  }
}

export function DateDialog({ items }: { items: readonly Item[] }) {
  const [how, setHow] = useState<(typeof dateModes)[number]>('shift')
  const [amount, setAmount] = useState<Amount>({ days: 0, hours: 0, minutes: 0 })
  const [moment, setMoment] = useState<DayAndTime>({ day: items[0]?.taken_at.slice(0, 10) ?? '', time: '12:00' })
  const { busy, run } = useBusy()
  const { rows, text, action, change } = planOf(items, how, amount, moment)
  async function save() {
    if (change === null) return
    const words = {
      failure: manyTexts.failedToChangeDates,
      done: (count: number) => manyTexts.datesChanged({ count }),
    }
    if ((await run(() => changeMany(items, [change], words))) === true) closeDialog()
  }
  return (
    <Modal title={manyTexts.dateOfItems({ count: items.length })} width={800} busy={busy} onClose={closeDialog}>
      <div className="px-6 pt-3 grid gap-4">
        <div className="many-amount" data-how={how}>
          <Segmented
            label={manyTexts.how}
            choices={dateModes}
            value={how}
            text={way => (way === 'shift' ? manyTexts.shift : manyTexts.setADate)}
            onChange={setHow}
          />
          {how === 'shift' ? (
            <Steppers amount={amount} onChange={setAmount} />
          ) : (
            <DateInputs {...moment} onChange={setMoment} />
          )}
        </div>
        <p className="soft" role="status">
          {text}
        </p>
        <Preview rows={rows} />
      </div>
      <ManyFoot
        hint={manyTexts.youCanUndoIt}
        action={action}
        disabled={busy || change === null}
        onAct={() => void save()}
      />
    </Modal>
  )
}
