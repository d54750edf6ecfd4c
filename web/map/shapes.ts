/** Countries and frontiers on the map's square, for tiles. Pure. */

/** A country's outline, or an open frontier; x and y alternate, as shares of the world's square (Web Mercator). */
export interface Ring {
  points: Float64Array
  west: number
  east: number
  north: number
  south: number
}

export interface Country {
  name: string
  rings: readonly Ring[]
  /** Position of the country's name (the centroid of its largest ring), and that ring's width. */
  label: { x: number; y: number; width: number }
}

type Position = readonly number[]

/** Maximum latitude of Web Mercator, in degrees. */
const maxLatitude = 85.051128779807

/** Converts to shares of the world's square, x from the date line eastward and y from the north. */
export function project(longitude: number, latitude: number): { x: number; y: number } {
  const bounded = Math.max(-maxLatitude, Math.min(maxLatitude, latitude))
  const sine = Math.sin((bounded * Math.PI) / 180)
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) }
}

/** Continues a ring across the date line, with longitudes beyond ±180. A ring around a pole is closed along it. */
export function unwrapRing(ring: readonly Position[]): [number, number][] {
  const points: [number, number][] = []
  let shift = 0
  for (const [longitude = 0, latitude = 0] of ring) {
    const last = points.at(-1)?.[0]
    if (last !== undefined) {
      if (longitude + shift - last > 180) shift -= 360
      else if (longitude + shift - last < -180) shift += 360
    }
    points.push([longitude + shift, latitude])
  }
  const [first, last] = [points[0], points.at(-1)]
  if (first !== undefined && last !== undefined && Math.abs(last[0] - first[0]) > 180) {
    const pole = first[1] < 0 ? -90 : 90
    points.push([last[0], pole], [first[0], pole])
  }
  return points
}

export function ringOf(positions: readonly Position[]): Ring {
  const points = new Float64Array(positions.length * 2 + 4)
  let at = 0
  const box = { west: Infinity, east: -Infinity, north: Infinity, south: -Infinity }
  for (const [longitude, latitude] of unwrapRing(positions)) {
    const { x, y } = project(longitude, latitude)
    points[at++] = x
    points[at++] = y
    box.west = Math.min(box.west, x)
    box.east = Math.max(box.east, x)
    box.north = Math.min(box.north, y)
    box.south = Math.max(box.south, y)
  }
  return { points: points.slice(0, at), ...box }
}

/** Twice the area of a ring; positive whatever its direction. */
function doubleArea({ points }: Ring): number {
  let sum = 0
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    sum += (points[at] ?? 0) * (points[next + 1] ?? 0) - (points[next] ?? 0) * (points[at + 1] ?? 0)
  }
  return Math.abs(sum)
}

function centroid({ points, west, east, north, south }: Ring): { x: number; y: number } {
  let [sum, x, y] = [0, 0, 0]
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    const [ax = 0, ay = 0, bx = 0, by = 0] = [points[at], points[at + 1], points[next], points[next + 1]]
    const cross = ax * by - bx * ay
    sum += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  return sum === 0 ? { x: (west + east) / 2, y: (north + south) / 2 } : { x: x / (3 * sum), y: y / (3 * sum) }
}

export function countryOf(name: string, polygons: readonly (readonly (readonly Position[])[])[]): Country {
  const outer = polygons.flatMap(polygon => polygon.slice(0, 1)).map(ringOf)
  const holes = polygons.flatMap(polygon => polygon.slice(1)).map(ringOf)
  const [largest] = [...outer].sort((a, b) => doubleArea(b) - doubleArea(a))
  const label =
    largest === undefined ? { x: 0, y: 0, width: 0 } : { ...centroid(largest), width: largest.east - largest.west }
  return { name, rings: [...outer, ...holes], label }
}

export interface Label {
  name: string
  x: number
  y: number
}

/** Width and height of a name at a font size of 12 px. */
const labelWidth = (name: string) => name.length * 6.6 + 8
const labelHeight = 18

/** Names that fit into their countries at this scale without covering each other; wide countries come first. */
export function labelsAt(countries: readonly Country[], pixels: number): Label[] {
  const placed: { left: number; right: number; top: number; bottom: number }[] = []
  const labels: Label[] = []
  for (const { name, label } of [...countries].sort((a, b) => b.label.width - a.label.width)) {
    const width = labelWidth(name)
    if (label.width * pixels < width * 0.9) continue
    const [x, y] = [label.x * pixels, label.y * pixels]
    const box = { left: x - width / 2, right: x + width / 2, top: y - labelHeight / 2, bottom: y + labelHeight / 2 }
    const covered = placed.some(
      other => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
    )
    if (covered) continue
    placed.push(box)
    labels.push({ name, x: label.x, y: label.y })
  }
  return labels
}
