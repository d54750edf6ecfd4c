/** The calls that screens make to a library: lists, filters, facets, suggestions, the map, and all other lists. */
import { terminalViewer } from '../core/accounts/access.ts'
import { createAlbums } from '../core/albums/albums.ts'
import { createDuplicates } from '../core/items/duplicates/duplicates.ts'
import { createItems } from '../core/items/items.ts'
import { createMap } from '../core/items/map/map.ts'
import type { Library } from '../core/library.ts'
import { createPeopleOverviews } from '../core/people/overview.ts'
import { createVisitedPlaces } from '../core/places/visited.ts'
import type { FilterQuery, PageQuery } from '../schema/api/items.ts'
import {
  type BenchViewer,
  type Case,
  callerOf,
  collectionId,
  immediateMs,
  pageSize,
  viewersOf,
} from './list-viewers.ts'
import type { Extras } from './seed-extras.ts'
import type { Seeded } from './seed-library.ts'

/** A month in the middle of the seeded years. */
const month = { timestampStart: Date.UTC(2015, 5, 1) / 1000, timestampEnd: Date.UTC(2015, 6, 1) / 1000 }

interface Filtered {
  what: string
  query: FilterQuery & PageQuery
  /** Targets in milliseconds: for a page, for the total when it is counted for the first time, and for the months. */
  page?: number
  total?: number
  months?: number
}

const keyword = (id: number, mode: 0 | 1 = 0) => ({ type: 'Keyword' as const, mode, id })
const person = (id: number, mode: 0 | 1 = 0) => ({ type: 'Person' as const, mode, id })
const summer = Date.UTC(2019, 5, 1) / 1000

function filtersOf(library: Library, { keywords, people }: Seeded): Filtered[] {
  const [often = 1, second = 1, third = 1] = keywords
  const rare = keywords[40] ?? 1
  const [somebody = 1, another = 1] = people
  // The position of the newest picture that has one.
  const somewhere = library.items
    .list(terminalViewer, { collectionId }, { limit: 1000 })
    .items.find(({ tags }) => tags.Locations !== undefined)?.tags.Locations?.data
  const here = { latitude: somewhere?.latitude ?? 0, longitude: somewhere?.longitude ?? 0 }
  return [
    { what: 'first page', query: {}, page: 1, months: 5 },
    { what: 'Persian months', query: { calendar: 'persian' }, months: 60 },
    { what: 'page in the middle', query: { page: Number.NaN } },
    { what: 'three months', query: { timestampStart: summer, timestampEnd: summer + 92 * 86_400 }, page: 2 },
    { what: 'every July', query: { startMonth: 7 }, page: 2 },
    { what: 'every Khordad', query: { startMonth: 3, calendar: 'persian' }, page: 2 },
    { what: 'one collection', query: { collection_id: 3 }, page: 2 },
    { what: 'keyword', query: { filtergroups: [[keyword(often)]] }, page: 2, months: 25 },
    { what: 'rare keyword', query: { filtergroups: [[keyword(rare)]] }, page: 2, months: 25 },
    {
      what: 'two keywords',
      query: { filtergroups: [[keyword(often), keyword(second)]] },
      page: 8,
      total: 20,
      months: 25,
    },
    { what: 'keyword but not another', query: { filtergroups: [[keyword(often), keyword(second, 1)]] }, page: 8 },
    { what: 'not a keyword', query: { filtergroups: [[keyword(often, 1)]] } },
    { what: 'keyword or person', query: { filtergroups: [[person(somebody)], [keyword(rare)]] } },
    {
      what: 'groups: (k AND p) OR (k NOT p)',
      query: {
        filtergroups: [
          [keyword(often), person(somebody)],
          [keyword(third), person(another, 1)],
        ],
      },
    },
    {
      what: 'group: keyword and a word',
      query: { filtergroups: [[keyword(often), { ...keyword(0), text: 'family' }]] },
    },
    { what: 'rating:>=3', query: { q: 'rating:>=3' } },
    { what: 'type:video', query: { q: 'type:video' } },
    { what: 'camera:canon', query: { q: 'camera:canon' } },
    { what: 'words: family', query: { q: 'family' } },
    { what: 'words: img', query: { q: 'img' } },
    { what: 'words: -family', query: { q: '-family' } },
    { what: 'words: family travel', query: { q: 'family travel' } },
    { what: 'words: OR, NOT, fields', query: { q: '(family OR travel) NOT type:video rating:>=2' } },
    { what: 'words OR, NOT, and near', query: { q: '(family OR travel) NOT camera:canon', ...here, radius: 20_000 } },
    { what: 'near, 20 km', query: { ...here, radius: 20_000 } },
    { what: 'by name', query: { sort: 'name' } },
    { what: 'by arrival', query: { sort: '-added' } },
  ]
}

