/** Throttles calls. Pure except for the clock. */

/** Calls `act` at most once in `ms`: at once unless `leading` is false, and again at the end if called meanwhile. */
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
