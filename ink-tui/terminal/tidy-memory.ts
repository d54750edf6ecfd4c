/** Limits memory: frames create much garbage, which the runtime collects late on a machine with much memory. */

/** Interval in milliseconds between checks of the size; garbage is collected after growing by this many bytes. */
const checkMs = 150
const growth = 24_000_000

/** Returns the function that ends this. */
export function tidyMemory(): () => void {
  let after = process.memoryUsage.rss()
  const timer = setInterval(() => {
    const now = process.memoryUsage.rss()
    if (now < after) after = now
    if (now - after < growth) return
    Bun.gc(true)
    after = process.memoryUsage.rss()
  }, checkMs)
  timer.unref()
  return () => clearInterval(timer)
}