function listCases(
  library: Library,
  { name, viewer, query: own }: BenchViewer,
  filters: readonly Filtered[],
  section: string,
): Case[] {
  const { handlers } = library
  const caller = callerOf(viewer)
  return filters.flatMap(
    ({ what, query: plain, page = immediateMs, total: totalTarget = immediateMs, months = immediateMs }) => {
      const query = { ...plain, ...own }
      const total = library.items.list(viewer, { collectionId }, { ...query, page: undefined })._meta.total_records
      const request = {
        ...query,
        limit: pageSize,
        ...(query.page === undefined ? {} : { page: Math.ceil(total / pageSize / 2) }),
      }
      const listed: Case = {
        section,
        what,
        who: name,
        target: page,
        total,
        call: () => handlers.items.list(caller, { params: { collectionId }, query: request, body: {} }),
      }
      if (query.sort !== undefined || query.page !== undefined) return [listed]
      // A new module has no cached totals: this is what the first caller waits for.
      const fresh = () => createItems({ db: library.db })
      return [
        listed,
        {
          ...listed,
          what: `${what}: total, counted again`,
          target: totalTarget,
          call: () => fresh().list(viewer, { collectionId }, { ...query, limit: 1 })._meta,
        },
        {
          ...listed,
          what: `${what}: months, counted again`,
          target: months,
          call: () => fresh().timeline(viewer, { collectionId }, query),
        },
      ]
    },
  )
}

function facetCases(library: Library, { name: who, viewer, query }: BenchViewer, section: string): Case[] {
  const { keystrings, people, objects, collections } = library.handlers
  const caller = callerOf(viewer)
  const request = { params: {}, query, body: {} }
  const target = immediateMs
  const mayEdit = viewer.kind === 'user'
  return [
    { what: 'collections with counts', call: () => collections.list(caller, request) },
    { what: 'keystrings', call: () => keystrings.list(caller, request) },
    ...(['Keywords', 'Category', 'Author'] as const).map(tag => ({
      what: `keystrings by tag ${tag}`,
      call: () => keystrings.byTag(caller, { ...request, params: { tag } }),
    })),
    ...(mayEdit ? [{ what: 'keystrings, list-all', call: () => keystrings.listAll(caller, request) }] : []),
    { what: 'people', call: () => people.list(caller, request) },
    { what: 'person names (suggestions)', call: () => people.names(caller, request) },
    ...(mayEdit ? [{ what: 'faces', call: () => people.faces(caller, { ...request, query: {} }) }] : []),
    { what: 'objects', call: () => objects.list(caller, request) },
    { what: 'object properties', call: () => objects.propertyNames(caller, request) },
  ].map(one => ({ section, who, target, ...one }))
}

