/** Starts the page. */
import { createRoot } from 'react-dom/client'
import { type BaseLocationHook, Router } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { go } from './app/address.ts'
import { App } from './app.tsx'
import './kit/fetch-parts.ts'
import { startRealtime } from './realtime.ts'
import { startState } from './shell/start.ts'

/** Links navigate with `go`, like everything else, so that they replace the history entries of open layers. */
const useAddress: BaseLocationHook = () => [
  usePathname(),
  (to, { replace = false }: { replace?: boolean } = {}) => go(to, { replace }),
]

async function start(): Promise<void> {
  const place = document.getElementById('app')
  if (place === null) throw new Error('the page has no place for the app')
  await startState()
  createRoot(place).render(
    <Router hook={useAddress}>
      <App />
    </Router>,
  )
  startRealtime()
}

// Not awaited, because a top-level await makes the bundler put shared code into separate files.
void start()

// Where the browser allows it (https or localhost), the page also opens without the server.
if ('serviceWorker' in navigator) {
  const { serviceWorker } = navigator
  serviceWorker.register('/service-worker.js').catch(() => {})
  // The new worker caches the page's language when the page fetches it.
  const language = document.querySelector<HTMLScriptElement>('script[src*="/language-"]')?.src
  if (language !== undefined) serviceWorker.addEventListener('controllerchange', () => void fetch(language))
}
