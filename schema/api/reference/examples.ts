/** Examples for the API description, generated from the declarations, so that they stay correct. */
import { z } from 'zod'

type Schema = Record<string, unknown>

const forNames = (names: string, value: unknown) => Object.fromEntries(names.split(' ').map(name => [name, value]))

/** Sample values for fields with these names. Numbers become texts for text fields; other types are ignored. */
const byName: Record<string, unknown> = {
  ...forNames('id itemid item item_id', 4711),
  ...forNames('collection collectionId collection_id', 3),
  ...forNames('username owner', 'ines'),
  ...forNames('unlockPin pin', '4711'),
  ...forNames('tagName tag', 'Keywords'),
  ...forNames('page count total_records', 1),
  ...forNames('start active_from', 473_385_600),
  ...forNames('finish active_to', 1_262_304_000),
  otherId: 5,
  accessId: 8,
  album: 12,
  nameId: 21,
  faceId: 34,
  propId: 55,
  regionId: 89,
  tagId: 75_377,
  taskid: 144,
  person: 7,
  name: 'Inés Ferrer',
  names: ['Inés Ferrer'],
  email: 'ines@example.org',
  language: 'es',
  password: 'a long password',
  newPassword: 'a longer password',
  token: 'eyJhbGciOiJIUzI1NiJ9…',
  csrf: '9f86d081884c7d65',
  path: '/pictures/holidays',
  content: 'Sevilla',
  description: 'The cathedral in the evening',
  latitude: 37.3861,
  longitude: -5.9926,
  placeName: 'Sevilla, Spain',
  country: 'ES',
  population: 703_206,
  taken_at: '2019-08-01 14:22:33',
  taken: 1_564_669_353,
  utc_offset: 120,
  date_source: 'exif',
  width: 4032,
  height: 3024,
  rating: 4,
  duration: 12.5,
  thumbhash: '0av4J9QOu2+ZJjgQWACSQ9unV3HSNNvo',
  reloads: 'ff60010129b9-0',
  birthdate: '1984-05-17',
  folderFormat: '{Year}/{Month}',
  fileFormat: 'family-',
  lastscan: '2026-11-20T03:15:09.000Z',
  limit: 100,
  q: 'sevilla year:2019',
  // Seconds since the epoch; where hours are wanted, the schema lists them.
  expires: 1_795_824_000,
  seconds: 15,
  direction: 'right',
  value: 'a89-Xy3mQ0pLw8ZtVn4KcE',
  onthisday: 'Europe/Madrid',
  day: '08-03',
  mime: 'image/jpeg',
  size: 3_145_728,
  version: 2,
  timestampStart: '1546300800',
  timestampEnd: '1577836800',
  startMonth: '7',
  calendar: 'persian',
  filtergroups: '[[{"type":"Keyword","mode":0,"id":9}]]',
  radius: '1000',
  searchInTags: 'Keywords,People',
  bbox: '-10,35,0,45',
  before: 1000,
  items: '4711,4712',
  modified: '1564669353000',
  from: '1795219200',
  to: '1795824000',
  address: '192.0.2.7',
  x: 320,
  y: 180,
}

function numberWithin(schema: Schema): number {
  const least = typeof schema.minimum === 'number' && schema.minimum > Number.MIN_SAFE_INTEGER ? schema.minimum : 1
  const above = typeof schema.exclusiveMinimum === 'number' ? schema.exclusiveMinimum + 1 : least
  return Math.max(least, above)
}

/** A value that fits the structure of a JSON schema. */
function exampleFor(schema: Schema, name: string, whole: Schema, depth: number): unknown {
  if (depth > 14) return null
  const { $ref, anyOf, oneOf, enum: choices } = schema
  const type = Array.isArray(schema.type) ? schema.type.find(one => one !== 'null') : schema.type
  if ('const' in schema) return schema.const
  if ('example' in schema) return schema.example
  if (typeof $ref === 'string') {
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, part) => (isSchema(at) ? at[part] : undefined), whole)
    return isSchema(found) ? exampleFor(found, name, whole, depth + 1) : null
  }
  if (Array.isArray(choices)) return choices.includes(byName[name]) ? byName[name] : choices[0]
  const options = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : []
  const [option] = options.filter(isSchema).filter(one => one.type !== 'null')
  if (option !== undefined) return exampleFor(option, name, whole, depth + 1)
  if (type === 'object') return objectOf(schema, whole, depth)
  if (type === 'array') return arrayOf(schema, name, whole, depth)
  const known = byName[name]
  if (type === 'string') return typeof known === 'string' ? known : typeof known === 'number' ? String(known) : 'text'
  if (type === 'number' || type === 'integer') {
    const most = typeof schema.maximum === 'number' ? schema.maximum : Number.MAX_SAFE_INTEGER
    return typeof known === 'number' && known <= most ? known : Math.min(most, numberWithin(schema))
  }
  if (type === 'boolean') return true
  return type === 'null' ? null : {}
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectOf(schema: Schema, whole: Schema, depth: number): Record<string, unknown> {
  const { properties } = schema
  if (!isSchema(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, part]) =>
      isSchema(part) ? [[name, exampleFor(part, name, whole, depth + 1)]] : [],
    ),
  )
}

function arrayOf(schema: Schema, name: string, whole: Schema, depth: number): unknown[] {
  const { items, prefixItems, minItems } = schema
  if (Array.isArray(prefixItems)) {
    return prefixItems.filter(isSchema).map(part => exampleFor(part, name, whole, depth + 1))
  }
  if (!isSchema(items)) return []
  const single = name.replace(/s$/, '')
  const one = exampleFor(items, single === 'item' ? 'id' : single, whole, depth + 1)
  return Array.from({ length: typeof minItems === 'number' ? Math.max(1, minItems) : 1 }, () => one)
}

/** An example of what a schema decodes or, with the side 'output', returns. Null if none can be generated. */
export function exampleOf(schema: z.ZodType, side: 'input' | 'output' = 'input'): unknown {
  const json: Schema = { ...z.toJSONSchema(schema, { io: side, unrepresentable: 'any', target: 'draft-2020-12' }) }
  return exampleFor(json, '', json, 0)
}
