/** Random queries of the search language as users may type them, and a naive evaluation of each. */
import { randomOf } from '../../bench/seed-library.ts'
import { terminalViewer } from '../../core/accounts/access.ts'
import { createAlbums } from '../../core/albums/albums.ts'
import { createItems } from '../../core/items/items.ts'
import { openTestLibrary, secondsOf } from './library.ts'

interface SearchedItem {
  id: number
  collection: string
  name: string
  type: 'image' | 'video'
  taken: number
  added: number
  keywords: string[]
  category: string[]
  author: string[]
  people: string[]
  objects: string[]
  description: string
  place: { latitude: number; longitude: number } | null
  placeName: string
  rating: number
  camera: string
  albums: string[]
}

/** The precedence of a part of a query: an OR within an AND needs parentheses, and so on. */
type Precedence = 'or' | 'and' | 'one'

interface Piece {
  text: string
  binds: Precedence
  holds(thing: SearchedItem): boolean
}

const keywords = [
  'Beach',
  'Beach holiday',
  'Café',
  'Cat',
  'Catering',
  'Well-known',
  '東京タワー',
  '서울타워',
  'İstanbul',
  "O'Neill",
  'Rock & Roll',
  'The "old" house',
]
const categories = ['Family', 'Travel']
const authors = ['Anna', 'Ben Okri']
const people = ['Anna', 'Ben', 'Chloé Dubois']
const objects = ['Bicycle', 'Sea chest']
const cameras = ['Canon EOS 80D', 'Canon EOS R5', 'iPhone 12 Pro', '']
const places = ['Zürich, Switzerland', 'Sankt Gallen', '']
const descriptions = [
  'A day at the sea',
  'Beach café in Zürich',
  'cat',
  'Before the storm of 2018',
  'Straße 7, علی‌رضا',
  '',
]
const collections = ['Attic', 'Old albums', '2019']
const albums = ['Summer', 'The "best" of 2019', 'Old albums']
const positions = [
  { latitude: 47.37, longitude: 8.54 },
  { latitude: 47.42, longitude: 9.37 },
  { latitude: -17, longitude: 179.95 },
  { latitude: -17, longitude: -179.95 },
]
const months = 'january february march april may june july august september october november december'.split(' ')

