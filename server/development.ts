/** Pages that `npm run dev` bundles on request. A release has none of them. */

export interface Development {
  /** `web/index.html`, as Bun imports it. */
  page: Bun.HTMLBundle
  /** Files that the page requests by address: workers, models, outlines of countries. */
  files: Record<string, () => Promise<Response>>
}

export const development: { pages: Development | null } = { pages: null }

/** Addresses that belong to the server, and not to the page. */
const serverPaths = ['/v1/*', '/config/*', '/favicon.svg', '/manifest.webmanifest', '/service-worker.js'] as const

/** Routes for `Bun.serve` in front of `fetch`; none in a release. */
export function developmentRoutes<Fetch>(
  fetch: Fetch,
): Record<string, Fetch | Development[keyof Development] | (() => Promise<Response>)> {
  const { pages } = development
  if (pages === null) return {}
  return { ...Object.fromEntries(serverPaths.map(path => [path, fetch])), ...pages.files, '/*': pages.page }
}
