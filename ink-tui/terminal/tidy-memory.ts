/** Limits memory: frames create much garbage, which the runtime would collect late on a machine with much memory. */

/** Milliseconds between two checks of the memory. */
const checkMs = 150
/** Garbage is collected after the memory has grown by this many bytes. */
const maxGrowth = 24_000_000

/** Starts the checks; returns the function that ends them. */
export function startMemoryChecks(): () => void {
  let after = process.memoryUsage.rss()
  const timer = setInterval(() => {
    const now = process.memoryUsage.rss()
    if (now < after) after = now
    if (now - after < maxGrowth) return
    Bun.gc(true)
    after = process.memoryUsage.rss()
  }, checkMs)
  timer.unref()
  return () => clearInterval(timer)
}
