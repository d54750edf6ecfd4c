/** The head of a person over their items in the gallery. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  ChevronDown,
  ChevronUp,
  Clapperboard,
  Ellipsis,
  FileArchive,
  Link2,
  Merge,
  Pencil,
  UserMinus,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { PersonPage } from '../../schema/api/people.ts'
import { dateIn } from '../../schema/calendar.ts'
import { offerCover } from '../albums/cover-action.ts'
import { api } from '../api.ts'
import { go } from '../app/address.ts'
import { addressOfPerson, filter, openPerson } from '../app/current-filter.ts'
import { dialog, openSlideshow } from '../app/dialogs.ts'
import { calendarQuery } from '../app/filter.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { createResource } from '../app/loading/resource.ts'
import { mayUpdateAll } from '../app/rights.ts'
import { globalAdmin, signedIn } from '../app/session.ts'
import { people } from '../app/vocabulary.ts'
import { peopleOwner, peopleVersion } from '../faces/people-seen.ts'
import { addSelectionAction } from '../items/selection/selection-actions.ts'
import { playSlideshow } from '../items/selection/slideshow.ts'
import { Button } from '../kit/button.tsx'
import { dayOf, monthAndYear, ownCalendar, yearText } from '../kit/dates.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { Menu, type MenuEntry } from '../kit/layers/menu.tsx'
import type { Rect } from '../kit/layers/menu-place.ts'
import { frame, phone, windowHeight } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { peopleTexts } from '../texts/people.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { Face } from './face.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { chooseCover, mayName, removePerson } from './people-state.ts'
import { PersonDialog } from './person-dialog.tsx'
import { Facts } from './person-facts.tsx'

addSelectionAction({
  text: peopleTexts.notThisPerson,
  icon: UserMinus,
  order: 28,
  inBar: 1,
  inItemMenu: true,
  offered: items => openPerson.value !== 0 && mayUpdateAll(items),
  act: items => void removePerson(openPerson.peek(), items),
})

offerCover(
  () => openPerson.value !== 0 && mayName.value,
  item => void chooseCover(openPerson.peek(), item),
)

/** Failures are not reported: a user who may not see the person sees an empty gallery, which says so. */
const pages = createResource<PersonPage>(
  baseTexts.failedToLoadPersonData,
  () => {
    const query = { ...hiddenQuery(), ...calendarQuery(filter.peek().calendar) }
    return api.people.page({ params: { id: openPerson.peek() }, query })
  },
  () => true,
)