function mapCases(library: Library, { name: who, viewer, query: own }: BenchViewer, section: string): Case[] {
  const { map } = library.handlers
  const caller = callerOf(viewer)
  const features = (query: object) =>
    map.features(caller, { params: { collectionId }, query: { ...own, ...query }, body: {} })
  const countAgain = (query: object) => () =>
    createMap({ items: createItems({ db: library.db }) }).features(
      viewer,
      { collectionId },
      { ...own, ...query, limit: 1 },
    )._meta
  const world: [number, number, number, number] = [-180, -90, 180, 90]
  const [longitude = 0, latitude = 0] =
    library.map.features(viewer, { collectionId }, { limit: 1 }).features[0]?.geometry.coordinates ?? []
  const town: [number, number, number, number] = [longitude - 0.1, latitude - 0.1, longitude + 0.1, latitude + 0.1]
  const continent: [number, number, number, number] = [-20, 0, 60, 60]
  return [
    { what: 'map: world, 5,000 newest', call: () => features({}) },
    { what: 'map: world, 500 newest', call: () => features({ limit: 500 }) },
    { what: 'map: world, total counted again', call: countAgain({}) },
    { what: 'map: box of the world, total counted again', call: countAgain({ bbox: world }) },
    { what: 'map: a town, 500', target: 10, call: () => features({ bbox: town, limit: 500 }) },
    { what: 'map: a town, 5,000', call: () => features({ bbox: town }) },
    { what: 'map: a town, total counted again', target: 10, call: countAgain({ bbox: town }) },
    { what: 'map: a continent, 5,000', call: () => features({ bbox: continent }) },
    { what: 'map: a continent, total counted again', call: countAgain({ bbox: continent }) },
    { what: 'map: world with a word, 5,000', call: () => features({ q: 'family' }) },
    { what: 'map: world with a word, total', call: countAgain({ q: 'family' }) },
  ].map(one => ({ section, who, target: immediateMs, ...one }))
}

function otherCases(
  library: Library,
  { name: who, viewer, query }: BenchViewer,
  { savers }: Extras,
  seeded: Seeded,
): Case[] {
  const { handlers } = library
  const { items, shares, history, jobs, screensavers } = handlers
  const caller = callerOf(viewer)
  const params = { collectionId }
  const [largest = 1] = seeded.collections
  const first = library.history.list(viewer, params, {})
  const gone = { params, query: { ...query, limit: pageSize }, body: {} }
  const isAdmin = viewer.globalAdmin
  return [
    {
      what: 'On This Day',
      target: immediateMs,
      call: () => items.onThisDay(caller, { params, query: { ...query, onthisday: 'Europe/Madrid' }, body: {} }),
    },
    {
      what: 'On This Day, 100',
      target: 5,
      call: () => items.onThisDay(caller, { params, query: { ...query, limit: 100 }, body: {} }),
    },
    { what: 'timeline', target: 5, call: () => items.timeline(caller, { params, query, body: {} }) },
    { what: 'duplicates, exact', call: () => items.duplicates(caller, { params, query: { limit: 50 }, body: {} }) },
    {
      what: 'duplicates, exact, found again',
      call: () => createDuplicates(library).list(viewer, params, { limit: 50 }),
    },
    {
      what: 'duplicates, exact, page 10',
      call: () => items.duplicates(caller, { params, query: { limit: 50, page: 10 }, body: {} }),
    },
    {
      what: 'duplicates, near',
      call: () => items.duplicates(caller, { params, query: { limit: 50, kind: 'near' }, body: {} }),
    },
    {
      what: 'duplicates, of a collection',
      call: () => items.duplicates(caller, { params: { collectionId: largest }, query: { limit: 50 }, body: {} }),
    },
    { what: 'recycle bin', call: () => items.deleted(caller, gone) },
    { what: 'missing items', call: () => items.missing(caller, gone) },
    ...(isAdmin ? savers : []).map(({ what, id }) => ({
      what: `screen saver: ${what}`,
      call: () => screensavers.next(caller, { params: { id }, query: {}, body: {} }),
    })),
    { what: 'shares', call: () => shares.list(caller, { params: {}, query: {}, body: {} }) },
    { what: 'history, newest', call: () => history.list(caller, { params, query: {}, body: {} }) },
    {
      what: 'history, second page',
      call: () => history.list(caller, { params, query: { before: first.next ?? 1 }, body: {} }),
    },
    {
      what: 'history of a collection',
      call: () => history.list(caller, { params: { collectionId: largest }, query: {}, body: {} }),
    },
    { what: 'history of an item', call: () => history.list(caller, { params, query: { item: 101 }, body: {} }) },
    { what: 'jobs', call: () => jobs.list(caller, { params: {}, query: {}, body: {} }) },
    { what: 'jobs, ended ones too', call: () => jobs.list(caller, { params: {}, query: { state: 'all' }, body: {} }) },
    { what: 'problems', call: () => jobs.problems(caller, { params, query: {}, body: {} }) },
    { what: 'places: san', call: () => library.places.search(viewer, 'san') },
    ...(isAdmin
      ? [
          {
            what: 'CSV, first 1,000 lines',
            call: () => linesOf(library.collectionExport.csv(viewer, largest, query).lines, 1000),
          },
        ]
      : []),
    { what: 'downloads: what 20,000 hold', call: () => library.items.idsOf(viewer, 0, query, { limit: 20_000 }).total },
  ].map(one => ({ section: 'Other lists', who, target: immediateMs, ...one }))
}

