/** Keeps the process small: frames leave much garbage, and the engine would only collect it when there is a lot more. */

/** Looked at so often, in milliseconds; collected when it has grown by so many bytes since the last time. */
const lookMs = 150
const growth = 24_000_000

/** Begins; returns what ends it. What is not grown costs nothing but the look. */
export function tidyMemory(): () => void {
  let after = process.memoryUsage.rss()
  const timer = setInterval(() => {
    const now = process.memoryUsage.rss()
    if (now < after) after = now
    if (now - after < growth) return
    Bun.gc(true)
    after = process.memoryUsage.rss()
  }, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}
