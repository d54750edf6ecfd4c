/** Splits a place name into the four fields of files, such that reading them returns the same name. */
import { distinct } from '../combine.ts'
import type { PlaceParts } from '../xmp/xmp-fields.ts'
import { fileText } from './xml-nodes.ts'

/**
 * 'Munich, Bavaria, Germany' has a city, a state and a country, 'Munich, Germany' a city and a country. Parts before
 * the city are the place itself (`sublocation`); so is a single part, which may be anything.
 */
export function placeParts(name: string): PlaceParts {
  const whole = fileText(name)
  if (whole === '') return {}
  const words = whole.split(', ')
  const country = words.length > 1 ? words.at(-1) : undefined
  const state = words.length > 2 ? words.at(-2) : undefined
  const city = words.length > 1 ? words.at(words.length > 2 ? -3 : -2) : undefined
  const sublocation = words.length === 1 ? whole : words.length > 3 ? words.slice(0, -3).join(', ') : undefined
  const named = [sublocation, city, state, country].filter(part => part !== undefined)
  const isReadable = named.every(part => part !== '' && part.trim() === part) && distinct(named).join(', ') === whole
  return isReadable ? { sublocation, city, state, country } : { sublocation: whole }
}
