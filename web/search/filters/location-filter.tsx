/** The location filter in sidebar and sheet, if a place is set: its name and its radius. */

import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { unitName } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { ownLocale } from '../../../schema/locale.ts'
import { filter, setFilter } from '../../app/current-filter.ts'
import { openLocation } from '../../app/dialogs.ts'
import type { Near } from '../../app/filter.ts'
import { Button } from '../../kit/button.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { Range } from '../../kit/slider.tsx'
import { baseTexts } from '../../texts/base.ts'
import { searchTexts } from '../../texts/search.ts'
import { placeText } from '../location-text.ts'
import { inMetres, inUnit, type RadiusUnit, unitNames, unitOf, units } from './radius.ts'

const unitSymbols: Record<RadiusUnit, string> = { Meters: unitName('meter'), Kilometers: unitName('kilometer') }

/** The nearest step of the slider, 1 to 1000 metres or kilometres. */
function stepOf(metres: number, unit: RadiusUnit): number {
  const value = Math.round(metres / inMetres(1, unit))
  return Math.min(limits.maxRadius, Math.max(limits.minRange, value))
}

function Radius({ near }: { near: Near }) {
  const [unit, setUnit] = useState<RadiusUnit>(unitOf(near.radius))
  const [value, setValue] = useState(stepOf(near.radius, unit))
  const [moved, setMoved] = useState(false)
  const metres = inMetres(value, unit)
  // Until the slider is moved, shows the filter's own radius, which the dialog may have set between two steps.
  const shown = moved ? value : inUnit(near.radius, unit)
  const text = shown.toLocaleString(ownLocale, { maximumFractionDigits: 1 })
  // Follows the filter when the dialog or another address changes its radius.
  useEffect(() => {
    const now = unitOf(near.radius)
    setMoved(false)
    setUnit(before => (inMetres(stepOf(near.radius, before), before) === near.radius ? before : now))
    setValue(before => {
      const isSame = units.some(one => inMetres(before, one) === near.radius)
      return isSame ? before : stepOf(near.radius, now)
    })
  }, [near.radius])
  useEffect(() => {
    if (!moved) return
    const timer = setTimeout(() => {
      const { near: now } = filter.peek()
      if (now !== null && now.radius !== metres) setFilter({ near: { ...now, radius: metres } })
    }, limits.radiusDebounceMs)
    return () => clearTimeout(timer)
  }, [metres, moved])
  const change = (next: number, nextUnit: RadiusUnit) => {
    setMoved(true)
    setValue(next)
    setUnit(nextUnit)
  }
  return (
    <div className="range-row">
      <output className="range-value">{text}</output>
      <Range
        aria-label={baseTexts.radius}
        text={`${text} ${unitNames[unit]}`}
        min={limits.minRange}
        max={limits.maxRadius}
        value={value}
        onChange={next => change(next, unit)}
      />
      <Segmented
        className="range-unit"
        label={baseTexts.unit}
        isLabelHidden
        choices={units.toReversed()}
        value={unit}
        onChange={one => change(value, one)}
        text={one => unitSymbols[one]}
        nameOf={one => unitNames[one]}
      />
      <Button
        look="link"
        className="range-reset"
        text={baseTexts.reset}
        onClick={() => change(limits.radiusReset, 'Meters')}
      />
    </div>
  )
}

export function LocationFilter() {
  useSignals()
  const { near } = filter.value
  if (near === null) return null
  return (
    <section aria-label={baseTexts.location}>
      <div className="flex items-center gap-2 h-6 px-2.5 mb-1">
        <h2 className="eyebrow min-w-0 flex gap-[0.5ch]">
          {searchTexts.aroundPlace({
            place: (
              <Button
                className="min-w-0 truncate hover:underline underline-offset-3"
                text={placeText(near)}
                title={searchTexts.changeThePlace}
                dir="auto"
                onClick={() => openLocation()}
              />
            ),
          })}
        </h2>
        <Button
          look="link"
          className="ms-auto"
          text={baseTexts.remove}
          aria-label={searchTexts.removeTheLocationFilter}
          onClick={() => setFilter({ near: null })}
        />
      </div>
      <Radius near={near} />
    </section>
  )
}