/** Counts lines in pieces of text until there are `most`. */
function linesOf(pieces: Iterable<string>, most: number): number {
  let lines = 0
  for (const piece of pieces) {
    lines += piece.split('\r\n').length - 1
    if (lines >= most) break
  }
  return lines
}

function singleCases(library: Library, { name: who, viewer, query }: BenchViewer): Case[] {
  const some = library.items.idsOf(viewer, 0, query, { limit: 1000 }).ids
  let n = 0
  const next = () => some[n++ % some.length] ?? 1
  return [
    { what: 'one item', call: () => library.items.get(viewer, { id: next() }, query) },
    { what: 'finding a picture', call: () => library.items.findForBytes(viewer, next())?.content },
  ].map(one => ({ section: 'Single items', who, target: 1, ...one }))
}

/** Pages, shapes and changes of albums, and favourites. Page 500 is in the middle of the large album. */
function albumCases(library: Library, who: BenchViewer, { albums: { thousand, many, search } }: Extras): Case[] {
  const { handlers } = library
  const { name, viewer, query } = who
  const caller = callerOf(viewer)
  const section = 'Albums'
  const request = { params: {}, query, body: {} }
  const filters: Filtered[] = [
    { what: 'album of 1,000', query: { album: thousand }, page: 1 },
    { what: 'album of 1,000 by hand', query: { album: thousand, sort: 'hand' }, page: 1 },
    { what: 'album of 100,000', query: { album: many }, page: 1 },
    { what: 'album of 100,000, page in the middle', query: { album: many, page: Number.NaN }, page: 5 },
    { what: 'album of 100,000 by hand', query: { album: many, sort: 'hand' }, page: 1 },
    { what: 'album by a search', query: { album: search }, page: 8 },
    { what: 'album:NAME', query: { q: 'album:"A thousand"' }, page: 2 },
  ]
  const of = (album: number, more: object) => ({
    params: { collectionId },
    query: { ...query, album, ...more },
    body: {},
  })
  const few = library.items.idsOf(viewer, 0, { ...query, q: '-album:"A thousand"' }, { limit: 1000 }).ids
  const change = (body: { add?: number[]; remove?: number[] }) => library.albums.setItems(viewer, thousand, body)
  const hasAccount = viewer.kind === 'user'
  const others = [
    { what: 'list of 100 albums', target: 1, call: () => handlers.albums.list(caller, request) },
    {
      what: 'list of 100 albums, counted again',
      call: () => createAlbums({ ...library, items: createItems({ db: library.db }) }).list(viewer, query),
    },
    {
      what: 'album of 100,000 by hand, page 500',
      target: 5,
      call: () => handlers.items.list(caller, of(many, { sort: 'hand', limit: pageSize, page: 500 })),
    },
    {
      what: 'layout of an album of 1,000',
      target: 5,
      call: () => handlers.items.layout(caller, of(thousand, {})),
    },
    {
      what: 'layout of a month of an album of 100,000',
      target: 5,
      call: () => handlers.items.layout(caller, of(many, month)),
    },
    ...(hasAccount
      ? [
          { what: 'favourites', call: () => handlers.favourites.list(caller, request) },
          {
            what: 'adding and removing 1,000 items',
            target: 500,
            call: async () => [await change({ add: few }), await change({ remove: few })],
          },
        ]
      : []),
  ].map(one => ({ section, who: name, target: immediateMs, ...one }))
  return [...listCases(library, who, filters, section), ...others]
}