/** Words of letters and digits, without accents; each Han, Katakana or Hangul character is a word. */
function words(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ي', 'ی')
    .replace(/\p{Script=Han}|\p{Script=Katakana}|\p{Script=Hangul}/gu, ' $& ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

function matches(text: string, values: readonly string[], whole: boolean): boolean {
  const searched = words(text)
  return values.some(value => {
    const found = words(value)
    return found.some((_, at) =>
      searched.every((word, n) => {
        const other = found[at + n] ?? ''
        return n === searched.length - 1 && !whole ? other.startsWith(word) : other === word
      }),
    )
  })
}

const fileTexts = ({ name }: SearchedItem) => [name, name.replace(/\.\w+$/, '').replace(/([a-z])(\d)/gi, '$1 $2')]
const anywhere = (thing: SearchedItem) => [
  ...thing.keywords,
  ...thing.category,
  ...thing.people,
  thing.description,
  thing.placeName,
  ...fileTexts(thing),
]

function distance(a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half =
    Math.sin(radians(a.latitude - b.latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      Math.sin(radians(a.longitude - b.longitude) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(half))
}

const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
const at = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

/** A small library, and random queries that are compared with the naive evaluation. */
export async function openSearchLibrary(seed: number) {
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
  const some = <T>(list: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: below(most + 1) }, () => pick(list))),
  ]
  const chance = (share: number) => random() < share
  const { db, clock, make } = openTestLibrary()
  const items = createItems({ db })
  const things: SearchedItem[] = []
  const collectionIds = new Map<string, number>()
  for (const name of collections) collectionIds.set(name, await make.collection({ name }))
  for (const name of keywords) await make.keystring(name)
  for (const name of people) await make.person(name)
  for (let n = 0; n < 160; n++) {
    const thing = {
      collection: pick(collections),
      name: chance(0.5) ? `IMG_00${40 + (n % 7)}.JPG` : `dsc${String(n).padStart(4, '0')}.jpg`,
      type: chance(0.2) ? ('video' as const) : ('image' as const),
      taken: secondsOf('2016-01-01') + below(80) * 86_400 * 23,
      added: 1_600_000_000 + below(30) * 86_400,
      keywords: some(keywords, 3),
      category: some(categories, 1),
      author: some(authors, 1),
      people: some(people, 2),
      objects: some(objects, 1),
      description: pick(descriptions),
      rating: chance(0.5) ? below(7) - 1 : 0,
      camera: pick(cameras),
      albums: some(albums, 2),
      placeName: pick(places),
    }
    const place = chance(0.6) ? pick(positions) : null
    const id = await make.item({
      ...thing,
      collection: collectionIds.get(thing.collection) ?? 0,
      folder: `${n}`,
      place: place === null ? undefined : { ...place, placeName: thing.placeName },
    })
    things.push({ ...thing, id, place, placeName: thing.placeName })
  }

  const albumService = createAlbums({ db, clock, items })
  for (const name of albums) {
    const inIt = things.filter(thing => thing.albums.includes(name)).map(({ id }) => id)
    await albumService.create(terminalViewer, { kind: 'hand', name, items: inIt })
  }

  const cased = (text: string) => (chance(0.2) ? text.toUpperCase() : chance(0.1) ? text.toLowerCase() : text)
  const one = (text: string, holds: Piece['holds']): Piece => ({ text, binds: 'one', holds })

  /** field:word, field:"words in order", field:="the whole name". */
  function vocabulary(
    field: string,
    list: readonly string[],
    values: (thing: SearchedItem) => readonly string[],
  ): Piece {
    const name = pick(list)
    const typed = (text: string) => cased(text).replaceAll('"', '""')
    const head = cased(field)
    const kind = below(3)
    if (kind === 0) return one(`${head}:="${typed(name)}"`, thing => values(thing).includes(name))
    const parts = words(name)
    if (kind === 1) return one(`${head}:"${typed(name)}"`, thing => matches(name, values(thing), true))
    const word = pick(parts)
    const prefix = word.slice(0, 1 + below(word.length))
    return one(`${head}:${prefix}`, thing => matches(prefix, values(thing), false))
  }

  function dates(field: 'date' | 'added', of: (thing: SearchedItem) => number): Piece {
    const from =
      field === 'date' ? at('2016-01-01') + below(2000) * 86_400 : 1_600_000_000 + below(40) * 86_400 - 400_000
    const to = from + below(field === 'date' ? 900 : 20) * 86_400
    const [first, last] = [day(from), day(to)]
    const [start, end] = [at(first), at(last) + 86_400]
    const kind = below(5)
    if (kind === 0) return one(`${field}:${first}..${last}`, thing => of(thing) >= start && of(thing) < end)
    if (kind === 1) return one(`${field}:${first}..`, thing => of(thing) >= start)
    if (kind === 2) return one(`${field}:..${last}`, thing => of(thing) < end)
    if (kind === 3) return one(`${field}:${first.slice(0, 7)}`, thing => day(of(thing)).startsWith(first.slice(0, 7)))
    return one(`${field}:${first}`, thing => day(of(thing)) === first)
  }

  function rated(): Piece {
    const [a, b] = [below(7) - 1, below(7) - 1].sort((x, y) => x - y)
    const [least = 0, most = 0] = [a, b]
    const operators: Record<string, (n: number) => boolean> = {
      '>=': n => n >= least,
      '<=': n => n <= least,
      '>': n => n > least,
      '<': n => n < least,
      '=': n => n === least,
      '': n => n === least,
    }
    const kind = below(4)
    if (kind === 0) return one(`rating:${least}..${most}`, ({ rating }) => rating >= least && rating <= most)
    if (kind === 1) return one('rating:rejected', ({ rating }) => rating === -1)
    if (kind === 2) return one(pick(['rating:none', 'rating:unrated']), ({ rating }) => rating === 0)
    const operator = pick(Object.keys(operators))
    return one(`rating:${operator}${least}`, ({ rating }) => operators[operator]?.(rating) === true)
  }

  function inMonths(): Piece {
    const [from, to] = [below(12), below(12)]
    const monthText = (n: number) => (chance(0.5) ? String(n + 1) : (months[n]?.slice(0, pick([3, 20])) ?? ''))
    const month = ({ taken }: SearchedItem) => new Date(taken * 1000).getUTCMonth()
    if (chance(0.5)) return one(`month:${monthText(from)}`, thing => month(thing) === from)
    // 11..2 is November to February.
    return one(`month:${monthText(from)}..${monthText(to)}`, thing =>
      from <= to ? month(thing) >= from && month(thing) <= to : month(thing) >= from || month(thing) <= to,
    )
  }

  function near(): Piece {
    const center = pick(positions)
    const [written, metres] = pick([
      ['', 1000],
      [',500', 500],
      [',70km', 70_000],
      [',70 km', 70_000],
      [',50mi', 80_467.2],
      [',20000000m', 20_000_000],
    ] as const)
    const text = `${center.latitude},${center.longitude}${written}`
    const quoted = text.includes(' ') || chance(0.3)
    return one(
      `near:${quoted ? `"${text}"` : text}`,
      ({ place }) => place !== null && distance(place, center) <= metres,
    )
  }

  function box(): Piece {
    const [south, west, north, east] = pick([
      [47, 8, 48, 9],
      [-20, 179, -10, -179],
      [-90, -180, 90, 180],
      [47.4, 9, 47.5, 10],
    ] as const)
    const within = (longitude: number) =>
      west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
    return one(
      `box:${south},${west},${north},${east}`,
      ({ place }) => place !== null && place.latitude >= south && place.latitude <= north && within(place.longitude),
    )
  }

  const leaves: (() => Piece)[] = [
    () => {
      const word = pick([
        'beach',
        'bea',
        'Cafe',
        'café',
        'zürich',
        'anna',
        'CAT',
        '東京',
        'タワー',
        '타워',
        'istanbul',
        'ıstan',
        'strasse',
        'straß',
        'علي',
        'img',
        '0042',
        'jpg',
        'well-known',
        "o'neill",
      ])
      return one(word, thing => matches(word, anywhere(thing), false))
    },
    () => {
      // A year is a word, or the year taken; 1066 and 2999 are only words.
      const word = pick(['2016', '2018', '2019', '1066', '2999'])
      return one(word, thing => matches(word, anywhere(thing), false) || day(thing.taken).startsWith(word))
    },
    () => {
      const text = pick([
        'beach holiday',
        'holiday beach',
        'sankt gallen',
        'beach',
        'day at the',
        'rock & roll',
        '2018',
      ])
      return one(`"${text}"`, thing => matches(text, anywhere(thing), true))
    },
    () => vocabulary('keyword', keywords, thing => thing.keywords),
    () => vocabulary('category', categories, thing => thing.category),
    () => vocabulary('author', authors, thing => thing.author),
    () => vocabulary('person', people, thing => thing.people),
    () => vocabulary('object', objects, thing => thing.objects),
    () => {
      const text = pick(['sea', 'day at', 'zur', 'cat'])
      return text.includes(' ')
        ? one(`description:"${text}"`, ({ description }) => matches(text, [description], true))
        : one(`description:${text}`, ({ description }) => matches(text, [description], false))
    },
    () => one('place:gallen', ({ placeName }) => matches('gallen', [placeName], false)),
    () => {
      const text = pick(['img', '0041', 'dsc0012', 'IMG_0042', 'jpg'])
      return one(`file:${text}`, thing => matches(text, fileTexts(thing), false))
    },
    () => {
      const name = pick(collections)
      const id = collectionIds.get(name) ?? 0
      const written = chance(0.2) ? String(id) : name.includes(' ') || chance(0.5) ? `"${cased(name)}"` : cased(name)
      // `in:` takes an id or a name, and one of the names looks like an id: '2019'.
      return one(`in:${written}`, thing => thing.collection === name)
    },
    () => {
      const name = pick(albums)
      return one(`album:"${cased(name).replaceAll('"', '""')}"`, thing => thing.albums.includes(name))
    },
    () => {
      const [from, to] = [2016 + below(5), below(3)]
      if (chance(0.5)) return one(`year:${from}`, ({ taken }) => day(taken).startsWith(String(from)))
      return one(`year:${from}..${from + to}`, ({ taken }) => {
        const year = Number(day(taken).slice(0, 4))
        return year >= from && year <= from + to
      })
    },
    () => dates('date', ({ taken }) => taken),
    () => dates('added', ({ added }) => added),
    inMonths,
    rated,
    near,
    box,
    () => {
      const name = pick(['image', 'photo', 'video'])
      return one(`type:${cased(name)}`, ({ type }) => (type === 'video') === (name === 'video'))
    },
    () => {
      const name = pick(cameras.filter(text => text !== ''))
      if (chance(0.5)) return one(`camera:="${cased(name)}"`, ({ camera }) => camera === name)
      const word = pick(words(name))
      return one(`camera:${word}`, ({ camera }) => matches(word, [camera], false))
    },
  ]

  /** A piece as part of another one: in parentheses where needed, and sometimes where not. */
  function within(piece: Piece, allowed: readonly Precedence[]): string {
    if (allowed.includes(piece.binds) && !chance(0.15)) return piece.text
    const space = () => (chance(0.2) ? ' ' : '')
    return `(${space()}${piece.text}${space()})`
  }

  function piece(depth: number): Piece {
    const kind = depth === 0 ? 0 : below(7)
    if (kind <= 2) return pick(leaves)()
    if (kind === 3) {
      const inner = piece(depth - 1)
      const text = within(inner, ['one'])
      // '--' would be a dash, not a double negation.
      const sign = text.startsWith('-') ? 'NOT ' : pick(['NOT ', '-', 'NOT  '])
      return one(`${sign}${text}`, thing => !inner.holds(thing))
    }
    const parts = Array.from({ length: 2 + below(3) }, () => piece(depth - 1))
    const spaces = () => ' '.repeat(chance(0.1) ? 3 : 1)
    if (kind <= 5) {
      // Signs that are not words are ignored.
      const between = () => `${spaces()}${pick(['', '', '', `AND${spaces()}`, chance(0.3) ? '& ' : ''])}`
      const texts = parts.map(part => within(part, ['one', 'and']))
      return {
        text: texts.reduce((text, next) => `${text}${between()}${next}`),
        binds: 'and',
        holds: thing => parts.every(part => part.holds(thing)),
      }
    }
    return {
      text: parts.map(part => within(part, ['one', 'and', 'or'])).join(`${spaces()}OR${spaces()}`),
      binds: 'or',
      holds: thing => parts.some(part => part.holds(thing)),
    }
  }

  return {
    /** One random query with the actual and the expected result: ids, ascending. */
    runRandomQuery(): { text: string; found: number[]; total: number; expected: number[] } {
      const query = piece(below(4))
      const { ids, total } = items.idsOf(terminalViewer, 0, { q: query.text }, { limit: 1000 })
      const expected = things.filter(query.holds).map(({ id }) => id)
      return { text: query.text, found: ids.sort((a, b) => a - b), total, expected }
    },
    /** The ids found by the query that `explain` prints for a query. */
    runPrintedQuery(text: string): number[] {
      const { printed } = items.explain(terminalViewer, { q: text })
      const q = printed === 'nothing' ? '???' : printed
      return items.idsOf(terminalViewer, 0, { q }, { limit: 1000 }).ids.sort((a, b) => a - b)
    },
  }
}
