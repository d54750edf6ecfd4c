/** Hides controls after two seconds without mouse or keys; on touch screens only taps hide and show them. */
import { type RefObject, useEffect, useRef, useState } from 'react'

const fadeAfterMs = 2000

/** Returns whether the controls are hidden, and a toggle for taps. `stay` keeps them visible. */
export function useHiddenControls(root: RefObject<HTMLElement | null>, stay: boolean): [boolean, () => void] {
  const [quiet, setQuiet] = useState(false)
  const touch = useRef(false)
  useEffect(() => {
    const { current } = root
    if (current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const fade = () => {
      const over = current.querySelector('.viewer-control:hover, .viewer-details:hover, .viewer-control :focus-visible')
      if (over === null && !stay && !matchMedia('(hover: none)').matches) setQuiet(true)
      else timer = setTimeout(fade, fadeAfterMs)
    }
    const wake = () => {
      setQuiet(false)
      clearTimeout(timer)
      timer = setTimeout(fade, fadeAfterMs)
    }
    const onMove = (event: PointerEvent) => {
      // On touch screens, taps show and hide the controls.
      touch.current = event.pointerType !== 'mouse'
      if (touch.current) clearTimeout(timer)
      else wake()
    }
    wake()
    current.addEventListener('pointermove', onMove)
    current.addEventListener('pointerdown', onMove)
    addEventListener('keydown', wake)
    return () => {
      clearTimeout(timer)
      current.removeEventListener('pointermove', onMove)
      current.removeEventListener('pointerdown', onMove)
      removeEventListener('keydown', wake)
    }
  }, [root, stay])
  return [quiet, () => setQuiet(known => !known)]
}
