/** Limits memory: frames leave much garbage, which the runtime collects late on a machine with much memory. */

/** The size is checked this often, in milliseconds; garbage is collected when it has grown by this many bytes. */
const checkMs = 150
const growth = 24_000_000

/** Returns the function that ends it. */
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
