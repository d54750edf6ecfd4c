/** The built-in map: the world's countries, drawn on tiles as they become visible. Needs no other server. */
import L from 'leaflet'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { type Country, countryOf, labelsAt, type Ring, ringOf } from './shapes.ts'

interface World {
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
      if (geometry.type === 'Polygon') return [countryOf(properties.name, [geometry.coordinates])]
      return geometry.type === 'MultiPolygon' ? [countryOf(properties.name, geometry.coordinates)] : []
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

const tileSize = 256

/** Adds a ring to the path in tile coordinates, unless it is outside the tile. */
function trace(
  path: Path2D,
  ring: Ring,
  { left, top, scale, shift }: { left: number; top: number; scale: number; shift: number },
  closed: boolean,
): void {
  const size = tileSize / scale
  const margin = 2 / scale
  if (ring.east + shift < left - margin || ring.west + shift > left + size + margin) return
  if (ring.south < top - margin || ring.north > top + size + margin) return
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

function draw(
  canvas: HTMLCanvasElement,
  { countries, frontiers }: World,
  { land, frontier }: GroundColours,
  { x, y, z }: L.Coords,
  pixelRatio: number,
): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const tiles = 2 ** z
  const scale = tiles * tileSize
  context.scale(pixelRatio, pixelRatio)
  context.fillStyle = land
  context.strokeStyle = frontier
  context.lineWidth = z < 3 ? 0.6 : 1
  context.lineJoin = 'round'
  const ground = new Path2D()
  const lines = new Path2D()
  // Countries across the date line extend into the next copy of the world.
  const home = Math.floor(x / tiles)
  for (const copy of [home - 1, home, home + 1]) {
    const view = { left: x / tiles, top: y / tiles, scale, shift: copy }
    for (const { rings } of countries) for (const ring of rings) trace(ground, ring, view, true)
    for (const ring of frontiers) trace(lines, ring, view, false)
  }
  context.fill(ground, 'evenodd')
  context.stroke(lines)
}

/** Tiles of the countries; `colours` is called for each tile, so that a redraw uses the present theme. */
export class Ground extends L.GridLayer {
  constructor(
    private readonly world: World,
    private readonly colours: () => GroundColours,
  ) {
    super({ tileSize, updateWhenZooming: false, keepBuffer: 3 })
  }

  override createTile(coords: L.Coords): HTMLElement {
    const canvas = document.createElement('canvas')
    const pixelRatio = Math.min(devicePixelRatio, 2)
    canvas.width = tileSize * pixelRatio
    canvas.height = tileSize * pixelRatio
    draw(canvas, this.world, this.colours(), coords, pixelRatio)
    return canvas
  }
}

/** Draws the names of countries that have room for them, again at every zoom. Tiles of other maps have their own. */
export function addNames(map: L.Map, countries: readonly Country[]): void {
  const pane = map.createPane('names')
  pane.style.zIndex = '350'
  pane.style.pointerEvents = 'none'
  const group = L.layerGroup().addTo(map)
  const fill = () => {
    group.clearLayers()
    const pixels = tileSize * 2 ** map.getZoom()
    const home = Math.floor(map.project(map.getCenter()).x / pixels)
    for (const { name, x, y } of labelsAt(countries, pixels)) {
      for (const copy of [home - 1, home, home + 1]) {
        const word = document.createElement('span')
        word.textContent = name
        L.marker(map.unproject([(x + copy) * pixels, y * pixels]), {
          pane: 'names',
          interactive: false,
          keyboard: false,
          icon: L.divIcon({ className: 'map-name', html: word, iconSize: [0, 0] }),
        }).addTo(group)
      }
    }
  }
  map.on('zoomend', fill)
  fill()
}
