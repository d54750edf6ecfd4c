/** The viewer's keys. */
import { useEffect, useRef } from 'react'
import { layers } from '../kit/layers/layers.ts'

export interface ViewerKeys {
  step: (by: 1 | -1) => void
  zoom: (factor: number) => void
  fit: () => void
  turn: (by: 90 | -90) => void
  details: () => void
  regions: () => void
  play: () => void
  rate: (rating: number) => void
  remove: () => void
  menu: () => void
}

export function useViewerKeys(layer: number, keys: ViewerKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (layers.value.at(-1)?.id !== layer || event.metaKey || event.ctrlKey || event.altKey) return
      // On a focused video, button or link, the space bar keeps its own meaning.
      const inVideo = event.target instanceof HTMLVideoElement
      const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement
      const { step, zoom, fit, turn, details, regions, play, rate, remove, menu } = latest.current
      const acts = new Map([
        ['ArrowLeft', () => step(-1)],
        ['ArrowRight', () => step(1)],
        ['+', () => zoom(1.6)],
        ['=', () => zoom(1.6)],
        ['-', () => zoom(1 / 1.6)],
        ['f', fit],
        ['r', () => turn(90)],
        ['R', () => turn(-90)],
        ['i', details],
        ['p', regions],
        ['Delete', remove],
        ['ContextMenu', menu],
        ...[0, 1, 2, 3, 4, 5].map(stars => [String(stars), () => rate(stars)] as const),
      ])
      const key = event.key === 'F10' && event.shiftKey ? 'ContextMenu' : event.key
      const act = key === ' ' && !inVideo && !onButton ? play : acts.get(key)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [layer])
}
