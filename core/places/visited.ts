/** The places of items that a viewer sees, by country, region and town. */
import type { ItemPlace, PlacesOverview } from '../../schema/api/map.ts'
import { limits } from '../../schema/limits.ts'
import { seesHidden, type Viewer } from '../accounts/access.ts'
import { allOf } from '../filter/bound.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { englishCountry, type PlaceParts, partsOfPlace, textOfPlace } from '../words/place-names.ts'
import { itemsByPlace } from './visited.sql.ts'

/** Figures on the items of one name, or of all names within a place. */
interface Figures {
  n: number
  first: number
  last: number
  best: number
}

interface Tree extends Figures {
  name: string
  text: string
  inside: Map<string, Tree>
}

const emptyTree = (name: string, text: string): Tree => ({
  name,
  text,
  n: 0,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  best: 0,
  inside: new Map(),
})

function add(tree: Tree, { n, first, last, best }: Figures): void {
  tree.n += n
  tree.first = Math.min(tree.first, first)
  tree.last = Math.max(tree.last, last)
  tree.best = Math.max(tree.best, best)
}

/** The place with this name in another; created if missing. Regions and towns of the same name are different. */
function placeWithin(tree: Tree, kind: keyof PlaceParts, parts: PlaceParts): Tree {
  const key = `${kind} ${parts[kind]}`
  const known = tree.inside.get(key)
  if (known !== undefined) return known
  const made = emptyTree(parts[kind], textOfPlace(parts))
  tree.inside.set(key, made)
  return made
}

/**
 * Merges names that leave out a region: 'California, United States' is a region if another name is 'Fresno, California,
 * United States', and 'Kiel, Germany' is the town of 'Kiel, Schleswig-Holstein, Germany' if no other region has a Kiel.
 */
function mergeNamesWithoutRegion(country: Tree): void {
  const regions = [...country.inside].flatMap(([key, tree]) => (key.startsWith('region ') ? [tree] : []))
  for (const [key, place] of country.inside) {
    if (!key.startsWith('town ')) continue
    const sameName = regions.find(({ name }) => name === place.name)
    const around = regions.filter(({ inside }) => inside.has(key))
    const [region, other] = sameName === undefined ? around : [sameName]
    if (region === undefined || other !== undefined) continue
    add(region, place)
    country.inside.delete(key)
    const town = sameName === undefined ? region.inside.get(key) : undefined
    if (town === undefined) continue
    add(town, place)
    town.text = place.text
  }
}

function treeOf(rows: readonly (Figures & { place: string })[]): Tree {
  const root = emptyTree('', '')
  for (const row of rows) {
    const parts = partsOfPlace(row.place)
    const { region, town } = parts
    const country = placeWithin(root, 'country', { ...parts, region: '', town: '' })
    add(country, row)
    let outer = country
    if (region !== '') {
      outer = placeWithin(country, 'region', { ...parts, town: '' })
      add(outer, row)
    }
    if (town !== '') add(placeWithin(outer, 'town', parts), row)
  }
  for (const country of root.inside.values()) mergeNamesWithoutRegion(country)
  return root
}

const sortedInside = ({ inside }: Tree): Tree[] =>
  [...inside.values()].sort((a, b) => b.n - a.n || a.name.localeCompare(b.name))

function townsIn({ inside }: Tree): number {
  let towns = 0
  for (const [key, tree] of inside) towns += key.startsWith('town ') ? 1 : townsIn(tree)
  return towns
}

const shownTowns = 2

/** The lower 40 bits of `best` (visited.sql.ts). */
const idOfBest = (best: number): number => best % 2 ** 40

export function createVisitedPlaces({ db, items }: { db: LibraryDatabase; items: Items }) {
  /** Number of items that the viewer sees in collections that show them their places. */
  function countAll(viewer: Viewer, includeHidden: string | undefined): number {
    const excluded = items.privateCollections(viewer)
    const counts = items.countByCollection(viewer, seesHidden(viewer, includeHidden))
    return [...counts].reduce((sum, [id, n]) => (excluded.includes(id) ? sum : sum + n), 0)
  }

  return {
    overview(
      viewer: Viewer,
      query: { includeHidden?: string | undefined; country?: string | undefined; region?: string | undefined },
    ): PlacesOverview {
      const { includeHidden, country, region } = query
      const { rows, all } = items.cached('places', viewer, { includeHidden }, () => ({
        rows: allOf(db, itemsByPlace(items.isSeenWithPeople(viewer, includeHidden))),
        all: countAll(viewer, includeHidden),
      }))
      const named = rows.filter(({ place }) => place !== '')
      const root = treeOf(named)
      const isWanted = (wanted: string | undefined) => (tree: Tree) => wanted === undefined || tree.name === wanted
      let sections = sortedInside(root).filter(isWanted(country === undefined ? undefined : englishCountry(country)))
      if (region !== undefined) {
        sections = sections.flatMap(one =>
          sortedInside(one).filter(tree => tree.inside.size > 0 && tree.name === region),
        )
      }
      const limit = country === undefined ? limits.placesOfCountry : Number.POSITIVE_INFINITY
      const shown = sections.map(tree => ({ tree, places: sortedInside(tree).slice(0, limit) }))
      const ids = shown.flatMap(({ places }) => places.map(({ best }) => idOfBest(best)))
      const covers = new Map(items.byIds(viewer, ids, includeHidden).map(item => [item.id, item]))
      const counted = ({ name, text, n, first, last, inside }: Tree) => ({
        name,
        text,
        count: n,
        from: first,
        to: last,
        inside: inside.size,
      })
      const placeOf = (tree: Tree): ItemPlace => ({
        ...counted(tree),
        cover: covers.get(idOfBest(tree.best)) ?? null,
        top: sortedInside(tree)
          .slice(0, shownTowns)
          .map(({ name, text, n }) => ({ name, text, count: n })),
      })
      const sumOf = (some: readonly Figures[]) => some.reduce((sum, { n }) => sum + n, 0)
      const unnamed = sumOf(rows.filter(({ place }) => place === ''))
      return {
        countries: [...root.inside.values()].filter(({ name }) => name !== '').length,
        towns: townsIn(root),
        sections: shown.map(({ tree, places }) => ({ ...counted(tree), places: places.map(placeOf) })),
        unnamed,
        nowhere: all - unnamed - sumOf(named),
      }
    },
  }
}

export type VisitedPlaces = ReturnType<typeof createVisitedPlaces>
