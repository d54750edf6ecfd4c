/** The screen 'People': everybody whom the user sees, as round faces. */

import { useSignals } from '@preact/signals-react/runtime'
import { ScanFace, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { SeenPerson } from '../../schema/api/people.ts'
import { compareNames } from '../../schema/locale.ts'
import { address, go } from '../app/address.ts'
import { addressOfPerson } from '../app/current-filter.ts'
import { signedIn } from '../app/session.ts'
import { people } from '../app/vocabulary.ts'
import { peopleSeen } from '../faces/people-seen.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { Select } from '../kit/form/select.tsx'
import { OutOfReach } from '../kit/out-of-reach.tsx'
import { useSlow } from '../kit/time/use-slow.ts'
import { phone } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { peopleTexts } from '../texts/people.ts'
import { Face } from './face.tsx'
import { mayName } from './people-state.ts'
import { findPeople } from './person-names.ts'

const orders = ['mostOften', 'byName'] as const
type Order = (typeof orders)[number]

/** Number of people shown at first, and added by each press of the button. */
const shownPerStep = 96

function Tile({ person, size }: { person: SeenPerson; size: number }) {
  const { id, name, count } = person
  return (
    <li>
      <Link href={addressOfPerson(id, name)} className="person-tile">
        <Face {...person} size={size} />
        <span className="person-tile-name" dir="auto" title={name}>
          {name}
        </span>
        <span className="text-xs soft">{baseTexts.itemCount({ count })}</span>
      </Link>
    </li>
  )
}

function UnnamedFaces() {
  useSignals()
  if (!mayName.value) return null
  return (
    <Link href="/admin/faces" className="btn btn-ghost btn-sm" title={baseTexts.unnamedFaces}>
      <ScanFace size={18} aria-hidden="true" />
      <span className={phone.value ? 'sr-only' : ''}>{peopleTexts.nameFacesNow}</span>
    </Link>
  )
}

function NoPeople() {
  useSignals()
  return (
    <Empty
      icon={Users}
      title={peopleTexts.nobodyYet}
      actions={
        mayName.value && (
          <Link href="/admin/faces" className="btn btn-primary">
            {peopleTexts.nameFacesNow}
          </Link>
        )
      }
    >
      {signedIn.value ? peopleTexts.nobodyYetHint : peopleTexts.nobodyYetForVisitors}
    </Empty>
  )
}

/** Opens the person of an address '/people/12', whose page is the gallery with their items. */
function useRedirect(all: readonly SeenPerson[]): boolean {
  const id = Number(/^\/people\/(\d+)/.exec(address.value.path)?.[1] ?? 0)
  const known = all.find(person => person.id === id)
  useEffect(() => {
    if (known !== undefined) go(addressOfPerson(known.id, known.name), { replace: true })
  }, [known])
  return known !== undefined
}

/** The people with these letters in a present or former name. */
function withName(all: readonly SeenPerson[], typed: string): readonly SeenPerson[] {
  if (typed.trim() === '') return all
  const like = new Set(findPeople(people.read(), typed).map(({ id }) => id))
  return all.filter(({ id }) => like.has(id))
}

export function PeopleScreen() {
  useSignals()
  const [typed, setTyped] = useState('')
  const [order, setOrder] = useState<Order>('mostOften')
  const [most, setMost] = useState(shownPerStep)
  const all = peopleSeen.read()
  const isLoaded = peopleSeen.isLoaded.value
  const isSlow = useSlow(!isLoaded)
  const isLeaving = useRedirect(all)
  if (!isLoaded) {
    if (peopleSeen.failed.value) return <OutOfReach again={how => peopleSeen.refresh(how)} />
    return isSlow ? <div className="people" aria-busy="true" /> : null
  }
  if (isLeaving) return null
  if (all.length === 0) return <NoPeople />
  const like = withName(all, typed)
  const shown = order === 'mostOften' ? like : like.toSorted((a, b) => compareNames(a.name, b.name))
  const more = Math.min(shown.length - most, shownPerStep)
  return (
    <div className="people">
      <header className="people-head">
        <h1 className="text-xl font-semibold">{baseTexts.people}</h1>
        <p className="soft me-auto" aria-live="polite">
          {peopleTexts.personCount({ count: shown.length })}
        </p>
        <input
          type="search"
          className="input people-find"
          aria-label={peopleTexts.findAPerson}
          placeholder={peopleTexts.findAPerson}
          dir="auto"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Select
          className="album-select"
          aria-label={peopleTexts.order}
          value={order}
          choices={orders.map(value => ({ value, text: peopleTexts[value] }))}
          onChoose={value => setOrder(value as Order)}
        />
        <UnnamedFaces />
      </header>
      {shown.length === 0 && <p className="soft">{peopleTexts.nobodyLikeThat}</p>}
      <ul className="people-grid">
        {shown.slice(0, most).map(person => (
          <Tile key={person.id} person={person} size={phone.value ? 96 : 112} />
        ))}
      </ul>
      {more > 0 && (
        <Button
          className="people-more"
          text={peopleTexts.showMore({ count: more })}
          onClick={() => setMost(most + shownPerStep)}
        />
      )}
    </div>
  )
}
