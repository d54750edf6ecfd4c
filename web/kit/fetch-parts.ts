/**
 * Fetches scripts before they are imported. A browser remembers a failed import until the page is loaded again
 * (Chromium since 150), but not a failed fetch, so a part of the page can be loaded again after an outage. The build
 * adds this call before each import of a part, with those of the part's files that are not loaded yet.
 */
const fetched = new Set<string>()

async function fetchOnce(address: string): Promise<void> {
  if (fetched.has(address)) return
  const response = await fetch(address)
  if (!response.ok) throw new TypeError(`${address} could not be loaded: ${response.status}`)
  // Read the whole body, so that the import finds it in the cache.
  await response.arrayBuffer()
  fetched.add(address)
}

/** Throws a TypeError, like an import. */
export async function fetchParts(addresses: readonly string[]): Promise<void> {
  await Promise.all(addresses.map(fetchOnce))
}

Object.assign(globalThis, { fetchParts })
