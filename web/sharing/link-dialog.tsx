/** A link to a selection, an album or a person: made when the dialog opens, and changed at once. */
import { useSignals } from '@preact/signals-react/runtime'
import { Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Link } from '../../schema/api/shares.ts'
import { limits } from '../../schema/limits.ts'
import { closeDialog, type LinkSubject } from '../app/dialogs.ts'
import { copyText } from '../items/selection/clipboard.ts'
import { Button } from '../kit/button.tsx'
import { momentText } from '../kit/dates.ts'
import { Field } from '../kit/form/field.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { Segmented } from '../kit/segmented.tsx'
import { Toggle } from '../kit/switch.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { baseTexts } from '../texts/base.ts'
import { selectionTexts } from '../texts/selection.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { addressOfLink, createLink, endLink, updateLink } from './links.ts'
import { QrCode } from './qr.tsx'

const spans = ['day', 'twoDays', 'week', 'until', 'never'] as const
type Span = (typeof spans)[number]
const hoursOf: Partial<Record<Span, number>> = { day: 24, twoDays: 48, week: 168 }
const spanTexts: Record<Span, string> = {
  day: selectionTexts.hours24,
  twoDays: selectionTexts.hours48,
  week: selectionTexts.aWeek,
  until: sharingTexts.onADate,
  never: sharingTexts.never,
}

const now = () => Math.floor(Date.now() / 1000)

