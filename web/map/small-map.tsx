/** A still picture of the built-in map around one position. Needs no other server, and not Leaflet. */
import { useEffect, useRef } from 'react'
import { useElementSize } from '../kit/use-element-size.ts'
import { project } from './shapes.ts'
import { drawWorld, groundColours, loadWorld, type World } from './world.ts'

/** Pixels of the whole world's edge: shows a region of some hundred kilometres, so that coasts are recognised. */
const scale = 256 * 2 ** 5.5

function SmallMap({ world, latitude, longitude }: { world: World; latitude: number; longitude: number }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const { width, height } = useElementSize(ref)
  useEffect(() => {
    const { current } = ref
    if (current === null || width === 0) return
    const { x, y } = project(longitude, latitude)
    const [left, top] = [x - width / 2 / scale, y - height / 2 / scale]
    drawWorld(current, world, groundColours(current), { left, top, width, height, scale })
  }, [world, latitude, longitude, width, height])
  return <canvas ref={ref} className="absolute inset-0 size-full" />
}

/** Loads the map's data, and returns the component with them. */
export async function loadSmallMap() {
  const world = await loadWorld()
  return (place: { latitude: number; longitude: number }) => <SmallMap world={world} {...place} />
}
