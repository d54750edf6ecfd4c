/** The built-in map: the world's countries, drawn on tiles as they become visible. */
import L from 'leaflet'
import { type Country, labelsAt } from './shapes.ts'
import { drawWorld, type GroundColours, type World } from './world.ts'

const tileSize = 256

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
    const tiles = 2 ** coords.z
    const part = { left: coords.x / tiles, top: coords.y / tiles, width: tileSize, height: tileSize }
    drawWorld(canvas, this.world, this.colours(), { ...part, scale: tiles * tileSize })
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