/** The last second of a day of this browser's time zone, in seconds. */
const endOfDay = (day: string) => Math.floor(new Date(`${day}T23:59:59`).getTime() / 1000)
/** A day of this browser's time zone as in a date field. */
const dayOf = (seconds: number) => {
  const date = new Date(seconds * 1000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** `field`: stands before the switch, or below the words where there is little room. */
function SettingRow({
  label,
  hint,
  field,
  children,
}: {
  label: string
  hint: string
  field?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 min-h-12">
      <div className="min-w-0 flex-1">
        <p>{label}</p>
        <p className="text-xs soft">{hint}</p>
      </div>
      {field !== undefined && <div className="max-sm:order-last max-sm:basis-full">{field}</div>}
      {children}
    </div>
  )
}

/** A password that can be read out, from letters and digits that are not mistaken for each other. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const random = crypto.getRandomValues(new Uint8Array(12))
  const text = Array.from(random, value => letters[value % letters.length]).join('')
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

function Expiry({ link, change }: { link: Link; change: (expires: number | null) => void }) {
  const [span, setSpan] = useState<Span>(
    link.expires === null ? 'never' : link.created + 86_400 === link.expires ? 'day' : 'until',
  )
  const choose = (chosen: Span) => {
    setSpan(chosen)
    const hours = hoursOf[chosen]
    if (hours !== undefined) change(now() + hours * 3600)
    else if (chosen === 'never') change(null)
    else change(endOfDay(dayOf(now() + 7 * 86_400)))
  }
  return (
    <div className="grid gap-2">
      <Segmented
        className="link-spans"
        label={sharingTexts.expires}
        choices={spans}
        value={span}
        text={one => spanTexts[one]}
        onChange={choose}
      />
      {span === 'until' && (
        <Field
          label={sharingTexts.endsOn}
          hint={null}
          type="date"
          min={dayOf(now())}
          max={dayOf(now() + limits.maxLinkSeconds - 86_400)}
          value={link.expires === null ? '' : dayOf(link.expires)}
          onChange={({ target }) => target.value !== '' && change(endOfDay(target.value))}
        />
      )}
    </div>
  )
}

function PasswordRow({ link, change }: { link: Link; change: (password: string | null) => void }) {
  const [typed, setTyped] = useState('')
  return (
    <SettingRow
      label={sharingTexts.password}
      hint={sharingTexts.passwordHint}
      field={
        typed === '' ? undefined : (
          <input
            className="input w-44! max-sm:w-full! font-mono"
            aria-label={sharingTexts.password}
            value={typed}
            maxLength={limits.linkPasswordLength}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={() => typed !== '' && change(typed)}
          />
        )
      }
    >
      <Toggle
        label={sharingTexts.password}
        checked={link.password}
        onChange={isOn => {
          const password = isOn ? newPassword() : null
          setTyped(password ?? '')
          change(password)
        }}
      />
    </SettingRow>
  )
}

function Settings({ link, onChange }: { link: Link; onChange: (link: Link) => void }) {
  const { busy, run } = useBusy()
  const change = (changes: Parameters<typeof updateLink>[1]) =>
    void run(async () => {
      const changed = await updateLink(link, changes)
      if (changed !== null) onChange(changed)
    })
  const address = addressOfLink(link)
  return (
    <div className="px-6 pt-1 pb-5 grid gap-4">
      <p className="soft">{sharingTexts.whoeverHasIt}</p>
      <div className="grid gap-x-6 gap-y-4 content-start sm:grid-cols-[minmax(0,1fr)_auto] sm:grid-rows-[auto_1fr]">
        <div className="flex items-end gap-2 min-w-0">
          <div className="flex-1 min-w-0">
            <Field label={sharingTexts.link} hint={null} mono readOnly value={address.replace(/^https?:\/\//, '')} />
          </div>
          <Button
            look="primary"
            icon={Copy}
            text={sharingTexts.copy}
            data-autofocus
            onClick={() =>
              void copyText(
                Promise.resolve(address),
                baseTexts.shareLinkCopiedToClipboard,
                baseTexts.failedToCreateShare,
              )
            }
          />
        </div>
        <div className="max-sm:justify-self-center sm:row-span-2">
          <QrCode text={address} size={128} label={sharingTexts.qrOf} />
        </div>
        <Expiry link={link} change={expires => change({ expires })} />
      </div>
      <div className="grid gap-2 border-t hair pt-3">
        <PasswordRow link={link} change={password => change({ password })} />
        <SettingRow label={sharingTexts.originals} hint={sharingTexts.originalsHint}>
          <Toggle
            label={sharingTexts.originals}
            checked={link.originals}
            onChange={originals => change({ originals })}
          />
        </SettingRow>
        <SettingRow label={sharingTexts.placesAndNames} hint={sharingTexts.placesAndNamesHint}>
          <Toggle
            label={sharingTexts.placesAndNames}
            checked={link.details}
            onChange={details => change({ details })}
          />
        </SettingRow>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="ghost"
          className="text-error -ms-4"
          text={sharingTexts.endThisLink}
          disabled={busy}
          onClick={() => void run(async () => (await endLink(link)) && closeDialog())}
        />
        <span className="text-xs soft me-auto max-sm:order-first max-sm:basis-full">
          {link.viewed === null
            ? sharingTexts.neverOpened
            : `${sharingTexts.openedCount({ count: link.views })}, ${momentText(new Date(link.viewed * 1000).toISOString())}`}
        </span>
        <Button look="quiet" className="ms-auto" text={sharingTexts.done} onClick={closeDialog} />
      </div>
    </div>
  )
}

/** `of`: what is shared; or an existing link to change. */
export function LinkDialog({ of, title }: { of: LinkSubject | { link: Link }; title: string }) {
  useSignals()
  const [link, setLink] = useState<Link | null>('link' in of ? of.link : null)
  const isCreating = useRef(false)
  useEffect(() => {
    if ('link' in of || isCreating.current) return
    isCreating.current = true
    void createLink({ ...of, title: title.slice(0, limits.linkTitleLength), expires: now() + 86_400 }).then(made => {
      if (made === null) closeDialog()
      else setLink(made)
    })
  }, [of, title])
  return (
    <Modal
      title={sharingTexts.shareNamed({ name: title === '' ? sharingTexts.link : title })}
      width={680}
      onClose={closeDialog}
    >
      {link === null ? <div className="h-80" aria-busy="true" /> : <Settings link={link} onChange={setLink} />}
    </Modal>
  )
}
