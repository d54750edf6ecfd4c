/** Throttles calls. Pure except for the clock. */

/** Calls `act` at once, and once more after `ms` if called again meanwhile. Without `leading`, acts only after `ms`. */
export function throttle(act: () => void, ms: number, { leading = true } = {}): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const rest = () => {
    timer = undefined
    if (!again) return
    again = false
    timer = setTimeout(rest, ms)
    act()
  }
  return () => {
    if (timer !== undefined) {
      again = true
      return
    }
    again = !leading
    timer = setTimeout(rest, ms)
    if (leading) act()
  }
}
