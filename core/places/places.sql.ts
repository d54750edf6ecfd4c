/** The table of cities, a separate database: its schema and queries. */
import { number, select, string } from '../kernel/database/statement.ts'

export const placeTables = [
  'CREATE TABLE places (id INTEGER PRIMARY KEY, name TEXT, region TEXT, country TEXT, latitude REAL, longitude REAL, population INTEGER)',
  'CREATE TABLE names (key TEXT, population INTEGER, place INTEGER, PRIMARY KEY (key, population, place)) WITHOUT ROWID',
]

export const insertCity =
  'INSERT INTO places (name, region, country, latitude, longitude, population) VALUES (?, ?, ?, ?, ?, ?)'
export const insertName = 'INSERT OR IGNORE INTO names (key, population, place) VALUES (?, ?, ?)'

const city = {
  name: string('places.name'),
  country: string('places.country'),
  latitude: number('places.latitude'),
  longitude: number('places.longitude'),
  population: number('places.population'),
}

/** Binds south, north, west and east. */
export const citiesWithin = select(
  { ...city, region: string('places.region') },
  'FROM places WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?',
)

/** Cities with a name in a range of keys, largest first. Binds the first key, the end of the range, and the limit. */
export const citiesNamed = select(
  city,
  `FROM (
     SELECT DISTINCT place, population FROM names WHERE key >= ? AND key < ? ORDER BY population DESC, place LIMIT ?
   ) AS n JOIN places ON places.id = n.place ORDER BY n.population DESC, n.place`,
)
