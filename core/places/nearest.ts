/** Names positions after the nearest city. */
import type { Database } from 'bun:sqlite'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { citiesWithin } from './places.sql.ts'

type City = RowOfQuery<typeof citiesWithin>

/** Maximum distance between a city and a position that is named after it. Kilometres. */
const maxDistance = 30
const kilometresOfDegree = 111.2

/** Radius in kilometres of the area that is named after a city (Berlin: 9), even if the table has a nearer suburb. */
function radiusOf({ population }: City): number {
  return Math.sqrt(population) / 200
}

function distance(latitude: number, longitude: number, city: City): number {
  const radians = Math.PI / 180
  const a = Math.sin(((city.latitude - latitude) * radians) / 2)
  const b = Math.sin(((city.longitude - longitude) * radians) / 2)
  const cosines = Math.cos(latitude * radians) * Math.cos(city.latitude * radians)
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(a * a + cosines * b * b)))
}

/** Positions that agree to this many decimals of a degree (about a hundred metres) are looked up once. */
const decimals = 3
const maxCached = 5_000

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' })

function countryOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code
}

/** Names positions by a table of cities (build-places.ts): 'Berlin, Germany'; '' when no city is near. */
export function createNamer(db: Database): (latitude: number, longitude: number) => string {
  const near = db.query<City, [number, number, number, number]>(citiesWithin.sql)
  const cache = new Map<string, string>()

  function findNearest(latitude: number, longitude: number): string {
    const height = maxDistance / kilometresOfDegree
    const width = Math.min(180, height / Math.max(0.001, Math.cos((latitude * Math.PI) / 180)))
    // Near the date line, the nearest city may be on its other side.
    const cities = [0, 360, -360].flatMap(shift => {
      const [west, east] = [longitude - width + shift, longitude + width + shift]
      return east < -180 || west > 180 ? [] : near.all(latitude - height, latitude + height, west, east)
    })
    let best: { city: City; isWithin: boolean; kilometres: number } | null = null
    for (const city of cities) {
      const kilometres = distance(latitude, longitude, city)
      if (kilometres > maxDistance) continue
      const isWithin = kilometres <= radiusOf(city)
      const isBetter =
        best === null ||
        (isWithin !== best.isWithin
          ? isWithin
          : isWithin
            ? city.population > best.city.population
            : kilometres < best.kilometres)
      if (isBetter) best = { city, isWithin, kilometres }
    }
    return best === null ? '' : `${best.city.name}, ${countryOf(best.city.country)}`
  }

  return (latitude, longitude) => {
    const key = `${latitude.toFixed(decimals)} ${longitude.toFixed(decimals)}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const name = findNearest(latitude, longitude)
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, name)
    return name
  }
}
