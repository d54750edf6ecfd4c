/** The built-in map's data and how a part of it is drawn. Needs no other server, and not Leaflet. */

import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { ownCountryName } from './country-name.ts'
import { type Country, countryOf, type Ring, ringOf } from './shapes.ts'

export interface World {
  countries: Country[]
  frontiers: Ring[]
}

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>

let world: Promise<World> | null = null

async function readAtlas(): Promise<World> {
  const response = await fetch(worldAtlas)
  if (!response.ok) throw new Error(`the map's countries could not be loaded: ${response.status}`)
  const topology: Atlas = await response.json()
  const { countries } = topology.objects
  const frontiers = mesh(topology, countries, (a, b) => a !== b)
  return {
    countries: feature(topology, countries).features.flatMap(({ geometry, properties }) => {
      const name = ownCountryName(properties.name)
      if (geometry.type === 'Polygon') return [countryOf(name, [geometry.coordinates])]
      return geometry.type === 'MultiPolygon' ? [countryOf(name, geometry.coordinates)] : []
    }),
    frontiers: frontiers.coordinates.map(ringOf),
  }
}

export function loadWorld(): Promise<World> {
  world ??= readAtlas().catch((error: unknown) => {
    world = null
    throw error
  })
  return world
}

export interface GroundColours {
  land: string
  frontier: string
}

/** The colours of the theme that the element has. */
export function groundColours(element: Element): GroundColours {
  const style = getComputedStyle(element)
  return { land: style.getPropertyValue('--land'), frontier: style.getPropertyValue('--frontier') }
}

/** A part of the world's square: its top left corner in shares of the world, and pixels. */
export interface MapPart {
  left: number
  top: number
  width: number
  height: number
  /** Pixels of the whole world's edge. */
  scale: number
}

/** Adds a ring to the path in the part's pixels, unless it is outside. */
function addRing(path: Path2D, ring: Ring, part: MapPart, shift: number, closed: boolean): void {
  const { left, top, scale } = part
  const margin = 2 / scale
  if (ring.east + shift < left - margin || ring.west + shift > left + part.width / scale + margin) return
  if (ring.south < top - margin || ring.north > top + part.height / scale + margin) return
  const { points } = ring
  let [lastX, lastY] = [Infinity, Infinity]
  for (let at = 0; at < points.length; at += 2) {
    const x = ((points[at] ?? 0) + shift - left) * scale
    const y = ((points[at + 1] ?? 0) - top) * scale
    // Skip points within half a pixel of the last one, which are not visible.
    if (at > 0 && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) continue
    if (at === 0) path.moveTo(x, y)
    else path.lineTo(x, y)
    lastX = x
    lastY = y
  }
  if (closed) path.closePath()
}

/** Draws the part on a canvas of its size. */
export function drawWorld(
  canvas: HTMLCanvasElement,
  { countries, frontiers }: World,
  { land, frontier }: GroundColours,
  part: MapPart,
): void {
  const pixelRatio = Math.min(devicePixelRatio, 2)
  canvas.width = part.width * pixelRatio
  canvas.height = part.height * pixelRatio
  const context = canvas.getContext('2d')
  if (context === null) return
  context.scale(pixelRatio, pixelRatio)
  context.fillStyle = land
  context.strokeStyle = frontier
  context.lineWidth = part.scale < 2048 ? 0.6 : 1
  context.lineJoin = 'round'
  const ground = new Path2D()
  const lines = new Path2D()
  // Countries across the date line extend into the next copy of the world.
  const home = Math.floor(part.left)
  for (const copy of [home - 1, home, home + 1]) {
    for (const { rings } of countries) for (const ring of rings) addRing(ground, ring, part, copy, true)
    for (const ring of frontiers) addRing(lines, ring, part, copy, false)
  }
  context.fill(ground, 'evenodd')
  context.stroke(lines)
}