/** The person's page as far as it is loaded; loaded again when something has changed. */
function usePage(id: number): PersonPage | null {
  useSignals()
  const version = `${peopleVersion()} ${peopleOwner()} ${filter.value.calendar}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when any of these changes
  useEffect(() => {
    void pages.load()
  }, [id, version])
  const { value } = pages.value
  return value?.id === id ? value : null
}

/** 'Jonas Lind until March 2014 · born 14 May 2007'; '' if neither is known. */
function historyOf({ names, name, birthdate }: PersonPage): string {
  const former = names.flatMap(one => {
    if (one.active_to === null || one.name === name) return []
    const last = dateIn(ownCalendar, one.active_to - 86_400)
    return [peopleTexts.formerly({ name: one.name, month: monthAndYear(last.year, last.month) })]
  })
  return [...former, ...(birthdate === null ? [] : [peopleTexts.born({ day: dayOf(birthdate) })])].join(' · ')
}

function summaryOf({ count, years }: PersonPage): string {
  const items = baseTexts.itemCount({ count })
  const [first, last] = [years[0]?.year, years.at(-1)?.year]
  if (first === undefined || last === undefined) return items
  return peopleTexts.itemsFrom({
    items,
    years: first === last ? yearText(first) : `${yearText(first)}–${yearText(last ?? first)}`,
  })
}

function HeadActions({ page, onEdit, onMerge }: { page: PersonPage; onEdit: () => void; onMerge: () => void }) {
  useSignals()
  const [at, setAt] = useState<Rect | null>(null)
  const isNarrow = frame.value !== 'sidebar'
  const entries: MenuEntry[] = []
  if (isNarrow && mayName.value) entries.push({ text: peopleTexts.namesAndBirthday, icon: Pencil, act: onEdit })
  if (signedIn.value) {
    entries.push({
      text: sharingTexts.makeALink,
      icon: Link2,
      act: () => {
        dialog.value = { kind: 'link', of: { person: page.id }, title: page.name }
      },
    })
  }
  if (globalAdmin.value) entries.push({ text: peopleTexts.mergeWith, icon: Merge, act: onMerge })
  return (
    <div className="person-acts">
      {!isNarrow && page.count > 0 && (
        <Button
          look="ghost"
          small
          icon={Clapperboard}
          text={baseTexts.slideshow}
          onClick={() => playSlideshow('list')}
        />
      )}
      {!isNarrow && signedIn.value && (
        <IconButton icon={FileArchive} label={baseTexts.downloadAsSlideshow} onClick={() => openSlideshow()} />
      )}
      {!isNarrow && mayName.value && (
        <Button look="ghost" small icon={Pencil} text={peopleTexts.namesAndBirthday} onClick={onEdit} />
      )}
      {entries.length > 0 && (
        <IconButton
          icon={Ellipsis}
          label={peopleTexts.menuOf({ name: page.name })}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => setAt(currentTarget.getBoundingClientRect())}
        />
      )}
      {at !== null && <Menu label={page.name} entries={entries} at={at} onClose={() => setAt(null)} />}
    </div>
  )
}

/** The dialogs need the person as editors see them. */
function Dialogs({ id, open, onClose }: { id: number; open: 'edit' | 'merge' | null; onClose: () => void }) {
  useSignals()
  const person = open === null ? undefined : people.read().find(one => one.id === id)
  if (person === undefined) return null
  if (open === 'edit') return <PersonDialog person={person} onClose={onClose} />
  const show = (kept: { id: number; name: string }) => go(addressOfPerson(kept.id, kept.name), { replace: true })
  return <MergeDialog person={person} onMerged={show} onClose={onClose} />
}

/** Minimum window height in pixels at which the facts are always shown, because the pictures still have enough space. */
const minHeightForFacts = 760

export function PersonHead({ id }: { id: number }) {
  useSignals()
  const page = usePage(id)
  const [open, setOpen] = useState<'edit' | 'merge' | null>(null)
  const [isUnfolded, setUnfolded] = useState(false)
  const isFolding = frame.value !== 'sidebar' || windowHeight.value < minHeightForFacts
  if (page === null && pages.failed.value) return <div />
  if (page === null) return <div className="person-head-room" data-folding={isFolding} aria-busy="true" />
  const history = historyOf(page)
  const hasFacts = page.years.length > 1 || page.with.length > 0 || page.places.length > 0
  return (
    <header className="person-head">
      <div className="person-top">
        <Face {...page} size={phone.value ? 64 : 96} />
        <div className="person-words">
          <Link href="/people" className="person-path">
            {baseTexts.people}
          </Link>
          <h1 className="text-xl font-semibold truncate" dir="auto" title={page.name}>
            {page.name}
          </h1>
          {history !== '' && (
            <p className="truncate soft" dir="auto" title={history}>
              {history}
            </p>
          )}
          <p className="soft truncate">{summaryOf(page)}</p>
        </div>
        <HeadActions page={page} onEdit={() => setOpen('edit')} onMerge={() => setOpen('merge')} />
      </div>
      {hasFacts && isFolding && (
        <Button
          className="person-fold"
          icon={isUnfolded ? ChevronUp : ChevronDown}
          iconSize={16}
          text={peopleTexts.showFacts}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        />
      )}
      {hasFacts && (isUnfolded || !isFolding) && <Facts person={page} />}
      <Dialogs id={id} open={open} onClose={() => setOpen(null)} />
    </header>
  )
}
