/** The radius of the location filter: a slider from 0.1 to 1000 metres or kilometres. Pure. */
import { limits } from '../../../schema/limits.ts'
import { searchTexts } from '../../texts/search.ts'

export const units = ['Meters', 'Kilometers'] as const
export type RadiusUnit = (typeof units)[number]
export const unitNames: Readonly<Record<RadiusUnit, string>> = {
  Meters: searchTexts.meters,
  Kilometers: searchTexts.kilometers,
}

const metresPerUnit = { Meters: 1, Kilometers: 1000 } as const

/** Radius in metres, as in the query. */
export function inMetres(value: number, unit: RadiusUnit): number {
  return Number((value * metresPerUnit[unit]).toFixed(1))
}

export function inUnit(metres: number, unit: RadiusUnit): number {
  return Math.min(limits.maxRadius, Math.max(limits.minRadius, metres / metresPerUnit[unit]))
}

/** The smallest unit in which a radius can be chosen. */
export function unitOf(metres: number): RadiusUnit {
  return metres > limits.maxRadius ? 'Kilometers' : 'Meters'
}

const logRange = Math.log(limits.maxRadius / limits.minRadius)

/** Position of a radius on the dialog's slider of 1000 steps. Logarithmic, so that small radii can be chosen as precisely. */
export function sliderOf(value: number): number {
  return Math.round((Math.log(Math.max(value, limits.minRadius) / limits.minRadius) / logRange) * 1000)
}

/** The value at a slider position, to two significant digits; exact at both ends. */
export function radiusAt(slider: number): number {
  if (slider <= 0) return limits.minRadius
  if (slider >= 1000) return limits.maxRadius
  return Number((limits.minRadius * Math.exp((slider / 1000) * logRange)).toPrecision(2))
}
