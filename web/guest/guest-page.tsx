/** The page of a link: its pictures in rows, for anyone who has the address. It has neither menu nor search. */
import { useSignals } from '@preact/signals-react/runtime'
import { Clapperboard, Download, Lock, Play } from 'lucide-react'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { linkDownloadAddress } from '../../schema/addresses.ts'
import { shapeOf } from '../../schema/api/items.ts'
import type { LinkedItem, OpenLink } from '../../schema/api/shares.ts'
import { product } from '../../schema/limits.ts'
import { base } from '../api.ts'
import { layoutGroups, widthsOf } from '../gallery/timeline/justified.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { coveredPart } from '../items/pictures/zoom.ts'
import { Button } from '../kit/button.tsx'
import { endText, longDate, shortDate } from '../kit/dates.ts'
import { Field } from '../kit/form/field.tsx'
import { OutOfReach } from '../kit/out-of-reach.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { useElementSize } from '../kit/use-element-size.ts'
import { phone, windowHeight } from '../kit/viewport.ts'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { GuestBar } from './guest-bar.tsx'
import {
  linkedItems,
  linkFailed,
  linkReference,
  loadLink,
  openedLink,
  pictureOfLink,
  playLink,
  refreshLink,
  unlockLink,
} from './guest-state.ts'
import { GuestViewer } from './guest-viewer.tsx'

function PasswordForm() {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const { busy, run } = useBusy()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void run(async () => setFault(await unlockLink(password)))
  }
  return (
    <form className="guest-password" onSubmit={submit}>
      <Lock size={40} strokeWidth={1.25} className="soft mx-auto mb-4" aria-hidden="true" />
      <Field
        label={sharingTexts.passwordOfLink}
        type="password"
        autoComplete="off"
        autoFocus
        fault={fault ?? undefined}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" look="primary" text={sharingTexts.show} disabled={busy || password === ''} />
    </form>
  )
}

function Tile({
  item,
  width,
  height,
  onOpen,
}: {
  item: LinkedItem
  width: number
  height: number
  onOpen: () => void
}) {
  const frame = { width, height }
  const covered = coveredPart(item, frame, devicePixelRatio)
  // A picture that is too small to cover the tile has no placeholder: that would fill the whole tile.
  const stand = covered === frame ? placeholderUrl(item.thumbhash, item.rotation) : null
  const size = Math.max(width, height) * devicePixelRatio <= 480 ? 'small' : 'medium'
  return (
    <button
      type="button"
      className="guest-tile"
      aria-label={listText([longDate(item.taken), item.place ?? ''].filter(Boolean))}
      style={{ width, height, backgroundImage: stand === null ? undefined : `url(${stand})` }}
      onClick={onOpen}
    >
      <img src={pictureOfLink(item, size)} alt="" style={covered} loading="lazy" decoding="async" />
      {item.type === 'video' && <Play size={16} fill="currentColor" className="guest-film" aria-hidden="true" />}
    </button>
  )
}

function Rows({ items, onOpen }: { items: readonly LinkedItem[]; onOpen: (index: number) => void }) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const room = useElementSize(ref)
  const of = {
    width: Math.max(1, room.width),
    height: phone.value ? (windowHeight.value < 500 ? 168 : 132) : 220,
    gap: 4,
    groupGap: 0,
    heading: 0,
    minGroupWidth: 0,
    turned: false,
  }
  const shapes = items.map(({ width, height }) => shapeOf(width, height))
  const { rows } = layoutGroups(shapes, [items.length], of)
  return (
    <div ref={ref} className="guest-rows">
      {room.width > 0 &&
        rows.map(row => {
          const widths = widthsOf(row, shapes, of)
          return (
            <div key={row.first} className="guest-row" style={{ containIntrinsicHeight: row.height }}>
              {items.slice(row.first, row.first + row.count).map((item, n) => (
                <Tile
                  key={item.id}
                  item={item}
                  width={widths[n] ?? 0}
                  height={row.height}
                  onOpen={() => onOpen(row.first + n)}
                />
              ))}
            </div>
          )
        })}
    </div>
  )
}

function datesOf(items: readonly LinkedItem[]): string {
  const times = items.map(({ taken }) => taken)
  if (times.length === 0) return ''
  const [from, to] = [shortDate(Math.min(...times)), shortDate(Math.max(...times))]
  return from === to ? from : `${from} – ${to}`
}

function Head({ link, items }: { link: OpenLink; items: readonly LinkedItem[] }) {
  useSignals()
  const until = link.expires === null ? '' : endText(link.expires)
  return (
    <header className="guest-head">
      <div className="min-w-0 me-auto">
        {link.title !== '' && (
          <h1 className="text-xl font-semibold" dir="auto">
            {link.title}
          </h1>
        )}
        <p>{[datesOf(items), baseTexts.itemCount({ count: link.items })].filter(Boolean).join(' · ')}</p>
        <p className="soft">
          {sharingTexts.sharedThis({ name: <span dir="auto">{link.from}</span> })}{' '}
          {until !== '' && sharingTexts.openUntilDay({ day: until })}
        </p>
      </div>
      {link.items > 0 && <Button look="quiet" icon={Clapperboard} text={baseTexts.slideshow} onClick={playLink} />}
      {link.items > 0 && (
        <a className="btn btn-primary" href={base.value + linkDownloadAddress(linkReference())} download>
          <Download size={18} aria-hidden="true" />
          {sharingTexts.downloadAll}
        </a>
      )}
    </header>
  )
}

/** Guests have no connection for changes, and should soon lose what is no longer shared. */
const refreshMs = 5000

export function GuestPage() {
  useSignals()
  const [shown, setShown] = useState<number | null>(null)
  useEffect(() => {
    void loadLink()
    const timer = setInterval(() => document.visibilityState === 'visible' && void refreshLink(), refreshMs)
    return () => clearInterval(timer)
  }, [])
  const state = openedLink.value
  const items = linkedItems.value
  const title = state?.link?.title ?? ''
  // A single picture is shown at once; closing it leads to the page of the link.
  const isSingle = state?.link?.kind === 'items' && items.length === 1
  useEffect(() => {
    if (isSingle) setShown(0)
  }, [isSingle])
  const ground = placeholderUrl(items[0]?.thumbhash ?? null, items[0]?.rotation)
  useEffect(() => {
    document.title = title === '' ? product : `${title} · ${product}`
  }, [title])
  if (state === null) return linkFailed.value ? <OutOfReach again={loadLink} /> : null
  const { link } = state
  return (
    <div className={link === null ? 'guest calm-light' : 'guest'}>
      {ground !== null && (
        <div className="guest-ground">
          <i style={{ backgroundImage: `url(${ground})` }} />
        </div>
      )}
      <GuestBar />
      {link === null ? (
        <PasswordForm />
      ) : (
        <main className="guest-main">
          <Head link={link} items={items} />
          {link.items === 0 ? (
            <p className="soft">{sharingTexts.nothingHere}</p>
          ) : (
            <Rows items={items} onOpen={setShown} />
          )}
        </main>
      )}
      {shown !== null && <GuestViewer items={items} index={shown} onShow={setShown} />}
    </div>
  )
}