/** The shapes of a month, and the pages of people and places, also as first opened after a change (`counted again`). */
function overviewCases(
  library: Library,
  { name, viewer, query }: BenchViewer,
  { people: [somebody = 1] }: Seeded,
): Case[] {
  const { people, map, items } = library.handlers
  const caller = callerOf(viewer)
  const request = { params: {}, query, body: {} }
  const person = { ...request, params: { id: somebody } }
  const picturesOf = { filtergroups: [[{ type: 'Person' as const, mode: 0 as const, id: somebody }]], limit: pageSize }
  // A new module has no cached results: this is what the first caller waits for.
  const fresh = () => ({ ...library, items: createItems({ db: library.db }) })
  return [
    {
      what: 'layout of a month',
      target: 5,
      call: () => items.layout(caller, { params: { collectionId }, query: { ...query, ...month }, body: {} }),
    },
    { what: 'people', target: 1, call: () => people.overview(caller, request) },
    { what: 'people, counted again', call: () => createPeopleOverviews(fresh()).list(viewer, query) },
    { what: 'a person', target: 1, call: () => people.page(caller, person) },
    { what: 'a person, counted again', call: () => createPeopleOverviews(fresh()).page(viewer, somebody, query) },
    {
      what: 'pictures of a person',
      target: 1,
      call: () => items.list(caller, { params: { collectionId }, query: { ...query, ...picturesOf }, body: {} }),
    },
    { what: 'places', target: 1, call: () => map.visited(caller, request) },
    { what: 'places, counted again', call: () => createVisitedPlaces(fresh()).overview(viewer, query) },
  ].map(one => ({ section: 'Layout, people and places', who: name, target: immediateMs, ...one }))
}

/** The filters that are also measured for a member, with unlocked items, and while items are being hidden. */
const mainFilters = [
  'first page',
  'page in the middle',
  'every July',
  'keyword',
  'two keywords',
  'not a keyword',
  'rating:>=3',
  'words: family',
  'words: img',
  'words: OR, NOT, fields',
  'near, 20 km',
  'by name',
]

/** The calls that are measured while no job changes the library. */
export function casesOf(library: Library, seeded: Seeded, extras: Extras): Case[] {
  const { admin, member, visitor, unlocked } = viewersOf(library, extras)
  const filters = filtersOf(library, seeded)
  const some = filters.filter(({ what }) => mainFilters.includes(what))
  return [
    ...listCases(library, admin, filters, 'Lists'),
    ...listCases(library, member, some, 'Lists'),
    ...listCases(library, visitor, filters, 'Lists'),
    ...listCases(library, unlocked, some, 'Lists, unlocked (10 % of the items are hidden)'),
    ...[admin, visitor, unlocked].flatMap(who => facetCases(library, who, 'Facets and suggestions')),
    ...[admin, visitor, unlocked].flatMap(who => mapCases(library, who, 'Map')),
    ...[admin, member].flatMap(who => otherCases(library, who, extras, seeded)),
    ...[admin, visitor].flatMap(who => singleCases(library, who)),
    ...[visitor, member, admin].flatMap(who => albumCases(library, who, extras)),
    ...[visitor, member, admin].flatMap(who => overviewCases(library, who, seeded)),
  ]
}

/** The calls that are measured while a keystring hides items that no job has marked yet. */
export function casesWhileHiding(library: Library, seeded: Seeded, extras: Extras): Case[] {
  const { admin, visitor } = viewersOf(library, extras)
  const section = 'While another 10 % are being hidden'
  const some = filtersOf(library, seeded).filter(({ what }) => mainFilters.includes(what))
  return [admin, visitor].flatMap(who => [
    ...listCases(library, who, some, section),
    ...facetCases(library, who, section),
    ...mapCases(library, who, section),
  ])
}
